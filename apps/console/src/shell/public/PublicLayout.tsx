import { Outlet } from '@tanstack/react-router'
import { GlobalOutlined } from '@ant-design/icons'
import { languageCodes } from '@outpost/contract/looks'
import { Suspense, useSyncExternalStore } from 'react'
import { locales, type LanguageCode } from '../../languages/locales.ts'
import { Logo, LogoMark } from '../../theme/Logo.tsx'
import { setScheme, useScheme } from '../../theme/scheme.ts'
import { Copyright } from '../Copyright.tsx'
import './public.css'
import { getLanguage, onLanguage, t } from '../../session/labels.ts'
import { chooseLanguage } from '../../session/language.ts'

/** Layout of the screens that need no session: the brand beside a card with the screen in it. */
export function PublicLayout() {
  return (
    <div className="o-public">
      <header className="o-public-brand">
        <Logo size={32} />
        <div className="o-public-mark" aria-hidden="true">
          <LogoMark size={420} />
        </div>
        <div className="o-public-pitch">
          <p className="o-public-claim">{t('Your people in the field, your branches and your lending, on one page.')}</p>
          <p>{t('Capture leads anywhere, even offline. See them arrive as they are made.')}</p>
        </div>
      </header>
      <main className="o-public-main" id="main" tabIndex={-1}>
        <div className="o-public-card">
          <Suspense fallback={<div className="o-public-wait" role="status" aria-label={t('Loading')} />}>
            <Outlet />
          </Suspense>
        </div>
      </main>
      <footer className="o-public-foot">
        <Copyright />
        <span>{t('Version {{version}}', { version: String(import.meta.env.VITE_VERSION) })}</span>
        <LanguageSelect />
        <SchemeButton />
      </footer>
    </div>
  )
}

/** The language of this device: whoever cannot read the page finds the own language by its name. */
function LanguageSelect() {
  const language = useSyncExternalStore(onLanguage, getLanguage)
  return (
    <label className="o-public-language">
      <GlobalOutlined aria-hidden />
      <span className="o-hidden">{t('Language')}</span>
      <select value={language} onChange={({ target }) => void chooseLanguage(target.value as LanguageCode)}>
        {languageCodes.map((code) => (
          <option key={code} value={code} lang={code}>
            {locales[code].name}
          </option>
        ))}
      </select>
    </label>
  )
}

function SchemeButton() {
  const next = useScheme() === 'dark' ? 'light' : 'dark'
  return (
    <button type="button" className="o-text-button" onClick={() => setScheme(next)}>
      {t(next === 'dark' ? 'Use dark theme' : 'Use light theme')}
    </button>
  )
}

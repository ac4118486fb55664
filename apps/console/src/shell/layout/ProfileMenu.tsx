import { lazy, Suspense } from 'react'
import { Link } from '@tanstack/react-router'
import type { ConsoleLayout } from '@outpost/contract/console'
import { requestSignOut } from '../sign-out.ts'
import { StoredImage } from '../../view/fields/parts/stored-image.tsx'
import { setScheme, useScheme } from '../../theme/scheme.ts'
import { Disclosure } from './menu/Disclosure.tsx'
import { openKeyboardHelp } from './overlays.ts'
import { t } from '../../session/labels.ts'

// The texts of all tours come with the first tour, not with the shell.
const TourEntry = lazy(async () => ({ default: (await import('../tours/TourEntry.tsx')).TourEntry }))

/** The user's own corner: profile, password, theme, keyboard help, sign-out. */
export function ProfileMenu({ layout }: { layout: ConsoleLayout }) {
  const { firstName, lastName, emailAddress, roles, picture } = layout.user
  const isImpersonating = layout.impersonation !== undefined
  const next = useScheme() === 'dark' ? 'light' : 'dark'
  return (
    <Disclosure
      label={t('{{firstName}} {{lastName}}, profile menu', { firstName, lastName })}
      className="o-top-button o-top-profile"
      panelClass="o-profile-panel"
      button={
        <span className="o-avatar" aria-hidden="true">
          {picture ? <StoredImage path={picture} alt="" /> : initials(firstName, lastName)}
        </span>
      }
    >
      {(close) => (
        <>
          <div className="o-profile-who">
            <strong>
              {firstName} {lastName}
            </strong>
            <span>{emailAddress}</span>
            <span>
              {roles.map((role) => role.name).join(', ')} · {layout.company.name}
            </span>
          </div>
          <ul className="o-profile-list">
            <li>
              <Link to="/profile" onClick={close}>
                {t('Profile')}
              </Link>
            </li>
            {!isImpersonating && (
              <li>
                <Link to="/profile/change-password" onClick={close}>
                  {t('Change password')}
                </Link>
              </li>
            )}
            <li>
              <button type="button" onClick={() => setScheme(next)}>
                {t(next === 'dark' ? 'Use dark theme' : 'Use light theme')}
              </button>
            </li>
            <Suspense fallback={null}>
              <TourEntry onStart={close} />
            </Suspense>
            <li>
              <button
                type="button"
                aria-keyshortcuts="?"
                onClick={() => {
                  close()
                  openKeyboardHelp()
                }}
              >
                {t('Keyboard shortcuts')}
                <kbd aria-hidden="true">?</kbd>
              </button>
            </li>
            {mayReadReference(layout) && (
              <li>
                {/* A page of the server, not of the console: no route of ours leads there. */}
                <a href="/reference" target="_blank" rel="noopener" onClick={close}>
                  {t('API reference')}
                </a>
              </li>
            )}
            {isImpersonating ? (
              <li>
                <Link to="/end-impersonation">{t('End User Impersonation')}</Link>
              </li>
            ) : (
              <li className="o-profile-out">
                <button type="button" onClick={() => void requestSignOut()}>
                  {t('Log out')}
                </button>
              </li>
            )}
          </ul>
        </>
      )}
    </Disclosure>
  )
}

/** Who connects other systems: those who manage API users. */
const mayReadReference = ({ user: { permissions, rolepermissions } }: ConsoleLayout): boolean =>
  [...permissions, ...rolepermissions].some(({ hierarchy }) => /^(ADMIN\/API(\/|$)|\*$)/.test(hierarchy))

/** First letters of both names. */
export function initials(firstName: string, lastName: string): string {
  return `${firstName.trim()[0] ?? ''}${lastName.trim()[0] ?? ''}`.toUpperCase() || '?'
}

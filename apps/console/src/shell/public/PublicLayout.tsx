import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Logo, LogoMark } from '../../theme/Logo.tsx'
import { setScheme, useScheme } from '../../theme/scheme.ts'
import { Copyright } from '../Copyright.tsx'
import './public.css'

/** Frame of the screens that need no session: the brand beside a card with the screen in it. */
export function PublicLayout() {
  return (
    <div className="o-public">
      <header className="o-public-brand">
        <Logo size={32} />
        <div className="o-public-mark" aria-hidden="true">
          <LogoMark size={420} />
        </div>
        <div className="o-public-pitch">
          <p className="o-public-claim">Your people in the field, your branches and your lending, on one page.</p>
          <p>Capture leads anywhere, even offline. See them arrive as they are made.</p>
        </div>
      </header>
      <main className="o-public-main" id="main" tabIndex={-1}>
        <div className="o-public-card">
          <Suspense fallback={<div className="o-public-wait" role="status" aria-label="Loading" />}>
            <Outlet />
          </Suspense>
        </div>
      </main>
      <footer className="o-public-foot">
        <Copyright />
        <span>Version {import.meta.env.VITE_VERSION}</span>
        <SchemeButton />
      </footer>
    </div>
  )
}

function SchemeButton() {
  const next = useScheme() === 'dark' ? 'light' : 'dark'
  return (
    <button type="button" className="o-text-button" onClick={() => setScheme(next)}>
      Use {next} theme
    </button>
  )
}

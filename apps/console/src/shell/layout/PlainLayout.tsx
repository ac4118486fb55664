import { Link, Outlet } from '@tanstack/react-router'
import { App } from 'antd'
import { Suspense } from 'react'
import { Logo } from '../../theme/Logo.tsx'
import { ScreenWait } from './ScreenWait.tsx'
import './layout.css'

/** For maps: the whole window is the screen, with one way back. */
export function PlainLayout() {
  return (
    <App component={false}>
      <div className="o-plain">
        <header className="o-plain-bar">
          <Link to="/" className="o-plain-home">
            <Logo size={22} />
          </Link>
        </header>
        <main id="main" tabIndex={-1} className="o-plain-main">
          <Suspense fallback={<ScreenWait />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
    </App>
  )
}

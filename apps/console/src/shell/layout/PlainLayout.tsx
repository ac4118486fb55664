import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { ModalHost } from '../../feedback/ModalHost.tsx'
import { lazy, Suspense } from 'react'
import { useSession } from '../../session/session.ts'
import { Logo } from '../../theme/Logo.tsx'
import { ScreenWait } from './ScreenWait.tsx'
import './layout.css'

const TourHost = lazy(() => import('../tours/TourHost.tsx').then((file) => ({ default: file.TourHost })))

/** For maps: the whole window is the screen, with one way back. */
export function PlainLayout() {
  const { layout } = useSession()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  return (
    <ModalHost>
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
        <Suspense fallback={null}>{layout ? <TourHost layout={layout} pathname={pathname} /> : null}</Suspense>
      </div>
    </ModalHost>
  )
}

import { Outlet, useRouterState } from '@tanstack/react-router'
import { Drawer } from 'antd'
import { ModalHost } from '../../feedback/ModalHost.tsx'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useConnection } from '../../data/connection.ts'
import { whenIdle } from '../../device/idle.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { Footer } from './Footer.tsx'
import { ImpersonationBanner } from './ImpersonationBanner.tsx'
import { KeyboardLayer } from './keyboard/KeyboardLayer.tsx'
import { SideMenu } from './menu/SideMenu.tsx'
import { TopBar } from './TopBar.tsx'
import { ScreenWait } from './ScreenWait.tsx'
import { useMenuState } from './layout-state.ts'
import { visibleMenu } from './menu/menu.ts'
import './layout.css'

const PushLinks = lazy(() => import('../notifications/PushLinks.tsx').then((file) => ({ default: file.PushLinks })))
const TourHost = lazy(() => import('../tours/TourHost.tsx').then((file) => ({ default: file.TourHost })))

/** Top bar, left menu, content and footer around most screens. */
export function StandardLayout() {
  const { layout } = useSession()
  const { isOnline } = useConnection()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const { sidebar = 'light', width = 'fluid' } = layout?.user.preferences ?? {}
  const menuState = useMenuState(pathname, sidebar === 'icon')
  const [isIdle, setIdle] = useState(false)
  useEffect(() => whenIdle(() => setIdle(true)), [])
  const menu = useMemo(() => visibleMenu(layout?.menu ?? [], isOnline), [layout, isOnline])
  if (!layout) return null
  // Menu, bell and search would only be refused: there is one thing to do.
  if (layout.mustChangePassword) {
    return (
      <ModalHost>
        <main id="main" tabIndex={-1} className="o-main">
          <Suspense fallback={<ScreenWait />}>
            <Outlet />
          </Suspense>
        </main>
      </ModalHost>
    )
  }
  const { isWide, isCollapsed, isOpen, toggle, close, expand } = menuState
  const sideMenu = <SideMenu menu={menu} pathname={pathname} isCollapsed={isCollapsed} onExpand={expand} />
  return (
    <ModalHost>
      <div
        className="o-layout"
        data-collapsed={isCollapsed || undefined}
        data-offline={!isOnline || undefined}
        data-sidebar={sidebar}
        data-width={width}
      >
        <div className="o-head">
          <ImpersonationBanner />
          <TopBar layout={layout} isMenuOpen={isWide ? !isCollapsed : isOpen} onToggleMenu={toggle} />
        </div>
        {isWide ? (
          <div className="o-side" data-sidebar={sidebar}>
            {sideMenu}
          </div>
        ) : (
          <Drawer open={isOpen} onClose={close} placement="left" size={288} title={t('Menu')} styles={{ body: { padding: 0 } }}>
            <div className="o-side" data-sidebar={sidebar}>
              {sideMenu}
            </div>
          </Drawer>
        )}
        <main id="main" tabIndex={-1} className="o-main">
          <Suspense fallback={<ScreenWait />}>
            <Outlet />
          </Suspense>
        </main>
        <Footer layout={layout} />
        <KeyboardLayer layout={layout} onToggleMenu={toggle} />
        <Suspense fallback={null}>
          {isIdle && <TourHost layout={layout} pathname={pathname} />}
          {!layout.impersonation && <PushLinks userId={layout.user.Id} />}
        </Suspense>
      </div>
    </ModalHost>
  )
}

import { AppstoreAddOutlined, MenuFoldOutlined, MenuUnfoldOutlined, SearchOutlined } from '@ant-design/icons'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import type { ConsoleLayout } from '@outpost/contract/console'
import { Logo } from '../../theme/Logo.tsx'
import { openPalette } from './overlays.ts'
import { AgentClock } from './AgentClock.tsx'
import { Hint } from './keyboard/Hint.tsx'
import { NetworkStatus } from './NetworkStatus.tsx'
import { Notifications } from '../notifications/Notifications.tsx'
import { ProfileMenu } from './ProfileMenu.tsx'
import { TenantPicker } from './tenant/TenantPicker.tsx'
import { t } from '../../session/labels.ts'

interface TopBarProps {
  layout: ConsoleLayout
  isMenuOpen: boolean
  onToggleMenu: () => void
}

/** Everything that is at hand on every screen. */
export function TopBar({ layout, isMenuOpen, onToggleMenu }: TopBarProps) {
  const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)
  return (
    <header className="o-top">
      <button type="button" className="o-top-button" aria-label={t('Menu')} aria-expanded={isMenuOpen} onClick={onToggleMenu}>
        {isMenuOpen ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
      </button>
      <Link to={layout.landing} className="o-top-home">
        <Logo size={26} />
        <span className="o-hidden">
          {', '}
          {t('start page')}
        </span>
      </Link>
      <button type="button" className="o-search" aria-keyshortcuts="Control+K /" onClick={() => openPalette()}>
        <SearchOutlined aria-hidden="true" />
        <span className="o-search-text" aria-hidden="true">
          {t('Search...')}
        </span>
        <span className="o-hidden">{t('Search...')}</span>
        <kbd aria-hidden="true">{isMac ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <WidgetsButton />
      <div className="o-top-right">
        <TenantPicker layout={layout} />
        <AgentClock layout={layout} />
        <NetworkStatus />
        <Notifications />
        <ProfileMenu layout={layout} />
      </div>
    </header>
  )
}

/** On the dashboard only, and apart from the others, which stay where they are: opens its widgets side panel, which is in the address as ?widgets=open. */
function WidgetsButton() {
  const isHome = useRouterState({ select: (state) => state.location.pathname === '/' })
  const isOpen = useRouterState({ select: (state) => new URLSearchParams(state.location.searchStr).get('widgets') === 'open' })
  const navigate = useNavigate()
  if (!isHome) return null
  return (
    <Hint text={t('Dashboard widgets')} isAway={isOpen}>
      <button
        type="button"
        className="o-top-button o-top-board"
        aria-label={t('Dashboard widgets')}
        onClick={() => void navigate({ to: '/', search: { widgets: 'open' } })}
      >
        <AppstoreAddOutlined />
      </button>
    </Hint>
  )
}

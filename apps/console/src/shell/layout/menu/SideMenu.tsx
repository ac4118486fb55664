import { DownloadOutlined, DownOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { Tooltip } from 'antd'
import type { MenuEntry } from '@outpost/contract/console'
import { useEffect, useRef, useState } from 'react'
import { useInstallOffer } from '../../../device/install.ts'
import { t } from '../../../session/labels.ts'
import { MenuIcon } from './icons.tsx'
import { activePath, groupsOf } from './menu.ts'

interface SideMenuProps {
  menu: readonly MenuEntry[]
  pathname: string
  isCollapsed: boolean
  onExpand: () => void
}

/** The left menu as the server cut it; collapsed it shows icons, and a group's icon opens menu and group. */
export function SideMenu({ menu, pathname, isCollapsed, onExpand }: SideMenuProps) {
  const active = activePath(menu, pathname)
  const [open, setOpen] = useOpenGroups(menu, active)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => afterFrame(() => bringIntoView(list.current)), [active, isCollapsed])
  const install = useInstallOffer()
  const toggle = (key: string): void => {
    if (isCollapsed) {
      onExpand()
      setOpen(new Set([...open, key]))
      return
    }
    setOpen(open.has(key) ? new Set([...open].filter((one) => one !== key)) : new Set([...open, key]))
  }
  return (
    <nav aria-label={t('Main')} className="o-menu">
      <ul ref={list}>
        {menu.map((entry) =>
          entry.children ? (
            <Group
              key={entry.key}
              entry={entry}
              active={active}
              isCollapsed={isCollapsed}
              isOpen={!isCollapsed && open.has(entry.key)}
              onToggle={() => toggle(entry.key)}
            />
          ) : (
            <li key={entry.key}>
              <Leaf entry={entry} active={active} isCollapsed={isCollapsed} hasIcon />
            </li>
          ),
        )}
        {install && (
          <li>
            <Hint text={t('Install')} isShown={isCollapsed}>
              <button type="button" className="o-menu-item" onClick={() => void install()}>
                <span className="o-menu-icon" aria-hidden="true">
                  <DownloadOutlined />
                </span>
                <span className="o-menu-label">{t('Install')}</span>
              </button>
            </Hint>
          </li>
        )}
      </ul>
    </nav>
  )
}

function Group({
  entry,
  active,
  isCollapsed,
  isOpen,
  onToggle,
}: {
  entry: MenuEntry
  active: string | null
  isCollapsed: boolean
  isOpen: boolean
  onToggle: () => void
}) {
  const children = entry.children ?? []
  const holdsActive = children.some((child) => child.path === active)
  const id = `menu-${entry.key}`
  return (
    <li>
      <Hint text={t(entry.label)} isShown={isCollapsed}>
        <button
          type="button"
          className="o-menu-item"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          data-holds-active={(holdsActive && !isOpen) || undefined}
          onClick={onToggle}
        >
          <MenuIcon name={entry.icon} />
          <span className="o-menu-label">{t(entry.label)}</span>
          <DownOutlined className="o-menu-arrow" aria-hidden="true" />
        </button>
      </Hint>
      {isOpen && (
        <ul id={id} className="o-menu-sub">
          {children.map((child) => (
            <li key={child.key}>
              <Leaf entry={child} active={active} isCollapsed={false} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Leaf({
  entry,
  active,
  isCollapsed,
  hasIcon = false,
}: {
  entry: MenuEntry
  active: string | null
  isCollapsed: boolean
  hasIcon?: boolean
}) {
  const isActive = entry.path === active
  return (
    <Hint text={t(entry.label)} isShown={isCollapsed}>
      <Link to={entry.path ?? '/'} className="o-menu-item" data-active={isActive || undefined} aria-current={isActive ? 'page' : undefined}>
        {hasIcon && <MenuIcon name={entry.icon} />}
        <span className="o-menu-label">{t(entry.label)}</span>
      </Link>
    </Hint>
  )
}

/** The visible label beside an icon without text. The control has it as its name already; the label itself is drawn at the end of the page, outside landmarks. */
function Hint({ text, isShown, children }: { text: string; isShown: boolean; children: React.ReactElement }) {
  return isShown ? (
    <Tooltip title={<span aria-hidden="true">{text}</span>} placement="right">
      {children}
    </Tooltip>
  ) : (
    children
  )
}

/** Open groups: what the user opened, and always the one of the screen shown. */
function useOpenGroups(menu: readonly MenuEntry[], active: string | null): [Set<string>, (next: Set<string>) => void] {
  const [open, setOpen] = useState(() => new Set(groupsOf(menu, active)))
  const [former, setFormer] = useState(active)
  if (former !== active) {
    setFormer(active)
    setOpen(new Set([...open, ...groupsOf(menu, active)]))
  }
  return [open, setOpen]
}

/** Once the frame is drawn: what is measured before has the whole page laid out twice. */
function afterFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(() => setTimeout(run))
  return () => cancelAnimationFrame(frame)
}

/** An active entry below 500 px is scrolled up, with 300 px left above it (specification, section 9). */
function bringIntoView(list: HTMLElement | null): void {
  const item = list?.querySelector<HTMLElement>('[aria-current=page]')
  const scroller = list?.closest<HTMLElement>('.o-side')
  if (!item || !scroller) return
  const top = item.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
  if (top > 500) scroller.scrollTop = top - 300
}

import { useCallback, useState } from 'react'
import { useMedia } from '../../view/useMedia.ts'

const wide = '(min-width: 992px)'
const collapsedKey = 'outpost.menu'

export interface MenuState {
  isWide: boolean
  isCollapsed: boolean
  isOpen: boolean
  toggle: () => void
  close: () => void
  expand: () => void
}

/**
 * The state of the menu: from 992 px it condenses and expands (remembered here), below it opens over the page. Of icons only, it
 * expands for one choice and condenses with it.
 */
export function useMenuState(pathname: string, isOfIcons = false): MenuState {
  const isWide = useIsWide()
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(collapsedKey) === 'collapsed')
  const [isOpen, setOpen] = useState(false)
  const collapse = useCallback((next: boolean) => {
    localStorage.setItem(collapsedKey, next ? 'collapsed' : 'expanded')
    setCollapsed(next)
  }, [])
  const close = useCallback(() => setOpen(false), [])
  // The overlay closes with each change of route.
  const place = `${pathname} ${isWide}`
  const [drawnPlace, setDrawnPlace] = useState(place)
  if (drawnPlace !== place) {
    setDrawnPlace(place)
    setOpen(false)
  }
  const remembers = isWide && !isOfIcons
  const toggle = (): void => (remembers ? collapse(!isCollapsed) : setOpen(!isOpen))
  const expand = (): void => (remembers ? collapse(false) : setOpen(true))
  return { isWide, isCollapsed: isWide && (isOfIcons ? !isOpen : isCollapsed), isOpen, toggle, close, expand }
}

/** From 992 px on, the desktop of the specification. */
export const useIsWide = (): boolean => useMedia(wide)

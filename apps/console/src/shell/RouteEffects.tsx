import { useMatches, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { leaveScreenCrumb } from '../data/errors/breadcrumbs.ts'
import { endPage } from '../feedback/toast.ts'
import { t } from '../session/labels.ts'
import { currentTheme } from '../theme/current.ts'

/** How long a screen may take to show its heading before the focus waits for it in the main area, and how long it waits there. */
const [headingWait, longestWait] = [4_000, 60_000]
/** How long the heading holds the focus against late returns of it. */
const graceMs = 600
const userEvents = ['keydown', 'pointerdown'] as const

/** After a change of screen: the document's title, and the focus on the new heading so that screen readers read it. */
export function RouteEffects() {
  const title = useMatches().at(-1)?.staticData.title
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname })
  const former = useRef(path)
  useEffect(() => {
    document.title = title ? `${t(title)} · ${currentTheme.productName}` : currentTheme.productName
  }, [title, path])
  useEffect(() => {
    if (former.current === path) return
    former.current = path
    leaveScreenCrumb(path)
    endPage()
    return focusHeading()
  }, [path])
  return null
}

/** Focuses the heading as soon as the lazily loaded screen draws it, unless the user meanwhile does something else. */
function focusHeading(): () => void {
  const started = Date.now()
  let heading: HTMLElement | null = null
  let since = started
  const place = (): void => {
    const found =
      document.querySelector<HTMLElement>('#main h1') ?? (Date.now() - started > headingWait ? document.getElementById('main') : null)
    // The heading of the former screen may still be there for a moment, or the screen may draw its own again.
    if (found !== heading) since = Date.now()
    heading = found
    if (heading) takeFocus(heading)
    const isThere = heading !== null && heading.id !== 'main'
    if ((isThere && Date.now() - since > graceMs) || Date.now() - started > longestWait) stop()
  }
  // A dialog or menu that led here gives the focus back to its button once it is closed: that is taken back for a moment.
  const timer = setInterval(place, 60)
  const stop = (): void => {
    clearInterval(timer)
    for (const name of userEvents) removeEventListener(name, stop, { capture: true })
  }
  for (const name of userEvents) addEventListener(name, stop, { capture: true })
  place()
  return stop
}

function takeFocus(heading: HTMLElement): void {
  if (document.activeElement === heading || isInside(heading, document.activeElement)) return
  heading.setAttribute('tabindex', '-1')
  heading.focus({ preventScroll: true })
}

/** A screen may have put the focus into its first field itself. */
function isInside(heading: HTMLElement, element: Element | null): boolean {
  return heading.closest('#main')?.contains(element) === true && element?.id !== 'main'
}

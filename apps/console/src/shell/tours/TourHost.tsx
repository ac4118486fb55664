import type { ConsoleLayout } from '@outpost/contract/console'
import { useEffect, useSyncExternalStore } from 'react'
import { useReducedMotion } from '../../theme/motion.ts'
import { askedTour, askForTour, isDue, onAskedTour } from './tour-state.ts'
import { tourOf } from './tours.ts'

/** Starts the tour of a screen at its first visit, or when it was asked for, once the screen is drawn; leaving the screen ends it. */
export function TourHost({ layout, pathname }: { layout: ConsoleLayout; pathname: string }) {
  const asked = useSyncExternalStore(onAskedTour, askedTour)
  const isStill = useReducedMotion()
  const tour = tourOf(pathname)
  const isWanted = tour !== undefined && (asked === tour.name || isDue(layout, tour))
  useEffect(() => {
    const found = isWanted ? tourOf(pathname) : undefined
    if (!found) return undefined
    let end: (() => void) | undefined
    let isGone = false
    const stopWaiting = whenDrawn(async () => {
      const { runTour } = await import('./run-tour.ts')
      if (!isGone) end = runTour(found, { isStill, onEnd: () => askForTour(null) })
    })
    return () => {
      isGone = true
      stopWaiting()
      end?.()
    }
  }, [isWanted, pathname, isStill])
  return null
}

/** Calls back once nothing of the screen is awaited and no dialog is open; returns a function that stops waiting. */
function whenDrawn(run: () => Promise<void>): () => void {
  const isDrawn = () =>
    document.querySelector('#main h1') !== null &&
    document.querySelector('#main :is(.o-wait, .form-skeleton-row, .view-loading), [role=dialog]') === null
  const observer = new MutationObserver(() => look())
  const look = (): void => {
    if (!isDrawn()) return
    observer.disconnect()
    void run()
  }
  observer.observe(document.body, { childList: true, subtree: true })
  look()
  return () => observer.disconnect()
}

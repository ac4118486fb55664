import { useNavigate } from '@tanstack/react-router'
import type { ConsoleLayout } from '@outpost/contract/console'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { whenIdle } from '../../../device/idle.ts'
import { closeOverlay, openKeyboardHelp, openPalette, useOverlay } from '../overlays.ts'
import { areSingleKeysOn, isTyping } from './shortcuts.ts'

const loadPalette = () => import('../../palette/Palette.tsx')
const Palette = lazy(() => loadPalette().then((file) => ({ default: file.Palette })))
const KeyboardHelp = lazy(() => import('./KeyboardHelp.tsx').then((file) => ({ default: file.KeyboardHelp })))

/** Listens for the shortcuts that work everywhere, and holds the overlays they open. */
export function KeyboardLayer({ layout, onToggleMenu }: { layout: ConsoleLayout; onToggleMenu: () => void }) {
  const overlay = useOverlay()
  const navigate = useNavigate()
  const chord = useRef(0)
  useEffect(fetchAhead, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (isCommand && event.key.toLowerCase() === 'k') return run(event, openPalette)
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !areSingleKeysOn()) return
      if (event.key === '/') return run(event, openPalette)
      if (event.key === '?') return run(event, openKeyboardHelp)
      if (event.key === '[') return run(event, onToggleMenu)
      if (event.key === 'g') chord.current = event.timeStamp
      if (event.key === 'h' && event.timeStamp - chord.current < 1_000) run(event, () => void navigate({ to: layout.landing }))
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [layout.landing, navigate, onToggleMenu])
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' && <Palette layout={layout} close={closeOverlay} />}
      {overlay === 'keyboard' && <KeyboardHelp close={closeOverlay} />}
    </Suspense>
  )
}

/** The palette opens at once, because it is fetched once the screen is done and nothing else is. */
function fetchAhead(): () => void {
  let stop = (): void => undefined
  const timer = setTimeout(() => {
    stop = whenIdle(() => void loadPalette().catch(() => undefined))
  }, 3_000)
  return () => {
    clearTimeout(timer)
    stop()
  }
}

function run(event: KeyboardEvent, action: () => void): void {
  event.preventDefault()
  action()
}

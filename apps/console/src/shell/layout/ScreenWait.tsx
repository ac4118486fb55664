import { useMatches } from '@tanstack/react-router'
import { ScreenOutline, shapeOfKind } from '../../view/states/Outline.tsx'

/** Stands where a screen will be: its heading, as its address names it, and its outline, so that nothing jumps when it comes. */
export function ScreenWait() {
  const { title, screen } = useMatches().at(-1)?.staticData ?? {}
  return <ScreenOutline title={title} shape={screen?.shape ?? shapeOfKind(screen?.kind ?? 'custom')} />
}

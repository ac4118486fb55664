import { closestCenter, pointerWithin, rectIntersection } from '@dnd-kit/core'
import type { CollisionDetection, KeyboardCoordinateGetter } from '@dnd-kit/core'

/** A pointer drops where it is; keys drop into the column they jumped to. */
export const columnUnder: CollisionDetection = (args) => {
  if (!args.pointerCoordinates) return closestCenter(args)
  const hits = pointerWithin(args)
  return hits.length > 0 ? hits : rectIntersection(args)
}

/** Left and right jump to the middle of the column beside. */
export const besideColumn: KeyboardCoordinateGetter = (event, { currentCoordinates, context: { over, droppableRects, collisionRect } }) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.code]
  if (step === undefined || !collisionRect) return undefined
  event.preventDefault()
  const columns = [...droppableRects].sort(([, a], [, b]) => a.left - b.left)
  const at = columns.findIndex(([id]) => id === over?.id)
  const rect = columns[at + step]?.[1]
  return rect ? { x: rect.left + (rect.width - collisionRect.width) / 2, y: rect.top + 60 } : currentCoordinates
}

import { lazy, Suspense } from 'react'
import { useMap } from 'react-leaflet'
import { createPortal } from 'react-dom'
import type { Place } from '../shapes.ts'

const ShapeTool = lazy(async () => ({ default: (await import('./ShapeTool.tsx')).ShapeTool }))

interface DrawRingProps {
  kind: 'polygon' | 'linestring'
  /** Corners of the finished shape. */
  onDone: (corners: Place[]) => void
  onEnd: () => void
}

/** A pen for one area or line over the map, by pointer, keys or numbers; a child of MapFrame. */
export function DrawRing(props: DrawRingProps) {
  const map = useMap()
  const stage = map.getContainer().parentElement
  return stage
    ? createPortal(
        <Suspense>
          <ShapeTool key={props.kind} map={map} {...props} />
        </Suspense>,
        stage,
      )
    : null
}

import { lazy, Suspense } from 'react'
import { useMap } from 'react-leaflet'
import { createPortal } from 'react-dom'
import type { ShapeToolProps } from './ShapeTool.tsx'

const ShapeTool = lazy(async () => ({ default: (await import('./ShapeTool.tsx')).ShapeTool }))

/** A pen for one area, hole or line over the map, or for corners of those that are there; a child of MapView. */
export function DrawRing(props: Omit<ShapeToolProps, 'map'>) {
  const map = useMap()
  const stage = map.getContainer().parentElement
  return stage
    ? createPortal(
        <Suspense>
          <ShapeTool key={`${props.kind} ${props.task} ${props.label}`} map={map} {...props} />
        </Suspense>,
        stage,
      )
    : null
}

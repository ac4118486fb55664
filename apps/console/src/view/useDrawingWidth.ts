import { useLayoutEffect, useRef, useState } from 'react'

interface Sizes {
  first: number
  least: number
}

/** Width of a drawing in pixels, so that it is drawn at the size it has: one that is stretched to its card stretches its words too. */
export function useDrawingWidth({ first, least }: Sizes) {
  const drawing = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    const svg = drawing.current
    if (!svg) return
    const observer = new ResizeObserver(() => setWidth(Math.max(least, Math.round(svg.clientWidth))))
    observer.observe(svg)
    return () => observer.disconnect()
  }, [least])
  return [drawing, width] as const
}

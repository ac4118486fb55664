import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'

const least = 280
/** Header row of the table, and the layout's footer below. */
const reserved = 116

/** Height left for the table's body between its place on the page and the end of the window. */
export function useTableHeight(place: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(() => Math.max(least, innerHeight - 320))
  useLayoutEffect(() => {
    const measure = () => {
      const top = (place.current?.getBoundingClientRect().top ?? 0) + scrollY
      setHeight(Math.max(least, Math.round(innerHeight - top - reserved)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      removeEventListener('resize', measure)
    }
  }, [place])
  return height
}

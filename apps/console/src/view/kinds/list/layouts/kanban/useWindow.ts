import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { windowOf } from './window.ts'

/** Which of `count` cards of equal height are in the scrolled box: indexes first to last, both included. */
export function useWindow(box: RefObject<HTMLElement | null>, count: number, height: number): { first: number; last: number } {
  const [place, setPlace] = useState({ top: 0, size: 900 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const read = () =>
      setPlace((before) => {
        const top = Math.floor(element.scrollTop / height) * height
        return before.top === top && before.size === element.clientHeight ? before : { top, size: element.clientHeight }
      })
    const observer = new ResizeObserver(read)
    observer.observe(element)
    element.addEventListener('scroll', read, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', read)
    }
  }, [box, height])
  return windowOf(place, count, height)
}

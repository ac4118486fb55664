import { useEffect, useState } from 'react'
import { whenIdle } from '../../../device/idle.ts'

/** True once what is there has been drawn and the browser rests: what follows must not hold up the first picture. */
export function useDrawn(isThere: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => {
    if (!isThere) return undefined
    let cancel = (): void => undefined
    const frame = requestAnimationFrame(() => (cancel = whenIdle(() => setDrawn(true))))
    return () => {
      cancelAnimationFrame(frame)
      cancel()
    }
  }, [isThere])
  return isDrawn
}

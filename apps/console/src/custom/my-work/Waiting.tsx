import { useEffect, useState } from 'react'
import { LoadingState } from '../../view/states/index.tsx'

/** What is awaited longer than this comes between the others. */
const longestWaitMs = 3_000

/** Whether a card that may come still holds its place: nobody waits for the others because one call hangs. */
export function useHoldsPlace(isLoading: boolean): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), longestWaitMs)
    return () => clearTimeout(timer)
  }, [])
  return isLoading && !isOver
}

/** In the place of a card that may come. What follows it is shown after it, so that nothing moves that somebody reads already. */
export const Waiting = () => (
  <section className="mw-card mw-section mw-waiting">
    <LoadingState rows={2} />
  </section>
)

import { useEffect } from 'react'
import type { ConsoleFrame } from '@outpost/contract/console'
import { useMayBeFollowed } from '../device/consent.ts'
import { useDayState } from '../device/useDay.ts'
import { startWatch } from '../device/watch.ts'
import { useSession } from '../session/session.ts'

/** Watches where the agent is while their day runs and their consent holds; ends with either, with the session, or when another user takes over. */
export function FieldWatch() {
  const { frame } = useSession()
  // Nobody is watched while somebody else works in their name.
  return frame && !frame.impersonation && <Watching key={frame.user.Id} frame={frame} />
}

function Watching({ frame }: { frame: ConsoleFrame }) {
  const { isRunning } = useDayState(frame)
  const isWatched = useMayBeFollowed(frame) && isRunning
  useEffect(() => (isWatched ? startWatch() : undefined), [isWatched])
  return null
}

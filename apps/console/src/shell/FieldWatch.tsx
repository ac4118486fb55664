import { useEffect } from 'react'
import type { ConsoleFrame } from '@outpost/contract/console'
import { useDayState } from '../device/useDay.ts'
import { startWatch } from '../device/watch.ts'
import { useSession } from '../session/session.ts'

/** Watches where the agent is while their day runs; ends with the day, the session or the switch to another user. */
export function FieldWatch() {
  const { frame } = useSession()
  // Nobody is watched while somebody else works in their name.
  return frame && !frame.impersonation && <Watching key={frame.user.Id} frame={frame} />
}

function Watching({ frame }: { frame: ConsoleFrame }) {
  const { isRunning } = useDayState(frame)
  useEffect(() => (isRunning ? startWatch() : undefined), [isRunning])
  return null
}

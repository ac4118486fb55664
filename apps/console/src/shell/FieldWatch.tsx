import { useEffect } from 'react'
import type { ConsoleLayout } from '@outpost/contract/console'
import { useMayBeFollowed } from '../device/consent.ts'
import { useDayState } from '../device/useDay.ts'
import { startWatch } from '../device/watch.ts'
import { useSession } from '../session/session.ts'

/** Watches where the agent is while their day runs and their consent holds; ends with either, with the session, or when another user takes over. */
export function FieldWatch() {
  const { layout } = useSession()
  // Nobody is watched while somebody else works in their name.
  return layout && !layout.impersonation && <Watching key={layout.user.Id} layout={layout} />
}

function Watching({ layout }: { layout: ConsoleLayout }) {
  const { isRunning } = useDayState(layout)
  const isWatched = useMayBeFollowed(layout) && isRunning
  useEffect(() => (isWatched ? startWatch() : undefined), [isWatched])
  return null
}

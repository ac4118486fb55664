import { keys } from './keys.ts'
import { queryClient } from './query-client.ts'

/** The server announces each record by itself; what it announces within this time is one reason to ask again. */
const gatherMs = 300
/** A call's own answer and what the socket says of it come side by side, in either order. */
const answerMs = 50

const waiting = new Map<string, ReturnType<typeof setTimeout>>()
/** Resources that a run of many calls is changing, and by how many runs. */
const held = new Map<string, number>()

/** Asks again for what is shown of a resource, in a moment and once, however often it is announced meanwhile. */
export function refreshSoon(resource: string): void {
  if (waiting.has(resource) || held.has(resource)) return
  waiting.set(
    resource,
    setTimeout(() => void askAgain(resource), gatherMs),
  )
}

/** Asks again after a change of one's own; what the socket said of the same change is answered with it. */
export async function refreshRecords(resource: string): Promise<void> {
  if (held.has(resource)) return
  await new Promise((done) => setTimeout(done, answerMs))
  await askAgain(resource)
}

/** Asks nothing again while `run` changes many records of a resource by many calls, and once after it. */
export async function refreshedOnce<Result>(resource: string, run: () => Promise<Result>): Promise<Result> {
  held.set(resource, (held.get(resource) ?? 0) + 1)
  try {
    return await run()
  } finally {
    const others = (held.get(resource) ?? 1) - 1
    if (others > 0) held.set(resource, others)
    else held.delete(resource)
    await refreshRecords(resource)
  }
}

async function askAgain(resource: string): Promise<void> {
  clearTimeout(waiting.get(resource))
  waiting.delete(resource)
  // Announced just before such a run: its end asks for it too.
  if (held.has(resource)) return
  await queryClient.invalidateQueries({ queryKey: keys.records(resource), refetchType: 'active' })
}

import { staleOwnerAfter } from '@outpost/rules/sync/sync-timing'

const beatKey = (name: string): string => `outpost.beat:${name}`

/** The owner of the loop shows that it lives; another tab may take over from one that froze. */
export function beat(name: string): void {
  localStorage.setItem(beatKey(name), String(Date.now()))
}

/** A sign of life from far in the future is none: the clock was set back, and the owner has not shown itself since. */
const isOwnerStale = (name: string): boolean => Math.abs(Date.now() - Number(localStorage.getItem(beatKey(name)) ?? 0)) > staleOwnerAfter

/**
 * Runs alone among the tabs of one store; false when another tab is at it. The lock is for thrift only: correctness
 * comes from the server's receipts, so a browser without locks just runs.
 */
export async function runAlone(name: string, run: () => Promise<void>): Promise<boolean> {
  if (!navigator.locks) {
    await run()
    return true
  }
  const lockName = `sync:${name}`
  const isMine = await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
    if (!lock) return false
    beat(name)
    await run()
    return true
  })
  if (isMine || document.visibilityState !== 'visible' || !isOwnerStale(name)) return isMine
  return navigator.locks.request(lockName, { steal: true }, async () => {
    beat(name)
    await run()
    return true
  })
}

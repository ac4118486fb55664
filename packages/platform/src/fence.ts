import { AsyncLocalStorage } from 'node:async_hooks'

/** Thrown when this try of a job was given to another worker: it may have no further effect. */
export class LostTry extends Error {
  override name = 'LostTry'
}

/** Settles while the running try owns its job; throws LostTry when it does not. */
export type Fence = () => Promise<void>

interface Behind {
  fence: Fence
  asked: Promise<unknown>[]
}
const current = new AsyncLocalStorage<Behind | undefined>()

/**
 * Runs a job behind its fence: everything it calls that has an effect calls passFence first. Settles when the effects without an answer
 * have happened too: a job that counts as done before its last message is sent would lose that message.
 */
export async function behindFence<Result>(fence: Fence, run: () => Promise<Result>): Promise<Result> {
  const asked: Promise<unknown>[] = []
  try {
    return await current.run({ fence, asked }, run)
  } finally {
    await Promise.all(asked)
  }
}

/** For work that is already decided, or holds the job by a lock: its effects always pass. */
export const outsideFence = <Result>(run: () => Result): Result => current.run(undefined, run)

/** Called before every effect. Throws LostTry inside a job that was given to another worker. */
export async function passFence(): Promise<void> {
  await current.getStore()?.fence()
}

/** For effects without an answer: outside a job they happen at once, inside one when its fence allows them. */
export function whenPassed(effect: () => void): void {
  const behind = current.getStore()
  if (!behind) return effect()
  // A lost try learns of it from its next effect that can throw.
  behind.asked.push(behind.fence().then(effect, () => undefined))
}

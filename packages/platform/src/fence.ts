import { AsyncLocalStorage } from 'node:async_hooks'

/** This try of a job was given to another worker: nothing of it may take effect any more. */
export class LostTry extends Error {
  override name = 'LostTry'
}

/** Settles while the running try owns its job; throws LostTry when it does not. */
export type Fence = () => Promise<void>

interface Behind { fence: Fence, asked: Promise<unknown>[] }
const current = new AsyncLocalStorage<Behind | undefined>()

/**
 * Runs a job behind its fence: whatever it calls that has an effect asks passFence first. Settles when the effects that
 * answer nobody have happened too: a job that counts as done before its last message asked would lose that message.
 */
export async function behindFence<Result>(fence: Fence, run: () => Promise<Result>): Promise<Result> {
  const asked: Promise<unknown>[] = []
  try {
    return await current.run({ fence, asked }, run)
  } finally {
    await Promise.all(asked)
  }
}

/** For what has been decided already, or holds the job by a lock: its effects pass. */
export const outsideFence = <Result>(run: () => Result): Result => current.run(undefined, run)

/** Asked by every effect before it happens. Throws LostTry inside a job that was given to another worker meanwhile. */
export async function passFence(): Promise<void> {
  await current.getStore()?.fence()
}

/** For effects that answer nobody: they happen at once outside of a job, and inside one when its fence lets them. */
export function whenPassed(effect: () => void): void {
  const behind = current.getStore()
  if (!behind) return effect()
  // Who lost its try learns so from its next effect that can say it.
  behind.asked.push(behind.fence().then(effect, () => undefined))
}

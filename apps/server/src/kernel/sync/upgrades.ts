import { changeSchema } from '@outpost/contract/sync/limits'

/** A change as it was sent, of whatever schema. */
export type SentChange = Readonly<Record<string, unknown>>

/** What a change of one schema is under the next. Pure: devices send what they wrote weeks ago as they wrote it, and may send it again. */
export type Upgrade = (change: SentChange) => SentChange

/**
 * By the schema that they begin at, for the three before the present one. There is one schema so far: who raises
 * `changeSchema` adds the step from the one before here, and takes away the fourth.
 */
export const upgrades = Object.freeze<Record<number, Upgrade>>({})

/** Raises a change to a schema, step by step; null where a step is not there any more. One that is of it, or newer, stays as it is. */
export function raised(
  change: SentChange,
  steps: Readonly<Record<number, Upgrade>> = upgrades,
  to: number = changeSchema,
): SentChange | null {
  let now = change
  for (let from = Number(change['schema']); from < to; from += 1) {
    const step = steps[from]
    if (!step) return null
    now = { ...step(now), schema: from + 1 }
  }
  return now
}

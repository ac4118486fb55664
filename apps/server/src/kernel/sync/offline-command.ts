import type { z } from 'zod'
import type { Ctx } from '../types.ts'

/**
 * A call that a device keeps as a change: an UPDATE of the entity (a resource's `one`) whose patch holds `field` alone, with
 * the call's input as new value. Whoever may make the call may send the change; `run` ends in the same function as the call,
 * inside the push's transaction, and gives the entity's record as it is afterwards.
 */
export interface OfflineCommand<Input = unknown> {
  entity: string
  field: string
  /** What the person calls it who made it. */
  label: string
  input: z.ZodType<Input>
  run(ctx: Ctx, id: string, input: Input): Promise<Record<string, unknown>>
}

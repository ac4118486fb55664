import type { z } from 'zod'
import type { Ctx } from '../types/ctx.ts'

/** The device that sends the call: its time as it sends it, by which the times in the input are set right (`setTimeRight`). */
export interface DeviceNow {
  sentAt?: string | undefined
}

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
  /**
   * It says how things are to be, and from what they were changed (`base`), not what happened: a device that has not sent the last one
   * yet sends the next one in its place, with the base of the first.
   */
  isWhole?: true
  input: z.ZodType<Input>
  run(ctx: Ctx, id: string, input: Input, device: DeviceNow): Promise<Record<string, unknown>>
}

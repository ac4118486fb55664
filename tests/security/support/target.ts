import type { Filled } from './fill.ts'
import type { Side } from './world.ts'

/** Whose records a request names. */
export interface Target {
  side: Side
  filled: Filled
  userId: string
  tenantId: string
}

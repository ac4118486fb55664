import type { GeoPools } from '@outpost/platform/db/pool'
import type { Parameters } from './catalogue.ts'
import { dangerOf } from './danger.ts'
import { standing } from './interlock.ts'
import { motionFacts } from './motion-facts.ts'

/** A queued command that could be sent now. */
export interface QueuedCommand {
  companyId: string
  deviceId: string
  id: string
  type: string
  parameters: Parameters
  createdUserId: string | null
  approvedUserId: string | null
}

/** Columns of a QueuedCommand. */
export const queuedColumns = `"companyId", "deviceId", "id", "type", "parameters", "createdUserId", "approvedUserId"`

export type Release =
  | { verdict: 'send' }
  /** It may be safe a moment later, as long as the command is not too old. */
  | { verdict: 'wait', reason: string }
  | { verdict: 'fail', reason: string }

/** What the vehicle did between the word of the second person and this moment counts as much as what it did before. */
const heardWithinMs = 15_000

/**
 * May a command leave now? What two people must want leaves with two names only, and what may stop a vehicle only
 * while it stands by what is stored now, to a device that has just been heard: bytes for a line that is silent would
 * arrive whenever it comes back. `heardAt` in epoch milliseconds.
 */
export async function mayLeave(pool: GeoPools['ingest'], command: QueuedCommand, { now, heardAt }: { now: number, heardAt: number }): Promise<Release> {
  const danger = dangerOf(command.type, command.parameters)
  if (danger === 'none') return { verdict: 'send' }
  const { createdUserId, approvedUserId } = command
  if (createdUserId === null || approvedUserId === null || createdUserId === approvedUserId) return { verdict: 'fail', reason: 'It was not sent: two people must want this command' }
  if (danger === 'twoPersons') return { verdict: 'send' }
  if (now - heardAt > heardWithinMs) return { verdict: 'wait', reason: 'The engine is not stopped: the device is silent at present.' }
  const state = standing(await motionFacts({ maybe: async (statement) => (await pool.query(statement)).rows[0] }, command, now))
  if (state.is === 'standing') return { verdict: 'send' }
  return { verdict: state.is === 'moving' ? 'fail' : 'wait', reason: state.message }
}

/** Notes why a command waits, or that it has failed, while nobody has sent it. */
export async function holdBack(pool: GeoPools['ingest'], { companyId, id }: Pick<QueuedCommand, 'companyId' | 'id'>, { verdict, reason }: Exclude<Release, { verdict: 'send' }>): Promise<void> {
  if (verdict === 'fail') await pool.query(`update geo.command set "state" = 'failed', "reason" = $3, "endedAt" = now() where "companyId" = $1 and "id" = $2 and "state" = 'queued'`, [companyId, id, reason])
  else await pool.query(`update geo.command set "reason" = $3 where "companyId" = $1 and "id" = $2 and "state" = 'queued' and "reason" is distinct from $3`, [companyId, id, reason])
}

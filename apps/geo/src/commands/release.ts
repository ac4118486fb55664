import type { GeoPools } from '@outpost/platform/db/pool'
import type { Parameters } from './catalogue.ts'
import { dangerOf } from './danger.ts'
import { standstillOf } from './interlock.ts'
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
  /** Wait: it may be safe a moment later, as long as the command has not expired. */
  | { verdict: 'wait'; reason: string }
  | { verdict: 'fail'; reason: string }

/** The motion between the second approval and this moment counts as much as the motion before. */
const maxSilenceMs = 15_000

/**
 * May a command be sent now? A command that needs two people requires two names. A command that may stop a vehicle also requires that
 * the stored data show it stationary and that the device was heard just now: bytes for a silent connection would arrive whenever it
 * comes back. `heardAt` in epoch milliseconds.
 */
export async function maySend(
  pool: GeoPools['ingest'],
  command: QueuedCommand,
  { now, heardAt }: { now: number; heardAt: number },
): Promise<Release> {
  const danger = dangerOf(command.type, command.parameters)
  if (danger === 'none') return { verdict: 'send' }
  const { createdUserId, approvedUserId } = command
  if (createdUserId === null || approvedUserId === null || createdUserId === approvedUserId)
    return { verdict: 'fail', reason: 'It was not sent: two people must want this command' }
  if (danger === 'twoPersons') return { verdict: 'send' }
  if (now - heardAt > maxSilenceMs) return { verdict: 'wait', reason: 'The engine is not stopped: the device is silent at present.' }
  const state = standstillOf(await motionFacts({ maybe: async (statement) => (await pool.query(statement)).rows[0] }, command, now))
  if (state.is === 'standing') return { verdict: 'send' }
  return { verdict: state.is === 'moving' ? 'fail' : 'wait', reason: state.message }
}

/** Records why a command waits or that it failed, unless it was sent in the meantime. */
export async function recordHold(
  pool: GeoPools['ingest'],
  { companyId, id }: Pick<QueuedCommand, 'companyId' | 'id'>,
  { verdict, reason }: Exclude<Release, { verdict: 'send' }>,
): Promise<void> {
  if (verdict === 'fail')
    await pool.query(
      `update geo.command set "state" = 'failed', "reason" = $3, "endedAt" = now() where "companyId" = $1 and "id" = $2 and "state" = 'queued'`,
      [companyId, id, reason],
    )
  else
    await pool.query(
      `update geo.command set "reason" = $3 where "companyId" = $1 and "id" = $2 and "state" = 'queued' and "reason" is distinct from $3`,
      [companyId, id, reason],
    )
}

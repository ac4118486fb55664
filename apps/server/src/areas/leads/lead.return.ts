import { sql } from '@outpost/platform/db/sql'
import { undoMinutes } from '../../kernel/assigning.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import type { WireRecord } from '../../kernel/resource/records.ts'
import type { RecordInput } from '../../kernel/resource/schema.ts'
import type { Ctx } from '../../kernel/types.ts'
import { statusMoves } from './lead.log.ts'
import { returnName } from './lead.moves.ts'
import { lead } from './lead.resource.ts'

/** The former status of a lead: its status, why, and since when (as Postgres reads a moment). */
export interface FormerStatus {
  status: string
  reason: string | null
  since: string
}

/** Puts a lead back into its former status, which it or a lead merged with it had reached before; `values` are written with it. */
export async function returnStatus(
  ctx: Ctx,
  id: string,
  { status, reason, since }: FormerStatus,
  values: RecordInput = {},
): Promise<WireRecord> {
  const input = { ...values, status, statusReason: reason, statusSince: since }
  const [written] = await writeRecords(ctx, lead, [
    { kind: 'update', id, input, move: { field: 'status', name: returnName(status), asked: { reason } } },
  ])
  if (!written?.record) throw new Error('the lead was moved and is not given back')
  return written.record
}

/** The lead's last change of status; undefined when it is where it began. `former` is the status before. */
export async function lastMove(ctx: Ctx, leadId: string): Promise<LastMove | undefined> {
  const row = await ctx.sql.maybe<MoveRow>(sql`
    select l."from", l."to", l."userId", l."realUserId", l."dateCreated" > now() - make_interval(mins => ${undoMinutes}) as "isFresh",
      (l."dateCreated" - make_interval(secs => coalesce(l."durationSeconds", 0)))::text as since,
      (select p."reason" from record_move p where ${statusMoves(ctx.company.id, 'p')} and p."objectId" = l."objectId" and p."to" = l."from"
        and p."dateCreated" < l."dateCreated" order by p."dateCreated" desc limit 1) as reason
    from record_move l where ${statusMoves(ctx.company.id, 'l')} and l."objectId" = ${leadId} order by l."dateCreated" desc, l."id" desc limit 1`)
  if (!row) return undefined
  const { from, to, isFresh, since, reason } = row
  return {
    to,
    isOwn: row.userId === ctx.user.id && row.realUserId === ctx.realUser.id,
    isFresh,
    former: { status: from, reason, since },
  }
}

interface MoveRow {
  from: string
  to: string
  userId: string
  realUserId: string
  isFresh: boolean
  since: string
  reason: string | null
}
export interface LastMove {
  to: string
  isOwn: boolean
  isFresh: boolean
  former: FormerStatus
}

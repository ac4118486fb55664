import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { prepared } from '@outpost/platform/db/prepared'
import type { Writing } from '../resource/writing.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { workflowsOf } from './states.ts'

/** True when moves of the resource are kept in record_move. */
export const keepsMoves = (resource: AnyResource): boolean => workflowsOf(resource).some(({ log }) => log !== 'own')

/**
 * Keeps the moves of written records: who, really who, why, where, how many seconds the state before lasted, and whether it is the first
 * time that the record is in the state. One statement for all; the caller has the records locked.
 */
export async function logMoves(ctx: Ctx, resource: AnyResource, writings: readonly Writing[]): Promise<void> {
  const rows = writings.flatMap(({ id, before = {}, values, steps = [] }) =>
    steps
      .filter(({ workflow }) => workflow.log !== 'own')
      .map(({ workflow, move, moving, words }) => ({
        objectId: id,
        tenantId: values['tenantId'] ?? before['tenantId'] ?? ctx.tenant.id,
        began: before['dateCreated'] ?? null,
        field: workflow.field,
        move: move.name,
        ...words,
        reason: moving.asked['reason'] ?? null,
      })),
  )
  if (rows.length === 0) return
  await ctx.sql.exec(
    prepared(
      sql`
    insert into record_move ("companyId", "id", "tenantId", "movedInTenantId", "objectType", "objectId", "field", "move", "from", "to", "reason", "userId", "realUserId",
      "durationSeconds", "isFirst", "latitude", "longitude", "dateCreated")
    select ${ctx.company.id}::uuid, uuidv7(), m."tenantId", m."tenantId", ${resource.one}, m."objectId", m."field", m."move", m."from", m."to", m."reason", ${ctx.user.id}::uuid, ${ctx.realUser.id}::uuid,
      greatest(0, extract(epoch from clock_timestamp() - coalesce(p.last, m."began")))::bigint, not coalesce(p."wasThere", false), here.at[1]::numeric, here.at[2]::numeric, clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json)
        m("tenantId" uuid, "objectId" uuid, "field" text, "move" text, "from" text, "to" text, "reason" text, "began" timestamptz)
      cross join (select string_to_array(nullif(current_setting('app.position', true), ''), ',') as at) here
      left join lateral (select max(p."dateCreated") as last, bool_or(p."to" = m."to") as "wasThere" from record_move p
        where p."companyId" = ${ctx.company.id}::uuid and p."objectType" = ${resource.one} and p."objectId" = m."objectId" and p."field" = m."field") p on true`,
      'write',
    ),
  )
}

/** What the moves of written records lead to, in the order of the writes; gives the ids of those where something followed. */
export async function followMoves(ctx: Ctx, writings: readonly Writing[]): Promise<string[]> {
  const followed = new Set<string>()
  for (const { id, steps = [], record } of writings)
    for (const { move, moving } of steps)
      if (record && move.after) {
        await move.after(ctx, { ...moving, record })
        followed.add(id)
      }
  return [...followed]
}

/** Moves as entries of a history, for the records in the table ids(id). */
export function moveEntries(ctx: Ctx, resource: AnyResource): Statement {
  const labels = JSON.stringify(Object.fromEntries(workflowsOf(resource).flatMap(({ field, label }) => (label ? [[field, label]] : []))))
  return sql`
  select "dateCreated" as at, "userId", "realUserId", concat(${labels}::jsonb ->> "field" || ' ', coalesce("from", '-'), ' → ', "to") as what, "reason" as detail from record_move
  where "companyId" = ${ctx.company.id}::uuid and "objectType" = ${resource.one} and "objectId" in (select id from ids)`
}

/** Fields whose changes are in the log: the states and what the moves asked. */
export const loggedFields = (resource: AnyResource): string[] =>
  workflowsOf(resource)
    .filter(({ log }) => log !== 'own')
    .flatMap(({ field, kept = {} }) => [field, ...Object.values(kept)])

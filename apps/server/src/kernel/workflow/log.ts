import { sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { prepared } from '@outpost/platform/db/prepared'
import type { Writing } from '../resource/writing.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { userName } from '../names.ts'
import { workflowsOf } from './states.ts'
import type { Row, WorkflowDefinition } from './types.ts'

/** True when moves of the resource are kept in record_move. */
export const keepsMoves = (resource: AnyResource): boolean => workflowsOf(resource).some(({ log, partOf }) => log !== 'own' && !partOf)

/**
 * Keeps the moves of written records: who, really who, why, where, how many seconds the state before lasted, and whether it is the first
 * time that the record is in the state. One statement for all; the caller has the records locked.
 */
export async function logMoves(ctx: Ctx, resource: AnyResource, writings: readonly Writing[]): Promise<void> {
  const rows = writings.flatMap(({ id, before = {}, values, steps = [] }) =>
    steps
      .filter(({ workflow }) => workflow.log !== 'own')
      .map(({ workflow, move, moving, words }) => ({
        ...ownerOf(resource, workflow, { id, before, values }),
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
    insert into record_move ("companyId", "id", "tenantId", "movedInTenantId", "objectType", "objectId", "partId", "field", "move", "from", "to", "meaning", "reason", "facts", "userId", "realUserId",
      "durationSeconds", "isFirst", "latitude", "longitude", "dateCreated")
    select ${ctx.company.id}::uuid, uuidv7(), m."tenantId", m."tenantId", m."objectType", m."objectId", m."partId", m."field", m."move", m."from", m."to", m."meaning", m."reason", m."facts", ${ctx.user.id}::uuid, ${ctx.realUser.id}::uuid,
      greatest(0, extract(epoch from clock_timestamp() - coalesce(p.last, m."began")))::bigint, not coalesce(p."wasThere", false), here.at[1]::numeric, here.at[2]::numeric, clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json)
        m("tenantId" uuid, "objectType" text, "objectId" uuid, "partId" uuid, "field" text, "move" text, "from" text, "to" text, "meaning" text, "reason" text, "facts" jsonb, "began" timestamptz)
      cross join (select string_to_array(nullif(current_setting('app.position', true), ''), ',') as at) here
      left join lateral (select max(p."dateCreated") as last, bool_or(p."to" = m."to") as "wasThere" from record_move p
        where p."companyId" = ${ctx.company.id}::uuid and p."objectType" = m."objectType" and p."objectId" = m."objectId" and p."partId" is not distinct from m."partId"
          and p."field" = m."field") p on true`,
      'write',
    ),
  )
}

/** Whose log a move is in: the record's own, or that of the record whose part it is, with the person and the facts of the part. */
function ownerOf(
  resource: AnyResource,
  { partOf }: WorkflowDefinition,
  { id, before, values }: { id: string; before: Row; values: Row },
): object {
  if (!partOf) return { objectType: resource.one, objectId: id, partId: null, facts: null }
  const part: Row = { ...before, ...values }
  const facts = partOf.facts?.columns.map((column) => [column, part[column] ?? null])
  return { objectType: partOf.one, objectId: part[partOf.of], partId: part[partOf.by], facts: facts ? Object.fromEntries(facts) : null }
}

/** What new records and the moves of others lead to, in the order of the writes; gives the ids of those where something followed. */
export async function followMoves(ctx: Ctx, resource: AnyResource, writings: readonly Writing[]): Promise<string[]> {
  const followed = new Set<string>()
  for (const { begun } of workflowsOf(resource))
    for (const { change, id, record } of writings) if (begun && change.kind === 'create' && record) await begun(ctx, { id, record })
  for (const { id, steps = [], record } of writings)
    for (const { move, moving } of steps)
      if (record && move.after) {
        await move.after(ctx, { ...moving, record })
        followed.add(id)
      }
  return [...followed]
}

/** Moves as entries of a history, for the records in the table ids(id); those of parts with whose part it is, where somebody else made them. */
export function moveEntries(ctx: Ctx, resource: AnyResource): Statement {
  const workflows = workflowsOf(resource)
  const labels = JSON.stringify(Object.fromEntries(workflows.flatMap(({ field, label }) => (label ? [[field, label]] : []))))
  const silent = workflows.flatMap(({ moves }) => moves.filter(({ isSilent }) => isSilent).map(({ name }) => name))
  const facts = trusted(workflows.flatMap(({ parts }) => parts?.facts?.words ?? [])[0] ?? 'null')
  const person = userName(sql`m."companyId"`, sql`m."partId"`)
  return sql`
  select m."dateCreated" as at, m."userId", m."realUserId",
    concat(${labels}::jsonb ->> m."field" || ' ', coalesce(m."from", '-'), ' → ', m."to", case when m."partId" <> m."userId" then ' for ' || ${person} end) as what,
    nullif(concat_ws(' · ', m."reason", ${facts}), '') as detail from record_move m
  where m."companyId" = ${ctx.company.id}::uuid and m."objectType" = ${resource.one} and m."objectId" in (select id from ids) and m."move" <> all(${silent}::text[])`
}

/** Fields whose changes are in the log: the states and what the moves asked. */
export const loggedFields = (resource: AnyResource): string[] =>
  workflowsOf(resource)
    .filter(({ log }) => log !== 'own')
    .flatMap(({ field, kept = {} }) => [field, ...Object.values(kept)])

import { z } from 'zod'
import type { StepView, WaitingView } from '@outpost/contract/call-views'
import { join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { AnyResource, Ctx, Operation } from '../types.ts'
import { describeChanges } from './changed.ts'
import { commentEntries } from './comments.ts'
import { isRelation } from '../relations/relations.ts'
import { filePairsOf, pairEntries } from './file-pairs.ts'
import { fileEntries } from './files.ts'
import { keepsMoves, loggedFields, moveEntries } from '../workflow/log.ts'
import { asksSecond } from '../workflow/states.ts'
import { hasSteps, stepsOf } from '../workflow/steps.ts'
import { waitingOf } from '../workflow/waiting.ts'
import { readRecord } from '../resource/write.ts'
import { idInput } from '../resource/schema.ts'
import { nameOf } from '../names.ts'

/** What a resource's history shows beside created, changed, deleted and restored records and their comments. */
export interface HistoryOptions {
  /** What acts of the audit are called, by action ("lead.convert"); those of every resource have names already. */
  acts?: Readonly<Record<string, string>>
  /** Fields whose changes have entries of their own, or follow from others. */
  except?: readonly string[]
  /** Names of audited columns that are no fields; their values are not shown. */
  also?: Readonly<Record<string, string>>
  /** Further entries: selects of at, "userId", "realUserId", what, detail of the records in the table ids(id). */
  entries?: (ctx: Ctx) => readonly Statement[]
  /** Records whose past is this one's too, as a sub-query of ids; without: the record alone. */
  family?: (ctx: Ctx, id: string) => Statement
}

const waiting = z.strictObject({
  who: z.string(),
  since: z.iso.datetime(),
  what: z.string().nullable(),
  moves: z.array(z.string()),
  mayDecide: z.boolean(),
}) satisfies z.ZodType<WaitingView>
const step = z.strictObject({
  label: z.string(),
  is: z.enum(['passed', 'skipped', 'current', 'done', 'ended', 'ahead']),
  at: z.iso.datetime().optional(),
  who: z.string().optional(),
}) satisfies z.ZodType<StepView>
/** `waiting` comes with records that a second person decides on, `steps` with those whose states are an ordered path. */
const historyAnswer = z.strictObject({
  timeline: z.array(z.strictObject({ at: z.iso.datetime(), who: z.string(), what: z.string(), detail: z.string().nullable() })),
  waiting: waiting.nullable().optional(),
  steps: z.array(step).optional(),
})

/**
 * The route operation of a record's history: data.timeline of {at, who, what, detail}, newest first, 500 at most. Whoever
 * acted for somebody else is named beside them. Under four eyes also data.waiting, a WaitingView;
 * of an ordered path also data.steps, StepViews. NOT_FOUND as the record's own call.
 */
export function history(resource: AnyResource, options: HistoryOptions = {}): Operation<{ id: string }> {
  return {
    kind: 'history',
    resource,
    input: idInput,
    isReadOnly: true,
    answer: historyAnswer,
    run: async (ctx, { id }) => {
      const record = await readRecord(ctx, resource, id)
      const timeline = await ctx.sql.query(statementOf(ctx, resource, id, options))
      return {
        data: {
          timeline,
          ...(asksSecond(resource) ? { waiting: await waitingOf(ctx, resource, record) } : {}),
          ...(hasSteps(resource) ? { steps: await stepsOf(ctx, resource, record) } : {}),
        },
      }
    },
  }
}

/** Entries of the comments, files and moves that the record keeps. */
const keptEntries = (ctx: Ctx, resource: AnyResource): Statement[] => [
  ...(resource.keeps?.includes('comments') ? [commentEntries(ctx, resource)] : []),
  ...(resource.keeps?.includes('files') ? [entriesOfFiles(ctx, resource)] : []),
  ...(keepsMoves(resource) ? [moveEntries(ctx, resource)] : []),
]

function entriesOfFiles(ctx: Ctx, resource: AnyResource): Statement {
  const pairs = filePairsOf(resource)
  return pairs ? pairEntries(ctx, pairs) : fileEntries(ctx, resource)
}

function statementOf(ctx: Ctx, resource: AnyResource, id: string, { family, entries, ...audit }: HistoryOptions): Statement {
  const company = sql`${ctx.company.id}::uuid`
  const others = [...keptEntries(ctx, resource), ...(entries?.(ctx) ?? []), ...ctx.program.timelineOf(ctx, resource.one)].map(
    (entry) => sql`select n.at, n."userId", n."realUserId", n.what, n.detail, null::bigint as turn from (${entry}) n`,
  )
  return sql`
    with ids(id) as (select x.id from ${family?.(ctx, id) ?? sql`(select ${id}::uuid)`} x(id))
    select e.at, e.what, e.detail, concat(coalesce(nullif(${nameOf('u')}, ''), 'Outpost'), ' (' || r."firstName" || ' ' || r."lastName" || ')') as who
    from (${join([audited(ctx, resource, audit), ...others], ' union all ')}) e
      left join app_user u on u."companyId" = ${company} and u."id" = e."userId"
      left join app_user r on r."companyId" = ${company} and r."id" = e."realUserId" and e."realUserId" <> e."userId"
    order by e.at desc, e.turn desc nulls last limit 500`
}

/** Entries of the audit; a change that is no news to anybody is none. */
function audited(
  ctx: Ctx,
  resource: AnyResource,
  { acts = {}, except = [], also = {} }: Omit<HistoryOptions, 'entries' | 'family'>,
): Statement {
  const { one } = resource
  const update = `${one}.update`
  const named = JSON.stringify({
    [`${one}.create`]: 'Created',
    [update]: 'Changed',
    [`${one}.remove`]: 'Deleted',
    [`${one}.restore`]: 'Restored',
    ...relationActs(resource, except),
    ...acts,
  })
  const changes = describeChanges(resource, {
    before: sql`g."before"`,
    after: sql`g."after"`,
    company: ctx.company,
    except: [...except, ...loggedFields(resource)],
    also,
  })
  return sql`
    select g."at", g."userId", g."realUserId", ${named}::jsonb ->> g."action" as what, case when g."action" = ${update} then c.fields else g."after" ->> 'reason' end as detail, g."seq" as turn
    from audit_log g left join lateral (select ${changes} as fields) c on g."action" = ${update}
    where g."companyId" = ${ctx.company.id}::uuid and g."objectType" = ${one} and g."objectId" in (select id::text from ids) and ${named}::jsonb ? g."action"
      and (g."action" <> ${update} or c.fields is not null) and (g."before" is not null or g."action" <> all(${Object.keys(relationActs(resource, []))}::text[]))`
}

/** Pairs and lines have rows of their own in the audit, under the name of their field; what a new record begins with is no change. */
const relationActs = ({ one, fields }: AnyResource, except: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([key, field]) => isRelation(field) && !except.includes(key))
      .map(([key, { label }]) => [`${one}.${key}`, `${label} changed`]),
  )

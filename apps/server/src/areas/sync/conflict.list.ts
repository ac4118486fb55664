import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { recordSchema } from '../../kernel/resource/answers.ts'
import type { ListInput } from '../../kernel/resource/schema.ts'
import { list } from '../../kernel/resource/operations.ts'
import type { Catalogue } from '../../kernel/screens/catalogue.ts'
import type { SyncEntities } from '../../kernel/sync/entities.ts'
import type { Answer, AnyResource, Ctx, Operation } from '../../kernel/types.ts'
import { fieldViewSchema } from './sync.answers.ts'
import { fieldViews, withNames } from './shown.ts'

interface Row extends Record<string, unknown> {
  Id: string
  entityType: string
  field: string
}
interface Held {
  id: string
  base: unknown
  theirs: unknown
  mine: unknown
}
const sides = ['base', 'theirs', 'mine'] as const
/** Rows that are named at once where a page is streamed. */
const rowsAtOnce = 500

/** The list's answer: the three values as the wire writes them, `valueField` that draws them, and the names of the records they mean. */
export const conflictsAnswer = (conflict: AnyResource) => () => {
  const values = Object.fromEntries(
    sides.flatMap((side) => [
      [side, z.unknown()],
      [`${side}Label`, z.string().nullable().optional()],
    ]),
  )
  const row = recordSchema(conflict, 'list').extend({ ...values, valueField: fieldViewSchema.optional() })
  return z.strictObject({ [conflict.many]: z.array(row) })
}

/** GET /api/sync/conflicts: the three values of each as the record itself would show them. */
export function conflictList(conflict: AnyResource, entities: SyncEntities, catalogue: () => Catalogue): Operation<ListInput> {
  const plain: Operation<ListInput> = list(conflict)
  const shown = (ctx: Ctx, rows: readonly Row[]) => withValues(ctx, rows, entities, catalogue())
  return {
    ...plain,
    answer: conflictsAnswer(conflict),
    run: async (ctx, input, facts) => {
      const answer = await plain.run(ctx, input, facts)
      if ('rows' in answer) return { ...answer, rows: streamed(ctx, answer.rows, shown) }
      return 'json' in answer ? inAnswer(ctx, answer.json, conflict.many, shown) : answer
    },
  }
}

type Show = (ctx: Ctx, rows: readonly Row[]) => Promise<Row[]>

async function inAnswer(ctx: Ctx, json: string, many: string, shown: Show): Promise<Answer> {
  const body = JSON.parse(json) as { data: Record<string, Row[]> }
  return { json: JSON.stringify({ ...body, data: { [many]: await shown(ctx, body.data[many] ?? []) } }) }
}

async function* streamed(ctx: Ctx, rows: AsyncIterable<string>, shown: Show): AsyncGenerator<string> {
  const part: Row[] = []
  const drawn = async () => (await shown(ctx, part.splice(0))).map((row) => JSON.stringify(row))
  for await (const row of rows) if (part.push(JSON.parse(row) as Row) === rowsAtOnce) yield* await drawn()
  yield* await drawn()
}

async function withValues(ctx: Ctx, rows: readonly Row[], entities: SyncEntities, catalogue: Catalogue): Promise<Row[]> {
  if (rows.length === 0) return []
  const held = await ctx.sql.query<Held>(sql`
    select "id", "base", "theirs", "mine" from sync_conflict where "companyId" = ${ctx.company.id} and "id" = any(${rows.map(({ Id }) => Id)}::uuid[])`)
  const values = new Map(held.map(({ id, ...rest }) => [id, rest]))
  const definitionOf = ({ entityType, field }: Row) => entities.get(entityType)?.resource.fields[field]
  const views = await viewsOf(ctx, rows, entities, catalogue)
  const named = await withNames(
    ctx,
    rows.map((row) => {
      const field = definitionOf(row)
      return { fields: field ? Object.fromEntries(sides.map((side) => [side, field])) : {}, values: { ...values.get(row.Id) } }
    }),
  )
  return rows.map((row, place) => {
    const view = views.get(`${row.entityType}.${row.field}`)
    return { ...row, ...named[place], ...(view ? { valueField: view } : {}) }
  })
}

/** The fields that are disputed, each once. */
async function viewsOf(ctx: Ctx, rows: readonly Row[], entities: SyncEntities, catalogue: Catalogue) {
  const views = new Map<string, unknown>()
  for (const [type, ofType] of Map.groupBy(rows, ({ entityType }) => entityType)) {
    const fields = entities.get(type)?.resource.fields ?? {}
    const disputed = Object.fromEntries(ofType.flatMap(({ field }) => (fields[field] ? [[field, fields[field]]] : [])))
    for (const view of await fieldViews(ctx, catalogue, disputed, false)) views.set(`${type}.${view.key}`, view)
  }
  return views
}

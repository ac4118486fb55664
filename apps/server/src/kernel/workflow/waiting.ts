import type { FilterTerm } from '@outpost/contract/envelope'
import type { WaitingView } from '@outpost/contract/call-views'
import { holds } from '@outpost/contract/fields'
import { sql } from '@outpost/platform/db/sql'
import { describeChanges } from '../keeps/changed.ts'
import type { CountingTile } from '../screens/widgets.ts'
import { isPermitted } from '../session/permission.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { makingActs } from './own-work.ts'
import { movesFrom, statesOf, workflowsOf } from './states.ts'
import type { MoveDefinition, Row, WorkflowDefinition } from './types.ts'
import { nameOf } from '../names.ts'

/** States in which a record waits for a second person. */
const waitingIn = ({ waits, moves }: WorkflowDefinition): readonly string[] =>
  waits ?? [...new Set(moves.filter(({ fourEyes }) => fourEyes).flatMap(({ from }) => (from === '*' ? [] : from)))]

/** What a record waits for that a second person has to decide: who asked, since when and what changed last; null when it waits for nobody. */
export async function waitingOf(ctx: Ctx, resource: AnyResource, record: Row): Promise<WaitingView | null> {
  for (const workflow of workflowsOf(resource)) {
    const state = String(record[workflow.field] ?? '')
    if (!waitingIn(workflow).includes(state)) continue
    const moves = movesFrom(workflow, state, await statesOf(ctx, workflow, record))
      .map(({ move }) => move)
      .filter(({ fourEyes }) => fourEyes)
    if (moves.length > 0)
      return {
        ...(await askedBy(ctx, resource, { workflow, record, state })),
        moves: [...new Set(moves.map(({ label, name }) => label ?? name))],
        mayDecide: await mayDecide(ctx, record, moves),
      }
  }
  return null
}

async function mayDecide(ctx: Ctx, record: Row, moves: readonly MoveDefinition[]): Promise<boolean> {
  for (const { access, fourEyes, alone } of moves) {
    if (access && !isPermitted(ctx, access)) continue
    if (alone && holds(alone.if, record)) return true
    const isOwn =
      typeof fourEyes === 'function'
        ? (await ctx.sql.maybe(
            sql`select from (${fourEyes(ctx, String(record['Id']))}) m where m."userId" = any(${[ctx.user.id, ctx.realUser.id]}::uuid[]) limit 1`,
          )) !== undefined
        : record['isOwnWork'] === true
    if (!isOwn) return true
  }
  return false
}

interface Asked {
  workflow: WorkflowDefinition
  record: Row
  state: string
}

/** Who brought the record to its state, and what its last change changed. */
async function askedBy(
  ctx: Ctx,
  resource: AnyResource,
  { workflow: { field, kept = {} }, record, state }: Asked,
): Promise<Pick<WaitingView, 'who' | 'since' | 'what'>> {
  const entries = sql`audit_log g where g."companyId" = ${ctx.company.id}::uuid and g."objectType" = ${resource.one} and g."objectId" = ${String(record['Id'])} and g."action" = any(${makingActs(resource)}::text[])`
  const what = describeChanges(resource, {
    before: sql`h."before"`,
    after: sql`h."after"`,
    company: ctx.company,
    except: [field, ...Object.values(kept)],
  })
  const row = await ctx.sql.maybe<{ who: string | null; since: string; what: string | null }>(sql`
    select ${nameOf('u')} as who, e."at" as since,
      (select ${what} from (select g."before", g."after" from ${entries} and g."action" = ${`${resource.one}.update`} and (g."after" - ${[field, ...Object.values(kept)]}::text[]) <> '{}' order by g."seq" desc limit 1) h) as what
    from (select g."at", g."userId" from ${entries} and (g."after" ->> ${field}::text = ${state} or g."action" = ${`${resource.one}.create`}) order by g."seq" desc limit 1) e
    left join app_user u on u."companyId" = ${ctx.company.id}::uuid and u."id" = e."userId"`)
  return row
    ? { who: row.who || 'Outpost', since: row.since, what: row.what }
    : { who: 'Outpost', since: String(record['dateCreated'] ?? ''), what: null }
}

/** The number of records that wait for somebody else's decision than their makers': the caller's, whose list is a click away. */
export function waitingTile(resource: AnyResource, tile: Omit<CountingTile, 'resource' | 'terms' | 'days'>): CountingTile {
  const [waiting] = workflowsOf(resource)
    .map((workflow) => ({ field: workflow.field, states: waitingIn(workflow) }))
    .filter(({ states }) => states.length > 0)
  if (!waiting) throw new Error(`${resource.one} has no move that asks for a second person`)
  const terms: FilterTerm[] = [
    { field: waiting.field, op: 'in', value: [...waiting.states] },
    { field: 'isOwnWork', op: 'eq', value: false },
  ]
  return { ...tile, resource, terms: () => terms }
}

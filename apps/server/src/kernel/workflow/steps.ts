import type { StepView } from '@outpost/contract/call-views'
import { sql } from '@outpost/platform/db/sql'
import { nameOf } from '../names.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { hasOwnStates, statesOf, workflowsOf } from './states.ts'
import type { Meaning, OwnState, Row, WorkflowDefinition } from './types.ts'

/** The workflow whose states are an ordered path: it says so, or its states are the company's rows in their order. */
const pathWorkflow = (resource: AnyResource): WorkflowDefinition | undefined =>
  workflowsOf(resource).find(({ path, states, log }) => log !== 'own' && (path !== undefined || hasOwnStates(states)))

/** True when records of the resource show their states as steps. */
export const hasSteps = (resource: AnyResource): boolean => pathWorkflow(resource) !== undefined

/** The steps of a record: the states of the path, when each was reached last and by whom, and the present one, also beside the path. */
export async function stepsOf(ctx: Ctx, resource: AnyResource, record: Row): Promise<StepView[]> {
  const workflow = pathWorkflow(resource)
  if (!workflow) return []
  const states = await statesOf(ctx, workflow, record)
  const current = states.find(({ id }) => id === String(record[workflow.field]))
  const path = workflow.path
    ? workflow.path.flatMap((id) => states.find((state) => state.id === id) ?? [])
    : states.filter((state) => isOnward(state) && !state.isRetired)
  const reached = await reachedBy(ctx, resource, { field: workflow.field, record, first: path[0] })
  return layOut({ path, current, reached })
}

const lost: readonly (Meaning | undefined)[] = ['missed', 'cancelled']
const isOnward = ({ meaning }: OwnState) => !lost.includes(meaning)

interface Reached {
  state: string
  at: string
  who: string | null
}

/** When the record came into each state last, and who brought it there; into the first one when it was made. */
async function reachedBy(
  ctx: Ctx,
  { one }: AnyResource,
  { field, record, first }: { field: string; record: Row; first: OwnState | undefined },
): Promise<ReadonlyMap<string, Reached>> {
  const maker = record['createdByUserId'] ?? record['createdUserId'] ?? null
  const rows = await ctx.sql.query<Reached & Record<string, unknown>>(sql`
    select distinct on (e.state) e.state, e.at, ${nameOf('u')} as who from (
      select m."to" as state, m."dateCreated" as at, m."userId" from record_move m
      where m."companyId" = ${ctx.company.id}::uuid and m."objectType" = ${one} and m."objectId" = ${String(record['Id'])}::uuid and m."field" = ${field} and m."partId" is null
      union all select ${first?.name ?? ''}, ${String(record['dateCreated'])}::timestamptz, ${maker}::uuid) e
    left join app_user u on u."companyId" = ${ctx.company.id}::uuid and u."id" = e."userId"
    order by e.state, e.at desc`)
  return new Map(rows.map((row) => [row.state, row]))
}

interface Layout {
  path: readonly OwnState[]
  current: OwnState | undefined
  reached: ReadonlyMap<string, Reached>
}

/** The path up to the present state; one beside the path follows the last state that was reached, and ends the path where it is lost. */
function layOut({ path, current, reached }: Layout): StepView[] {
  const place = path.findIndex(({ id }) => id === current?.id)
  const furthest = place >= 0 ? place : path.findLastIndex(({ name }) => reached.has(name))
  const isLost = current !== undefined && !isOnward(current)
  const before = path
    .slice(0, place >= 0 ? place : furthest + 1)
    .map((state) => stepOf(state, reached, reached.has(state.name) ? 'passed' : 'skipped'))
  const now = current ? [stepOf(current, reached, isLost ? 'ended' : current.meaning === 'done' ? 'done' : 'current')] : []
  const ahead = isLost ? [] : path.slice(furthest + 1).map(({ name }): StepView => ({ label: name, is: 'ahead' }))
  return [...before, ...now, ...ahead]
}

function stepOf({ name }: OwnState, reached: ReadonlyMap<string, Reached>, is: StepView['is']): StepView {
  const { at, who } = (is !== 'skipped' && reached.get(name)) || {}
  return { label: name, is, ...(at ? { at } : {}), ...(who ? { who } : {}) }
}

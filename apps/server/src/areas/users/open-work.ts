import type { FilterTerm } from '@outpost/contract/envelope'
import { identifierSchema } from '@outpost/contract/input'
import { every, identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { caseStatuses } from '@outpost/rules/leads/pipeline-stages'
import { leadStatuses, leadStatusNames } from '@outpost/rules/leads/lead-status'
import { z } from 'zod'
import { nameOf } from '../../kernel/names.ts'
import { filterConditions } from '../../kernel/resource/read/filter.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { listAddress } from '../../kernel/screens/tiles.ts'
import type { AnyResource, Ctx } from '../../kernel/types.ts'
import { activity, activityOpenFor } from '../activities/index.ts'
import { application } from '../applications/index.ts'
import { salesCase } from '../cases/index.ts'
import { client, clientGroup } from '../clients/index.ts'
import { complaint } from '../complaints/index.ts'
import { maintenancePlan } from '../geo/index.ts'
import { lead } from '../leads/index.ts'
import { loan } from '../loans/index.ts'
import { activityPlan, planOpenFor } from '../plans/index.ts'
import { openTaskStates, task } from '../tasks/index.ts'
import { team } from '../teams/index.ts'
import { ussdRequest } from '../ussd/index.ts'

const openLeads = leadStatusNames.filter((name) => ['Open', 'Ongoing'].includes(leadStatuses[name].type))
const openCases = Object.entries(caseStatuses)
  .filter(([, { type }]) => type === 'open')
  .map(([name]) => name)

/** Whose work is listed where, and by which terms beside the person; the words name one and many. */
interface WorkKind {
  resource: AnyResource
  screen: string
  field: string
  /** How the list filters that field by the person; `eq` where nothing is said. */ op?: 'contains'
  open: readonly FilterTerm[]
  words: readonly [string, string]
}
const among = (field: string, value: readonly string[]): FilterTerm => ({ field, op: 'in', value: [...value] })
const notClosed: FilterTerm = { field: 'status', op: 'ne', value: 'Closed' }

/** Records that have one person in a field of theirs, and which of them are work. */
export const owned = {
  cases: {
    resource: salesCase,
    screen: '/sales/cases',
    field: 'ownerUserId',
    open: [among('status', openCases)],
    words: ['open case', 'open cases'],
  },
  complaints: {
    resource: complaint,
    screen: '/complaints/',
    field: 'ownerUserId',
    open: [{ field: 'status', op: 'ne', value: 'Resolved' }, notClosed],
    words: ['open complaint', 'open complaints'],
  },
  applications: {
    resource: application,
    screen: '/sales/applications',
    field: 'ownerUserId',
    open: [among('status', ['Draft', 'Submitted', 'In review', 'Approved'])],
    words: ['loan application', 'loan applications'],
  },
  clients: { resource: client, screen: '/clients/list', field: 'assignedUserId', open: [notClosed], words: ['client', 'clients'] },
  clientGroups: {
    resource: clientGroup,
    screen: '/clients/groups/list',
    field: 'assignedUserId',
    open: [notClosed],
    words: ['group of clients', 'groups of clients'],
  },
  loans: {
    resource: loan,
    screen: '/loans/accounts',
    field: 'officerUserId',
    open: [among('status', ['Approved', 'Active'])],
    words: ['running loan', 'running loans'],
  },
  ussdRequests: {
    resource: ussdRequest,
    screen: '/clients/ussd/requests',
    field: 'assignedUserId',
    open: [{ field: 'status', op: 'eq', value: 'Open' }],
    words: ['USSD request', 'USSD requests'],
  },
  // The heir is reminded of what is due by the plan's own rule, which plans a look at it.
  maintenancePlans: {
    resource: maintenancePlan,
    screen: '/tracking/maintenance',
    field: 'responsibleUserId',
    open: [{ field: 'isActive', op: 'eq', value: true }],
    words: ['maintenance plan', 'maintenance plans'],
  },
  teams: { resource: team, screen: '/sales/teams', field: 'leaderUserId', open: [], words: ['team to lead', 'teams to lead'] },
} as const satisfies Record<string, WorkKind>
export type OwnedKind = keyof typeof owned
export const ownedKinds = Object.keys(owned) as OwnedKind[]

/** Leads, activities, tasks and plans have rules of their own when they change hands. */
const shared = {
  leads: {
    resource: lead,
    screen: '/sales/leads',
    field: 'assignedUserId',
    open: [among('status', openLeads)],
    words: ['open lead', 'open leads'],
  },
  activities: { resource: activity, screen: '/sales/activities', field: 'openFor', open: [], words: ['activity', 'activities'] },
  tasks: {
    resource: task,
    screen: '/tasks',
    field: 'assignedUsers',
    op: 'contains',
    open: [among('status', openTaskStates)],
    words: ['open task', 'open tasks'],
  },
  plans: {
    resource: activityPlan,
    screen: '/sales/activities/activity-plan',
    field: 'openFor',
    open: [],
    words: ['route plan', 'route plans'],
  },
} as const satisfies Record<string, WorkKind>
const work: Record<Kind, WorkKind> = { ...shared, ...owned }
type Kind = keyof typeof shared | OwnedKind
const kinds = [...(Object.keys(shared) as (keyof typeof shared)[]), ...ownedKinds] as const

/** Columns that say whose work something is and that are handed over, by table. */
export const handedColumns: readonly string[] = [
  'lead.assignedUserId',
  'activity_assignment.userId',
  'task_assignee.userId',
  'activity_plan_agent.userId',
  'activity_plan_activity.userId',
  ...ownedKinds.map((kind) => `${owned[kind].resource.table}.${owned[kind].field}`),
]

/** Ids of what somebody has not finished, as far as the caller sees it. */
export type OpenWork = { userId: string; name: string } & Record<Kind, string[]>

/** Whose a record of a kind is, over aliases t and u. */
const theirs: Partial<Record<Kind, (ctx: Ctx) => Statement>> = {
  activities: (ctx) => activityOpenFor(ctx, sql`u."id"`),
  plans: (ctx) => planOpenFor(ctx, sql`u."id"`),
  tasks: () =>
    sql`exists (select from task_assignee x where x."companyId" = t."companyId" and x."taskId" = t."id" and x."userId" = u."id")`,
}

/** By the very terms under which the list shows them. */
const idsOf = (ctx: Ctx, kind: Kind) => {
  const { resource, field, open } = work[kind]
  const isTheirs = theirs[kind]?.(ctx) ?? sql`t.${identifier(field)} = u."id"`
  const conditions = every([visibleRows(ctx, resource), isTheirs, ...filterConditions(ctx, resource, open)])
  return sql`array(select t."id" from ${identifier(resource.table)} t where ${conditions} order by 1) as ${identifier(kind)}`
}

/** Open leads, planned or begun activities, open tasks, route plans of today and later, and whatever else users own that is open. */
export async function openWorkOf(ctx: Ctx, userIds: readonly string[]): Promise<OpenWork[]> {
  const rows = await ctx.sql.query<OpenWork>(sql`
    select u."id" as "userId", ${nameOf('u')} as name, ${join(kinds.map((kind) => idsOf(ctx, kind)))}
    from app_user u where u."companyId" = ${ctx.company.id} and u."id" = any(${userIds}::uuid[])
    order by u."lastName", u."firstName", u."id"`)
  return rows.filter((one) => kinds.some((kind) => one[kind].length > 0))
}

/** What users have not finished, in words, as counts by kind, and where each count is listed; nothing of who has nothing. */
export async function countOpenWork(ctx: Ctx, userIds: readonly string[]): Promise<z.infer<typeof openWorkAnswer>> {
  const people = await openWorkOf(ctx, userIds)
  return { message: said(people), work: people.map(countsOf), counts: people.map((one) => listedOf(ctx, one)) }
}

const listedOf = (ctx: Ctx, one: OpenWork) => ({
  subject: one.name,
  counts: partsOf(one).map(({ kind, ...part }) => {
    const { resource, screen, field, op = 'eq', open } = work[kind]
    return { ...part, open: listAddress(ctx, resource, screen, [{ field, op, value: one.userId }, ...open]) }
  }),
})

type Counts = Record<Kind, number>
type WorkCounts = { userId: string; name: string } & Counts
const workCounts = z.strictObject({
  userId: identifierSchema,
  name: z.string(),
  ...(Object.fromEntries(kinds.map((kind) => [kind, z.int()])) as Record<Kind, z.ZodInt>),
})
/** `message` says it in words; empty when nobody among them has open work. `counts` says the same, each number with the list of its rows. */
export const openWorkAnswer = z.strictObject({
  message: z.string(),
  work: z.array(workCounts),
  counts: z.array(
    z.strictObject({
      subject: z.string(),
      counts: z.array(z.strictObject({ count: z.int(), words: z.string(), open: z.string() })),
    }),
  ),
})
export const countsOf = (one: OpenWork): WorkCounts => ({
  userId: one.userId,
  name: one.name,
  ...(Object.fromEntries(kinds.map((kind) => [kind, one[kind].length])) as Counts),
})
const wordsOf = (one: OpenWork) =>
  `${one.name} still has ${partsOf(one)
    .map(({ count, words }) => `${count} ${words}`)
    .join(', ')}`
const partsOf = (one: OpenWork) =>
  kinds.flatMap((kind) => {
    const count = one[kind].length
    return count === 0 ? [] : [{ kind, count, words: work[kind].words[count === 1 ? 0 : 1] }]
  })

export const said = (people: readonly OpenWork[]) => people.map(wordsOf).join('. ')

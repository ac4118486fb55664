import { fail, failField } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { caseStatuses } from '@outpost/rules/leads/pipeline-stages'
import { leadStatuses, leadStatusNames } from '@outpost/rules/leads/lead-status'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { otherNews } from '../../kernel/realtime/notification-kinds.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { updateRecords } from '../../kernel/resource/records.ts'
import type { AnyResource, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { activity, handOver } from '../activities/index.ts'
import { application } from '../applications/index.ts'
import { salesCase } from '../cases/index.ts'
import { client, clientGroup } from '../clients/index.ts'
import { complaint } from '../complaints/index.ts'
import { maintenancePlan } from '../geo/index.ts'
import { giveLead, lead } from '../leads/index.ts'
import { loan } from '../loans/index.ts'
import { activityPlan, giveStopsBack, handOverPlan, type HandedPlan } from '../plans/index.ts'
import { handOverTask, openTaskStates, task } from '../tasks/index.ts'
import { team } from '../teams/index.ts'
import { ussdRequest } from '../ussd/index.ts'
import { user } from './user.resource.ts'

const openLeads = leadStatusNames.filter((name) => ['Open', 'Ongoing'].includes(leadStatuses[name].type))
const openCases = Object.entries(caseStatuses)
  .filter(([, { type }]) => type === 'open')
  .map(([name]) => name)

/** Records that have one person in a field of theirs, and which of them are work. */
const owned = {
  cases: {
    resource: salesCase,
    field: 'ownerUserId',
    isOpen: sql`t."status" = any(${openCases}::text[])`,
    words: ['open case', 'open cases'],
  },
  complaints: {
    resource: complaint,
    field: 'ownerUserId',
    isOpen: sql`t."status" not in ('Resolved', 'Closed')`,
    words: ['open complaint', 'open complaints'],
  },
  applications: {
    resource: application,
    field: 'ownerUserId',
    isOpen: sql`t."status" in ('Draft', 'Submitted', 'In review', 'Approved')`,
    words: ['loan application', 'loan applications'],
  },
  clients: { resource: client, field: 'assignedUserId', isOpen: sql`t."status" <> 'Closed'`, words: ['client', 'clients'] },
  clientGroups: {
    resource: clientGroup,
    field: 'assignedUserId',
    isOpen: sql`t."status" <> 'Closed'`,
    words: ['group of clients', 'groups of clients'],
  },
  loans: {
    resource: loan,
    field: 'officerUserId',
    isOpen: sql`t."status" in ('Approved', 'Active')`,
    words: ['running loan', 'running loans'],
  },
  ussdRequests: {
    resource: ussdRequest,
    field: 'assignedUserId',
    isOpen: sql`t."status" = 'Open'`,
    words: ['USSD request', 'USSD requests'],
  },
  // The heir is reminded of what is due by the plan's own rule, which plans a look at it.
  maintenancePlans: {
    resource: maintenancePlan,
    field: 'responsibleUserId',
    isOpen: sql`t."isActive"`,
    words: ['maintenance plan', 'maintenance plans'],
  },
  teams: { resource: team, field: 'leaderUserId', isOpen: sql`true`, words: ['team to lead', 'teams to lead'] },
} as const satisfies Record<string, { resource: AnyResource; field: string; isOpen: Statement; words: readonly [string, string] }>
type OwnedKind = keyof typeof owned
const ownedKinds = Object.keys(owned) as OwnedKind[]

/** Leads, activities, tasks and plans have rules of their own when they change hands. */
const kinds = ['leads', 'activities', 'tasks', 'plans', ...ownedKinds] as const

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
export type OpenWork = { userId: string; name: string } & Record<(typeof kinds)[number], string[]>

const ownedBy = (ctx: Ctx) =>
  join(
    ownedKinds.map((kind) => {
      const { resource, field, isOpen } = owned[kind]
      return sql`array(select t."id" from ${identifier(resource.table)} t where ${visibleRows(ctx, resource)} and t.${identifier(field)} = u."id" and ${isOpen} order by 1) as ${identifier(kind)}`
    }),
  )

/** Open leads, planned or begun activities, open tasks, route plans of today and later, and whatever else users own that is open. */
export async function openWorkOf(ctx: Ctx, userIds: readonly string[]): Promise<OpenWork[]> {
  const rows = await ctx.sql.query<OpenWork>(sql`
    select u."id" as "userId", ${nameOf('u')} as name,
      array(select t."id" from lead t where ${visibleRows(ctx, lead)} and t."assignedUserId" = u."id" and t."status" = any(${openLeads}::text[]) order by 1) as leads,
      array(select t."id" from activity t join activity_assignment x on x."companyId" = t."companyId" and x."activityId" = t."id" and x."userId" = u."id"
        left join activity_status s on s."companyId" = x."companyId" and s."id" = coalesce(x."statusId", t."statusId")
        where ${visibleRows(ctx, activity)} and coalesce(s."meaning", 'open') in ('open', 'started') and t."endDate" > now() - interval '1 day' order by 1) as activities,
      array(select t."id" from task t join task_assignee x on x."companyId" = t."companyId" and x."taskId" = t."id" and x."userId" = u."id"
        where ${visibleRows(ctx, task)} and t."status" = any(${openTaskStates}::text[]) order by 1) as tasks,
      array(select t."id" from activity_plan t where ${visibleRows(ctx, activityPlan)} and t."endDate" >= (now() at time zone ${ctx.company.timeZone})::date
        and exists (select from activity_plan_agent a where a."companyId" = t."companyId" and a."planId" = t."id" and a."userId" = u."id") order by 1) as plans,
      ${ownedBy(ctx)}
    from app_user u where u."companyId" = ${ctx.company.id} and u."id" = any(${userIds}::uuid[])
    order by u."lastName", u."firstName", u."id"`)
  return rows.filter((work) => kinds.some((kind) => work[kind].length > 0))
}

/** What users have not finished, in words and as counts by kind; nothing of who has nothing. */
export async function countOpenWork(ctx: Ctx, userIds: readonly string[]): Promise<{ message: string; work: WorkCounts[] }> {
  const work = await openWorkOf(ctx, userIds)
  return { message: said(work), work: work.map(countsOf) }
}

interface Choice {
  toUserId?: string | null | undefined
  leaveWork?: boolean | null | undefined
}

/**
 * Gives the open work of users to somebody before they are deactivated, and keeps what went so that it comes back with
 * them. Stops with STILL_IN_USE that counts the work when nobody was chosen and it is not to be left.
 */
export async function handOverWork(ctx: Ctx, userIds: readonly string[], { toUserId, leaveWork }: Choice): Promise<string> {
  const work = await openWorkOf(ctx, userIds)
  if (work.length === 0 || leaveWork) return ''
  if (!toUserId) {
    fail('STILL_IN_USE', {
      message: `${said(work)}. Choose who takes it over, or leave it where it is.`,
      details: { work: work.map(countsOf) },
      fields: [{ field: 'toUserId', message: `${said(work)}. To whom does it go?` }],
    })
  }
  const heir = await heirOf(ctx, toUserId, userIds)
  for (const one of work) await giveAll(ctx, one, toUserId)
  if (toUserId !== ctx.user.id)
    await notify(ctx, {
      userId: toUserId,
      itemType: 'Message',
      kind: otherNews,
      message: `You took over the work of ${work.map(({ name }) => name).join(', ')}`,
      link: '/sales/leads',
    })
  return ` ${heir} takes over the open work.`
}

type Counts = Record<(typeof kinds)[number], number>
export type WorkCounts = { userId: string; name: string } & Counts
export const workCounts = z.strictObject({
  userId: identifierSchema,
  name: z.string(),
  ...(Object.fromEntries(kinds.map((kind) => [kind, z.int()])) as Record<(typeof kinds)[number], z.ZodInt>),
})
const countsOf = (work: OpenWork): WorkCounts => ({
  userId: work.userId,
  name: work.name,
  ...(Object.fromEntries(kinds.map((kind) => [kind, work[kind].length])) as Counts),
})
const counted = (number: number, one: string, many: string) => (number === 0 ? [] : [`${number} ${number === 1 ? one : many}`])
const wordsOf = (work: OpenWork) =>
  `${work.name} still has ${[
    ...counted(work.leads.length, 'open lead', 'open leads'),
    ...counted(work.activities.length, 'activity', 'activities'),
    ...counted(work.tasks.length, 'open task', 'open tasks'),
    ...counted(work.plans.length, 'route plan', 'route plans'),
    ...ownedKinds.flatMap((kind) => counted(work[kind].length, owned[kind].words[0], owned[kind].words[1])),
  ].join(', ')}`

const said = (work: readonly OpenWork[]) => work.map(wordsOf).join('. ')

async function heirOf(ctx: Ctx, id: string, leaving: readonly string[]): Promise<string> {
  const found = await ctx.sql.maybe<{ name: string }>(sql`
    select ${nameOf('t')} as name from app_user t where ${visibleRows(ctx, user)} and t."id" = ${id} and t."status" = 1 and t."deletedAt" is null`)
  if (!found || leaving.includes(id)) failField('toUserId', 'is not an active user in your reach who stays')
  return found.name
}

async function giveAll(ctx: Ctx, work: OpenWork, to: string): Promise<void> {
  const { userId, leads, activities, tasks, plans } = work
  const moved: { id: string; isShared: boolean }[] = []
  const movedTasks: typeof moved = []
  for (const id of leads) await giveLead(ctx, id, { userId: to })
  for (const id of activities) moved.push({ id, ...(await handOver(ctx, id, { from: userId, to })) })
  for (const id of tasks) movedTasks.push({ id, ...(await handOverTask(ctx, id, { from: userId, to })) })
  const handed: HandedPlan[] = []
  for (const id of plans) handed.push(await handOverPlan(ctx, id, { from: userId, to }))
  for (const kind of ownedKinds) await updateRecords(ctx, owned[kind].resource, work[kind], { [owned[kind].field]: to })
  const ofOwned = Object.fromEntries(ownedKinds.map((kind) => [kind, work[kind]]))
  await ctx.sql.exec(sql`
    insert into user_handover ("companyId", "id", "fromUserId", "toUserId", "moved", "byUserId")
    values (${ctx.company.id}, gen_random_uuid(), ${userId}, ${to}, ${JSON.stringify({ ...ofOwned, leads, activities: moved, tasks: movedTasks, plans: handed })}::jsonb, ${ctx.user.id})`)
  audit(ctx, {
    action: 'user.handOver',
    objectType: 'user',
    objectId: userId,
    after: { toUserId: to, ...countsOf(work) },
  })
}

interface Handover {
  id: string
  fromUserId: string
  toUserId: string
  moved: {
    leads?: string[]
    activities?: { id: string; isShared: boolean }[]
    tasks?: { id: string; isShared: boolean }[]
    plans?: HandedPlan[]
  } & Partial<Record<OwnedKind, string[]>>
}

/** Gives restored users back what went when they were deactivated, as far as it is still with whom it went to. */
export async function giveWorkBack(ctx: Ctx, userIds: readonly string[]): Promise<void> {
  const handovers = await ctx.sql.query<Handover>(sql`
    update user_handover set "undoneAt" = now() where "companyId" = ${ctx.company.id} and "fromUserId" = any(${userIds}::uuid[]) and "undoneAt" is null
    returning "id", "fromUserId", "toUserId", "moved"`)
  for (const { fromUserId, toUserId, moved } of handovers) {
    const held = (await openWorkOf(ctx, [toUserId]))[0]
    for (const id of (moved.leads ?? []).filter((one) => held?.leads.includes(one))) await giveLead(ctx, id, { userId: fromUserId })
    for (const { id, isShared } of (moved.activities ?? []).filter((one) => held?.activities.includes(one.id)))
      await handOver(ctx, id, { from: toUserId, to: fromUserId, keep: isShared })
    for (const { id, isShared } of (moved.tasks ?? []).filter((one) => held?.tasks.includes(one.id)))
      await handOverTask(ctx, id, { from: toUserId, to: fromUserId, keep: isShared })
    for (const plan of (moved.plans ?? []).filter(({ id }) => held?.plans.includes(id)))
      await giveStopsBack(ctx, plan, { from: toUserId, to: fromUserId })
    for (const kind of ownedKinds) {
      const back = (moved[kind] ?? []).filter((one) => held?.[kind].includes(one))
      await updateRecords(ctx, owned[kind].resource, back, { [owned[kind].field]: fromUserId })
    }
  }
}

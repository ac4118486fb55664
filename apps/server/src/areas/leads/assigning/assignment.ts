import { sql } from '@outpost/platform/db/sql'
import { chooseCandidate, fitsRule, type AssignmentMethod, type Candidate, type RuleConditions } from '@outpost/rules/leads/lead-assignment'
import { openLeadStatuses } from '@outpost/rules/leads/lead-stage'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { getRecord } from '../../../kernel/resource/records.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import { notify } from '../../../kernel/realtime/notify.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Answer, Ctx, JobDefinition } from '../../../kernel/types.ts'
import { nameOf } from '../../../kernel/names.ts'
import { happenedAt } from '../../agents/index.ts'
import { pointOf, waitingLeads, type WaitingLead } from './assignment.rules.ts'
import { giveLead } from '../lead.handlers.ts'
import { leadNews } from '../lead.news.ts'
import { lead } from '../lead.resource.ts'

interface Rule extends RuleConditions {
  id: string
  name: string
  method: AssignmentMethod
  candidateTenantId: string | null
  candidateTeamId: string | null
  candidateUserIds: string[]
  lastUserId: string | null
}
type Agent = Candidate & { tenantId: string | undefined }
export interface Given {
  leadId: string
  userId: string
  agent: string
  rule: string
  why: string
}

export const byRuleInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })

/** Gives leads of the caller to agents by the company's rules, those that somebody holds too; says who got which and why. */
export async function assignByRule(ctx: Ctx, { ids }: z.infer<typeof byRuleInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const wanted = [...new Set(ids)]
    for (const id of wanted) await getRecord(inner, lead, id)
    const given = await applyRules(inner, await waitingLeads(inner, wanted))
    const left = wanted.filter((id) => !given.some(({ leadId }) => leadId === id))
    const message = `${given.length} assigned${left.length > 0 ? `, ${left.length} left: no rule fits or finds an agent` : ''}`
    return { data: { assigned: given, left }, message }
  })
}

/** Gives new leads away once they are committed, but those that somebody holds by then or that are gone. */
export const assignByRuleJob: JobDefinition<{ leadIds: string[] }> = {
  name: 'leads.assignByRule',
  run: (job, { leadIds }) =>
    withStream(job, async (ctx) => {
      const leads = await waitingLeads(ctx, leadIds)
      await applyRules(
        ctx,
        leads.filter(({ holderId }) => holderId === null),
      )
    }),
}

/** The rules and who they mean, read once for all leads of a transaction; what it gives away is counted in. */
interface Desk {
  rules: readonly Rule[]
  agents: Map<string, Agent[]>
}

/** Lead by lead; the company's counter is locked, so turns are taken one by one. */
async function applyRules(ctx: Ctx, leads: readonly WaitingLead[]): Promise<Given[]> {
  const rules = await ctx.sql.query<Rule>(
    sql`select * from assignment_rule where "companyId" = ${ctx.company.id} and "isActive" order by "position", "dateCreated", "id"`,
  )
  const desk: Desk = { rules, agents: new Map() }
  const given: Given[] = []
  for (const lead of leads) given.push(...(await applyToLead(ctx, lead, desk)))
  return given
}

/** The first rule that fits and finds somebody decides. */
async function applyToLead(ctx: Ctx, waiting: WaitingLead, desk: Desk): Promise<Given[]> {
  const leadId = waiting.id
  for (const rule of desk.rules.filter((one) => fitsRule(one, waiting))) {
    const key = `${rule.id} ${waiting.tenantId}`
    const agents = desk.agents.get(key) ?? (await candidatesOf(ctx, rule, waiting))
    desk.agents.set(key, agents)
    const choice = chooseCandidate(rule.method, agents, { lastId: rule.lastUserId, place: waiting.place })
    if (!choice) continue
    const { candidate, why } = choice
    const saved = await giveLead(ctx, leadId, {
      userId: candidate.id,
      rule: { id: rule.id, why: `${rule.name}: ${why}` },
      tenantId: candidate.tenantId,
    })
    countIn(desk, { waiting, userId: candidate.id, status: String(saved['status']) })
    rule.lastUserId = candidate.id
    await ctx.sql.exec(
      sql`update assignment_rule set "lastUserId" = ${candidate.id} where "companyId" = ${ctx.company.id} and "id" = ${rule.id}`,
    )
    if (candidate.id !== ctx.user.id)
      await notify(ctx, {
        userId: candidate.id,
        itemType: 'Message',
        kind: leadNews,
        message: 'A lead was assigned to you',
        itemId: leadId,
        link: `/sales/leads/${leadId}/view`,
      })
    return [{ leadId, userId: candidate.id, agent: candidate.name, rule: rule.name, why }]
  }
  return []
}

const isOpen = (status: string) => (openLeadStatuses as readonly string[]).includes(status)

function countIn({ agents }: Desk, { waiting, userId, status }: { waiting: WaitingLead; userId: string; status: string }): void {
  for (const agent of [...agents.values()].flat()) {
    if (agent.id === waiting.holderId && isOpen(waiting.status)) agent.openLeads -= 1
    if (agent.id === userId && isOpen(status)) agent.openLeads += 1
  }
}

interface Found {
  id: string
  name: string
  tenantId: string
  leads: number
  seenLat: number | null
  seenLng: number | null
  lat: number | null
  lng: number | null
}

/** Who a rule means, as a condition over a user u: agents by name, else a team's members, else the loan officers of a branch. */
function whomOf({ candidateUserIds, candidateTeamId, candidateTenantId }: Rule, tenantId: string): Statement {
  if (candidateUserIds.length > 0) return sql`u."id" = any(${candidateUserIds}::uuid[])`
  if (candidateTeamId) {
    return sql`exists (select from team_member m where m."companyId" = u."companyId" and m."teamId" = ${candidateTeamId} and m."userId" = u."id" and m."fromDate" <= now() and (m."toDate" is null or m."toDate" > now()))`
  }
  return sql`
    exists (select from user_role r join role o on o."companyId" = r."companyId" and o."id" = r."roleId" where r."companyId" = u."companyId" and r."userId" = u."id" and o."systemRole" = 'officer')
    and exists (select from user_tenant x join tenant n on n."companyId" = x."companyId" and n."id" = x."tenantId"
      where x."companyId" = u."companyId" and x."userId" = u."id" and ${candidateTenantId ?? tenantId}::uuid = any(n."path"))`
}

/**
 * The named agents, the team's members or the loan officers of the rule's branch (else of the lead's own), who can see the lead where it
 * is filed or work below it: then it moves down to their team (tenantId). Others would be given what they cannot open.
 * Their open leads and places count as far as the caller sees; the job for new leads sees the whole company.
 */
async function candidatesOf(ctx: Ctx, rule: Rule, { tenantId, path }: WaitingLead): Promise<Agent[]> {
  const whom = whomOf(rule, tenantId)
  const rows = await ctx.sql.query<Found>(sql`
    with found as (
      select distinct on (u."id") u."id", ${nameOf('u')} as name, n."id" as "tenantId", n."lat"::float8 as lat, n."lng"::float8 as lng
      from app_user u join user_tenant m on m."companyId" = u."companyId" and m."userId" = u."id"
        join tenant n on n."companyId" = m."companyId" and n."id" = m."tenantId"
      where u."companyId" = ${ctx.company.id} and u."deletedAt" is null and u."status" = 1 and ${whom}
        and (n."id" = any(${path}::uuid[]) or ${tenantId}::uuid = any(n."path"))
      order by u."id", n."id" = any(${path}::uuid[]) desc, m."position")
    select f.*, seen."latitude"::float8 as "seenLat", seen."longitude"::float8 as "seenLng",
      (select count(*)::int from lead l where l."companyId" = ${ctx.company.id} and l."assignedUserId" = f."id" and l."deletedAt" is null and l."status" = any(${openLeadStatuses}::text[])) as leads
    from found f left join lateral (
      select a."latitude", a."longitude" from agent_action a
      where a."companyId" = ${ctx.company.id} and a."performedByUserId" = f."id" and a."latitude" is not null and ${happenedAt('a')} > now() - interval '1 day'
      order by ${happenedAt('a')} desc limit 1) seen on true`)
  return rows.map((row) => {
    const seen = pointOf({ latitude: row.seenLat, longitude: row.seenLng })
    const isAbove = path.includes(row.tenantId)
    return {
      id: row.id,
      name: row.name,
      openLeads: row.leads,
      place: seen ?? pointOf({ latitude: row.lat, longitude: row.lng }),
      isSeen: seen !== null,
      tenantId: isAbove ? undefined : row.tenantId,
    }
  })
}

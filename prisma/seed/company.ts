import type pg from 'pg'
import { defaultRoles } from '@outpost/rules/people/company-defaults'
import { companyActivities } from './activities.ts'
import { companyAgents } from './agents.ts'
import { insertFleet } from './fleet.ts'
import { companyClientLife } from './client-life.ts'
import { companyLeadLife } from './lead-life.ts'
import { companyRules } from './calculators.ts'
import { byOfficer, companyLeads } from './leads.ts'
import type { DemoUser } from './people.ts'
import { companyLoans } from './loans/loans.ts'
import { companyPlans } from './plans.ts'
import { companyProducts } from './loans/products.ts'
import { regularClients } from './loans/regulars.ts'
import { demoId } from './random.ts'
import { insertRows } from './rows.ts'
import { companyTasks } from './tasks.ts'
import { companyTeams } from './teams.ts'
import { companyTraces } from './traces.ts'
import type { DemoCompany, TenantNode } from './tree.ts'
import { insertVehicles } from './vehicles.ts'
import { companyComplaints } from './complaints.ts'
import { companyLocations } from './locations.ts'
import { insertMessages } from './messages.ts'
import { insertSheets } from './sheets.ts'
import { companyInsurance } from './insurance.ts'
import { companyUssd } from './ussd.ts'
import { companyForms } from './web-forms.ts'

export interface Staffing {
  of: 'company' | 'group'
  nodes: TenantNode[]
  users: DemoUser[]
  passwordHash: string
}

/** Tree, system roles and users of a company or a group. */
export async function insertStaff(client: pg.ClientBase, { of, nodes, users, passwordHash }: Staffing): Promise<void> {
  const companyId = nodes[0]?.companyId ?? ''
  const roles = defaultRoles(of).map((role) => ({ ...role, companyId, id: demoId(`role ${companyId} ${role.systemRole}`) }))
  await insertRows(client, 'tenant', nodes)
  await insertRows(
    client,
    'role',
    roles.map(({ id, name, systemRole }) => ({ companyId, id, name, systemRole })),
  )
  await insertRows(
    client,
    'role_permission',
    roles.flatMap(({ id: roleId, permissions }) => permissions.map((hierarchy) => ({ companyId, roleId, hierarchy }))),
  )
  await insertRows(
    client,
    'app_user',
    users.map(({ role: _, tenantIds, ...user }) => ({ ...user, tenantId: tenantIds[0], emailVerifiedAt: new Date() })),
  )
  await insertRows(
    client,
    'user_tenant',
    users.flatMap(({ id: userId, tenantIds }) => tenantIds.map((tenantId, position) => ({ companyId, userId, tenantId, position }))),
  )
  await insertRows(
    client,
    'user_role',
    users.map(({ id: userId, role }) => ({ companyId, userId, roleId: demoId(`role ${companyId} ${role}`) })),
  )
  await insertRows(
    client,
    'tracking_consent',
    users.map(({ id: userId, tenantIds: [tenantId] }) => ({
      companyId,
      id: demoId(`tracking consent ${userId}`),
      userId,
      tenantId,
      status: 'Given',
      answeredAt: '2026-01-05T06:00:00Z',
      givenAt: '2026-01-05T06:00:00Z',
    })),
  )
  await insertRows(
    client,
    'credential',
    users.map(({ id: userId }) => ({ companyId, userId, passwordHash })),
  )
}

export interface Work {
  company: DemoCompany
  users: DemoUser[]
  leads: number
  activities: number
  now: number
}

/** Leads, activities and traces of a company, with the feed that devices pull them by. */
export async function insertWork(client: pg.ClientBase, { company, users, leads, activities, now }: Work): Promise<void> {
  const companyId = demoId(company.key)
  const made = companyLeads({ company, users, count: leads, now })
  const leadsOf = byOfficer(made)
  const life = companyLeadLife({ company, users, made, now })
  const regulars = regularClients({ company, users, clients: life.clients, now })
  const planned = companyActivities({ company, users, count: activities, leadCount: leads, leadsOf, now })
  const traces = companyTraces({ company, users, now })
  const agents = companyAgents({ company, users, now })
  const routes = companyPlans({ company, users, now, firstSeq: leads + activities })
  const tables: [table: string, rows: object[]][] = [
    ['lead', made.leads],
    ['record_move', made.moves],
    ['lead_assignment', made.assignments],
    ['lead_consent', made.consents],
    ['activity_type', planned.types],
    ['activity_status', planned.statuses],
    ['activity_series', planned.series],
    ['activity', [...planned.activities, ...routes.activities]],
    ['activity_assignment', [...planned.assignments, ...routes.assignments]],
    ['activity_lead', planned.leads],
    ['record_move', [...planned.moves, ...routes.moves]],
    ['activity_plan', routes.plans],
    ['activity_plan_agent', routes.agents],
    ['activity_plan_activity', routes.stops],
    ['user_position', routes.positions],
    ['affordability_run', life.runs],
    ['client', [...life.clients, ...regulars]],
    ...companyClientLife({ company, clients: life.clients, now }),
    ...companyLoans({ company, users, clients: life.clients, regulars, now }),
    ['assignment_rule', life.rules],
    ['login_event', traces.logins],
    ['agent_action', [...traces.actions, ...agents.actions]],
    ['user_position', agents.positions],
    ['notification', traces.notifications],
    ['language_label', traces.labels],
    ...companyTeams({ company, users, leadCount: leads, leadsOf, now }),
    ...companyTasks({ company, users, leadsOf, now }),
    ...companyComplaints({ company, users, clients: life.clients, now }),
    ...companyInsurance({ company, adminId: users.find(({ role }) => role === 'admin')?.id ?? '', now }),
    ...companyUssd({ company, clients: life.clients as never, adminId: users.find(({ role }) => role === 'admin')?.id ?? '', now }),
    ...companyProducts({ company, users, made, now }),
    ['location', companyLocations({ company, users, now })],
    ...companyForms({ company, users, leads: made.leads, now }),
    ['rule_set', companyRules({ company, userId: users.find(({ role }) => role === 'admin')?.id ?? '', now })],
    ['sync_stream', [{ companyId, seq: leads + activities + routes.activities.length, minSeq: 0 }]],
  ]
  // The synced tables take writes only under their company's counter.
  await client.query(`select set_config('app.company', $1, true), set_config('app.stream', $1, true)`, [companyId])
  for (const [table, rows] of tables) await insertRows(client, table, rows)
  await insertSheets(client, companyId)
  await insertMessages(client, companyId)
  await insertVehicles(client, company)
  await insertFleet(client, { company, now })
  await client.query(
    `insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op")
    select "companyId", 'lead', "id", "tenantId", "syncSeq", 'put' from lead where "companyId" = $1
    union all select "companyId", 'activity', "id", "tenantId", "syncSeq", 'put' from activity where "companyId" = $1`,
    [companyId],
  )
  for (const [table, type] of numberedHere) await feed(client, { companyId, table, type })
  // Agents see their plans in their own teams, too.
  await client.query(
    `insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op")
    select distinct p."companyId", 'activityPlan', p."id", m."tenantId", p."syncSeq", 'put' from activity_plan p
    join activity_plan_agent a on a."companyId" = p."companyId" and a."planId" = p."id" join user_tenant m on m."companyId" = a."companyId" and m."userId" = a."userId"
    where p."companyId" = $1 and m."tenantId" <> p."tenantId"`,
    [companyId],
  )
}

/** Kinds whose rows get their place in the feed after they are made. */
const numberedHere = [
  ['client', 'client'],
  ['client_group', 'clientGroup'],
  ['loan_application', 'loanApplication'],
  ['collection_sheet', 'collectionSheet'],
  ['web_form_answer', 'webFormAnswer'],
  ['sales_case', 'case'],
  ['activity_plan', 'activityPlan'],
  ['task', 'task'],
] as const

async function feed(client: pg.ClientBase, { companyId, table, type }: { companyId: string; table: string; type: string }): Promise<void> {
  await client.query(
    `with numbered as (
      update ${table} t set "syncSeq" = s."seq" + n."place" from sync_stream s, (select "id", row_number() over (order by "id") as "place" from ${table} where "companyId" = $1) n
      where t."companyId" = $1 and s."companyId" = $1 and n."id" = t."id" returning t."id", t."tenantId", t."syncSeq"
    ), fed as (
      insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op") select $1, $2, "id", "tenantId", "syncSeq", 'put' from numbered
    )
    update sync_stream set "seq" = greatest("seq", coalesce((select max("syncSeq") from numbered), 0)) where "companyId" = $1`,
    [companyId, type],
  )
}

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import type { SignedInClient } from '../support/app.ts'
import { until } from '../support/until.ts'
import { checkStream, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let chief: SignedInClient
let jobs: { close(): Promise<void> }
let leadId: string
let activityId: string
let clientId: string
let planId: string

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  const { app, company, branch } = world
  chief = await app.as(await app.make.user({ role: 'branch', tenant: branch }))
  const { services, queueStore, log } = app.machine
  jobs = startJobs({ areas: app.areas, services, store: queueStore, log, sweepMs: 50 })
  const ids = await fillCompany(company.id)
  const insert = device.insert(person())
  await device.push([insert])
  leadId = insert.entityId
  clientId = (await app.make.client({ tenant: branch, leadId, createdByUserId: chief.user.id })).id
  expect((await chief.post('/api/leads/assignlead', { ids: [leadId], userId: device.client.user.id })).status).toBe(200)
  const now = Date.now()
  const { body, text } = await chief.post<{ activity: { Id: string } }>('/api/activities', {
    name: 'Visit',
    activityTypeId: ids.type,
    startDate: new Date(now).toISOString(),
    endDate: new Date(now + 3_600_000).toISOString(),
    assignedUsers: [device.client.user.id],
    leads: [leadId],
    clients: [clientId],
  })
  if (!body.data) throw new Error(text)
  activityId = body.data.activity.Id
  expect((await chief.post('/api/cases', { title: 'Payslip', priority: 'Normal' })).status).toBe(200)
  const day = new Date(now).toISOString().slice(0, 10)
  const plan = await chief.post<{ activityPlan: { Id: string } }>('/api/activities/activity-plan', {
    name: 'Round',
    startDate: day,
    endDate: day,
    stops: [{ activityId, userId: device.client.user.id, day }],
  })
  if (plan.status !== 200) throw new Error(plan.text)
  planId = plan.body.data.activityPlan.Id
})
afterAll(async () => {
  await jobs.close()
  await checkStream(world)
  await world.app.close()
})

async function fillCompany(companyId: string): Promise<{ type: string }> {
  const { admin } = world.app.database
  await admin.query(
    `
    insert into activity_status ("companyId", "id", "tenantId", "name", "meaning", "default", "position")
    select $1, gen_random_uuid(), $1, initcap(m), m, m = 'open', n from unnest(array['open', 'started', 'done', 'missed', 'cancelled']) with ordinality s(m, n)`,
    [companyId],
  )
  const type = randomUUID()
  await admin.query(`insert into activity_type ("companyId", "id", "tenantId", "name") values ($1, $2, $1, 'Collection')`, [
    companyId,
    type,
  ])
  return { type }
}

const jobsAreDone = () =>
  until(
    async () =>
      (await world.app.database.admin.query(`select from outbox where type = 'sync.relabel' and status <> 'done'`)).rowCount === 0,
  )

/** What the device holds of the lead and the activity, brought up to date. */
async function follow(held: Map<string, unknown>, cursor?: string): Promise<string> {
  const { changes, cursor: next, reset } = await device.pull(cursor)
  expect(reset).toBeUndefined()
  for (const { id, op, data } of changes) {
    if (op === 'gone') held.delete(id)
    else held.set(id, data)
  }
  return next
}

/** Tables whose rows people name, beside the synced ones, which feed their own changes. */
async function namedTables(): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await world.app.database.admin.query<{ table: string; columns: string[] }>(`
    select c.table_name as table, array_agg(c.column_name::text) as columns from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
    where c.table_schema = 'public' and c.column_name in ('name', 'firstName', 'lastName', 'userName', 'phonenumber') and c.table_name not in ('lead', 'activity', 'client', 'client_group', 'activity_plan', 'web_form_answer', 'report_category')
      and exists (select 1 from information_schema.columns k where k.table_schema = 'public' and k.table_name = c.table_name and k.column_name = 'companyId')
    group by 1 order by 1`)
  return rows
}

it('whoever is renamed, the records on the devices that hold the name follow', async () => {
  const { admin } = world.app.database
  const held = new Map<string, unknown>()
  let cursor = await follow(held)
  expect(held.has(leadId) && held.has(activityId)).toBe(true)
  const tables = await namedTables()
  expect(tables.map(({ table }) => table)).toEqual(
    expect.arrayContaining(['app_user', 'tenant', 'pipeline_stage', 'activity_type', 'activity_status']),
  )
  const moved: string[] = []
  for (const { table, columns } of tables) {
    const before = JSON.stringify([...held])
    await admin.query(
      `update ${table} set ${columns.map((column) => `"${column}" = "${column}" || 'x'`).join(', ')} where "companyId" = $1`,
      [world.company.id],
    )
    await jobsAreDone()
    cursor = await follow(held, cursor)
    const fresh = new Map<string, unknown>()
    await follow(fresh)
    expect(Object.fromEntries(held), table).toEqual(Object.fromEntries(fresh))
    if (JSON.stringify([...held]) !== before) moved.push(table)
  }
  expect(moved).toEqual(['activity_status', 'activity_type', 'app_user', 'pipeline_stage', 'tenant'])
  const { body } = await chief.put(`/api/leads/${leadId}`, { firstName: 'Achieng' })
  expect(body.success).toBe(true)
  expect((await chief.put(`/api/activities/activity-plan/${planId}`, { name: 'Long round' })).status).toBe(200)
  await admin.query(`begin; select set_config('app.company', '${world.company.id}', true), set_config('app.stream', '${world.company.id}', true);
    update client set "lastName" = 'Otieno' where "id" = '${clientId}'; commit`)
  await jobsAreDone()
  await follow(held, cursor)
  expect(held.get(activityId)).toMatchObject({
    leads: [{ firstName: 'Achieng' }],
    clients: [{ lastName: 'Otieno' }],
    activityPlans: [{ name: 'Long round' }],
  })
})

it('a row that many hold is sent again in portions, each page bounded, every holder once', async () => {
  const { admin } = world.app.database
  const { company, branch } = world
  await admin.query(`begin; select set_config('app.company', '${company.id}', true), set_config('app.stream', '${company.id}', true);
    insert into lead ("companyId", "id", "tenantId", "createdByUserId", "firstName", "lastName", "phonenumber", "trimmedPhonenumber", "leadCreatedBy")
    select '${company.id}', gen_random_uuid(), '${branch.id}', '${device.client.user.id}', 'Many', 'Leads', '0' || (790000000 + n), '254' || (790000000 + n), 'test' from generate_series(1, 1200) n; commit`)
  const { cursor } = await device.pull()
  await admin.query('update tenant set "name" = \'Renamed branch\' where id = $1', [branch.id])
  await jobsAreDone()
  const { changes } = await device.pull(cursor)
  const leads = changes.filter(({ t }) => t === 'lead')
  expect(leads).toHaveLength(1_201)
  expect(new Set(leads.map(({ id }) => id)).size).toBe(1_201)
  expect(leads.every(({ data }) => data?.tenantIdLabel === 'Renamed branch')).toBe(true)
  const { rows } = await admin.query<{ most: number }>(
    `select max(n)::int as most from (select count(*) as n from sync_feed group by "companyId", seq) s`,
  )
  expect(rows[0]?.most).toBeLessThanOrEqual(500)
})

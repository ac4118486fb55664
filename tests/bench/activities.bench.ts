import type pg from 'pg'
import { median, rounded, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { load, type Call } from './support/load.ts'
import { companyId } from './support/rows.ts'

const [count, rounds] = [500_000, 3]

/** The activities list in its usual window among half a million, against the barest server that sends the same records. */
export const bench: Bench = {
  name: 'activities',
  leads: 2_000,
  run: async (house) => {
    await fill(house.admin)
    const headers = await house.signIn('md@sunrise.test')
    return [await list25(house, headers), await widget(house, headers)]
  },
}

async function list25(house: House, headers: Record<string, string>): Promise<Figure> {
  const peer = await house.startPeer('bare', { BARE_DATABASE_URL: house.databaseUrl, BARE_TEXT: listText, BARE_COMPANY: companyId })
  try {
    const ours: Call = { url: `${house.url}/api/activities?page=1&size=25`, headers }
    const bare: Call = { url: `${peer.url}/leads` }
    const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    for (const call of [ours, bare]) await load({ call, seconds: 1.5 })
    for (let round = 0; round < rounds; round += 1) {
      rates.bare.push((await load({ call: bare, seconds: 3 })).perSecond)
      rates.ours.push((await load({ call: ours, seconds: 3 })).perSecond)
    }
    const [own, other] = [median(rates.ours), median(rates.bare)]
    return {
      name: '25 activities of 500,000, 8 callers: ours / bare Fastify + pg',
      value: rounded(own / other),
      unit: 'x',
      target: '>= 0.6',
      detail: `${Math.round(own)} / ${Math.round(other)} calls a second`,
    }
  } finally {
    await peer.stop()
  }
}

async function widget(house: House, headers: Record<string, string>): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < 15; round += 1) times.push((await house.call({ path: '/api/activities/for-status-widget', headers })).ms)
  return {
    name: 'activities by status in the usual window of 500,000',
    value: rounded(median(times)),
    unit: 'ms',
    target: '<= 150',
    detail: 'median of 15 calls',
  }
}

/** Spread over a year before and a year after now, each with an agent, seven of ten with a lead; made by Postgres from the demo's. */
async function fill(admin: pg.Pool): Promise<void> {
  const client = await admin.connect()
  try {
    const { rows } = await client.query<{ have: number }>(
      'select count(*)::int as have from activity where "companyId" = $1 and "name" like \'Bench %\'',
      [companyId],
    )
    if ((rows[0]?.have ?? 0) >= count) return
    const begun = performance.now()
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes where tablename = 'activity' and indexdef not like '%UNIQUE%'`,
    )
    await client.query(
      `begin; set local synchronous_commit = off; set local maintenance_work_mem = '256MB'; set local session_replication_role = 'replica'`,
    )
    for (const { name: index } of indexes) await client.query(`drop index "${index}"`)
    await client.query(fillActivities, [companyId, count])
    await client.query(
      `insert into activity_assignment ("companyId", "id", "tenantId", "activityId", "userId", "statusId", "statusText")
      select "companyId", gen_random_uuid(), "tenantId", "id", "createdUserId", "statusId", "status" from activity where "companyId" = $1 and "name" like 'Bench %'`,
      [companyId],
    )
    await client.query(
      `insert into activity_lead ("companyId", "activityId", "leadId", "tenantId") select v."companyId", v."id", l."id", v."tenantId"
      from (select *, row_number() over () as n from activity where "companyId" = $1 and "name" like 'Bench %') v
      join (select "id", row_number() over () as n from lead where "companyId" = $1) l on l.n = v.n % 1000 + 1 where v.n % 10 < 7`,
      [companyId],
    )
    for (const { definition } of indexes) await client.query(definition)
    await client.query('commit')
    await client.query('vacuum analyze activity, activity_assignment, activity_lead')
    console.log(`${count} activities made in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  } finally {
    client.release()
  }
}

const fillActivities = `
  with pattern as (select *, row_number() over () - 1 as number from (select * from activity where "companyId" = $1 order by "id" limit 2000) demo),
    times as (select n, now() + (n - $2::int / 2) * (interval '730 days' / $2::int) as at from generate_series(1, $2::int) n)
  insert into activity ("companyId", "id", "tenantId", "name", "description", "activityTypeId", "statusId", "status", "location", "lat", "lng", "startDate", "endDate", "createdUserId", "createdBy", "searchText", "syncSeq")
  select p."companyId", gen_random_uuid(), p."tenantId", 'Bench ' || t.n, p."description", p."activityTypeId", p."statusId", p."status", p."location", p."lat", p."lng", t.at, t.at + interval '1 hour', p."createdUserId", p."createdBy",
    'BENCH ' || t.n, 100000 + t.n
  from times t join pattern p on p.number = t.n % 2000`

const person = `concat_ws(' ', u."firstName", u."lastName")`
const name = (table: string, column: string, show = '"name"') =>
  `(select ${show} from ${table} x where x."companyId" = t."companyId" and x."id" = t."${column}")`

/** What our answer holds, written by hand: the same window, records and labels. */
const listText = `select coalesce(json_agg(r), '[]')::text as text from (
  select t."id" as "Id", t."version", t."name", t."description", t."activityTypeId", t."statusId", t."status", t."statusReason", ${name('activity_status', 'statusId', '"meaning"')} as "meaning",
    ${name('activity_type', 'activityTypeId')} as "typeDesc", t."location", t."lat", t."lng", t."startDate", t."endDate", t."tenantId", t."seriesId", t."createdUserId", t."createdBy", t."dateCreated", t."dateModified",
    (select coalesce(json_agg(json_build_object('Id', u."id", 'firstName', u."firstName", 'lastName', u."lastName", 'label', ${person}, 'activityAssignmentId', a."id", 'statusId', a."statusId", 'statusText', a."statusText",
      'distance', a."distance", 'isOutOfRange', a."isOutOfRange")), '[]') from activity_assignment a join app_user u on u."companyId" = a."companyId" and u."id" = a."userId" where a."companyId" = t."companyId" and a."activityId" = t."id") as "assignedUsers",
    (select string_agg(${person}, ', ') from activity_assignment a join app_user u on u."companyId" = a."companyId" and u."id" = a."userId" where a."companyId" = t."companyId" and a."activityId" = t."id") as "agentName",
    (select coalesce(json_agg(json_build_object('Id', u."id", 'firstName', u."firstName", 'lastName', u."lastName", 'phonenumber', u."phonenumber", 'label', ${person})), '[]')
      from activity_lead x join lead u on u."companyId" = x."companyId" and u."id" = x."leadId" where x."companyId" = t."companyId" and x."activityId" = t."id") as "leads",
    (select coalesce(json_agg(json_build_object('Id', u."id", 'firstName', u."firstName", 'lastName', u."lastName", 'phonenumber', u."phonenumber", 'label', ${person})), '[]')
      from activity_client x join client u on u."companyId" = x."companyId" and u."id" = x."clientId" where x."companyId" = t."companyId" and x."activityId" = t."id") as "clients",
    ${name('activity_series', 'seriesId', '"recurrence"')} as "recurrence", ${name('activity_type', 'activityTypeId')} as "activityTypeIdLabel", ${name('activity_status', 'statusId')} as "statusIdLabel", ${name('tenant', 'tenantId')} as "tenantIdLabel"
  from (select * from activity where "companyId" = $1 and "deletedAt" is null and "startDate" >= now() - interval '1 day' and "startDate" <= now() + interval '7 days' order by "startDate" desc, "id" limit 25) t
  order by t."startDate" desc, t."id") r`

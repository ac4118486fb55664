import { afterAll, beforeAll, expect, it } from 'vitest'
import { leadAlong } from '../leads/world.ts'
import { makeTargetWorld, today, type TargetWorld } from './world.ts'

let world: TargetWorld
const counted = [
  'affordability.passed',
  'consents.granted',
  'consents.requested',
  'leads.contacted',
  'leads.converted',
  'leads.qualified',
  'leads.requestedAmount',
  'leads.submitted',
  'visits.done',
  'visits.missed',
]
const [from, to] = [today(-20), today(-3)]

beforeAll(async () => {
  world = await makeTargetWorld()
  const { id: officer } = world.people.officer
  const { id: manager } = world.people.manager
  for (let count = 0; count < 40; count += 1)
    await world.app.make.lead({ tenant: world.team, user: count % 3 ? world.people.officer : world.people.manager })
  await fill([officer, manager])
  for (const days of [2, 5, 9, 30])
    for (const meaning of ['done', 'missed', 'open'] as const)
      await world.visit(world.people.officer, meaning, new Date(Date.now() - days * 86_400_000))
})
afterAll(() => world.app.close())

/** Logs, holders and consents on and off the period, often at one and the same moment; every seventh lead is gone. */
async function fill(users: string[]): Promise<void> {
  const values = [world.company.id, users]
  const { admin } = world.app.database
  const columns = '"companyId", "id", "tenantId", "leadId"'
  const leads = `(select l.*, row_number() over (order by l."id")::int as n from lead l where l."companyId" = $1) l`
  const at = (salt: string) => `date_trunc('day', now()) - (abs(hashtext(concat_ws(' ', n, k, ${salt}))) % 30) * interval '1 day'`
  await admin.query(`delete from record_move where "companyId" = $1`, [world.company.id])
  await admin.query(
    `insert into record_move ("companyId", "id", "tenantId", "movedInTenantId", "objectId", "objectType", "field", "move", "to", "userId", "realUserId", "dateCreated")
    select $1, gen_random_uuid(), l."tenantId", l."tenantId", l."id", 'lead', 'status', 's', (array['Contacted', 'Qualified', 'Submitted', 'Converted'])[1 + (n + k) % 4], u, u, ${at('5')}
    from ${leads}, generate_series(1, 6) k, lateral (select ($2::uuid[])[1 + (n + k) % 2] as u) u`,
    values,
  )
  await admin.query(`update record_move m set "isFirst" = f."isFirst" from (${firsts}) f where f."id" = m."id"`, [world.company.id])
  await admin.query(
    `insert into lead_assignment (${columns}, "userId", "assignedByUserId", "dateCreated")
    select $1, gen_random_uuid(), l."tenantId", l."id", u, u, ${at('11')} from ${leads}, generate_series(1, 5) k, lateral (select ($2::uuid[])[1 + (n * k) % 2] as u) u where n % 4 > 0`,
    values,
  )
  await admin.query(
    `insert into lead_consent (${columns}, "purpose", "status", "requestedByUserId", "requestedAt", "answeredAt", "mobileNumber", "textVersion", "textHash", "tokenHash", "expiresAt")
    select $1, gen_random_uuid(), l."tenantId", l."id", (array['CREDIT_CHECK', 'MARKETING'])[1 + k % 2], (array['GRANTED', 'DECLINED'])[1 + n % 2], ($2::uuid[])[1 + (n + k) % 2],
      ${at('3')}, ${at('3')} + interval '1 hour', '254700000000', '1', '\\x00', decode(md5(n || ' ' || k), 'hex'), now() from ${leads}, generate_series(1, 6) k`,
    values,
  )
  const company = `'${world.company.id}'`
  await admin.query(`begin; select set_config('app.company', ${company}, true), set_config('app.stream', ${company}, true);
    update lead set "deletedAt" = case when l.n % 7 = 0 then now() end, "onboarding" = jsonb_build_object('affordability', jsonb_build_object('requestedAmount', l.n * 1000)),
      "affordabilityOutcome" = (array['PASS', 'FAIL'])[1 + l.n % 2], "affordabilityDate" = date_trunc('day', now()) - (l.n % 30) * interval '1 day'
    from ${leads.replace('$1', company)} where lead."companyId" = ${company} and lead."id" = l."id"; commit`)
}

/** Whether a move is the first to its state, by the log alone. */
const firsts = `select "id", row_number() over (partition by "objectType", "objectId", "field", "to" order by "dateCreated", "id") = 1 as "isFirst" from record_move where "companyId" = $1`

/** Each metric by itself, event by event, as its meaning says; whatever is read together must come to the same. */
const plain = `
  with period as (select ($2::date)::timestamp at time zone 'Africa/Nairobi' as a, ($3::date + 1)::timestamp at time zone 'Africa/Nairobi' as b),
  live as (select * from lead where "companyId" = $1 and "deletedAt" is null),
  log as (select "id", "objectId" as "leadId", "to" as "toStatus", "userId", "dateCreated" from record_move where "companyId" = $1 and "objectType" = 'lead' and "field" = 'status'
      and "to" in ('Contacted', 'Qualified', 'Submitted', 'Converted')),
  first as (select distinct on (g."leadId", g."toStatus") g.*, coalesce(l."onboarding" #>> '{affordability,requestedAmount}', '0')::float8 as asked,
      coalesce((select h."userId" from lead_assignment h where h."leadId" = g."leadId" and h."dateCreated" <= g."dateCreated" order by h."dateCreated" desc, h."id" limit 1), l."createdByUserId") as holder
    from log g join live l on l."id" = g."leadId" order by g."leadId", g."toStatus", g."dateCreated", g."id")
  select "userId", metric, sum(amount)::float8 as amount from (
    select case "toStatus" when 'Contacted' then "userId" else holder end as "userId", 'leads.' || lower("toStatus") as metric, "dateCreated" as at, 1 as amount from first
    union all select holder, 'leads.requestedAmount', "dateCreated", asked from first where "toStatus" = 'Submitted'
    union all (select distinct on (c."leadId") c."requestedByUserId", 'consents.requested', c."requestedAt", 1 from lead_consent c join live l on l."id" = c."leadId" where c."purpose" = 'CREDIT_CHECK' order by c."leadId", c."requestedAt", c."id")
    union all select c."requestedByUserId", 'consents.granted', c."answeredAt", 1 from lead_consent c join live l on l."id" = c."leadId" where c."purpose" = 'CREDIT_CHECK' and c."status" = 'GRANTED'
    union all select coalesce((select h."userId" from lead_assignment h where h."leadId" = l."id" and h."dateCreated" <= l."affordabilityDate" order by h."dateCreated" desc, h."id" limit 1), l."createdByUserId"),
      'affordability.passed', l."affordabilityDate", 1 from live l where l."affordabilityOutcome" = 'PASS'
    union all select x."userId", 'visits.' || s."meaning", x."statusDateCreated", 1 from activity_assignment x join activity_status s on s."id" = x."statusId" where x."companyId" = $1 and s."meaning" in ('done', 'missed')
  ) e, period where at >= a and at < b group by 1, 2`

it('come to what each metric counts by itself, with all metrics asked at once and with each alone', async () => {
  const expected = await expectedScores(from, to)
  expect([...new Set(expected.map((line) => line.split(' ')[0]))].toSorted()).toEqual(counted)
  expect(await askedScores(from, to, counted)).toEqual(expected)
  expect((await Promise.all(counted.map((metric) => askedScores(from, to, [metric])))).flat().toSorted()).toEqual(expected)
})

/** A text for each sum, by the plain definition. */
async function expectedScores(first: string, last: string): Promise<string[]> {
  const { rows } = await world.app.database.admin.query<{ userId: string; metric: string; amount: number }>(plain, [
    world.company.id,
    first,
    last,
  ])
  return rows.map(({ userId, metric, amount }) => `${metric} ${userId} ${amount}`).toSorted()
}

/** The same as the call answers it. */
async function askedScores(first: string, last: string, metrics: readonly string[]): Promise<string[]> {
  const { body } = await world.as.manager.get<{ scores: { Id: string; values: Record<string, number> }[] }>(
    `/api/targets/scores?from=${first}&to=${last}&metrics=${metrics.join(',')}`,
  )
  return body.data.scores
    .flatMap(({ Id, values }) => Object.entries(values).map(([metric, amount]) => `${metric} ${Id} ${amount}`))
    .toSorted()
}

const road = ['Contacted', 'Consent requested', 'Qualified', 'Onboarding', 'Submitted', 'Approved']

it('count first times as the whole log has them, through moves to and fro, undoing, merging, deleting and giving away', async () => {
  const { as, app } = world
  const days = [today(-40), today()] as const
  const same = async () => {
    const [expected, asked] = [await expectedScores(...days), await askedScores(...days, counted)]
    expect(asked).toEqual(expected)
    const { rows } = await app.database.admin.query(
      `select m."to" from record_move m join (${firsts}) f on f."id" = m."id" and f."isFirst" <> m."isFirst"`,
      [world.company.id],
    )
    expect(rows).toEqual([])
    return asked
  }
  const move = async (id: string, status: string) =>
    expect((await as.officer.put(`/api/leads/status/${id}`, { status, reason: 'As they said' })).status).toBe(200)
  const [a, b, c] = [await world.lead(as.officer), await world.lead(as.officer), await world.lead(as.officer)]
  const none = await same()
  for (const status of ['Contacted', 'Nurture', 'Contacted', 'Nurture']) await move(a, status)
  const once = await same()
  expect(once).not.toEqual(none)
  expect((await as.officer.post(`/api/leads/${a}/undo-status`)).status).toBe(200)
  await move(c, 'Contacted')
  expect((await as.officer.post(`/api/leads/${c}/undo-status`)).status).toBe(200)
  await move(c, 'Contacted')
  await same()
  await leadAlong(app, as.officer, b, road)
  expect((await as.officer.post(`/api/leads/${b}/convert`)).status).toBe(200)
  const won = await same()
  const merged = await as.manager.post<{ merge: { Id: string } }>('/api/leads/merge', { winnerId: a, loserId: b, take: [] })
  expect(merged.status, merged.text).toBe(200)
  await same()
  expect((await as.manager.post(`/api/leads/merges/${merged.body.data.merge.Id}/undo`)).status).toBe(200)
  await same()
  expect((await as.manager.post('/api/leads/delete', { ids: [a, c] })).status).toBe(200)
  expect(await same()).not.toEqual(won)
  expect((await as.manager.post('/api/leads/restore', { ids: [a, c] })).status).toBe(200)
  await same()
})

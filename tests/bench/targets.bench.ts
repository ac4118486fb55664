import type pg from 'pg'
import { median, rounded, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { companyId } from './support/rows.ts'

const people = 2_000
const metrics = [
  'leads.created',
  'leads.contacted',
  'leads.qualified',
  'leads.submitted',
  'leads.converted',
  'consents.requested',
  'consents.granted',
  'affordability.passed',
  'activities.planned',
  'visits.done',
  'visits.missed',
  'days.worked',
]

/** What 2,000 people did in a month by twelve metrics, and 1,000 targets of theirs with their figures. */
export const bench: Bench = {
  name: 'targets',
  leads: 2_000,
  run: async (house) => {
    await spread(house.admin)
    const headers = await house.signIn('md@sunrise.test')
    const [from, to] = [29, 0].map((back) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10))
    return [
      await time(house, headers, {
        name: `roll-up of ${people} people by ${metrics.length} metrics`,
        path: `/api/targets/scores?from=${from}&to=${to}&metrics=${metrics.join(',')}`,
      }),
      await time(house, headers, { name: '1,000 targets with their figures', path: '/api/targets?size=1000' }),
    ]
  },
}

async function time(house: House, headers: Record<string, string>, { name, path }: { name: string; path: string }): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < 7; round += 1) {
    const { ms, status, text } = await house.call({ path, headers })
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`)
    times.push(ms)
  }
  return {
    name,
    value: rounded(median(times) / 1000),
    unit: 's',
    target: '<= 1',
    detail: times.map((ms) => `${Math.round(ms)} ms`).join(', '),
  }
}

/** Makes the people, gives each their share of the demo's work, and a target a metric. Past all walls, in one transaction. */
async function spread(admin: pg.Pool): Promise<void> {
  const client = await admin.connect()
  try {
    await client.query(`begin; set local session_replication_role = 'replica'`)
    await client.query(
      `insert into app_user ("companyId", "id", "userName", "emailAddress", "firstName", "lastName", "tenantId")
      select $1, md5('bench ' || n)::uuid, 'bench' || n, 'bench' || n || '@bench.test', 'Bench', n::text, t.id from generate_series(1, $2::int) n
      join (select id, row_number() over (order by id) - 1 as r, count(*) over () as c from tenant where "companyId" = $1 and "type" = 4) t on t.r = n % t.c`,
      [companyId, people],
    )
    await client.query(
      `insert into user_tenant ("companyId", "userId", "tenantId") select "companyId", "id", "tenantId" from app_user where "companyId" = $1 and "userName" like 'bench%'`,
      [companyId],
    )
    for (const [table, column] of [
      ['lead', 'createdByUserId'],
      ['record_move', 'userId'],
      ['lead_assignment', 'userId'],
      ['lead_consent', 'requestedByUserId'],
      ['activity_assignment', 'userId'],
      ['agent_action', 'performedByUserId'],
    ]) {
      await client.query(
        `update ${table} set "${column}" = md5('bench ' || (1 + abs(hashtext(id::text)) % $2::int))::uuid where "companyId" = $1`,
        [companyId, people],
      )
    }
    await client.query(
      `insert into target ("companyId", "id", "tenantId", "metric", "ownerType", "ownerUserId", "periodKind", "startDate", "endDate", "value", "createdByUserId")
      select u."companyId", gen_random_uuid(), u."tenantId", m, 'user', u."id", 'month', date_trunc('month', now())::date, (date_trunc('month', now()) + interval '1 month - 1 day')::date, 20, u."id"
      from app_user u, unnest($2::text[]) m where u."companyId" = $1 and u."userName" like 'bench%'`,
      [companyId, metrics],
    )
    await client.query('commit')
    await client.query('analyze')
  } finally {
    client.release()
  }
}

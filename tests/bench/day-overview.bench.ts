import type pg from 'pg'
import { interleaved, median, percentile, rounded, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { companyId } from './support/rows.ts'

const calls = 20
const path = '/api/activities/activity-plan/day-overview'

/** The day of 200 agents: 2,500 activities of the day among 500,000, and 240 positions each. */
export const bench: Bench = {
  name: 'day-overview',
  leads: 0,
  run: async (house) => {
    await fill(house.admin)
    const headers = await house.signIn('md@sunrise.test')
    // In turn: measured one after the other, the first pays for cold pages and looks slower than what does more.
    const seen: Record<string, string> = {}
    const side = (level: string) => async () => {
      const { times, ...answer } = await timed(house, headers, level)
      seen[level] = `${answer.agents} agents, ${Math.round(answer.bytes / 1024)} KB, median ${rounded(median(times))} ms`
      return percentile(times, 0.95)
    }
    const p95 = await interleaved({ BASIC: side('BASIC'), FULL: side('FULL') })
    const figure = (level: 'BASIC' | 'FULL', target: Pick<Figure, 'target'> = {}): Figure => ({
      name: `day overview, ${level}, p95`,
      value: rounded(median(p95[level])),
      unit: 'ms',
      ...target,
      detail: `${spread(p95[level], ' ms')}; ${seen[level]}`,
    })
    return [figure('BASIC', { target: '<= 150' }), figure('FULL')]
  },
}

async function timed(
  house: House,
  headers: Record<string, string>,
  level: string,
): Promise<{ times: number[]; agents: number; bytes: number }> {
  const times: number[] = []
  let last = ''
  for (let turn = 0; turn < calls; turn += 1) {
    const { ms, text, status } = await house.call({ path: `${path}?detailsLevel=${level}`, headers })
    if (status !== 200) throw new Error(`${path} answered ${status} ${text.slice(0, 200)}`)
    last = text
    times.push(ms)
  }
  return { times, agents: (JSON.parse(last) as { data: { agents: object[] } }).data.agents.length, bytes: last.length }
}

/** Written past triggers and checks: what the table holds counts here, not how it came there. */
async function fill(admin: pg.Pool): Promise<void> {
  const client = await admin.connect()
  try {
    await client.query(
      "begin; set local session_replication_role = 'replica'; set local synchronous_commit = off; set local maintenance_work_mem = '512MB'",
    )
    for (const statement of statements) await client.query(statement, [companyId])
    await client.query('commit')
    for (const table of ['activity', 'activity_assignment', 'user_position', 'app_user', 'user_tenant'])
      await client.query(`vacuum analyze ${table}`)
  } finally {
    client.release()
  }
}

const agent = (number: string) => `('00000000-0000-4000-8000-' || lpad(${number}::text, 12, '0'))::uuid`
const statements = [
  `insert into app_user ("companyId", "id", "userName", "emailAddress", "firstName", "lastName", "tenantId", "status")
    select $1::uuid, ${agent('n')}, 'day' || n, 'day' || n || '@bench.test', 'Agent', n::text, $1::uuid, 1 from generate_series(1, 200) n on conflict do nothing`,
  `insert into user_tenant ("companyId", "userId", "tenantId") select $1::uuid, ${agent('n')}, $1::uuid from generate_series(1, 200) n on conflict do nothing`,
  // 2,500 a day, from 100 days back to 99 ahead, between seven and five o'clock.
  `insert into activity ("companyId", "id", "tenantId", "name", "statusId", "status", "lat", "lng", "startDate", "endDate", "createdUserId", "createdBy")
    select $1::uuid, ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1::uuid, 'Visit ' || n, s.ids[1 + n % 5], 'PENDING', -1.28, 36.8, at, at + interval '30 minutes', $1::uuid, 'bench'
    from generate_series(0, 499999) n, (select array_agg("id" order by "position") as ids from activity_status where "companyId" = $1::uuid) s,
      lateral (select date_trunc('day', now() at time zone 'Africa/Nairobi') at time zone 'Africa/Nairobi' + (n / 2500 - 100) * interval '1 day' + interval '7 hours' + (n % 600) * interval '1 minute' as at) t
    on conflict do nothing`,
  `insert into activity_assignment ("companyId", "id", "tenantId", "activityId", "userId", "statusId", "statusDateCreated")
    select $1::uuid, gen_random_uuid(), $1::uuid, t."id", ${agent(`(1 + right(t."id"::text, 12)::bigint % 200)`)}, t."statusId", t."startDate" from activity t
    where t."companyId" = $1::uuid and t."createdBy" = 'bench' on conflict do nothing`,
  `insert into user_position ("companyId", "userId", "deviceTime", "id", "tenantId", "latitude", "longitude", "accuracy", "source")
    select $1::uuid, ${agent('n')}, date_trunc('day', now() at time zone 'Africa/Nairobi') at time zone 'Africa/Nairobi' + interval '8 hours' + f * interval '2 minutes', gen_random_uuid(), $1::uuid, -1.28 + f * 0.0004, 36.8 + n * 0.0001, 12, 'live'
    from generate_series(1, 200) n, generate_series(1, 240) f`,
]

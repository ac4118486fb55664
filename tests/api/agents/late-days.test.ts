import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endDayJob } from '../../../apps/server/src/areas/agents/end-of-day.job.ts'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import type { MadeUser } from '../../support/make.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
  await world.as.admin.put(`/api/settings/${world.branch.id}`, { dayEnd: '19' })
})
afterAll(() => world.app.close())

/** A day of the company, which is in Kenya. */
const day = (offset: number) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(Date.now() + offset * 86_400_000)
/** An hour of a day in Nairobi. */
const at = (offset: number, hour: number) => new Date(`${day(offset)}T${String(hour).padStart(2, '0')}:00:00+03:00`).toISOString()

/** An officer of the team, whose phone sends now what was done then: 1 begins a day, 0 ends one. */
async function sentLate(done: readonly (readonly [action: 0 | 1, offset: number, hour: number])[]) {
  const officer = await world.app.make.user({ tenant: world.team, role: 'officer' })
  const client = await world.app.as(officer)
  const ids: string[] = []
  for (const [action, offset, hour] of done) {
    const Id = randomUUID()
    expect((await client.post('/api/agent/action', { Id, action, deviceTime: at(offset, hour) })).status).toBe(200)
    ids.push(Id)
  }
  return { officer, client, ids }
}

interface Timeline {
  events: { at: string; what: string }[]
  totals: { hours: number }
}
const timelineOf = async ({ id }: MadeUser, offset: number) =>
  (await world.as.manager.get<Timeline>(`/api/agent/timeline/${id}/${day(offset)}`)).body.data

describe('days that a phone tells of later', () => {
  it('are those on which they were worked, in the agent’s day, the history, the summary, the day overview and targets', async () => {
    const { officer, client } = await sentLate([
      [1, -3, 8],
      [0, -3, 17],
      [1, -2, 9],
      [0, -2, 12],
    ])
    const [first, second, today] = [await timelineOf(officer, -3), await timelineOf(officer, -2), await timelineOf(officer, 0)]
    expect([first, second, today].map(({ totals, events }) => [totals.hours, events.length])).toEqual([
      [9, 2],
      [3, 2],
      [0, 0],
    ])
    expect(first.events.map(({ at: time, what }) => [time, what])).toEqual([
      [at(-3, 8), 'Started the day'],
      [at(-3, 17), 'Ended the day'],
    ])

    const count = async (path: string) => (await client.get<{ agentActions: unknown[] }>(path)).body.data.agentActions.length
    expect([await count(`/api/agent/${officer.id}/${day(-3)}`), await count(`/api/agent/${officer.id}/${day(0)}`)]).toEqual([2, 0])
    expect([await count(`/api/agent/actions/${day(-3)}/${day(-2)}`), await count(`/api/agent/actions/${day(0)}/${day(0)}`)]).toEqual([4, 0])

    type Regions = { summaryReport: { region_name: string; days_started: number; hours: number }[] }
    const summary = await world.as.manager.get<Regions>(`/api/agent/summary-report?thedate=${day(-3)}&period=day`)
    expect(summary.body.data.summaryReport).toMatchObject([{ region_name: 'Nairobi', days_started: 1, hours: 9 }])

    type Overview = { agents: { userId: string; dayStart: string | null; dayStop: string | null }[] }
    const overview = await world.as.manager.get<Overview>(`/api/activities/activity-plan/day-overview?date=${day(-3)}`)
    const mine = overview.body.data.agents.find(({ userId }) => userId === officer.id)
    expect([mine?.dayStart, mine?.dayStop].map((time) => new Date(time ?? 0).toISOString())).toEqual([at(-3, 8), at(-3, 17)])

    const target = { ownerType: 'user', ownerUserId: officer.id, metric: 'days.worked', periodKind: 'custom', value: 1 }
    const made = await Promise.all(
      [-3, -2, 0].map(async (offset) => {
        const { body } = await world.as.manager.post<{ target: { Id: string } }>('/api/targets', {
          ...target,
          startDate: day(offset),
          endDate: day(offset),
        })
        expect(body).toMatchObject({ success: true })
        return (await world.as.manager.get<{ target: { figures: { actual: number } } }>(`/api/targets/${body.data.target.Id}`)).body.data
          .target.figures.actual
      }),
    )
    expect(made).toEqual([1, 1, 0])
  })

  it('do not end a day that runs: the newest is what was done last, not what arrived last', async () => {
    const { officer, client } = await sentLate([[1, 0, 0]])
    expect((await client.post('/api/agent/action', { action: 0, deviceTime: at(-1, 17) })).status).toBe(200)
    const { agentAction } = (await client.get<{ agentAction: { action: number }[] }>('/api/agent/action/latest')).body.data
    expect(agentAction).toMatchObject([{ action: 1 }])
    const { agents } = (await world.as.manager.get<{ agents: { Id: string; isOnline: boolean }[] }>('/api/agent/positions')).body.data
    expect(agents.find(({ Id }) => Id === officer.id)).toMatchObject({ isOnline: true })
  })

  it('that their agent forgot to end, end at the hour of that day, after what else the phone has to send, and without a word', async () => {
    const { officer, ids } = await sentLate([
      [1, -3, 8],
      [1, -2, 9],
      [0, -2, 12],
    ])
    for (const id of ids.slice(0, 2)) await endDay(id)
    const { events, totals } = await timelineOf(officer, -3)
    expect(events.map(({ at: time, what }) => [time, what])).toEqual([
      [at(-3, 8), 'Started the day'],
      [at(-3, 19), 'Day ended by the program'],
    ])
    expect([totals.hours, (await timelineOf(officer, -2)).events.length]).toEqual([11, 2])
    const { rows } = await world.app.database.admin.query('select from notification where "userId" = $1', [officer.id])
    expect(rows).toEqual([])
  })
})

/** Runs the job that was booked for a start, which waits at least an hour for one of another day. */
async function endDay(actionId: string): Promise<void> {
  const { rows } = await world.app.database.admin.query<{ payload: never; wait: string }>(
    `select payload, extract(epoch from "runAt" - now()) / 60 as wait from outbox where type = 'agents.endDay' and payload->>'actionId' = $1`,
    [actionId],
  )
  expect(Number(rows[0]?.wait)).toBeGreaterThan(58)
  const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
  await ctx.transaction((inner) =>
    endDayJob.run(inner, rows[0]!.payload, { id: randomUUID(), attempt: 1, signal: new AbortController().signal }),
  )
}

import { addDays, dayOf } from '@outpost/rules/time-zone'
import { trackMetres } from '@outpost/rules/routes/route-track'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import { at, makeActivity, makePlan, zone, type ActivityRow } from './support.ts'

const path = '/api/activities/activity-plan'
interface AgentDay {
  userId: string
  agent: string
  planned: number
  open: number
  started: number
  done: number
  late: number
  missed: number
  cancelled: number
  km: number
  plannedKm: number
  firstStart: string | null
  lastEnd: string | null
  dayStart: string | null
  dayStop: string | null
  isOnDuty: boolean
  current: { Id: string } | null
  visits?: { Id: string; meaning: string }[]
}
interface Track {
  stops: {
    Id: string
    isMissed: boolean
    passedBy: number | null
    actual: null | { metres: number | null; minutes: number | null; isOwnPlace: boolean }
  }[]
  track: [number, number, string][]
  metres: number
  fixes: number
}

let world: World
const yesterday = addDays(dayOf(Date.now(), zone), -1)
const tomorrow = addDays(yesterday, 2)
const statuses: Record<string, string> = {}

/** Sets the agent's own status the way the activities area leaves it behind. */
async function report(activity: ActivityRow, meaning: string, when: string): Promise<void> {
  await world.app.database.admin.query('update activity_assignment set "statusId" = $1, "statusDateCreated" = $2 where "activityId" = $3', [
    statuses[meaning],
    when,
    activity.Id,
  ])
  await world.app.database.admin.query(
    `insert into record_move ("companyId", "id", "tenantId", "movedInTenantId", "objectType", "objectId", "partId", "field", "move", "to", "meaning", "userId", "realUserId", "dateCreated")
      select "companyId", gen_random_uuid(), "tenantId", "tenantId", 'activity', "activityId", "userId", 'statusId', $1, $1, $1, "userId", "userId", $2
      from activity_assignment where "activityId" = $3`,
    [meaning, when, activity.Id],
  )
}
const fix = (minute: number, lat: number, lng: number, over: object = {}) =>
  world.app.make.row('user_position', {
    companyId: world.company.id,
    id: crypto.randomUUID(),
    tenantId: world.team.id,
    userId: world.people.officer.id,
    deviceTime: at(yesterday, 8 + minute / 60),
    latitude: lat,
    longitude: lng,
    accuracy: 10,
    source: 'live',
    ...over,
  })
const agentDay = async (query = `?date=${yesterday}`, by = world.as.manager): Promise<AgentDay | undefined> =>
  (await by.get<{ agents: AgentDay[] }>(`${path}/day-overview${query}`)).body.data.agents.find(
    ({ userId }) => userId === world.people.officer.id,
  )

let made: ActivityRow[]
let planId: string

beforeAll(async () => {
  world = await makeWorld()
  for (const [position, meaning] of ['open', 'started', 'done', 'missed', 'cancelled'].entries()) {
    const row = await world.app.make.row<{ id: string }>('activity_status', {
      companyId: world.company.id,
      id: crypto.randomUUID(),
      tenantId: world.company.id,
      name: meaning,
      meaning,
      position,
      default: meaning === 'open',
    })
    statuses[meaning] = row.id
  }
  const users = [world.people.officer.id]
  made = await Promise.all(
    [8, 9, 10, 11, 12].map((hour, index) =>
      makeActivity(world.as.manager, { day: yesterday, hour, users, lat: -1.28, lng: 36.8 + index * 0.01 }),
    ),
  )
  const stops = made.map(({ Id }) => ({ activityId: Id, userId: world.people.officer.id, day: yesterday }))
  planId = (
    await makePlan(world.as.manager, {
      startDate: yesterday,
      endDate: yesterday,
      stops,
      agents: [world.people.officer.id, world.people.manager.id],
    })
  ).Id
  await report(made[0] as ActivityRow, 'started', at(yesterday, 8.2))
  await report(made[0] as ActivityRow, 'done', at(yesterday, 8.75))
  await report(made[1] as ActivityRow, 'done', at(yesterday, 9.5))
  await report(made[2] as ActivityRow, 'cancelled', at(yesterday, 9.6))
  await report(made[3] as ActivityRow, 'missed', at(yesterday, 12))
  for (const [minute, lng] of [
    [0, 36.8],
    [20, 36.8],
    [40, 36.805],
    [60, 36.81],
    [95, 36.82],
  ] as const)
    await fix(minute, -1.28, lng)
  await fix(30, -1.5, 37, { source: 'cached_old', accuracy: 9_999 })
  await fix(31, -1.5, 37, { flags: ['teleport'] })
  for (const [action, hour] of [
    [1, 7.9],
    [0, 17.2],
  ] as const) {
    await world.app.make.row('agent_action', {
      companyId: world.company.id,
      id: crypto.randomUUID(),
      tenantId: world.team.id,
      performedByUserId: world.people.officer.id,
      action,
      deviceTime: at(yesterday, hour),
      dateCreated: at(yesterday, hour + 3),
    })
  }
})
afterAll(() => world.app.close())

describe('the day of the agents', () => {
  it('counts what was planned, done, missed and cancelled, with times, duty and the way', async () => {
    const way = trackMetres([36.8, 36.8, 36.805, 36.81, 36.82].map((longitude, index) => ({ latitude: -1.28, longitude, at: index })))
    const day = await agentDay()
    expect(day).toMatchObject({
      agent: 'Chidi Officer',
      planned: 5,
      open: 0,
      started: 0,
      done: 2,
      late: 0,
      missed: 2,
      cancelled: 1,
      isOnDuty: false,
      current: null,
      km: Math.round(way / 100) / 10,
    })
    expect([day?.firstStart, day?.lastEnd, day?.dayStart, day?.dayStop].map((time) => new Date(time ?? '').toISOString())).toEqual([
      at(yesterday, 8.2),
      at(yesterday, 9.5),
      at(yesterday, 7.9),
      at(yesterday, 17.2),
    ])
    expect(day?.plannedKm).toBeGreaterThan(4)
    expect(day?.visits).toBeUndefined()
  })

  it('opens the records behind each number', async () => {
    const visits = (await agentDay(`?date=${yesterday}&detailsLevel=FULL`))?.visits ?? []
    expect(visits.map(({ Id, meaning }) => [Id, meaning])).toEqual(
      ['done', 'done', 'cancelled', 'missed', 'missed'].map((meaning, index) => [made[index]?.Id, meaning]),
    )
  })

  it('distinguishes late visits from those still to come, and says what is going on now', async () => {
    const today = dayOf(Date.now(), zone)
    const now = new Date()
    const users = [world.people.officer.id]
    const span = (from: number, to: number) => ({
      startDate: new Date(now.getTime() + from * 60_000).toISOString(),
      endDate: new Date(now.getTime() + to * 60_000).toISOString(),
    })
    const started = await makeActivity(world.as.manager, { users, ...span(-2, 30) })
    await makeActivity(world.as.manager, { users, ...span(-3, -1) })
    await report(started, 'started', now.toISOString())
    const day = await agentDay(`?date=${dayOf(Date.parse(started.startDate), zone)}`)
    if (dayOf(Date.parse(started.startDate), zone) === today)
      expect(day).toMatchObject({ late: 1, started: 1, current: { Id: started.Id } })
  })

  it('shows another branch and another company nothing, and narrows to a tenant', async () => {
    expect(await agentDay(`?date=${yesterday}`, world.as.admin)).toBeDefined()
    const elsewhere = await world.app.as(await world.app.make.user({ tenant: world.other, role: 'branch' }))
    expect(await agentDay(`?date=${yesterday}`, elsewhere)).toBeUndefined()
    expect(await agentDay(`?date=${yesterday}`, world.as.foreign)).toBeUndefined()
    expect(await agentDay(`?date=${yesterday}&tenantId=${world.team.id}`)).toBeDefined()
    expect(await agentDay(`?date=${yesterday}&tenantId=${world.other.id}`, world.as.admin)).toBeUndefined()
    expect((await world.as.officer.get(`${path}/day-overview`)).status).toBe(403)
    expect(fieldsOf(await world.as.manager.get(`${path}/day-overview?date=soon&tenantId=x`))).toEqual(['date', 'tenantId'])
  })

  it('lists the routes of a day to those who see the plan', async () => {
    const routes = async (by: typeof world.as.manager, query = `?date=${yesterday}`) =>
      (await by.get<{ stops: { Id: string; planName: string }[] }>(`${path}/day-routes${query}`)).body.data.stops
    expect((await routes(world.as.officer)).map(({ Id }) => Id)).toEqual(made.map(({ Id }) => Id))
    expect(await routes(world.as.foreign)).toEqual([])
    expect(await routes(world.as.elsewhere)).toEqual([])
    expect(await routes(world.as.manager, `?date=${tomorrow}`)).toEqual([])
    expect(await routes(world.as.manager, `?date=${yesterday}&userId=${world.people.manager.id}`)).toEqual([])
  })
})

describe('planned against actual', () => {
  const track = async (by = world.as.manager, query = '') => by.get<Track>(`${path}/${planId}/track${query}`)

  it('says how far off each visit was in minutes and metres, what was missed, and the way driven', async () => {
    const {
      body: { data },
    } = await track()
    expect(data.stops.map(({ isMissed }) => isMissed)).toEqual([false, false, false, true, true])
    expect(data.stops[0]?.actual).toMatchObject({ minutes: 12, isOwnPlace: false })
    expect(data.stops[0]?.actual?.metres).toBe(0)
    expect(data.stops[0]?.passedBy).toBe(0)
    expect(data.stops[4]).toMatchObject({ actual: null })
    expect(data.stops[4]?.passedBy).toBeGreaterThan(2_000)
    expect([data.fixes, data.track.length]).toEqual([7, 5])
    expect(data.metres).toBeGreaterThan(2_000)
  })

  it('takes the place that was sent with the status before any other', async () => {
    await fix(94, -1.28, 36.81, { entityType: 'activity', entityId: made[1]?.Id })
    const {
      body: { data },
    } = await track(world.as.officer, `?userId=${world.people.officer.id}&day=${yesterday}`)
    expect(data.stops[1]?.actual).toMatchObject({ metres: 0, isOwnPlace: true })
  })

  it('knows no track of a plan out of sight, or of an agent and day without stops', async () => {
    for (const by of [world.as.foreign, world.as.elsewhere]) expect((await track(by)).status).toBe(404)
    expect((await track(world.as.manager, `?day=${tomorrow}`)).status).toBe(404)
    expect((await track(world.as.manager, `?userId=${world.people.manager.id}`)).status).toBe(404)
  })
})

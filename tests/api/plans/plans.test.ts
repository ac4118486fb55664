import { randomUUID } from 'node:crypto'
import { addDays } from '@outpost/rules/time-zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import { at, makeActivity, makePlan, planDay, stopsOf, today, type ActivityRow, type PlanRow } from './support.ts'

const path = '/api/activities/activity-plan'
let world: World
let officer: string
let manager: string
const stop = (activity: { Id: string }, userId = officer, over: object = {}) => ({
  activityId: activity.Id,
  userId,
  day: planDay(),
  ...over,
})
const read = async (id: string) => (await world.as.manager.get<{ activity: ActivityRow }>(`/api/activities/${id}`)).body.data.activity
const unplanned = async (query = '') =>
  (await world.as.manager.get<{ activities: ActivityRow[] }>(`/api/activities/no-activity-plan${query}`)).body.data.activities.map(
    ({ Id }) => Id,
  )

beforeAll(async () => {
  world = await makeWorld()
  officer = world.people.officer.id
  manager = world.people.manager.id
})
afterAll(() => world.app.close())

describe('making a plan', () => {
  it('takes a comma text of activities, gives each to its agent on its day, and calculates times', async () => {
    const [a, b] = [
      await makeActivity(world.as.manager, { users: [officer], hour: 11 }),
      await makeActivity(world.as.manager, { users: [officer], hour: 9, lat: -1.3 }),
    ]
    const plan = await makePlan(world.as.manager, { activityIds: `${a.Id}, ${b.Id}`, agents: [officer] })
    expect(plan).toMatchObject({
      status: 'PENDING',
      stops: 2,
      done: 0,
      tenantId: world.branch.id,
      activityIds: [b.Id, a.Id],
      agents: [{ Id: officer }],
    })
    expect(plan.km).toBeGreaterThan(2)
    const stops = await stopsOf(world.as.manager, plan.Id)
    expect(stops.map(({ Id, position, day }) => [Id, position, day])).toEqual([
      [b.Id, 0, planDay()],
      [a.Id, 1, planDay()],
    ])
    expect(new Date(stops[0]?.plannedArrival ?? '').toISOString()).toBe(at(planDay(), 8))
    const drive = ((stops[1]?.metres ?? 0) / (30 / 3.6)) * 1000
    expect(Date.parse(stops[1]?.plannedArrival ?? '') - Date.parse(stops[0]?.plannedDeparture ?? '')).toBeGreaterThan(drive - 1_500)
  })

  it('keeps the given order of stops, FULL with the whole activity', async () => {
    const made = [await makeActivity(world.as.manager, { description: 'Bring forms' }), await makeActivity(world.as.manager)]
    const plan = await makePlan(world.as.manager, {
      stops: [stop(made[1] as ActivityRow), stop(made[0] as ActivityRow, officer, { lock: 'last' })],
    })
    const full = await stopsOf(world.as.manager, plan.Id, 'FULL')
    expect(full.map(({ Id }) => Id)).toEqual([made[1]?.Id, made[0]?.Id])
    expect(full[1]).toMatchObject({ description: 'Bring forms', lock: 'last', position: 1, meaning: 'open' })
    expect((await world.as.manager.get(`/api/activities/activity-plan-activities/${plan.Id}?detailsLevel=SOME`)).status).toBe(422)
  })

  it('moves work of one person along with the stop, and leaves joint work together', async () => {
    const [single, joint] = [
      await makeActivity(world.as.manager, { users: [manager] }),
      await makeActivity(world.as.manager, { users: [manager, world.people.admin.id] }),
    ]
    await makePlan(world.as.manager, { stops: [stop(single), stop(joint)] })
    expect((await read(single.Id)).assignedUsers.map(({ Id }) => Id)).toEqual([officer])
    expect((await read(joint.Id)).assignedUsers.map(({ Id }) => Id).toSorted()).toEqual(
      [manager, world.people.admin.id, officer].toSorted(),
    )
    expect((await read(single.Id)).version).toBeGreaterThan(single.version)
  })

  it('moves the activities to the planned times when asked, but no appointment', async () => {
    const [loose, fixed] = [
      await makeActivity(world.as.manager, { hour: 15 }),
      await makeActivity(world.as.manager, { hour: 14, lat: -1.29 }),
    ]
    const plan = await makePlan(world.as.manager, { stops: [stop(loose), stop(fixed, officer, { keepsTime: true })], setTimes: true })
    expect([(await read(loose.Id)).startDate, (await read(loose.Id)).endDate]).toEqual([at(planDay(), 8), at(planDay(), 8.5)])
    expect((await read(fixed.Id)).startDate).toBe(fixed.startDate)
    const [, second] = await stopsOf(world.as.manager, plan.Id)
    expect(Date.parse(second?.plannedArrival ?? '')).toBe(Date.parse(fixed.startDate))
    const { rows } = await world.app.database.admin.query(
      'select op from sync_feed where "entityId" = $1 and seq = (select "syncSeq" from activity where id = $1) order by op',
      [loose.Id],
    )
    // It goes to the agent's team with the same write, so the devices of the branch alone lose it.
    expect(rows).toEqual([{ op: 'gone' }, { op: 'put' }])
  })

  it('refuses an activity twice for an agent: in one plan, in two, and in two at the same moment', async () => {
    const activity = await makeActivity(world.as.manager)
    const twice = await world.as.manager.post(path, {
      name: 'A',
      startDate: planDay(),
      endDate: planDay(),
      stops: [stop(activity), stop(activity)],
    })
    expect([twice.status, fieldsOf(twice)]).toEqual([422, ['stops']])
    const plan = await makePlan(world.as.manager, { name: 'First', stops: [stop(activity)] })
    const again = await world.as.manager.post(path, { name: 'B', startDate: planDay(), endDate: planDay(), stops: [stop(activity)] })
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    expect(again.body.details?.['planned']).toMatchObject([{ activityId: activity.Id, userId: officer, planName: 'First' }])
    await makePlan(world.as.manager, { name: 'Other agent', stops: [stop(activity, manager)] })
    expect((await world.as.manager.put(`${path}/${plan.Id}`, { stops: [] })).status).toBe(200)
    const race = await Promise.all(
      [1, 2, 3].map((n) =>
        world.as.manager.post(path, { name: `Race ${n}`, startDate: planDay(), endDate: planDay(), stops: [stop(activity)] }),
      ),
    )
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  it.each([
    ['name', { name: '' }],
    ['endDate', { endDate: '2020-01-01' }],
    ['startDate', { startDate: 'soon' }],
    ['status', { status: 'DONE' }],
    ['dayEnd', { dayEnd: 400 }],
    ['speed', { speed: 1 }],
    ['colour', { colour: 'red' }],
    ['endDate', { endDate: '2999-01-01' }],
  ])('names the field %s of a bad plan %j', async (field, over) => {
    const answer = await world.as.manager.post(path, { name: 'A', startDate: planDay(), endDate: planDay(), ...over })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]])
  })

  it('refuses activities and agents out of reach, and days outside the plan', async () => {
    const activity = await makeActivity(world.as.manager)
    const far = await makeActivity(world.as.elsewhere)
    const foreign = await makeActivity(world.as.foreign)
    const send = (stops: object[], over: object = {}) =>
      world.as.manager.post(path, { name: 'A', startDate: planDay(), endDate: planDay(), stops, ...over })
    for (const stops of [
      [stop(far)],
      [stop(foreign)],
      [stop({ Id: randomUUID() })],
      [stop(activity, officer, { day: addDays(planDay(), 1) })],
    ])
      expect(fieldsOf(await send(stops))).toEqual(['stops'])
    for (const user of [world.people.elsewhere.id, world.people.foreign.id, randomUUID()])
      expect(fieldsOf(await send([stop(activity, user)]))).toEqual(['agents'])
    expect(fieldsOf(await send([], { agents: [world.people.foreign.id] }))).toEqual(['agents'])
    const { rows } = await world.app.database.admin.query(`select 1 from activity_plan where name = 'A'`)
    expect(rows).toEqual([])
  })
})

describe('changing and deleting', () => {
  it('calculates times anew when only the settings change', async () => {
    const plan = await makePlan(world.as.manager, {
      stops: [stop(await makeActivity(world.as.manager)), stop(await makeActivity(world.as.manager, { lat: -1.4 }))],
    })
    const before = await stopsOf(world.as.manager, plan.Id)
    const { status, body } = await world.as.manager.put<{ activityPlan: PlanRow }>(`${path}/${plan.Id}`, {
      speed: 60,
      roadFactor: 2,
      dayStart: 540,
      version: plan.version,
    })
    expect([status, body.data.activityPlan.version, body.data.activityPlan.stops]).toEqual([200, plan.version + 1, 2])
    const after = await stopsOf(world.as.manager, plan.Id)
    expect(new Date(after[0]?.plannedArrival ?? '').toISOString()).toBe(at(planDay(), 9))
    expect((after[1]?.metres ?? 0) / (before[1]?.metres ?? 1)).toBeCloseTo(2 / 1.3, 2)
    expect((await world.as.manager.put(`${path}/${plan.Id}`, { name: 'Late', version: plan.version })).status).toBe(409)
  })

  it('unplans activities that are left out and keeps the others as they were', async () => {
    const [a, b] = [await makeActivity(world.as.manager), await makeActivity(world.as.manager)]
    const plan = await makePlan(world.as.manager, { stops: [stop(a, officer, { lock: 'first' }), stop(b)] })
    expect(await unplanned()).not.toContain(b.Id)
    await world.as.manager.put(`${path}/${plan.Id}`, { activityIds: [a.Id] })
    expect(await stopsOf(world.as.manager, plan.Id)).toMatchObject([{ Id: a.Id, lock: 'first' }])
    expect(await unplanned()).toContain(b.Id)
  })

  it('deletes without its activities, and brings back', async () => {
    const a = await makeActivity(world.as.manager)
    const plan = await makePlan(world.as.manager, { stops: [stop(a)] })
    expect((await world.as.manager.del(`${path}/delete`, { activityPlans: [plan.Id] })).status).toBe(200)
    expect((await world.as.manager.get(`${path}/${plan.Id}`)).status).toBe(404)
    expect((await read(a.Id)).Id).toBe(a.Id)
    expect(await unplanned()).toContain(a.Id)
    expect((await world.as.manager.post(`${path}/restore`, { activityPlans: [plan.Id], deleteActivities: false })).status).toBe(200)
    expect(await stopsOf(world.as.manager, plan.Id)).toHaveLength(1)
    expect(await unplanned()).not.toContain(a.Id)
  })

  it('deletes with its activities and brings both back, but not one that was gone before', async () => {
    const [a, gone] = [await makeActivity(world.as.manager), await makeActivity(world.as.manager)]
    const plan = await makePlan(world.as.manager, { stops: [stop(a), stop(gone)] })
    await world.as.manager.post('/api/activities/delete', { id: gone.Id })
    const { body } = await world.as.manager.del<{ activities: string[] }>(`${path}/delete`, {
      activityPlans: [plan.Id],
      deleteActivities: true,
    })
    expect(body.data.activities).toEqual([a.Id])
    expect((await world.as.manager.get(`/api/activities/${a.Id}`)).status).toBe(404)
    await world.as.manager.post(`${path}/restore`, { activityPlans: [plan.Id], deleteActivities: true })
    expect((await stopsOf(world.as.manager, plan.Id)).map(({ Id }) => Id)).toEqual([a.Id])
    expect((await world.as.manager.get(`/api/activities/${gone.Id}`)).status).toBe(404)
  })

  it('does not restore a plan whose activity is in another plan by now', async () => {
    const a = await makeActivity(world.as.manager)
    const plan = await makePlan(world.as.manager, { stops: [stop(a)] })
    await world.as.manager.del(`${path}/delete`, { activityPlans: [plan.Id] })
    await makePlan(world.as.manager, { name: 'New home', stops: [stop(a)] })
    expect((await world.as.manager.post(`${path}/restore`, { activityPlans: [plan.Id] })).status).toBe(409)
    expect((await world.as.manager.get(`${path}/${plan.Id}`)).status).toBe(404)
  })
})

describe('the status of a plan', () => {
  it('goes by moves at every door, one or many, and the history says who and from where to where', async () => {
    const [first, second] = [
      await makePlan(world.as.manager, { name: 'Moved', stops: [] }),
      await makePlan(world.as.manager, { name: 'Running', status: 'IN PROGRESS', stops: [] }),
    ]
    expect([first.status, second.status]).toEqual(['PENDING', 'IN PROGRESS'])
    const moved = await world.as.manager.post<{ activityPlan: PlanRow }>(`${path}/${first.Id}/move`, { move: 'COMPLETED' })
    expect([moved.status, moved.body.data?.activityPlan.status], moved.text).toEqual([200, 'COMPLETED'])
    const unknown = await world.as.manager.put(`${path}/${first.Id}`, { status: 'DONE' })
    expect([unknown.status, fieldsOf(unknown)]).toEqual([422, ['status']])
    const back = await world.as.manager.put<{ activityPlan: PlanRow }>(`${path}/${first.Id}`, { status: 'PENDING', name: 'Moved back' })
    expect(back.body.data.activityPlan).toMatchObject({ status: 'PENDING', name: 'Moved back' })
    const many = await world.as.manager.post(`${path}/move`, { ids: [first.Id, second.Id, randomUUID()], status: 'CANCELLED' })
    expect(many.body.data['results']).toMatchObject([{ isDone: true }, { isDone: true }, { isDone: false }])
    expect((await world.as.foreign.post(`${path}/${first.Id}/move`, { status: 'PENDING' })).status).toBe(404)
    const { timeline } = (await world.as.manager.get<{ timeline: { who: string; what: string }[] }>(`${path}/${first.Id}/timeline`)).body
      .data
    expect(timeline.filter(({ what }) => what.includes('→')).map(({ who, what }) => [who, what])).toEqual([
      ['Baraka Manager', 'PENDING → CANCELLED'],
      ['Baraka Manager', 'COMPLETED → PENDING'],
      ['Baraka Manager', 'PENDING → COMPLETED'],
    ])
  })
})

describe('who sees what', () => {
  it('shows an agent the plan a manager above filed, and nobody else of another branch or company', async () => {
    const plan = await makePlan(world.as.manager, { stops: [stop(await makeActivity(world.as.officer))] })
    expect(await stopsOf(world.as.officer, plan.Id)).toHaveLength(1)
    for (const who of [world.as.elsewhere, world.as.foreign]) {
      expect((await who.get(`${path}/${plan.Id}`)).status).toBe(404)
      expect((await who.get(`/api/activities/activity-plan-activities/${plan.Id}`)).status).toBe(404)
      expect((await who.get(path)).text).not.toContain(plan.Id)
    }
    for (const call of [
      world.as.foreign.put(`${path}/${plan.Id}`, { name: 'x' }),
      world.as.foreign.del(`${path}/delete`, { activityPlans: [plan.Id] }),
    ])
      expect((await call).status).toBe(404)
    for (const call of [
      world.as.officer.post(path, {}),
      world.as.officer.put(`${path}/${plan.Id}`, {}),
      world.as.officer.del(`${path}/delete`, {}),
      world.as.officer.post(`${path}/order`, {}),
    ])
      expect((await call).status).toBe(403)
  })

  it('lists plans that touch the window: by default those that run already, too', async () => {
    const running = await makePlan(world.as.manager, { name: 'Running', startDate: addDays(today(), -3), endDate: addDays(today(), 1) })
    const past = await makePlan(world.as.manager, { name: 'Past', startDate: addDays(today(), -9), endDate: addDays(today(), -8) })
    const later = await makePlan(world.as.manager, { name: 'Later', startDate: addDays(today(), 40), endDate: addDays(today(), 41) })
    const ids = async (query: string) =>
      (await world.as.manager.get<{ activityPlans: PlanRow[] }>(`${path}${query}`)).body.data.activityPlans.map(({ Id }) => Id)
    const standard = await ids('')
    expect(standard).toContain(running.Id)
    for (const hidden of [past.Id, later.Id]) expect(standard).not.toContain(hidden)
    expect(await ids(`?startDate=${addDays(today(), -9)}&endDate=${addDays(today(), -8)}`)).toEqual([past.Id])
    expect(
      await ids(
        `?startDate=${addDays(today(), 40)}&endDate=${addDays(today(), 60)}&search=later&sortField=name&sortOrder=ASC&page=1&size=10`,
      ),
    ).toEqual([later.Id])
    expect(await ids(`?userId=${world.people.elsewhere.id}`)).toEqual([])
  })

  it('knows activities in no plan from today 30 days ahead, open ones only when asked', async () => {
    const [near, far] = [
      await makeActivity(world.as.manager, { users: [officer] }),
      await makeActivity(world.as.manager, { day: addDays(today(), 45) }),
    ]
    expect(await unplanned()).toContain(near.Id)
    expect(await unplanned()).not.toContain(far.Id)
    expect(await unplanned(`?startDate=${addDays(today(), 40)}&endDate=${addDays(today(), 50)}`)).toEqual([far.Id])
    expect(await unplanned(`?isOpen=true&userId=${officer}`)).toContain(near.Id)
    expect(await unplanned(`?userId=${world.people.admin.id}`)).not.toContain(near.Id)
  })
})

describe('planning aloud', () => {
  const line = [36.8, 36.95, 36.82, 36.9]
  const preview = (stops: object[], over: object = {}) => ({ startLat: -1.28, startLng: 36.79, stops, ...over })
  interface Preview {
    routes: { userId: string; metres: number; stops: { activityId: string; plannedArrival: string }[] }[]
    before: { metres: number }
    after: { metres: number }
    conflicts: { kind: string; stopId?: string; with?: { planName?: string } }[]
  }

  it('orders each agent’s day, never longer than given, and writes nothing', async () => {
    const made = await Promise.all(line.map((lng) => makeActivity(world.as.manager, { lng })))
    const { status, body } = await world.as.manager.post<Preview>(`${path}/order`, preview(made.map((one) => stop(one))))
    expect(status).toBe(200)
    expect(body.data.routes[0]?.stops.map(({ activityId }) => activityId)).toEqual([0, 2, 3, 1].map((index) => made[index]?.Id))
    expect(body.data.after.metres).toBeLessThan(body.data.before.metres)
    const locked = await world.as.manager.post<Preview>(
      `${path}/order`,
      preview(made.map((one, index) => stop(one, officer, index === 1 ? { lock: 'first' } : {}))),
    )
    expect(locked.body.data.routes[0]?.stops[0]?.activityId).toBe(made[1]?.Id)
    expect(await unplanned()).toContain(made[0]?.Id)
  })

  it('says what cannot be kept: an appointment missed, another plan, other work, hours', async () => {
    const day = addDays(planDay(), 2)
    const [taken, loose, tight, open] = await Promise.all([
      makeActivity(world.as.manager, { day }),
      makeActivity(world.as.manager, { day }),
      makeActivity(world.as.manager, { day, hour: 8.25, lat: -1.5 }),
      makeActivity(world.as.manager, { day, hour: 8, users: [officer] }),
    ])
    const other = await makePlan(world.as.manager, { name: 'East', stops: [stop(taken, officer, { day })] })
    const send = (stops: object[], over: object = {}) => world.as.manager.post<Preview>(`${path}/conflicts`, preview(stops, over))
    const kinds = ({ body }: Awaited<ReturnType<typeof send>>) => body.data.conflicts.map(({ kind }) => kind)
    const clash = await send([stop(loose, officer, { day })])
    expect(clash.body.data.conflicts).toMatchObject([{ kind: 'busy', stopId: loose.Id }])
    expect(clash.body.data.conflicts[0]?.with?.planName === 'East' || clash.text.includes(open.Id)).toBe(true)
    expect(kinds(await send([stop(taken, officer, { day }), stop(open, officer, { day })], { planId: other.Id }))).toEqual([])
    expect(kinds(await send([stop(loose, manager, { day }), stop(tight, manager, { day, keepsTime: true })]))).toEqual(['overlap'])
    expect(kinds(await send([stop(loose, manager, { day: addDays(day, 1) })], { dayStart: 480, dayEnd: 500 }))).toEqual(['outside'])
    expect(fieldsOf(await send([stop({ Id: randomUUID() })]))).toEqual(['stops'])
    expect(fieldsOf(await world.as.manager.post(`${path}/conflicts`, { stops: [{ activityId: 'x' }] }))).toEqual([
      'stops.0.activityId',
      'stops.0.userId',
    ])
  })
})

describe('who is due near the way', () => {
  it('names leads that wait near the stops, nearest first, and nobody far, fresh, visited soon or out of reach', async () => {
    const { make, database } = world.app
    const old = new Date(Date.now() - 5 * 86_400_000)
    const lead = async (lastName: string, longitude: number, over: object = {}) => {
      const made = await make.lead({ tenant: world.branch, lastName, latitude: -1.6, longitude, ...over })
      // Past the trigger that keeps the time of a status.
      await database.admin.query(
        `do $$ begin set local session_replication_role = 'replica'; update lead set "statusSince" = '${old.toISOString()}' where id = '${made.id}'; end $$`,
      )
      return made
    }
    const [near, nearer] = [await lead('Near', 36.805), await lead('Nearer', 36.801)]
    await lead('Far', 36.9)
    await lead('Won', 36.802, { status: 'Converted' })
    await lead('Elsewhere', 36.802, { tenant: world.other })
    const visited = await lead('Visited', 36.803)
    await make.lead({ tenant: world.branch, lastName: 'Fresh', latitude: -1.6, longitude: 36.803 })
    await makeActivity(world.as.manager, { leads: [visited.id] })
    const stops = [stop(await makeActivity(world.as.manager, { lat: -1.6, lng: 36.8 }))]
    const ask = (over: object = {}) =>
      world.as.manager.post<{ nearby: { Id: string; metres: number }[] }>(`${path}/nearby`, { stops, metres: 1_000, ...over })
    const { body } = await ask()
    expect(body.data.nearby.map(({ Id }) => Id)).toEqual([nearer.id, near.id])
    expect(body.data.nearby[0]?.metres).toBeCloseTo(111, -1)
    expect((await ask({ metres: 200 })).body.data.nearby).toHaveLength(1)
    expect(fieldsOf(await ask({ metres: 1 }))).toEqual(['metres'])
    expect((await world.as.officer.post(`${path}/nearby`, { stops })).status).toBe(403)
  })
})

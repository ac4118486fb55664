import { addDays } from '@outpost/rules/time-zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import type { SignedInClient } from '../support/app.ts'
import { at, makeActivity, makePlan, planDay, type PlanRow } from '../api/plans/support.ts'
import { checkStream, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let office: SignedInClient
const entityType = 'activityPlan'
const path = '/api/activities/activity-plan'

interface Held extends PlanRow {
  createdBy: string
  notes: string | null
  route: { activityId: string; userId: string; day: string; position: number; plannedArrival: string; agentName: string }[]
}
const read = async (id: string, by = office) => (await by.get<{ activityPlan: Held }>(`${path}/${id}`)).body.data.activityPlan
const plansOf = async (by: Device, cursor?: string) => {
  const { changes, ...rest } = await by.pull(cursor)
  return { ...rest, plans: changes.filter(({ t }) => t === entityType) }
}
const stop = (activityId: string, over: object = {}) => ({ activityId, userId: device.client.user.id, day: planDay(), ...over })
type Planned = { agents: string[]; stops: object[] }
const nothing: Planned = { agents: [], stops: [] }
/** What a device sends when stops were planned on it. */
const planned = (plan: { id: string; version: number; deps?: string[] }, base: Planned, made: Planned, setTimes = false): ChangeRecord =>
  device.update(
    plan.id,
    plan.version,
    { planned: [null, { base, ...made, setTimes, shows: { stops: made.stops.length }, words: 'planned' }] },
    { entityType, ...(plan.deps ? { deps: plan.deps } : {}) },
  )
const fields = (over: object = {}) => ({ name: 'Round', startDate: planDay(), endDate: addDays(planDay(), 2), ...over })
const verdicts = async (...changes: ChangeRecord[]) => (await device.push(changes)).results.map(({ status, code }) => code ?? status)
const idsOf = (plan: Held) => plan.route.map(({ activityId }) => activityId)

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device('branch')
  office = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('a plan made on a device', () => {
  it('is pending and stored once however often it is sent, after the activity it visits', async () => {
    const activity = device.insert(
      { name: 'Kiosk', startDate: at(planDay(), 9), endDate: at(planDay(), 10), location: 'Stall 4', lat: -1.28, lng: 36.8 },
      { entityType: 'activity' },
    )
    const made = device.insert(fields({ name: 'Made in the field', notes: 'Bring forms' }), { entityType })
    const stops = planned({ id: made.entityId, version: 0, deps: [activity.entityId] }, nothing, {
      agents: [device.client.user.id],
      stops: [stop(activity.entityId)],
    })
    expect(await verdicts(made)).toEqual(['applied'])
    expect(await verdicts(stops)).toEqual(['waiting'])
    await Promise.all(Array.from({ length: 5 }, () => device.push([activity, made])))
    await Promise.all(Array.from({ length: 5 }, () => device.push([stops])))
    const plan = await read(made.entityId)
    expect(plan).toMatchObject({
      name: 'Made in the field',
      status: 'PENDING',
      notes: 'Bring forms',
      stops: 1,
      tenantId: world.branch.id,
      agents: [{ Id: device.client.user.id }],
      route: [{ activityId: activity.entityId, userId: device.client.user.id, day: planDay(), position: 0 }],
    })
    const { rows } = await world.app.database.admin.query(`select count(*)::int from activity_plan where "name" = 'Made in the field'`)
    expect(rows).toEqual([{ count: 1 }])
  })

  it('comes to the devices of the branch with its route, also when the stops alone change, and to no other branch', async () => {
    const beside = await world.device('branch', world.sibling)
    const first = await makeActivity(office)
    const plan = await makePlan(office, { stops: [stop(first.Id)] })
    const start = await plansOf(device)
    expect(start.plans.find(({ id }) => id === plan.Id)).toMatchObject({ op: 'put', data: { route: [{ activityId: first.Id }], stops: 1 } })
    const second = await makeActivity(office)
    await office.put(`${path}/${plan.Id}`, { stops: [stop(second.Id), stop(first.Id)] })
    const next = await plansOf(device, start.cursor)
    expect(next.plans).toMatchObject([{ id: plan.Id, data: { route: [{ activityId: second.Id }, { activityId: first.Id }] } }])
    expect(next.plans[0]?.version).toBeGreaterThan(plan.version)
    expect((await plansOf(beside)).plans).toEqual([])
    await office.del(`${path}/delete`, { activityPlans: [plan.Id] })
    const last = await plansOf(device, next.cursor)
    expect(last.plans).toMatchObject([{ id: plan.Id, op: 'gone' }])
    await office.post(`${path}/restore`, { activityPlans: [plan.Id] })
    expect((await plansOf(device, last.cursor)).plans).toMatchObject([{ id: plan.Id, op: 'put' }])
  })
})

describe('a plan of somebody in a team below', () => {
  it('comes to its agent alone, and leaves with the agency', async () => {
    const team = await world.app.make.tenant({ company: world.company, parent: world.branch })
    const head = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
    const [agent, mate] = [await world.device('officer', team), await world.device('officer', team)]
    const plan = await makePlan(head, { name: 'For the team', agents: [agent.client.user.id] })
    const start = await plansOf(agent)
    expect(start.plans).toMatchObject([{ id: plan.Id, op: 'put', data: { name: 'For the team' } }])
    expect((await plansOf(mate)).plans.filter(({ op }) => op === 'put')).toEqual([])
    await head.put(`${path}/${plan.Id}`, { name: 'Renamed' })
    const next = await plansOf(agent, start.cursor)
    expect(next.plans).toMatchObject([{ id: plan.Id, op: 'put', data: { name: 'Renamed' } }])
    expect((await plansOf(mate, start.cursor)).plans).toMatchObject([{ id: plan.Id, op: 'gone' }])
    await head.put(`${path}/${plan.Id}`, { agents: [] })
    const last = await plansOf(agent, next.cursor)
    expect(last.plans).toMatchObject([{ id: plan.Id, op: 'gone' }])
    await head.put(`${path}/${plan.Id}`, { agents: [agent.client.user.id] })
    await head.del(`${path}/delete`, { activityPlans: [plan.Id] })
    expect((await plansOf(agent, last.cursor)).plans).toMatchObject([{ id: plan.Id, op: 'gone' }])
  })
})

describe('a plan that device and office changed', () => {
  it('has what either put in and not what either took out, each once', async () => {
    const [a, b, c, d, e] = await Promise.all(Array.from({ length: 5 }, () => makeActivity(office)))
    const [idA, idB, idC, idD, idE] = [a, b, c, d, e].map((one) => one?.Id ?? '') as [string, string, string, string, string]
    const plan = await makePlan(office, { stops: [stop(idA), stop(idB), stop(idC)] })
    await office.put(`${path}/${plan.Id}`, { name: 'Renamed by the office', stops: [stop(idA), stop(idC), stop(idE)] })
    const me = [device.client.user.id]
    const sent = planned(
      { id: plan.Id, version: plan.version },
      { agents: me, stops: [stop(idA), stop(idB), stop(idC)] },
      { agents: me, stops: [stop(idC), stop(idB), stop(idD)] },
    )
    await Promise.all(Array.from({ length: 5 }, () => device.push([sent])))
    const now = await read(plan.Id)
    expect([now.name, idsOf(now)]).toEqual(['Renamed by the office', [idC, idD, idE]])
  })

  it('takes fields of both, asks where both changed one, and moves by its own call', async () => {
    const plan = await makePlan(office, {})
    await office.put(`${path}/${plan.Id}`, { name: 'By the office' })
    const edit = device.update(
      plan.Id,
      plan.version,
      { name: [plan.name, 'By the device'], notes: [null, 'Gate code 4711'] },
      { entityType },
    )
    expect(await verdicts(edit)).toEqual(['merged'])
    expect(await verdicts(device.update(plan.Id, plan.version, { move: [null, { status: 'IN PROGRESS' }] }, { entityType }))).toEqual([
      'applied',
    ])
    expect(await read(plan.Id)).toMatchObject({ name: 'By the office', notes: 'Gate code 4711', status: 'IN PROGRESS' })
  })

  it('moves the activities to the planned times where the device asked for it', async () => {
    const activity = await makeActivity(office, { hour: 15 })
    const plan = await makePlan(office, {})
    const me = [device.client.user.id]
    expect(
      await verdicts(planned({ id: plan.Id, version: plan.version }, nothing, { agents: me, stops: [stop(activity.Id)] }, true)),
    ).toEqual(['applied'])
    const { body } = await office.get<{ activity: { startDate: string } }>(`/api/activities/${activity.Id}`)
    expect(new Date(body.data.activity.startDate).toISOString()).toBe(at(planDay(), 8))
  })
})

describe('a device is refused', () => {
  it('stops of another company, of another branch, of a plan elsewhere, and outside the days', async () => {
    const stranger = await world.app.make.company()
    const home = await world.app.make.tenant({ company: stranger })
    const their = await world.app.as(await world.app.make.user({ role: 'branch', tenant: home }))
    const beside = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.sibling }))
    const [foreign, next, own, free] = [
      await makeActivity(their),
      await makeActivity(beside),
      await makeActivity(office),
      await makeActivity(office),
    ]
    await makePlan(office, { stops: [stop(own.Id)] })
    const plan = await makePlan(office, {})
    const me = [device.client.user.id]
    for (const [stops, agents, code] of [
      [[stop(foreign.Id)], me, 'VALIDATION'],
      [[stop(next.Id)], me, 'VALIDATION'],
      [[stop(own.Id)], me, 'VALIDATION'],
      [[stop(free.Id, { day: addDays(planDay(), 40) })], me, 'VALIDATION'],
      [[stop(free.Id), stop(free.Id)], me, 'VALIDATION'],
      [[stop(free.Id, { userId: their.user.id })], me, 'VALIDATION'],
      [[], [their.user.id], 'VALIDATION'],
    ] as const)
      expect(await verdicts(planned({ id: plan.Id, version: plan.version }, nothing, { agents: [...agents], stops: [...stops] }))).toEqual([
        code,
      ])
    expect(await read(plan.Id)).toMatchObject({ stops: 0, agents: [] })
  })

  it('another branch’s and another company’s plan, another tenant for a new one, and fields that are not its own', async () => {
    const beside = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.sibling }))
    const theirs = await makePlan(beside, {})
    const mine = await makePlan(office, {})
    expect(await verdicts(device.update(theirs.Id, 1, { name: [theirs.name, 'Mine'] }, { entityType }))).not.toEqual(['applied'])
    expect(await verdicts(planned({ id: theirs.Id, version: 1 }, nothing, nothing))).not.toEqual(['applied'])
    expect(await verdicts(device.insert(fields(), { entityType, tenantId: world.sibling.id }))).toEqual(['FORBIDDEN'])
    for (const patch of [{ createdBy: [null, 'Somebody'] }, { status: ['PENDING', 'COMPLETED'] }, { agents: [null, []] }])
      expect(await verdicts(device.update(mine.Id, 1, patch as never, { entityType }))).toEqual(['VALIDATION'])
    expect(await verdicts(device.insert(fields({ endDate: addDays(planDay(), -1) }), { entityType }))).toEqual(['VALIDATION'])
    expect(await read(theirs.Id, beside)).toMatchObject({ name: theirs.name })
  })

  it('planning without the right to it', async () => {
    const officer = await world.device('officer')
    const plan = await makePlan(office, {})
    const send = async (change: ChangeRecord) => (await officer.push([change])).results.map(({ status, code }) => code ?? status)
    expect(await send(officer.insert(fields(), { entityType }))).toEqual(['FORBIDDEN'])
    expect(await send(officer.update(plan.Id, 1, { planned: [null, { base: nothing, ...nothing }] }, { entityType }))).toEqual([
      'FORBIDDEN',
    ])
    expect((await officer.pull()).changes.some(({ id }) => id === plan.Id)).toBe(true)
  })
})

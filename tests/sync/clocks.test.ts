import { randomUUID } from 'node:crypto'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { dayOf } from '@outpost/rules/time-zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let manager: SignedInClient
let statusIds: Record<string, string>

const rows = async (text: string, values: unknown[]) => (await world.app.database.admin.query(text, values)).rows
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const iso = (at: number) => new Date(at).toISOString()

beforeAll(async () => {
  world = await syncWorld()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
  device = await world.device()
  await world.app.database.admin.query(
    `
    insert into activity_status ("companyId", "id", "tenantId", "name", "meaning", "default", "position")
    select $1, gen_random_uuid(), $1, initcap(m), m, m = 'open', n from unnest(array['open', 'started', 'done', 'missed', 'cancelled']) with ordinality s(m, n)`,
    [world.company.id],
  )
  const { body } = await manager.get('/api/activities/statuses')
  const { activityStatuses } = body.data as { activityStatuses: { Id: string; meaning: string }[] }
  statusIds = Object.fromEntries(activityStatuses.map(({ Id, meaning }) => [meaning, Id]))
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

/** An activity of the device's person that was given to them two days ago. */
async function planned(): Promise<string> {
  const { body } = await manager.post('/api/activities', {
    name: 'Visit Gikomba',
    startDate: iso(Date.now()),
    endDate: iso(Date.now() + hour),
    assignedUsers: [device.client.user.id],
  })
  const { Id } = (body.data as { activity: { Id: string } }).activity
  await rows(`update activity_assignment set "dateCreated" = now() - interval '2 days' where "activityId" = $1`, [Id])
  return Id
}

interface Work {
  /** When it really was, and by how much the device was ahead then. */
  doneAt: number
  ahead: number
  /** What the device knew of that, and when it had heard it. */
  known?: { ahead: number; heardAt: number }
}

const clockOf = ({ known }: Work) => (known ? { clock: { skewMs: -known.ahead, heardAt: iso(known.heardAt) } } : {})
const here = (work: Work) => ({
  latitude: -1.2922,
  longitude: 36.8218,
  accuracy: 12,
  deviceTime: iso(work.doneAt + work.ahead),
  ...clockOf(work),
})

function visit(activityId: string, meaning: string, work: Work): ChangeRecord {
  const deviceTime = iso(work.doneAt + work.ahead)
  const input = { statusId: statusIds[meaning], gps: true, location: here(work), deviceTime, ...clockOf(work) }
  return device.update(activityId, 1, { visit: [null, input] }, { entityType: 'activity', dateModified: deviceTime })
}

/** The device's push under a clock that is ahead: its verdicts, and how long it took, which the office takes for an error of the clock. */
async function pushAt(ahead: number, changes: object[]): Promise<{ verdicts: string[]; took: number }> {
  const begun = Date.now()
  const answer = await device.client.post('/api/sync/push', {
    protocol: 1,
    deviceId: device.id,
    clientNow: iso(begun + ahead),
    pendingCount: changes.length,
    oldestPendingAt: null,
    persisted: true,
    maxClientSeq: 1_000,
    changes,
  })
  expect(answer.status).toBe(200)
  const { results } = answer.body as unknown as { results: { status: string }[] }
  return { verdicts: results.map(({ status }) => status), took: Date.now() - begun }
}

/** What the office sees of the visit, as distance from when it was. */
async function seen(activityId: string, doneAt: number): Promise<{ visitOff: number; placeOff: number; skew: number | null }> {
  const [row] = await rows(
    `select a."statusDateCreated" as at, a."clockSkewMs"::float8 as skew, p."deviceTime" as place from activity_assignment a
      left join user_position p on p."companyId" = a."companyId" and p."entityId" = a."activityId" where a."activityId" = $1`,
    [activityId],
  )
  return { visitOff: row.at.getTime() - doneAt, placeOff: row.place.getTime() - doneAt, skew: row.skew }
}

describe('work of a device whose clock is off (sync fault 7)', () => {
  it.each([
    ['a day ahead', day],
    ['a day behind', -day],
    ['an hour and ten minutes ahead', hour + 10 * minute],
  ])('%s is seen at its right time, with the error beside it, however often it is sent', async (_, ahead) => {
    const [id, doneAt] = [await planned(), Date.now() - 90 * minute]
    const change = visit(id, 'done', { doneAt, ahead })
    const { verdicts, took } = await pushAt(ahead, [change])
    expect(verdicts).toEqual(['applied'])
    const { visitOff, placeOff, skew } = await seen(id, doneAt)
    for (const off of [visitOff, placeOff, (skew ?? 0) + ahead]) expect(Math.abs(off)).toBeLessThanOrEqual(took)
    expect((await pushAt(ahead, [change])).verdicts).toEqual(['duplicate'])
    expect((await pushAt(0, [change])).verdicts).toEqual(['duplicate'])
    expect((await seen(id, doneAt)).visitOff).toBe(visitOff)
    const date = dayOf(doneAt, 'Africa/Nairobi')
    const { body } = await manager.get<{ events: object[] }>(`/api/agent/timeline/${device.client.user.id}/${date}`)
    expect(body.data.events).toContainEqual(expect.objectContaining({ recordId: id, at: iso(doneAt + visitOff), clockSkewMs: skew }))
  })

  it('a minute off is taken as it is', async () => {
    const [id, doneAt] = [await planned(), Date.now() - 90 * minute]
    expect((await pushAt(-minute, [visit(id, 'done', { doneAt, ahead: -minute })])).verdicts).toEqual(['applied'])
    expect(await seen(id, doneAt)).toEqual({ visitOff: -minute, placeOff: -minute, skew: null })
  })

  it.each([
    ['mended before the sending', { ahead: day, known: day, sent: 0, skew: -day }],
    ['that jumped a day ahead before the work', { ahead: day, known: 0, sent: day, skew: -day }],
    ['that jumped a day back before the work', { ahead: -day, known: 0, sent: -day, skew: day }],
    ['that jumped a day ahead after the work', { ahead: 0, known: 0, sent: day, skew: null }],
    ['that jumped a day back after the work', { ahead: 0, known: 0, sent: -day, skew: null }],
  ])('%s: by what was known at the work, or where that cannot be, at the sending', async (_, { ahead, known, sent, skew }) => {
    const [id, doneAt] = [await planned(), Date.now() - 90 * minute]
    const work = { doneAt, ahead, known: { ahead: known, heardAt: doneAt - hour } }
    const { verdicts, took } = await pushAt(sent, [visit(id, 'done', work)])
    expect(verdicts).toEqual(['applied'])
    const found = await seen(id, doneAt)
    for (const off of [found.visitOff, found.placeOff]) expect(Math.abs(off)).toBeLessThanOrEqual(took)
    expect(Math.round((found.skew ?? 0) / minute)).toBe(Math.round((skew ?? 0) / minute))
  })

  it('moves no day that a person chose', async () => {
    const [startDate, endDate] = [iso(Date.now() + 3 * day), iso(Date.now() + 3 * day + hour)]
    const made = device.insert({ name: 'Chosen', startDate, endDate, assignedUsers: [device.client.user.id] }, { entityType: 'activity' })
    expect((await pushAt(day, [made])).verdicts).toEqual(['applied'])
    const [row] = await rows('select "startDate", "endDate", "dateCreated" from activity where "id" = $1', [made.entityId])
    expect([iso(row.startDate.getTime()), iso(row.endDate.getTime())]).toEqual([startDate, endDate])
    expect(Math.abs(row.dateCreated.getTime() - Date.now())).toBeLessThan(minute)
  })
})

describe('the day and the way of a device whose clock is off (sync fault 7)', () => {
  it.each([
    ['ahead', day],
    ['behind', -day],
  ])('a day %s: starts and positions are seen at their right time, each once', async (_, ahead) => {
    const { client } = await world.device()
    const doneAt = Date.now() - 20 * minute
    const work = { doneAt, ahead }
    const start = { Id: randomUUID(), action: 1, location: here(work), deviceTime: iso(doneAt + ahead) }
    const positions = [5, 4, 3].map((ago) => ({ ...here({ doneAt: Date.now() - ago * minute, ahead }), Id: randomUUID(), source: 'live' }))
    let took = 0
    for (const late of [0, 700, 5_000]) {
      const begun = Date.now()
      expect((await client.post('/api/agent/action', { ...start, sentAt: iso(begun + ahead - late) })).status).toBe(200)
      took ||= Date.now() - begun
      expect((await client.post('/api/usertracking', { positions, sentAt: iso(Date.now() + ahead - late) })).status).toBe(200)
    }
    const [action] = await rows('select "deviceTime" as at, "clockSkewMs"::float8 as skew from agent_action where "id" = $1', [start.Id])
    for (const off of [action.at.getTime() - doneAt, action.skew + ahead]) expect(Math.abs(off)).toBeLessThanOrEqual(took)
    const places = await rows(
      `select "deviceTime" as at, "clockSkewMs"::float8 as skew, "flags" from user_position where "userId" = $1 order by "deviceTime"`,
      [client.user.id],
    )
    expect(places.map(({ at }) => Math.round((Date.now() - at.getTime()) / minute))).toEqual([20, 5, 4, 3])
    for (const { skew, flags } of places) expect([Math.round((skew + ahead) / minute), flags]).toEqual([0, ['clock_skew']])
    const { body } = await manager.get<{ agentActions: { Id: string; at: string; deviceTime: string }[] }>('/api/agent/actions')
    const shown = body.data.agentActions.find(({ Id }) => Id === start.Id)
    expect([Date.parse(shown?.at ?? ''), Date.parse(shown?.deviceTime ?? '')]).toEqual([action.at.getTime(), doneAt + ahead])
  })

  it('a clock that nobody can mean is refused', async () => {
    const clock = { skewMs: 1e15, heardAt: iso(Date.now()) }
    const { status } = await device.client.post('/api/usertracking', { positions: [{ ...here({ doneAt: Date.now(), ahead: 0 }), clock }] })
    expect(status).toBe(422)
  })
})

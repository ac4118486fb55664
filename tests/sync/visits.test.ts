import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let manager: SignedInClient
let statusIds: Record<string, string>

const rows = async (text: string, values: unknown[]) => (await world.app.database.admin.query(text, values)).rows

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
  await world.app.database.admin.query(
    `
    insert into activity_status ("companyId", "id", "tenantId", "name", "meaning", "default", "position")
    select $1, gen_random_uuid(), $1, initcap(m), m, m = 'open', n from unnest(array['open', 'started', 'done', 'missed', 'cancelled']) with ordinality s(m, n)`,
    [world.company.id],
  )
  const { body } = await manager.get('/api/activities/statuses')
  statusIds = Object.fromEntries(
    (body.data as { activityStatuses: { Id: string; meaning: string }[] }).activityStatuses.map(({ Id, meaning }) => [meaning, Id]),
  )
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

async function planned(agents = [device.client.user.id], name = 'Visit Gikomba'): Promise<string> {
  const { body, status, text } = await manager.post('/api/activities', {
    name,
    startDate: new Date().toISOString(),
    endDate: new Date(Date.now() + 3_600_000).toISOString(),
    assignedUsers: agents,
    lat: -1.2921,
    lng: 36.8219,
  })
  if (status !== 200) throw new Error(text)
  return (body.data as { activity: { Id: string } }).activity.Id
}

const here = (minutesAgo = 0) => ({
  latitude: -1.2922,
  longitude: 36.8218,
  accuracy: 12,
  source: 'live',
  deviceTime: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
})
const visit = (by: Device, activityId: string, meaning: string, more: object = {}): ChangeRecord =>
  by.update(
    activityId,
    1,
    { visit: [null, { statusId: statusIds[meaning], gps: true, location: here(), ...more }] },
    { entityType: 'activity' },
  )
const statusOf = async (id: string) =>
  (
    await rows(
      'select s."meaning" from activity_assignment a join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId" where a."activityId" = $1',
      [id],
    )
  )[0]?.meaning

describe('a visit kept on a device', () => {
  it('is pulled, and ends where the call ends: agent, activity, log, place, once however often it arrives', async () => {
    const id = await planned()
    const held = (await device.pull()).changes.find((change) => change.id === id)
    expect(held).toMatchObject({ t: 'activity', op: 'put', data: { name: 'Visit Gikomba' } })
    await world.app.database.admin.query(
      `update activity_assignment set "dateCreated" = now() - interval '1 day' where "activityId" = $1`,
      [id],
    )
    const doneAt = new Date(Date.now() - 90 * 60_000).toISOString()
    const change = visit(device, id, 'done', { reason: 'Papers collected', deviceTime: doneAt, location: here(90) })
    const answers = await Promise.all(Array.from({ length: 4 }, () => device.push([change])))
    const all = answers.map(({ results: [result] }) => result)
    expect(all.filter((result) => result?.status === 'applied')).toHaveLength(1)
    expect(all.filter((result) => result?.status === 'duplicate' && result.first === 'applied')).toHaveLength(3)
    const applied = all.find((result) => result?.status === 'applied')
    expect(applied?.fields).toMatchObject({ Id: id, meaning: 'done', statusReason: 'Papers collected' })
    expect(applied?.version).toBe(Number(applied?.fields?.version))
    const [assignment] = await rows('select * from activity_assignment where "activityId" = $1', [id])
    expect(assignment).toMatchObject({ statusId: statusIds.done, statusReason: 'Papers collected', isOutOfRange: false })
    expect(new Date(assignment.statusDateCreated).toISOString()).toBe(doneAt)
    expect(await rows('select "meaning" from record_move where "objectId" = $1 and "partId" is not null', [id])).toEqual([
      { meaning: 'done' },
    ])
    expect(await rows('select "source", "userId" from user_position where "entityId" = $1', [id])).toEqual([
      { source: 'live', userId: device.client.user.id },
    ])
    expect((await manager.get(`/api/activities/${id}`)).body.data).toMatchObject({ activity: { meaning: 'done' } })
  })

  it('of work that its agent planned without naming anybody: it is on the device as the agent’s own', async () => {
    const { body } = await device.client.post('/api/activities', {
      name: 'My own',
      startDate: new Date().toISOString(),
      endDate: new Date(Date.now() + 3_600_000).toISOString(),
      assignedUsers: [],
    })
    const { Id } = (body.data as { activity: { Id: string } }).activity
    const held = (await device.pull()).changes.find((change) => change.id === Id)
    expect(held).toMatchObject({ data: { assignedUsers: [{ Id: device.client.user.id }] } })
    expect((await device.push([visit(device, Id, 'done')])).results).toMatchObject([{ status: 'applied' }])
  })

  it('follows the one before it in the same batch', async () => {
    const id = await planned()
    const { results } = await device.push([visit(device, id, 'started'), visit(device, id, 'done')])
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied'])
    expect(
      (await rows('select "meaning" from record_move where "objectId" = $1 and "partId" is not null order by "dateCreated", "id"', [id]))
        .map((row) => row.meaning)
        .toSorted(),
    ).toEqual(['done', 'started'])
  })

  it('begins when the one before has ended: a day of visits in one batch, in the order in which they were made', async () => {
    const [first, second, third] = [
      await planned(undefined, 'Stop 1'),
      await planned(undefined, 'Stop 2'),
      await planned(undefined, 'Stop 3'),
    ]
    const { results } = await device.push([
      visit(device, first, 'started'),
      visit(device, first, 'done'),
      visit(device, second, 'started'),
      visit(device, second, 'done'),
      visit(device, third, 'started'),
    ])
    expect(results.map(({ status, message }) => message ?? status)).toEqual(Array.from({ length: 5 }, () => 'applied'))
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual(['done', 'done', 'started'])
    await device.push([visit(device, third, 'done')])
  })

  it('is refused for good where the call would be: a closed one, a second one, another’s, a removed one', async () => {
    const [closed, running, second, others, gone] = [
      await planned(),
      await planned(undefined, 'The first'),
      await planned(),
      await planned([manager.user.id]),
      await planned(),
    ]
    await device.push([visit(device, closed, 'done')])
    await device.push([visit(device, running, 'started')])
    await manager.post('/api/activities/delete', { ids: [gone] })
    const { results } = await device.push([
      visit(device, closed, 'started'),
      visit(device, second, 'started'),
      visit(device, others, 'done'),
      visit(device, gone, 'done'),
      visit(device, second, 'done', { statusId: 'nothing' }),
      visit(device, second, 'done', { statusId: randomUUID() }),
    ])
    expect(results).toMatchObject([
      { status: 'rejected', code: 'STATUS' },
      { status: 'rejected', code: 'STATUS', message: '“The first” is still in progress. Finish it first.' },
      { status: 'rejected', code: 'FORBIDDEN', message: 'This activity was given to somebody else.' },
      { status: 'rejected', code: 'GONE' },
      { status: 'rejected', code: 'VALIDATION' },
      { status: 'rejected' },
    ])
    expect([await statusOf(closed), (await statusOf(second)) ?? 'open', (await statusOf(others)) ?? 'open']).toEqual([
      'done',
      'open',
      'open',
    ])
    const { rowCount } = await world.app.database.admin.query('select from user_position where "entityId" = any($1)', [
      [second, others, gone],
    ])
    expect(rowCount).toBe(0)
    await device.push([visit(device, running, 'done')])
  })

  it('leaves nothing behind when its last part is refused', async () => {
    const [id, next] = [await planned(), await planned()]
    const { results } = await device.push([
      visit(device, id, 'done', { location: { ...here(), deviceTime: '2025-01-01T08:00:00.000Z' } }),
      visit(device, next, 'done'),
    ])
    expect(results).toMatchObject([{ status: 'rejected', code: 'VALIDATION' }, { status: 'applied' }])
    expect([(await statusOf(id)) ?? 'open', await statusOf(next)]).toEqual(['open', 'done'])
    expect(await rows('select from record_move where "objectId" = $1 and "meaning" = $2', [id, 'done'])).toEqual([])
  })

  it('of two devices counts as it arrives: what is closed stays closed', async () => {
    const tablet = { ...device, id: randomUUID() }
    const id = await planned()
    const [first, late] = [
      visit(device, id, 'done'),
      tablet.update(
        id,
        1,
        { visit: [null, { statusId: statusIds.missed, reason: 'Nobody there' }] },
        { entityType: 'activity', deviceId: tablet.id },
      ),
    ]
    expect((await device.push([first])).results[0]?.status).toBe('applied')
    expect((await tablet.push([late])).results[0]).toMatchObject({ status: 'rejected', code: 'STATUS', fields: { meaning: 'done' } })
    const { changes } = await tablet.pull()
    expect(changes.find((change) => change.id === id)?.data).toMatchObject({ meaning: 'done' })
  })

  it('travels alone: an edit goes as one of its own; and asks for the permission of the call', async () => {
    const id = await planned()
    const edit = device.update(id, 1, { name: ['Visit Gikomba', 'Mine'] }, { entityType: 'activity' })
    const both = device.update(
      id,
      1,
      { name: ['Mine', 'Also mine'], visit: [null, { statusId: statusIds.done }] },
      { entityType: 'activity' },
    )
    expect((await device.push([edit, both])).results).toMatchObject([
      { status: 'applied', fields: { name: 'Mine' } },
      { status: 'rejected', code: 'VALIDATION' },
    ])
    const reader = await world.app.as(
      await world.app.make.user({
        tenant: world.branch,
        role: await world.app.make.role({
          company: world.company,
          name: 'Reader',
          permissions: ['SALES', 'SALES/ACTIVITIES', 'SALES/ACTIVITIES/ACTIVITIES'],
        }),
      }),
    )
    const own = await planned([reader.user.id])
    const { body } = await reader.post('/api/sync/push', {
      protocol: 1,
      deviceId: device.id,
      clientNow: new Date().toISOString(),
      pendingCount: 1,
      oldestPendingAt: null,
      persisted: true,
      maxClientSeq: 99,
      changes: [{ ...visit(device, own, 'done'), userId: reader.user.id }],
    })
    expect(body).toMatchObject({ results: [{ status: 'rejected', code: 'FORBIDDEN', message: 'You may not do this any more.' }] })
    expect((await rows('select "name" from activity where "id" = $1', [id]))[0]?.name).toBe('Mine')
  })
})

describe('a status of the whole kept on a device', () => {
  const moved = (by: Device, activityId: string, meaning: string, more: object = {}): ChangeRecord =>
    by.update(
      activityId,
      1,
      { move: [null, { statusId: statusIds[meaning], shows: { statusId: statusIds[meaning] }, words: meaning, ...more }] },
      { entityType: 'activity' },
    )

  it('ends where the call ends, once; what may not follow is refused with the reason, and nothing else is taken along', async () => {
    const office = await world.device()
    const planner = { ...office, client: manager }
    const [id, closed] = [await planned(), await planned()]
    const send = async (...changes: ChangeRecord[]) => {
      const { body } = await manager.post('/api/sync/push', {
        protocol: 1,
        deviceId: office.id,
        clientNow: new Date().toISOString(),
        pendingCount: changes.length,
        oldestPendingAt: null,
        persisted: true,
        maxClientSeq: 999,
        changes: changes.map((change) => ({ ...change, userId: manager.user.id })),
      })
      return (body as unknown as { results: { status: string; code?: string; message?: string; fields?: object }[] }).results
    }
    const change = moved(planner, id, 'missed', { reason: 'Market closed' })
    expect((await send(change))[0]).toMatchObject({ status: 'applied', fields: { meaning: 'missed', statusReason: 'Market closed' } })
    expect((await send(change))[0]).toMatchObject({ status: 'duplicate', first: 'applied' })
    expect(await statusOf(id)).toBe('missed')
    await device.push([visit(device, closed, 'done')])
    const edit = planner.update(id, 1, { statusId: [null, statusIds.open] }, { entityType: 'activity' })
    expect(await send(moved(planner, closed, 'missed'), moved(planner, id, 'nothing'), edit)).toMatchObject([
      { status: 'rejected', code: 'STATUS', message: 'The activity is Done and cannot become Missed.' },
      { status: 'rejected', code: 'VALIDATION' },
      { status: 'rejected', code: 'VALIDATION' },
    ])
    expect([await statusOf(id), await statusOf(closed)]).toEqual(['missed', 'done'])
  })
})

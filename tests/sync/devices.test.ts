import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChangeRecord, PushRequest } from '@outpost/contract/sync/protocol'
import { syncWorld, person, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
beforeAll(async () => {
  world = await syncWorld()
})
afterAll(() => world.app.close())

interface Row {
  deviceId: string
  pendingCount: number
  pendingFiles: number
  state: string
  oldestPendingAt: string | null
  lossSuspectedAt: string | null
  lostCount: number
  lostFiles: number
  why: string
}

/** What a device reports; `at` is its clock in seconds. */
const request = (device: Device, over: Partial<PushRequest> & { at?: number }): PushRequest => {
  const { at = 0, ...rest } = over
  return {
    protocol: 1,
    deviceId: device.id,
    clientNow: new Date(Date.UTC(2026, 10, 22) + at * 1_000).toISOString(),
    pendingCount: 0,
    oldestPendingAt: '2026-11-22T06:00:00.000Z',
    persisted: false,
    maxClientSeq: 0,
    changes: [],
    ...rest,
  }
}

async function send(device: Device, body: PushRequest, cookie?: string): Promise<string | undefined> {
  const answer = await device.client.post('/api/sync/push', body, cookie ? { cookie: `outpost-store=${cookie}` } : {})
  expect(answer.status).toBe(200)
  return answer.cookies['outpost-store']
}

async function seen(device: Device): Promise<Row | undefined> {
  const manager = await world.device('branch')
  const { body } = await manager.client.get<{ devices: Row[] }>('/api/sync/devices')
  return body.data.devices.find(({ deviceId }) => deviceId === device.id)
}

/** Everything that rang for the manager. */
async function bell(manager: Device): Promise<string[]> {
  const { rows } = await world.app.database.admin.query<{ message: string }>(
    'select message from notification where "userId" = $1 order by "dateCreated"',
    [manager.client.user.id],
  )
  return rows.map(({ message }) => message)
}

describe('what the office knows of a device', () => {
  it('is what is left after the push, so that a device whose changes were all taken holds nothing', async () => {
    const device = await world.device()
    const changes = [device.insert(person()), device.insert(person()), device.insert(person(), { deps: [randomUUID()] })]
    await send(device, request(device, { pendingCount: 5, maxClientSeq: 5, changes }))
    expect(await seen(device)).toMatchObject({ pendingCount: 3, oldestPendingAt: '2026-11-22T06:00:00.000Z' })
    await send(device, request(device, { pendingCount: 2, maxClientSeq: 7, changes: [device.insert(person()), device.insert(person())] }))
    expect(await seen(device)).toMatchObject({ pendingCount: 0, oldestPendingAt: null })
  })

  it('is why work waits: the device’s own words, that nobody heard of it since, that its person has to decide', async () => {
    const device = await world.device()
    const waiting = { pendingCount: 2, oldestPendingAt: '2026-11-22T06:00:00.000Z' }
    await send(device, request(device, { ...waiting, at: 1, lastError: '1 photo could not be sent.', attentionCount: 1 }))
    expect((await seen(device))?.why).toBe('1 photo could not be sent. Its person has to decide.')
    await send(device, request(device, { ...waiting, at: 2 }))
    expect((await seen(device))?.why).toBe('Being sent.')
    await world.app.database.admin.query(`update sync_device set "lastSeen" = now() - interval '2 hours' where "deviceId" = $1`, [
      device.id,
    ])
    expect((await seen(device))?.why).toBe('Not heard of since.')
    await send(device, request(device, { at: 3, oldestPendingAt: null, lastError: 'An old failure.' }))
    expect((await seen(device))?.why).toBe('')
  })

  it('is that photos wait, also when every change was taken, since when and why', async () => {
    const device = await world.device()
    const photos = { pendingFiles: 40, maxClientSeq: 1, lastError: '40 photos could not be sent.' }
    await send(device, request(device, { ...photos, at: 1, pendingCount: 1, changes: [device.insert(person())] }))
    const waiting = { pendingCount: 0, pendingFiles: 40, state: 'unsent', oldestPendingAt: '2026-11-22T06:00:00.000Z' }
    expect(await seen(device)).toMatchObject({ ...waiting, why: '40 photos could not be sent.' })
    await world.app.database.admin.query(`update sync_device set "lastSeen" = now() - interval '3 days' where "deviceId" = $1`, [device.id])
    expect(await seen(device)).toMatchObject({ state: 'silent', why: 'Not heard of since. 40 photos could not be sent.' })
    await send(device, request(device, { at: 2, pendingFiles: 0, maxClientSeq: 1 }))
    expect(await seen(device)).toMatchObject({ pendingFiles: 0, state: 'sent', oldestPendingAt: null, why: '' })
  })

  it('is not set back by a late copy of an older request, and no bell rings', async () => {
    const [device, manager] = [await world.device(), await world.device('branch')]
    const storeId = randomUUID()
    const late = request(device, {
      at: 1,
      storeId,
      pendingCount: 2,
      maxClientSeq: 2,
      changes: [device.insert(person()), device.insert(person())],
    })
    await send(device, late)
    await send(device, request(device, { at: 2, storeId, pendingCount: 0, maxClientSeq: 9 }))
    await send(device, late)
    await send(device, request(device, { at: 0, storeId, pendingCount: 4, maxClientSeq: 9 }))
    // A program of before, which names no store.
    const old = await world.device()
    const copy = request(old, { pendingCount: 1, maxClientSeq: 1, changes: [old.insert(person())] })
    await send(old, copy)
    await send(old, request(old, { pendingCount: 1, maxClientSeq: 2, changes: [old.insert(person())] }))
    await send(old, copy)
    for (const one of [device, old]) expect(await seen(one)).toMatchObject({ pendingCount: 0, lossSuspectedAt: null, lostCount: 0 })
    expect(await bell(manager)).toEqual([])
  })
})

describe('a device that came back empty (sync fault 18)', () => {
  it('with a new store rings once, and says how many changes it had announced', async () => {
    const [device, manager] = [await world.device(), await world.device('branch')]
    const waiting: ChangeRecord[] = [device.insert(person(), { deps: [randomUUID()] })]
    await send(device, request(device, { at: 1, storeId: randomUUID(), pendingCount: 3, maxClientSeq: 3, changes: waiting }))
    const storeId = randomUUID()
    // More was written in the new store than the old one ever numbered.
    await send(device, request(device, { at: 2, storeId, pendingCount: 1, maxClientSeq: 8, changes: [device.insert(person())] }))
    await send(device, request(device, { at: 3, storeId, maxClientSeq: 8 }))
    expect(await seen(device)).toMatchObject({ pendingCount: 0, lostCount: 3, lossSuspectedAt: expect.any(String) })
    const { firstName, lastName } = await nameOf(device)
    expect(await bell(manager)).toEqual([
      `The device of ${firstName} ${lastName} came back empty and may have lost unsent work: 3 changes were announced`,
    ])
    // It leads to that device.
    const { rows } = await world.app.database.admin.query(
      `select n."link", d."deviceId" from notification n join sync_device d on n."link" = '/admin/work-devices/' || d."id" || '/view' where n."userId" = $1`,
      [manager.client.user.id],
    )
    expect(rows).toEqual([{ link: expect.any(String) as string, deviceId: device.id }])
  })

  it('as a new device is known by its cookie; others who worked on it are notified as well', async () => {
    const [one, two] = [await world.device(), await world.device()]
    const browser = { ...two, id: one.id }
    const cookie = await send(one, request(one, { storeId: randomUUID(), pendingCount: 2, maxClientSeq: 2 }))
    expect(cookie).toBe(one.id)
    expect(await send(browser, request(browser, { storeId: randomUUID(), pendingCount: 1, maxClientSeq: 1 }), cookie)).toBeUndefined()
    const manager = await world.device('branch')
    const fresh = { ...one, id: randomUUID() }
    expect(await send(fresh, request(fresh, { storeId: randomUUID() }), cookie)).toBe(fresh.id)
    await send(fresh, request(fresh, { at: 1, storeId: randomUUID() }), fresh.id)
    expect(await seen(one)).toMatchObject({ pendingCount: 0, lossSuspectedAt: expect.any(String) })
    const rang = await bell(manager)
    expect(rang).toHaveLength(2)
    expect(rang.join()).toContain('2 changes were announced')
    expect(rang.join()).toContain('1 change was announced')
  })

  it('rings for photos that were announced as well, with a new store and as a new device', async () => {
    const [device, other, manager] = [await world.device(), await world.device(), await world.device('branch')]
    await send(device, request(device, { at: 1, storeId: randomUUID(), pendingFiles: 2, maxClientSeq: 3 }))
    await send(device, request(device, { at: 2, storeId: randomUUID(), maxClientSeq: 3 }))
    expect(await seen(device)).toMatchObject({ pendingFiles: 0, lostCount: 0, lostFiles: 2, state: 'lost' })
    await send(other, request(other, { storeId: randomUUID(), pendingCount: 1, pendingFiles: 1, maxClientSeq: 1 }))
    const fresh = { ...other, id: randomUUID() }
    await send(fresh, request(fresh, { storeId: randomUUID() }), other.id)
    expect(await seen(other)).toMatchObject({ pendingCount: 0, pendingFiles: 0, lostCount: 1, lostFiles: 1 })
    const rang = (await bell(manager)).join()
    expect(rang).toContain('unsent work: 2 photos were announced')
    expect(rang).toContain('unsent work: 1 change and 1 photo were announced')
  })

  it('rings for nobody when nothing was announced', async () => {
    const [device, manager] = [await world.device(), await world.device('branch')]
    await send(device, request(device, { at: 1, storeId: randomUUID(), maxClientSeq: 40 }))
    await send(device, request(device, { at: 2, storeId: randomUUID() }))
    expect(await bell(manager)).toEqual([])
  })
})

async function nameOf({ client }: Device): Promise<{ firstName: string; lastName: string }> {
  const { rows } = await world.app.database.admin.query<{ firstName: string; lastName: string }>(
    'select "firstName", "lastName" from app_user where id = $1',
    [client.user.id],
  )
  return rows[0] ?? { firstName: '', lastName: '' }
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkStream, person, syncWorld, type SyncWorld } from './world.ts'

let world: SyncWorld
beforeAll(async () => {
  world = await syncWorld()
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('what a device hears', () => {
  it('is what others changed in its reach since its cursor, each row once', async () => {
    const [one, two, far] = [await world.device(), await world.device(), await world.device('officer', world.sibling)]
    const start = await two.pull()
    const insert = one.insert(person({ city: 'Thika' }))
    await one.push([insert])
    await one.push([one.update(insert.entityId, 1, { city: ['Thika', 'Nakuru'] })])
    const next = await two.pull(start.cursor)
    expect(next.changes.filter(({ id }) => id === insert.entityId)).toMatchObject([
      { t: 'lead', op: 'put', version: 2, data: { city: 'Nakuru' } },
    ])
    expect((await two.pull(next.cursor)).changes).toEqual([])
    expect((await far.pull()).changes.map(({ id }) => id)).not.toContain(insert.entityId)
  })

  it('is the same as a list would show, byte for byte', async () => {
    const device = await world.device()
    const insert = device.insert(person())
    await device.push([insert])
    const pulled = (await device.pull()).changes.find(({ id }) => id === insert.entityId)
    const { body } = await device.client.get<{ lead: object }>(`/api/leads/${insert.entityId}`)
    expect(pulled?.data).toEqual(body.data.lead)
  })

  it('says gone for a removed row, and for one that moved to another branch', async () => {
    const device = await world.device()
    const far = await world.device('officer', world.sibling)
    const manager = await world.device('branch')
    const [removed, moved] = [device.insert(person()), device.insert(person())]
    await device.push([removed, moved])
    const [near, there] = [await device.pull(), await far.pull()]
    await manager.push([manager.change({ changeType: 'DELETE', entityId: removed.entityId, version: 1 })])
    const { withStream } = await import('../../apps/server/src/kernel/sync/stream.ts')
    const { updateRecord } = await import('../../apps/server/src/kernel/resource/records.ts')
    const { lead } = await import('../../apps/server/src/areas/leads/index.ts')
    const { makeJobCtx } = await import('../../apps/server/src/kernel/session/jobs.ts')
    await withStream(await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null }), (ctx) =>
      updateRecord(ctx, lead, moved.entityId, { tenantId: world.sibling.id }),
    )
    const ops = (await device.pull(near.cursor)).changes.map(({ id, op }) => [id, op])
    expect(ops).toContainEqual([removed.entityId, 'gone'])
    expect(ops).toContainEqual([moved.entityId, 'gone'])
    expect((await far.pull(there.cursor)).changes.map(({ id, op }) => [id, op])).toContainEqual([moved.entityId, 'put'])
  })

  it('starts anew when rights or reach changed, and refuses a cursor it did not write', async () => {
    const device = await world.device()
    const { cursor } = await device.pull()
    const before = await device.pull(cursor)
    expect(before.reset).toBeUndefined()
    await world.app.make.row('user_permission', {
      companyId: world.company.id,
      userId: device.client.user.id,
      hierarchy: 'SALES/LEADS/DELETE',
    })
    world.app.services.changed({ companyId: world.company.id, userId: device.client.user.id })
    expect((await device.pull(cursor)).reset).toBe('scope')
    expect((await device.client.get('/api/sync/pull?cursor=garbage')).body.fields?.[0]?.field).toBe('cursor')
  })
})

describe('a device that comes back', () => {
  it('with less than it had reported raises a suspicion, and the managers hear of it', async () => {
    const device = await world.device()
    const manager = await world.device('branch')
    const report = (maxClientSeq: number) =>
      device.client.post('/api/sync/push', {
        protocol: 1,
        deviceId: device.id,
        clientNow: new Date(Date.now() - 86_400_000).toISOString(),
        pendingCount: 3,
        oldestPendingAt: new Date().toISOString(),
        persisted: false,
        maxClientSeq,
        changes: [],
      })
    expect((await report(40)).status).toBe(200)
    expect((await report(2)).status).toBe(200)
    const { body } = await manager.client.get<{ devices: { deviceId: string; lossSuspectedAt: string | null; clockSkewMs: number }[] }>(
      '/api/sync/devices',
    )
    const seen = body.data.devices.find(({ deviceId }) => deviceId === device.id)
    expect(seen?.lossSuspectedAt).not.toBeNull()
    expect(Math.abs((seen?.clockSkewMs ?? 0) - 86_400_000)).toBeLessThan(5_000)
    const { rows } = await world.app.database.admin.query('select message from notification where "userId" = $1', [manager.client.user.id])
    expect(rows.map(({ message }) => message).join()).toContain('may have lost unsent work')
  })
})

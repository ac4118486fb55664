import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkStream, newPhone, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
const leadOf = async (id: string) => (await world.app.database.admin.query('select * from lead where id = $1', [id])).rows[0]

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('a change of a device', () => {
  it('makes the same lead as the call would, under the device’s id', async () => {
    const change = device.insert(person({ status: 'Converted', consentStatus: 'GRANTED', source: 'UI' }))
    const {
      results: [result],
    } = await device.push([change])
    expect(result).toMatchObject({ changeId: change.changeId, status: 'applied', version: 1 })
    expect(result?.fields).toMatchObject({
      Id: change.entityId,
      status: 'New',
      consentStatus: 'NONE PROVIDED',
      createdByUserId: device.client.user.id,
      tenantId: world.branch.id,
    })
    expect(result?.seq).toBeGreaterThan(0)
  })

  it('has its effect once, however often it arrives (sync faults 3 and 4)', async () => {
    const change = device.insert(person())
    const [first, ...again] = await Promise.all(Array.from({ length: 6 }, () => device.push([change])))
    const all = [first, ...again].map((answer) => answer?.results[0])
    expect(all.filter((result) => result?.status === 'applied')).toHaveLength(1)
    expect(all.filter((result) => result?.status === 'duplicate' && result.first === 'applied')).toHaveLength(5)
    expect(Number((await leadOf(change.entityId)).version)).toBe(1)
  })

  it('keeps the order of one entity inside a batch', async () => {
    const insert = device.insert(person({ city: 'Thika' }))
    const edits = [
      ['Thika', 'Nakuru'],
      ['Nakuru', 'Eldoret'],
    ].map(([old, mine]) => device.update(insert.entityId, 0, { city: [old, mine] }))
    const { results } = await device.push([insert, ...edits])
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied'])
    expect((await leadOf(insert.entityId)).city).toBe('Eldoret')
  })

  it('is final when an older request arrives after it (sync fault 5)', async () => {
    const insert = device.insert(person({ city: 'A' }))
    await device.push([insert])
    const older = device.update(insert.entityId, 1, { city: ['A', 'B'] })
    const newer = device.update(insert.entityId, 1, { city: ['B', 'C'] })
    await device.push([older, newer])
    expect((await device.push([older])).results[0]).toMatchObject({ status: 'duplicate', first: 'applied' })
    expect((await leadOf(insert.entityId)).city).toBe('C')
  })

  it.each([
    ['a status that cannot follow', 'STATUS', (id: string) => device.update(id, 1, { status: ['New', 'Approved'] })],
    ['a field of the office', 'FORBIDDEN', (id: string) => device.update(id, 1, { consentStatus: ['NONE PROVIDED', 'GRANTED'] })],
    ['a value no form would take', 'VALIDATION', (id: string) => device.update(id, 1, { emailAddress: [null, 'nobody'] })],
    ['a column that is no field', 'VALIDATION', (id: string) => device.update(id, 1, { companyId: [null, randomUUID()] })],
    ['a removal without the permission', 'FORBIDDEN', (id: string) => device.change({ changeType: 'DELETE', entityId: id, version: 1 })],
    ['the log of another user', 'FORBIDDEN', (id: string) => device.update(id, 1, { city: [null, 'X'] }, { userId: randomUUID() })],
    ['a tenant out of reach', 'FORBIDDEN', () => device.insert(person(), { tenantId: world.sibling.id })],
    ['a record that is not there', 'GONE', () => device.update(randomUUID(), 1, { city: [null, 'X'] })],
    ['a kind that is not synced', 'VALIDATION', () => device.insert({ name: 'x' }, { entityType: 'role' })],
  ])('is refused for good, with its envelope kept, for %s', async (_, code, make) => {
    const insert = device.insert(person())
    await device.push([insert])
    const change = make(insert.entityId)
    const {
      results: [result],
    } = await device.push([change])
    expect(result).toMatchObject({ status: 'rejected', code })
    expect((await device.push([change])).results[0]).toMatchObject({ status: 'duplicate', first: 'rejected', code })
    const { rows } = await world.app.database.admin.query('select envelope from sync_dead_letter where "changeId" = $1', [change.changeId])
    expect(rows[0]?.envelope).toMatchObject({ changeId: change.changeId, entityId: change.entityId })
  })

  it('follows the lifecycle offline too, with the same log', async () => {
    const insert = device.insert(person())
    await device.push([insert])
    expect((await device.push([device.update(insert.entityId, 1, { status: ['New', 'Contacted'] })])).results[0]?.status).toBe('applied')
    const { rows } = await world.app.database.admin.query('select "to" as "toStatus", "userId" from record_move where "objectId" = $1', [
      insert.entityId,
    ])
    expect(rows).toEqual([{ toStatus: 'Contacted', userId: device.client.user.id }])
  })

  it('waits for a parent that has not arrived, without a receipt', async () => {
    const parent = device.insert(person())
    const child = device.insert(person(), { deps: [parent.entityId] })
    expect((await device.push([child])).results[0]?.status).toBe('waiting')
    expect((await device.push([parent, child])).results.map(({ status }) => status)).toEqual(['applied', 'applied'])
  })

  it('waits as well when its parent is one that waits', async () => {
    const lost = randomUUID()
    const child = device.insert(person(), { deps: [lost] })
    const grandchild = device.insert(person(), { deps: [child.entityId] })
    expect((await device.push([child, grandchild])).results.map(({ status }) => status)).toEqual(['waiting', 'waiting'])
    expect(await leadOf(grandchild.entityId)).toBeUndefined()
  })

  it('finds its parent later in the batch, and two that hang on each other both arrive', async () => {
    const [parent, one, other] = [device.insert(person()), device.insert(person()), device.insert(person())]
    const child = device.insert(person(), { deps: [parent.entityId] })
    const circle = [
      { ...one, deps: [other.entityId] },
      { ...other, deps: [one.entityId] },
    ]
    const { results } = await device.push([child, device.update(child.entityId, 0, { city: [null, 'Thika'] }), parent, ...circle])
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'applied', 'applied'])
    expect((await leadOf(child.entityId)).city).toBe('Thika')
  })

  it('does not suffer from a bad neighbour', async () => {
    const good = [device.insert(person()), device.insert(person())]
    const bad = [
      { changeId: randomUUID(), nonsense: true },
      device.insert(person({ firstName: 'a\u0000b' })),
      device.insert({ firstName: 'OnlyAName' }),
    ]
    const { results } = await device.push([good[0], ...bad, good[1]])
    expect(results.map(({ status }) => status)).toEqual(['applied', 'rejected', 'rejected', 'rejected', 'applied'])
  })

  it('is not lost when one row of the batch breaks the set: the others are applied, that one errs alone', async () => {
    const taken = device.insert(person())
    await device.push([taken])
    // The same id from a branch that cannot see the row: only the primary key notices.
    const other = await world.device('officer', world.sibling)
    const { results } = await other.push([
      other.insert(person()),
      other.insert(person(), { entityId: taken.entityId }),
      other.insert(person()),
    ])
    expect(results.map(({ status }) => status)).toEqual(['applied', 'rejected', 'applied'])
  })
})

describe('two devices on one record (sync fault 12)', () => {
  it('keep both edits of different fields, and open one conflict with three values for the same field', async () => {
    const [one, two] = [await world.device(), await world.device()]
    const insert = one.insert(person({ city: 'Thika', employer: 'County' }))
    await one.push([insert])
    await one.push([one.update(insert.entityId, 1, { city: ['Thika', 'Nakuru'] })])
    const {
      results: [result],
    } = await two.push([two.update(insert.entityId, 1, { city: ['Thika', 'Kisumu'], employer: ['County', 'KRA'] })])
    expect(result).toMatchObject({ status: 'merged', conflicts: [{ field: 'city', base: 'Thika', mine: 'Kisumu', theirs: 'Nakuru' }] })
    expect(await leadOf(insert.entityId)).toMatchObject({ city: 'Nakuru', employer: 'KRA' })
    const { body } = await two.client.get<{ conflicts: { Id: string; field: string }[] }>('/api/sync/conflicts')
    const conflict = body.data.conflicts.find(({ field }) => field === 'city')
    expect((await two.client.post('/api/sync/conflicts/resolve', { id: conflict?.Id, resolution: 'mine' })).status).toBe(200)
    expect((await leadOf(insert.entityId)).city).toBe('Kisumu')
  })

  it('answer GONE to an edit of what another removed, and STALE_DELETE to a removal of what another edited', async () => {
    const manager = await world.device('branch')
    const insert = device.insert(person({ city: 'Thika' }))
    await device.push([insert])
    await device.push([device.update(insert.entityId, 1, { city: ['Thika', 'Nakuru'] })])
    expect(
      (await manager.push([manager.change({ changeType: 'DELETE', entityId: insert.entityId, version: 1 })])).results[0],
    ).toMatchObject({ status: 'rejected', code: 'STALE_DELETE' })
    expect((await manager.push([manager.change({ changeType: 'DELETE', entityId: insert.entityId, version: 2 })])).results[0]?.status).toBe(
      'applied',
    )
    expect((await device.push([device.update(insert.entityId, 2, { city: ['Nakuru', 'X'] })])).results[0]).toMatchObject({
      status: 'rejected',
      code: 'GONE',
    })
  })
})

describe('two officers with the same new lead (sync fault 13)', () => {
  it.each(['phone', 'e-mail up to case', 'both in one batch'])('leave exactly one, by %s; the other’s dependants wait', async (by) => {
    const [one, two] = [await world.device(), await world.device('officer', world.sibling)]
    const phone = newPhone()
    const first = one.insert(person(by === 'e-mail up to case' ? { emailAddress: `${phone}@x.org` } : { phonenumber: phone }))
    const second = two.insert(
      person(by === 'e-mail up to case' ? { emailAddress: `${phone}@X.ORG` } : { phonenumber: `+254${phone.slice(1)}` }),
    )
    if (by === 'both in one batch') {
      const twin = one.insert(person({ phonenumber: phone }))
      const { results } = await one.push([first, twin])
      expect(results).toMatchObject([{ status: 'applied' }, { status: 'rejected', code: 'DUPLICATE_LEAD', existingId: first.entityId }])
      return
    }
    await one.push([first])
    const child = two.insert(person(), { deps: [second.entityId] })
    const { results } = await two.push([second, child])
    expect(results).toMatchObject([
      { status: 'rejected', code: 'DUPLICATE_LEAD', message: 'Unable to create lead, lead already exists.' },
      { status: 'waiting' },
    ])
    expect(results[0]?.existingId).toBeUndefined()
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, makeDevice, person, syncWorld, type Device, type SyncWorld } from './world.ts'

interface Member {
  Id: string
  clientId: string
  role: string
}
interface Group {
  Id: string
  version: number
  name: string
  status: string
  meetingPlace: string | null
  memberCount: number
  nextMeetingAt: string | null
  members: Member[]
  [key: string]: unknown
}

let world: SyncWorld
let device: Device
let manager: SignedInClient
const entityType = 'clientGroup'
const members = (ids: readonly string[]): Member[] =>
  ids.map((clientId, place) => ({ Id: randomUUID(), clientId, role: place === 0 ? 'Chair' : 'Member' }))
const read = async (id: string) => (await manager.get<{ clientGroup: Group }>(`/api/client-groups/${id}`)).body.data.clientGroup
const put = (id: string, body: object) => manager.put(`/api/client-groups/${id}`, body)
const lettersOf = (changeId: string) =>
  world.app.database.admin.query('select reason from sync_dead_letter where "changeId" = $1', [changeId]).then(({ rows }) => rows)
const clients = (count: number, by: Device = device) => {
  const changes = Array.from({ length: count }, () => by.insert(person(), { entityType: 'client' }))
  return { changes, ids: changes.map(({ entityId }) => entityId) }
}
/** Clients that the office has. */
const known = async (count: number, by: Device = device) => {
  const { changes, ids } = clients(count, by)
  expect((await by.push(changes)).results.map(({ status }) => status)).toEqual(ids.map(() => 'applied'))
  return ids
}
const forming = (over: object, by: Device = device) => by.insert({ name: 'Umoja', minMembers: 2, maxMembers: 4, ...over }, { entityType })
/** A group that the device has formed, as the office has it. */
const formed = async (over: object = {}) => {
  const made = forming({ members: members(await known(2)), ...over })
  expect((await device.push([made])).results).toMatchObject([{ status: 'applied' }])
  return read(made.entityId)
}
const update = (before: Group, patch: object, by: Device = device) => by.update(before.Id, before.version, patch as never, { entityType })

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('a group of clients on a device', () => {
  it('is formed by an officer with clients captured on the same way, once however often it is sent', async () => {
    const { changes, ids } = clients(3)
    const own = members(ids)
    const made = { ...forming({ members: own, meetingStart: '2030-01-07T07:00:00.000Z', meetingRule: 'FREQ=WEEKLY' }), deps: ids }
    const pushes = await Promise.all(Array.from({ length: 5 }, () => device.push([made, ...changes])))
    expect(pushes.filter(({ results }) => results.every(({ status }) => status === 'applied'))).toHaveLength(1)
    const group = await read(made.entityId)
    expect(group).toMatchObject({ status: 'Forming', memberCount: 3, assignedUserId: device.client.user.id, tenantId: world.branch.id })
    expect(group.nextMeetingAt).toBe('2030-01-07T07:00:00.000Z')
    expect(group.members).toMatchObject(own)
    expect((await device.pull()).changes.filter(({ id }) => id === made.entityId)).toHaveLength(1)
  })

  it('merges members line by line: one more here, another office there, and asks where both changed one', async () => {
    const before = await formed()
    const [chair, second] = before.members as [Member, Member]
    const [third, fourth] = (await known(2)) as [string, string]
    await put(before.Id, {
      members: [chair, { Id: second.Id, role: 'Treasurer' }, { clientId: third, role: 'Member' }],
      meetingPlace: 'Church',
    })
    const mine = [...before.members, { Id: randomUUID(), clientId: fourth, role: 'Secretary' }]
    const added = update(before, { members: [before.members, mine], notes: [null, 'New'] })
    expect((await device.push([added])).results).toMatchObject([{ status: 'applied' }])
    const merged = await read(before.Id)
    expect(merged).toMatchObject({ meetingPlace: 'Church', notes: 'New', memberCount: 4 })
    expect(merged.members.map(({ clientId, role }) => [clientId, role]).toSorted()).toEqual(
      [
        [chair.clientId, 'Chair'],
        [second.clientId, 'Treasurer'],
        [third, 'Member'],
        [fourth, 'Secretary'],
      ].toSorted(),
    )
    const late = before.members.map((line) => (line.Id === second.Id ? { ...line, role: 'Secretary' } : line))
    expect((await device.push([update(before, { members: [before.members, late] })])).results).toMatchObject([
      { status: 'merged', conflicts: [{ field: 'members' }] },
    ])
    expect((await read(before.Id)).members.find(({ Id }) => Id === second.Id)?.role).toBe('Treasurer')
  })

  it('leaves meetings out on two phones at once, each its own', async () => {
    const before = await formed({ meetingStart: '2030-01-07T07:00:00.000Z', meetingRule: 'FREQ=WEEKLY' })
    const other = await world.device()
    const leaves = (by: Device, meetingOn: string) =>
      update(before, { meetingChanges: [[], [{ Id: randomUUID(), meetingOn, movedTo: null, reason: 'Rain' }]] }, by)
    expect((await device.push([leaves(device, '2030-01-07')])).results).toMatchObject([{ status: 'applied' }])
    expect((await other.push([leaves(other, '2030-01-14')])).results).toMatchObject([{ status: 'applied' }])
    expect((await other.push([leaves(other, '2030-01-15')])).results).toMatchObject([{ status: 'rejected', code: 'VALIDATION' }])
    expect(await read(before.Id)).toMatchObject({
      nextMeetingAt: '2030-01-21T07:00:00.000Z',
      meetingChanges: [{ meetingOn: '2030-01-07' }, { meetingOn: '2030-01-14' }],
    })
  })

  it('keeps the rules of the office: twice the same, two chairs, too many, in another group already, and what was refused is kept', async () => {
    const ids = await known(5)
    const [a = '', b = ''] = ids
    for (const [given, why] of [
      [members([a, a]), 'members.1.clientId'],
      [members([a, b]).map((line) => ({ ...line, role: 'Chair' })), 'members.1.role'],
      [members(ids), 'members: may be 4 at most'],
      [(await formed()).members.map((line) => ({ ...line, Id: randomUUID() })), 'is in another group already'],
    ] as const) {
      const change = forming({ members: given })
      const [result] = (await device.push([change])).results
      expect(result).toMatchObject({ status: 'rejected', code: 'VALIDATION' })
      expect(result?.message).toContain(why)
      expect(await lettersOf(change.changeId)).toHaveLength(1)
    }
    // Two devices put one client into two groups: the first holds.
    const other = await world.device()
    const both = [forming({ members: members([a, b]) }), forming({ members: members([b, a]) }, other)]
    const verdicts = await Promise.all([device.push(both.slice(0, 1)), other.push(both.slice(1))])
    expect(verdicts.flatMap(({ results }) => results.map(({ status }) => status)).toSorted()).toEqual(['applied', 'rejected'])
  })

  it('takes no clients beyond reach and of other companies, and is written by whom the role and the branch allow', async () => {
    const beside = await world.device('officer', world.sibling)
    const [far = ''] = await known(1, beside)
    const before = await formed()
    const stranger = await world.app.as(await world.app.make.user({ company: await world.app.make.company(), role: 'admin' }))
    const foreign = makeDevice(stranger, stranger.user.tenantId)
    const [theirs = ''] = await known(1, foreign)
    const [near = ''] = await known(1)
    for (const id of [far, theirs]) {
      const [result] = (await device.push([forming({ members: members([near, id]) })])).results
      expect(result).toMatchObject({ status: 'rejected' })
      expect(result?.message).toContain('members.1.clientId')
    }
    for (const by of [beside, foreign]) {
      expect((await by.push([update(before, { name: ['Umoja', 'Ours'] }, by)])).results).toMatchObject([{ status: 'rejected' }])
      expect((await by.pull()).changes.filter(({ id }) => id === before.Id)).toEqual([])
    }
    const role = await world.app.make.role({ company: world.company, name: 'No groups', permissions: ['CLIENTS', 'CLIENTS/EDIT'] })
    const without = makeDevice(await world.app.as(await world.app.make.user({ tenant: world.branch, roles: [role] })), world.branch.id)
    for (const change of [forming({}, without), update(before, { name: ['Umoja', 'Mine'] }, without)])
      expect((await without.push([change])).results).toMatchObject([{ status: 'rejected', code: 'FORBIDDEN' }])
    expect((await without.pull()).changes.filter(({ id }) => id === before.Id)).toEqual([])
    // An officer forms groups and does not delete them; what the office alone says stays.
    const gone = device.change({ changeType: 'DELETE', entityId: before.Id, entityType, version: before.version })
    expect((await device.push([gone])).results).toMatchObject([{ status: 'rejected', code: 'FORBIDDEN' }])
    for (const patch of [{ tenantId: [world.branch.id, world.sibling.id] }, { nextMeetingAt: [null, new Date().toISOString()] }])
      expect((await device.push([update(before, patch)])).results).toMatchObject([{ status: 'rejected' }])
    expect(await read(before.Id)).toMatchObject({ name: 'Umoja', tenantId: world.branch.id })
  })
})

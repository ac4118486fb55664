import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let manager: SignedInClient

const rows = async (text: string, values: unknown[]) => (await world.app.database.admin.query(text, values)).rows
const entityType = 'activity'
const soon = { startDate: '2026-11-24T08:00:00.000Z', endDate: '2026-11-24T09:00:00.000Z' }
const told = (userId: string) =>
  rows(`select "message" from notification where "userId" = $1 and "itemType" = 'Activity' order by "dateCreated"`, [userId])

interface ActivityRow {
  Id: string
  version: number
  name: string
  status: string
  location: string | null
  lat: number | null
  lng: number | null
  createdBy: string
  assignedUsers: { Id: string; label: string }[]
  leads: { Id: string; label: string }[]
}
const read = async (by: SignedInClient, id: string): Promise<ActivityRow> =>
  ((await by.get(`/api/activities/${id}`)).body.data as { activity: ActivityRow }).activity

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
  await rows(`update tenant set "location" = 'Kenyatta Avenue', "lat" = -1.28, "lng" = 36.82 where "id" = $1`, [world.branch.id])
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('an activity made on a device', () => {
  it('arrives once however often it is sent, after the lead it is about, as the maker’s own, at the tenant’s place', async () => {
    const lead = device.insert(person({ firstName: 'Achieng' }))
    const made = device.insert(
      { name: 'First talk', ...soon, status: 'PENDING', leads: [{ Id: lead.entityId, label: 'Achieng Mwangi' }] },
      { entityType, deps: [lead.entityId] },
    )
    const early = await device.push([made])
    expect(early.results).toMatchObject([{ status: 'waiting' }])
    const answers = await Promise.all(Array.from({ length: 5 }, () => device.push([made, lead])))
    expect(answers.flatMap(({ results }) => results.map(({ status }) => status)).toSorted()).toEqual([
      'applied',
      'applied',
      ...Array.from({ length: 8 }, () => 'duplicate'),
    ])
    expect(await rows(`select count(*)::int from activity where "name" = 'First talk'`, [])).toEqual([{ count: 1 }])
    expect(await read(device.client, made.entityId)).toMatchObject({
      status: 'PENDING',
      location: 'Kenyatta Avenue',
      lat: -1.28,
      lng: 36.82,
      assignedUsers: [{ Id: device.client.user.id }],
      leads: [{ Id: lead.entityId, label: 'Achieng Mwangi' }],
    })
  })

  it('notifies whom it is given to, and no one twice', async () => {
    const other = await world.app.as(await world.app.make.user({ role: 'officer', tenant: world.branch }))
    const made = device.insert({ name: 'Stock count', ...soon, assignedUsers: [other.user.id] }, { entityType })
    expect((await device.push([made])).results).toMatchObject([{ status: 'applied' }])
    const both = [{ Id: other.user.id }, { Id: device.client.user.id }]
    const grown = device.update(made.entityId, 1, { assignedUsers: [[{ Id: other.user.id }], both] }, { entityType })
    expect((await device.push([grown])).results).toMatchObject([{ status: 'applied' }])
    expect(await told(other.user.id)).toEqual([{ message: 'You were given “Stock count”' }])
    expect(await told(device.client.user.id)).toEqual([])
  })

  it('is refused with the field where it could not be made online either', async () => {
    const stranger = await world.app.make.company()
    const foreign = await world.app.make.user({ role: 'officer', tenant: await world.app.make.tenant({ company: stranger }) })
    const sent = [
      device.insert({ name: 'Backwards', startDate: soon.endDate, endDate: soon.startDate }, { entityType }),
      device.insert({ name: 'For a stranger', ...soon, assignedUsers: [foreign.id] }, { entityType }),
      device.insert({ name: 'About nobody', ...soon, leads: [randomUUID()] }, { entityType }),
      device.insert({ ...soon }, { entityType }),
      device.insert({ name: 'Elsewhere', ...soon }, { entityType, tenantId: world.sibling.id }),
    ]
    const { results } = await device.push(sent)
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      ['rejected', 'VALIDATION'],
      ['rejected', 'VALIDATION'],
      ['rejected', 'VALIDATION'],
      ['rejected', 'VALIDATION'],
      ['rejected', 'FORBIDDEN'],
    ])
    expect(results.map(({ message }) => message?.split(/[: ]/)[0])).toEqual(['endDate', 'assignedUsers', 'leads', 'name', 'You'])
    expect(await rows(`select from activity where "id" = any($1)`, [sent.map(({ entityId }) => entityId)])).toEqual([])
  })

  it('merges with what the office did meanwhile: sets by what was added and removed, a field that both changed asks (sync fault 12)', async () => {
    const [anna, brian] = [
      await world.app.make.user({ role: 'officer', tenant: world.branch }),
      await world.app.make.user({ role: 'officer', tenant: world.branch }),
    ]
    const mine = device.client.user.id
    const made = device.insert({ name: 'Group meeting', ...soon, assignedUsers: [mine, anna.id] }, { entityType })
    await device.push([made])
    const held = await read(device.client, made.entityId)
    await manager.put(`/api/activities/${held.Id}`, {
      version: held.version,
      name: 'Group meeting, Umoja',
      assignedUsers: [mine, anna.id, brian.id],
    })
    const edit = device.update(
      held.Id,
      held.version,
      {
        name: ['Group meeting', 'Group meeting, Kayole'],
        description: [null, 'Bring the books'],
        assignedUsers: [held.assignedUsers, held.assignedUsers.filter(({ Id }) => Id !== anna.id)],
      },
      { entityType },
    )
    expect((await device.push([edit])).results).toMatchObject([
      { status: 'merged', conflicts: [{ field: 'name', mine: 'Group meeting, Kayole', theirs: 'Group meeting, Umoja' }] },
    ])
    const after = await read(device.client, held.Id)
    expect(after).toMatchObject({ name: 'Group meeting, Umoja', description: 'Bring the books' })
    expect(after.assignedUsers.map(({ Id }) => Id).toSorted()).toEqual([mine, brian.id].toSorted())
  })
})

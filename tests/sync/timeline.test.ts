import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkStream, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let [device, manager]: Device[] = []
beforeAll(async () => {
  world = await syncWorld()
  ;[device, manager] = [await world.device(), await world.device('branch')]
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

interface Line {
  what: string
  detail: string | null
  who: string
}
const timelineOf = async (id: string) => (await manager!.client.get<{ timeline: Line[] }>(`/api/leads/${id}/timeline`)).body.data.timeline
const auditOf = async (id: string) =>
  (
    await world.app.database.admin.query(
      'select action, source, before, after, "userId", "realUserId", "requestId" from audit_log where "objectId" = $1 order by seq',
      [id],
    )
  ).rows

it('a lead captured offline has the timeline of one captured in the office: captured, its edits before and after, removed', async () => {
  const insert = device!.insert(person({ city: 'Thika' }))
  await device!.push([insert, device!.update(insert.entityId, 0, { city: ['Thika', 'Nakuru'] })])
  await device!.push([
    device!.update(insert.entityId, 2, { employer: [null, 'County'] }),
    device!.update(insert.entityId, 2, { city: ['Nakuru', 'Kisumu'] }),
  ])
  expect((await timelineOf(insert.entityId)).map(({ what, detail }) => [what, detail])).toEqual([
    ['Changed', 'Town: Nakuru → Kisumu'],
    ['Changed', 'Employer: empty → County'],
    ['Changed', 'Town: Thika → Nakuru'],
    ['Captured', null],
  ])
  await manager!.push([manager!.change({ changeType: 'DELETE', entityId: insert.entityId, version: 4 })])
  const audit = await auditOf(insert.entityId)
  expect(audit.map(({ action, source, userId }) => [action, source, userId])).toEqual([
    ...['create', 'update', 'update', 'update'].map((act) => [`lead.${act}`, 'sync', device!.client.user.id]),
    ['lead.remove', 'sync', manager!.client.user.id],
  ])
  expect(audit[0]?.after).toMatchObject({ Id: insert.entityId, city: 'Thika', status: 'New' })
  expect(audit[1]).toMatchObject({ before: { city: 'Thika' }, after: { city: 'Nakuru' } })
  expect(audit[4]?.before).toMatchObject({ city: 'Kisumu', employer: 'County' })
})

it('every record of a batch leaves a row of its own, and what was refused leaves none', async () => {
  const good = [person(), person({ city: 'Embu' }), person({ employer: 'KRA' })].map((snapshot) => device!.insert(snapshot))
  const twin = device!.insert(person({ phonenumber: good[0]?.snapshot?.['phonenumber'] }))
  const { results } = await device!.push([...good, twin])
  expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'rejected'])
  for (const { entityId } of good) expect((await auditOf(entityId)).map(({ action }) => action)).toEqual(['lead.create'])
  expect(await auditOf(twin.entityId)).toEqual([])
  const [first] = await auditOf(good[0]!.entityId)
  expect((await world.app.database.admin.query(`select from audit_log where "requestId" = $1`, [first?.requestId])).rowCount).toBe(3)
})

it('the office’s own edit is told apart by its door', async () => {
  const insert = device!.insert(person())
  await device!.push([insert])
  expect((await manager!.client.put(`/api/leads/${insert.entityId}`, { city: 'Meru' })).status).toBe(200)
  expect((await auditOf(insert.entityId)).map(({ action, source }) => [action, source])).toEqual([
    ['lead.create', 'sync'],
    ['lead.update', 'online'],
  ])
})

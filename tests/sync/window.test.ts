import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkStream, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

const dayMilliseconds = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMilliseconds).toISOString()
const planned = (days: number) => ({
  name: `${days} days ago`,
  startDate: daysAgo(days),
  endDate: new Date(Date.parse(daysAgo(days)) + 3_600_000).toISOString(),
})
const make = async (days: number) =>
  (await device.client.post<{ activity: { Id: string; version: number } }>('/api/activities', planned(days))).body.data.activity.Id

it('devices keep 90 days of what is over: older records never come, and go when they are touched or become old', async () => {
  const [fresh, old] = [await make(80), await make(100)]
  const task = device.insert({ title: 'Long done', priority: 'Normal' }, { entityType: 'task' })
  await device.push([task])
  const opsOf = (changes: { id: string; op: string }[], id: string) => changes.filter((change) => change.id === id).map(({ op }) => op)
  const first = await device.pull()
  expect([fresh, old, task.entityId].map((id) => opsOf(first.changes, id).includes('put'))).toEqual([true, false, true])

  // Both are moved to the other side of the border; an old one that is planned anew is work again.
  await device.client.put(`/api/activities/${fresh}`, planned(95))
  await device.client.put(`/api/activities/${old}`, planned(1))
  const next = await device.pull(first.cursor)
  expect([opsOf(next.changes, fresh), opsOf(next.changes, old)]).toEqual([['gone'], ['put']])

  // A task is over when it is completed, whenever it was made.
  const move = (id: string, version: number, name: string) =>
    device.push([device.update(id, version, { move: [null, { move: name }] }, { entityType: 'task' })])
  await move(task.entityId, 1, 'done')
  await world.app.database.admin.query(
    `begin; set local session_replication_role = 'replica'; update task set "completedAt" = now() - interval '91 days' where "id" = '${task.entityId}'; commit`,
  )
  const later = await device.pull(next.cursor)
  expect(opsOf(later.changes, task.entityId)).toEqual(['gone'])
  const { version } = (await device.client.get<{ task: { version: number } }>(`/api/tasks/${task.entityId}`)).body.data.task
  expect((await move(task.entityId, version, 'reopen')).results).toMatchObject([{ status: 'applied' }])
  expect(opsOf((await device.pull(later.cursor)).changes, task.entityId)).toEqual(['put'])
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, makeDevice, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let manager: SignedInClient
const entityType = 'task'

interface TaskRow {
  Id: string
  version: number
  title: string
  status: string
  taskNumber: string
  leadId: string | null
  completedAt: string | null
  assignedUsers: { Id: string }[]
}
const read = async (by: SignedInClient, id: string) => ((await by.get(`/api/tasks/${id}`)).body.data as { task: TaskRow }).task
const held = async (by: Device, type: string, cursor?: string) => {
  const { changes, ...rest } = await by.pull(cursor)
  return { ...rest, rows: changes.filter(({ t }) => t === type) }
}

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('a task on a device', () => {
  it('is made once however often it is sent, after the lead it is about, for its maker', async () => {
    const lead = device.insert(person({ firstName: 'Achieng' }))
    const made = device.insert(
      { title: 'Fetch the payslip', priority: 'High', leadId: lead.entityId },
      { entityType, deps: [lead.entityId] },
    )
    expect((await device.push([made])).results).toMatchObject([{ status: 'waiting' }])
    await Promise.all(Array.from({ length: 5 }, () => device.push([lead, made])))
    const { rows } = await world.app.database.admin.query(`select count(*)::int from task where "title" = 'Fetch the payslip'`)
    expect(rows).toEqual([{ count: 1 }])
    expect(await read(device.client, made.entityId)).toMatchObject({
      taskNumber: 'T-00001',
      status: 'Open',
      leadId: lead.entityId,
      assignedUsers: [{ Id: device.client.user.id }],
    })
  })

  it('is moved as a call of its own, once; an edit moves, numbers and completes nothing', async () => {
    const made = device.insert({ title: 'To be done', priority: 'Normal' }, { entityType })
    await device.push([made])
    const before = await read(device.client, made.entityId)
    const move = (value: object) => device.update(before.Id, before.version, { move: [null, value] }, { entityType })
    expect((await device.push([move({ move: 'reopen' })])).results).toMatchObject([{ status: 'rejected', code: 'STATUS' }])
    const sent = move({ move: 'done' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => device.push([sent])))
    expect(answers.flatMap(({ results }) => results.map(({ status }) => status)).toSorted()).toEqual([
      'applied',
      'duplicate',
      'duplicate',
      'duplicate',
      'duplicate',
    ])
    const done = await read(device.client, before.Id)
    expect([done.status, done.completedAt]).toEqual(['Done', expect.any(String)])
    for (const patch of [{ status: ['Done', 'Open'] }, { taskNumber: ['T-00002', 'T-00009'] }, { completedAt: [done.completedAt, null] }])
      expect((await device.push([device.update(before.Id, done.version, patch as never, { entityType })])).results).toMatchObject([
        { status: 'rejected' },
      ])
  })

  it('merges with what the office did: fields by themselves, people as added and removed, one conflict where both wrote', async () => {
    const mate = await world.app.make.user({ role: 'officer', tenant: world.branch })
    const made = device.insert({ title: 'Wrong name', priority: 'Normal' }, { entityType })
    await device.push([made])
    const before = await read(device.client, made.entityId)
    await manager.put(`/api/tasks/${before.Id}`, { version: before.version, title: 'Name is wrong', priority: 'High' })
    const edit = device.update(
      before.Id,
      before.version,
      { title: ['Wrong name', 'Wrong name on the card'], note: [null, 'Otieno'], assignedUsers: { add: [mate.id], remove: [] } },
      { entityType },
    )
    expect((await device.push([edit])).results).toMatchObject([{ status: 'merged', conflicts: [{ field: 'title' }] }])
    const after = await read(device.client, before.Id)
    expect(after).toMatchObject({ title: 'Name is wrong', priority: 'High', note: 'Otieno' })
    expect(after.assignedUsers.map(({ Id }) => Id).toSorted()).toEqual([device.client.user.id, mate.id].toSorted())
  })

  it('with a reminder that is past when it arrives is taken in and told, not refused', async () => {
    const made = device.insert(
      { title: 'Late news', priority: 'Normal', remindAt: new Date(Date.now() - 3_600_000).toISOString() },
      { entityType },
    )
    expect((await device.push([made])).results).toMatchObject([{ status: 'applied' }])
  })

  it('comes with each change to who sees it, and to nobody else; nothing of another company is named', async () => {
    const beside = await world.device('officer', world.sibling)
    const start = await held(device, 'task')
    const made = (await manager.post('/api/tasks', { title: 'From the office' })).body.data as { task: TaskRow }
    const next = await held(device, 'task', start.cursor)
    expect(next.rows).toMatchObject([{ id: made.task.Id, op: 'put', data: { title: 'From the office', status: 'Open' } }])
    expect((await held(beside, 'task')).rows).toEqual([])
    await manager.post('/api/tasks/delete', { ids: [made.task.Id] })
    expect((await held(device, 'task', next.cursor)).rows.find(({ id }) => id === made.task.Id)).toMatchObject({ op: 'gone' })
    const home = await world.app.make.tenant({ company: await world.app.make.company() })
    const stranger = await world.app.make.user({ role: 'officer', tenant: home })
    const { results } = await device.push([
      device.insert({ title: 'For their officer', priority: 'Normal', assignedUsers: [stranger.id] }, { entityType }),
      device.insert({ title: 'In their branch', priority: 'Normal' }, { entityType, tenantId: home.id }),
      device.insert({ title: 'Beside', priority: 'Normal' }, { entityType, tenantId: world.sibling.id }),
    ])
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      ['rejected', 'VALIDATION'],
      ['rejected', 'FORBIDDEN'],
      ['rejected', 'FORBIDDEN'],
    ])
  })
})

describe('a report category on a device', () => {
  const category = { entityType: 'reportCategory' }
  const one = async (by: SignedInClient, id: string) =>
    (
      (await by.get(`/api/report-categories/${id}`)).body.data as {
        reportCategory: { version: number; name: string; reports: string[]; roles: { Id: string }[] }
      }
    ).reportCategory

  it('is written by who works for the whole company, comes back, and who arrives last is right', async () => {
    const admin = await world.app.as(await world.app.make.user({ role: 'admin', company: world.company }))
    const [office, other] = [makeDevice(admin, world.company.id), makeDevice(admin, world.company.id)]
    const role = await world.app.make.role({ company: world.company, name: 'Reader', permissions: ['CRM/REPORTS'] })
    const made = office.insert({ name: 'Field', reports: ['userLoginReport'], roles: [] }, category)
    await Promise.all(Array.from({ length: 5 }, () => office.push([made])))
    const { version } = await one(admin, made.entityId)
    expect(version).toBe(1)
    const edit = (by: Device, patch: object) => by.update(made.entityId, version, patch as never, category)
    const first = await office.push([edit(office, { name: ['Field', 'From one'], roles: { add: [role.id], remove: [] } })])
    const second = await other.push([edit(other, { name: ['Field', 'From two'], reports: [['userLoginReport'], ['newUsersReport']] })])
    expect([first, second].map(({ results }) => results.map(({ status }) => status))).toEqual([['applied'], ['applied']])
    expect(await one(admin, made.entityId)).toMatchObject({ name: 'From two', reports: ['newUsersReport'], roles: [{ Id: role.id }] })
    expect((await held(office, 'reportCategory')).rows).toMatchObject([{ id: made.entityId, op: 'put', data: { name: 'From two' } }])
    const circle = office.update(made.entityId, 3, { parentCategoryId: [null, made.entityId] }, category)
    expect((await office.push([circle])).results).toMatchObject([{ status: 'rejected', code: 'VALIDATION' }])
  })

  it('is refused to a branch and to whoever may not, and comes to neither', async () => {
    const { results } = await device.push([device.insert({ name: 'Mine' }, category)])
    expect(results).toMatchObject([{ status: 'rejected', code: 'FORBIDDEN' }])
    expect((await held(device, 'reportCategory')).rows).toEqual([])
    const keeper = await world.app.make.role({
      company: world.company,
      name: 'Keeper',
      permissions: ['ADMIN/REPORTS', 'ADMIN/REPORTS/CREATE'],
    })
    const branch = makeDevice(await world.app.as(await world.app.make.user({ tenant: world.branch, role: keeper })), world.branch.id)
    expect((await branch.push([branch.insert({ name: 'Of a branch' }, category)])).results).toMatchObject([
      { status: 'rejected', code: 'FORBIDDEN' },
    ])
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let manager: SignedInClient
let stranger: SignedInClient
let leads: { Id: string; name: string }[]
const entityType = 'task'

interface View {
  key: string
  kind: string
  label: string
  options?: { value: string; label: string }[]
  reference?: { path: string }
}
type Shown = Record<string, unknown> & { Id: string; entityId: string; field: string; valueField?: View }
const rows = async (text: string, values: unknown[] = []) => (await world.app.database.admin.query(text, values)).rows
const conflictsOf = async (by: SignedInClient, entityId: string): Promise<Map<string, Shown>> => {
  const { conflicts } = (await by.get('/api/sync/conflicts')).body.data as { conflicts: Shown[] }
  return new Map(conflicts.filter((one) => one.entityId === entityId).map((one) => [one.field, one]))
}
const letterOf = async (changeId: string): Promise<string> => {
  const { deadLetters } = (await manager.get('/api/sync/dead-letters')).body.data as { deadLetters: { Id: string; changeId: string }[] }
  return deadLetters.find((one) => one.changeId === changeId)?.Id ?? ''
}
const formOf = async (by: SignedInClient, id: string) =>
  (await by.get(`/api/sync/dead-letters/${id}/form`)).body.data as { fields: View[]; record: Record<string, unknown> }
const replay = (by: SignedInClient, id: string, values: object) => by.post(`/api/sync/dead-letters/${id}/replay`, { values })

async function makeLead(firstName: string, by: Device = device) {
  const change = by.insert(person({ firstName }))
  await by.push([change])
  return { Id: change.entityId, name: `${firstName} Mwangi` }
}

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
  const company = await world.app.make.company()
  stranger = await world.app.as(await world.app.make.user({ role: 'admin', tenant: await world.app.make.tenant({ company }) }))
  leads = [await makeLead('Akinyi'), await makeLead('Baraka'), await makeLead('Chebet')]
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

/** A task whose lead, day and priority the office and a device changed otherwise. */
async function disputedTask(): Promise<string> {
  const [first, second, third] = leads.map(({ Id }) => Id)
  const days = ['2026-12-01T07:00:00.000Z', '2026-12-02T07:00:00.000Z', '2026-12-03T07:00:00.000Z'] as const
  const made = device.insert({ title: 'Disputed', priority: 'Normal', leadId: first, dueAt: days[0] }, { entityType })
  await device.push([made])
  await manager.put(`/api/tasks/${made.entityId}`, { leadId: second, priority: 'High', dueAt: days[1] })
  const edit = device.update(
    made.entityId,
    1,
    { leadId: [first, third], priority: ['Normal', 'Low'], dueAt: [days[0], days[2]] },
    { entityType },
  )
  expect((await device.push([edit])).results).toMatchObject([{ status: 'merged' }])
  return made.entityId
}

describe('a conflict', () => {
  it('shows each value as its record would: references by name, choices and days by the field that draws them', async () => {
    const found = await conflictsOf(manager, await disputedTask())
    expect(found.get('leadId')).toMatchObject({
      fieldLabel: 'Lead',
      valueField: { kind: 'reference', label: 'Lead' },
      base: leads[0]?.Id,
      baseLabel: leads[0]?.name,
      theirsLabel: leads[1]?.name,
      mineLabel: leads[2]?.name,
    })
    const priority = found.get('priority')
    expect(priority).toMatchObject({ base: 'Normal', theirs: 'High', mine: 'Low', valueField: { kind: 'choice' } })
    expect(priority?.valueField?.options?.map(({ value }) => value)).toContain('Low')
    expect(found.get('dueAt')).toMatchObject({ mine: '2026-12-03T07:00:00.000Z', valueField: { kind: 'dateTime' } })
  })

  it('names no record beyond the reach of who reads it, whatever a device sent', async () => {
    const id = await disputedTask()
    const beside = await makeLead('Hidden', await world.device('officer', world.sibling))
    const elsewhere = (await stranger.post('/api/leads', person({ firstName: 'Strange' }))).body.data as { lead: { Id: string } }
    await rows(`update sync_conflict set "mine" = $1, "base" = $2 where "entityId" = $3 and "field" = 'leadId'`, [
      JSON.stringify(beside.Id),
      JSON.stringify(elsewhere.lead.Id),
      id,
    ])
    const found = (await conflictsOf(manager, id)).get('leadId')
    expect(found).toMatchObject({ mine: beside.Id, mineLabel: null, baseLabel: null, theirsLabel: leads[1]?.name })
    expect(await conflictsOf(stranger, id)).toEqual(new Map())
  })

  it('shows values that are none of their field as they are', async () => {
    const id = await disputedTask()
    await rows(`update sync_conflict set "mine" = '"no id"', "base" = '[1, {"Id": null}]' where "entityId" = $1 and "field" = 'leadId'`, [
      id,
    ])
    expect((await conflictsOf(manager, id)).get('leadId')).toMatchObject({ mine: 'no id', mineLabel: null })
  })
})

/** A task about a lead of another branch, which is refused. */
async function refusedTask(over: object = {}) {
  const change = device.insert({ title: 'About nobody', priority: 'Normal', leadId: randomUUID(), ...over }, { entityType })
  expect((await device.push([change])).results).toMatchObject([{ status: 'rejected' }])
  return { ...change, letter: await letterOf(change.changeId) }
}

describe('a change that could not be placed', () => {
  it('shows its values by their fields, lists by name, and a call in words', async () => {
    const mate = await world.app.make.user({ role: 'officer', tenant: world.branch, firstName: 'Zawadi' })
    const { letter } = await refusedTask({ assignedUsers: [mate.id], dueAt: '2026-12-04T08:00:00.000Z' })
    const { values } = (await manager.get(`/api/sync/dead-letters/${letter}/values`)).body.data as { values: Shown[] }
    const of = (key: string) => values.find(({ Id }) => Id === key)
    expect(of('assignedUsers')).toMatchObject({ label: 'For', valueField: { kind: 'multiReference' } })
    expect(of('assignedUsers')?.['sent']).toEqual([{ Id: mate.id, label: expect.stringContaining('Zawadi') as string }])
    expect(of('leadId')).toMatchObject({ sentLabel: null, valueField: { kind: 'reference' } })
    expect(of('dueAt')).toMatchObject({ sent: '2026-12-04T08:00:00.000Z', valueField: { kind: 'dateTime' } })
  })

  it('asks for the fields of its own kind, each with its input, and takes several right values at once', async () => {
    const refused = await refusedTask()
    const { fields, record } = await formOf(manager, refused.letter)
    const views = new Map(fields.map((field) => [field.key, field]))
    expect(views.get('leadId')).toMatchObject({ kind: 'reference', label: 'Lead', reference: { path: '/api/leads' } })
    expect(views.get('dueAt')?.kind).toBe('dateTime')
    expect(views.get('tenantId')).toMatchObject({ kind: 'reference', label: 'Branch' })
    expect(views.has('phonenumber')).toBe(false)
    expect(record).toMatchObject({ title: 'About nobody', priority: 'Normal', tenantId: world.branch.id })
    const wrong = await replay(manager, refused.letter, { leadId: leads[0]?.Id, priority: 'Soonest' })
    expect([wrong.status, wrong.body.fields]).toEqual([422, [{ field: 'priority', message: expect.any(String) as string }]])
    const foreign = await replay(manager, refused.letter, { phonenumber: '0722 000 111' })
    expect(foreign.body).toMatchObject({ fields: [{ field: 'phonenumber', message: 'is not part of this change' }] })
    const right = { leadId: leads[0]?.Id, priority: 'High', dueAt: '2026-12-05T08:00:00.000Z' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => replay(manager, refused.letter, right)))
    expect(answers.map(({ status }) => status).filter((status) => status !== 404)).toContain(200)
    expect(await rows('select "leadId", "priority" from task where "id" = $1', [refused.entityId])).toEqual([
      { leadId: leads[0]?.Id, priority: 'High' },
    ])
  })

  it('is filed in another branch where its own is out of reach, and in none that the corrector does not reach', async () => {
    const change = device.insert({ title: 'Elsewhere', priority: 'Normal' }, { entityType, tenantId: world.sibling.id })
    expect((await device.push([change])).results).toMatchObject([{ status: 'rejected', code: 'FORBIDDEN' }])
    const letter = await letterOf(change.changeId)
    expect((await formOf(manager, letter)).record).toMatchObject({ tenantId: world.sibling.id })
    expect((await replay(manager, letter, { tenantId: null })).body).toMatchObject({ fields: [{ field: 'tenantId' }] })
    expect((await replay(manager, letter, { tenantId: randomUUID() })).status).toBe(403)
    expect((await replay(manager, letter, { tenantId: world.branch.id })).status).toBe(200)
    expect(await rows('select "tenantId" from task where "id" = $1', [change.entityId])).toEqual([{ tenantId: world.branch.id }])
  })

  it('offers of a change what it changes, people as the list they make, and nothing of a call', async () => {
    const made = device.insert({ title: 'For somebody', priority: 'Normal' }, { entityType })
    await device.push([made])
    const gone = randomUUID()
    const edit = device.update(
      made.entityId,
      1,
      { assignedUsers: { add: [gone], remove: [] }, note: [null, 'Bring the card'] },
      { entityType },
    )
    expect((await device.push([edit])).results).toMatchObject([{ status: 'rejected' }])
    const letter = await letterOf(edit.changeId)
    const { fields } = await formOf(manager, letter)
    expect(fields.map(({ key }) => key).toSorted()).toEqual(['assignedUsers', 'note'])
    expect((await replay(manager, letter, { assignedUsers: [manager.user.id] })).status).toBe(200)
    const { task } = (await manager.get(`/api/tasks/${made.entityId}`)).body.data as {
      task: { assignedUsers: { Id: string }[]; note: string }
    }
    expect([task.assignedUsers.map(({ Id }) => Id), task.note]).toEqual([[manager.user.id], 'Bring the card'])
    const call = device.update(made.entityId, 2, { move: [null, { move: 'reopen' }] }, { entityType })
    expect((await device.push([call])).results).toMatchObject([{ status: 'rejected', code: 'STATUS' }])
    expect(await formOf(manager, await letterOf(call.changeId))).toEqual({ fields: [], record: {} })
  })

  it('has no form for another company, another branch, an officer or who may not see its kind', async () => {
    const { letter } = await refusedTask()
    const beside = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.sibling }))
    for (const other of [stranger, beside]) expect((await other.get(`/api/sync/dead-letters/${letter}/form`)).status).toBe(404)
    expect((await device.client.get(`/api/sync/dead-letters/${letter}/form`)).status).toBe(403)
    const role = await world.app.make.role({ company: world.company, name: 'Clerk of letters', permissions: ['ADMIN/USERS'] })
    const clerk = await world.app.as(await world.app.make.user({ roles: [role], tenant: world.branch }))
    expect(await formOf(clerk, letter)).toEqual({ fields: [], record: {} })
    expect((await replay(clerk, letter, { leadId: leads[0]?.Id })).status).toBe(403)
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let manager: SignedInClient

const rows = async (text: string, values: unknown[]) => (await world.app.database.admin.query(text, values)).rows
const entityType = 'case'

interface CaseRow {
  Id: string
  version: number
  caseNumber: string
  title: string
  stageId: string
  stageIdLabel: string
  ownerUserId: string
  leadId: string | null
}
const read = async (by: SignedInClient, id: string): Promise<CaseRow> =>
  ((await by.get(`/api/cases/${id}`)).body.data as { case: CaseRow }).case
const stagesAfter = async (held: CaseRow) =>
  rows(
    `select s."id", s."name" from pipeline_stage s join sales_case c on c."companyId" = s."companyId" and c."pipelineId" = s."pipelineId"
    where c."id" = $1 and s."id" <> c."stageId" order by s."position"`,
    [held.Id],
  )
const held = async (by: Device, cursor?: string) => {
  const { changes, ...rest } = await by.pull(cursor)
  return { ...rest, of: (type: string) => changes.filter(({ t }) => t === type) }
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

describe('a case on a device', () => {
  it('is opened once however often it is sent, after the lead it is about, in the first stage, with a number', async () => {
    const lead = device.insert(person({ firstName: 'Achieng' }))
    const made = device.insert(
      { title: 'Payslip is missing', priority: 'High', leadId: lead.entityId },
      { entityType, deps: [lead.entityId] },
    )
    expect((await device.push([made])).results).toMatchObject([{ status: 'waiting' }])
    await Promise.all(Array.from({ length: 5 }, () => device.push([lead, made])))
    expect(await rows(`select count(*)::int from sales_case where "title" = 'Payslip is missing'`, [])).toEqual([{ count: 1 }])
    expect(await read(device.client, made.entityId)).toMatchObject({
      caseNumber: 'C-00001',
      stageIdLabel: 'New',
      status: 'New',
      ownerUserId: device.client.user.id,
      leadId: lead.entityId,
    })
  })

  it('is moved as a call of its own, and the move is refused where the stage is not one of its pipeline', async () => {
    const made = device.insert({ title: 'To be moved', priority: 'Normal' }, { entityType })
    await device.push([made])
    const before = await read(device.client, made.entityId)
    const [next] = await stagesAfter(before)
    const move = (stageId: string) =>
      device.update(before.Id, before.version, { move: [null, { stageId, version: before.version }] }, { entityType })
    expect((await device.push([move(randomUUID())])).results).toMatchObject([{ status: 'rejected', code: 'STATUS' }])
    const sent = move(next.id)
    const answers = await Promise.all(Array.from({ length: 5 }, () => device.push([sent])))
    expect(answers.flatMap(({ results }) => results.map(({ status }) => status)).toSorted()).toEqual([
      'applied',
      ...Array.from({ length: 4 }, () => 'duplicate'),
    ])
    expect(await read(device.client, before.Id)).toMatchObject({ stageId: next.id, version: before.version + 1 })
  })

  it('cannot be moved, closed or numbered by an edit, nor filed for a lead or an owner of another company', async () => {
    const stranger = await world.app.make.company()
    const home = await world.app.make.tenant({ company: stranger })
    const owner = await world.app.make.user({ role: 'officer', tenant: home })
    const their = await world.app.as(owner)
    const lead = (await their.post('/api/leads', person())).body.data as { lead: { Id: string } }
    const made = device.insert({ title: 'Stays', priority: 'Normal' }, { entityType })
    await device.push([made])
    const before = await read(device.client, made.entityId)
    const [next] = await stagesAfter(before)
    const edits = [{ stageId: [before.stageId, next.id] }, { status: ['New', 'Resolved'] }, { caseNumber: ['C-00002', 'C-00099'] }]
    for (const patch of edits)
      expect((await device.push([device.update(before.Id, before.version, patch as never, { entityType })])).results).toMatchObject([
        { status: 'rejected', code: 'VALIDATION' },
      ])
    const { results } = await device.push([
      device.insert({ title: 'For their lead', priority: 'Normal', leadId: lead.lead.Id }, { entityType }),
      device.insert({ title: 'For their officer', priority: 'Normal', ownerUserId: owner.id }, { entityType }),
      device.insert({ title: 'In their branch', priority: 'Normal' }, { entityType, tenantId: home.id }),
      device.insert({ title: 'Beside', priority: 'Normal' }, { entityType, tenantId: world.sibling.id }),
    ])
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      ['rejected', 'VALIDATION'],
      ['rejected', 'VALIDATION'],
      ['rejected', 'FORBIDDEN'],
      ['rejected', 'FORBIDDEN'],
    ])
  })

  it('merges with what the office did meanwhile, and asks where both changed one field', async () => {
    const made = device.insert({ title: 'Wrong name', priority: 'Normal' }, { entityType })
    await device.push([made])
    const before = await read(device.client, made.entityId)
    await manager.put(`/api/cases/${before.Id}`, { version: before.version, title: 'Name is wrong', priority: 'High' })
    const edit = device.update(
      before.Id,
      before.version,
      { title: ['Wrong name', 'Wrong name on the card'], description: [null, 'The ID says Otieno'] },
      { entityType },
    )
    expect((await device.push([edit])).results).toMatchObject([{ status: 'merged', conflicts: [{ field: 'title' }] }])
    expect(await read(device.client, before.Id)).toMatchObject({
      title: 'Name is wrong',
      priority: 'High',
      description: 'The ID says Otieno',
    })
  })

  it('comes with every change of it, and to nobody out of reach', async () => {
    const beside = await world.device('officer', world.sibling)
    const start = await held(device)
    const made = (await manager.post('/api/cases', { title: 'From the office', priority: 'Low' })).body.data as { case: CaseRow }
    const next = await held(device, start.cursor)
    expect(next.of('case')).toMatchObject([{ id: made.case.Id, op: 'put', data: { title: 'From the office', stageIdLabel: 'New' } }])
    expect((await held(beside)).of('case')).toEqual([])
    await manager.post('/api/cases/delete', { ids: [made.case.Id] })
    expect((await held(device, next.cursor)).of('case').find(({ id }) => id === made.case.Id)).toMatchObject({ op: 'gone' })
  })
})

describe('a client on a device', () => {
  it('comes when the lead is converted and follows a merge of leads', async () => {
    const lead = device.insert(person({ firstName: 'Barasa' }))
    const other = device.insert(person({ firstName: 'Barasa' }))
    await device.push([lead, other])
    const start = await held(device)
    await world.app.make.client({ tenant: world.branch, leadId: other.entityId, firstName: 'Barasa' })
    const merged = await manager.post('/api/leads/merge', { winnerId: lead.entityId, loserId: other.entityId })
    expect(merged.status).toBe(200)
    const { of } = await held(device, start.cursor)
    expect(of('client')).toMatchObject([{ op: 'put', data: { firstName: 'Barasa', leadId: lead.entityId } }])
  })
})

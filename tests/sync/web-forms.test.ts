import { randomUUID } from 'node:crypto'
import type { FormPage } from '@outpost/contract/web-forms/form'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let admin: SignedInClient
const entityType = 'webFormAnswer'
const path = '/api/web-forms'
const pages: FormPage[] = [
  {
    key: 'shop',
    title: 'The shop',
    questions: [
      { key: 'size', kind: 'number', label: 'Size', required: true, min: 1 },
      { key: 'why', kind: 'text', label: 'Why so small', required: true, showWhen: { question: 'size', is: 'equal', value: 1 } },
    ],
  },
]
interface Version {
  Id: string
  formId: string
  isInForce: boolean
}

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  admin = await world.app.as(await world.app.make.user({ company: world.company, role: 'admin' }))
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

const publishedForm = async (about = 'nothing', by: SignedInClient = admin): Promise<Version> => {
  const made = await by.post<{ webForm: { Id: string } }>(path, { name: 'Shop visit', about, pages })
  expect(made.status, made.text).toBe(200)
  const { Id } = made.body.data.webForm
  expect((await by.post(`${path}/${Id}/publish`, {})).status).toBe(200)
  const { body } = await by.get<{ webFormVersions: Version[] }>(`${path}/${Id}/versions`)
  return body.data.webFormVersions[0] as Version
}
const filled = (formVersionId: string, over: object = {}, deps: string[] = []) =>
  device.insert(
    { formVersionId, answers: { size: 4 }, filledAt: '2026-01-05T06:00:00.000Z', name: 'Kept', summary: 'Kept', ...over },
    { entityType, deps },
  )
const read = async (id: string) =>
  (await admin.get<{ webFormAnswer: Record<string, unknown> }>(`${path}/answers/${id}`)).body.data.webFormAnswer

describe('a form that was filled in without a network', () => {
  it('arrives once however often it is sent, after the lead that it is about, and comes to colleagues', async () => {
    const { Id, formId } = await publishedForm('lead')
    const lead = device.insert(person({ firstName: 'Achieng' }))
    const answer = filled(Id, { leadId: lead.entityId }, [lead.entityId])
    expect((await device.push([answer])).results).toMatchObject([{ status: 'waiting' }])
    await Promise.all(Array.from({ length: 5 }, () => device.push([lead, answer])))
    expect(await read(answer.entityId)).toMatchObject({
      formId,
      leadId: lead.entityId,
      answers: { size: 4 },
      summary: 'Size: 4',
      name: 'Shop visit',
      filledAt: '2026-01-05T06:00:00.000Z',
      createdByUserId: device.client.user.id,
      tenantId: world.branch.id,
    })
    const colleague = await world.device()
    const { changes } = await colleague.pull()
    expect(changes.find(({ id }) => id === answer.entityId)).toMatchObject({ t: entityType, op: 'put', data: { summary: 'Size: 4' } })
    const elsewhere = await world.device('officer', world.sibling)
    expect((await elsewhere.pull()).changes.some(({ id }) => id === answer.entityId)).toBe(false)
  })

  it('is kept under its version, when another one is in force by then, and when the form is archived or gone', async () => {
    const version = await publishedForm()
    const form = `${path}/${version.formId}`
    await admin.put(form, {
      pages: [{ key: 'shop', title: 'Now', questions: [{ key: 'colour', kind: 'text', label: 'Colour', required: true }] }],
    })
    expect((await admin.post(`${form}/publish`, {})).status).toBe(200)
    const late = filled(version.Id)
    expect((await device.push([late])).results).toMatchObject([{ status: 'applied' }])
    expect((await admin.post(`${form}/move`, { move: 'archive' })).status).toBe(200)
    const later = filled(version.Id, { answers: { size: 1, why: 'A stall' } })
    expect((await device.push([later])).results).toMatchObject([{ status: 'applied' }])
    expect(await read(later.entityId)).toMatchObject({ formVersionId: version.Id, summary: 'Size: 1\nWhy so small: A stall' })
    const gone = await publishedForm()
    expect((await admin.post(`${path}/delete`, { id: gone.formId })).status).toBe(200)
    expect((await device.push([filled(gone.Id)])).results).toMatchObject([{ status: 'applied' }])
  })

  it('is refused by the same checks as online, in words with the question', async () => {
    const { Id } = await publishedForm()
    const push = async (over: object) => (await device.push([filled(Id, over)])).results
    expect(await push({ answers: { size: 0 } })).toMatchObject([
      { status: 'rejected', code: 'VALIDATION', message: expect.stringContaining('“Size” may not be under 1') as string },
    ])
    expect(await push({ answers: { size: 1 } })).toMatchObject([
      { status: 'rejected', message: expect.stringContaining('“Why so small” is required') as string },
    ])
    expect(await push({ answers: { size: 4, colour: 'red' } })).toMatchObject([{ status: 'rejected' }])
    expect(await push({ answers: 'none' })).toMatchObject([{ status: 'rejected' }])
    expect(await push({ formVersionId: randomUUID() })).toMatchObject([{ status: 'rejected' }])
    // What is not asked is not stored.
    const [kept] = await push({ answers: { size: 4, why: 'hidden' } })
    expect(kept).toMatchObject({ status: 'applied', fields: { answers: { size: 4 } } })
  })

  it('names no form and no lead of another company', async () => {
    const stranger = await world.app.make.company()
    const theirs = await world.app.as(await world.app.make.user({ company: stranger, role: 'admin' }))
    const their = await publishedForm('lead', theirs)
    const lead = (await theirs.post<{ lead: { Id: string } }>('/api/leads', person())).body.data.lead.Id
    const own = await publishedForm('lead')
    expect((await device.push([filled(their.Id)])).results).toMatchObject([{ status: 'rejected' }])
    expect((await device.push([filled(own.Id, { leadId: lead })])).results).toMatchObject([{ status: 'rejected' }])
  })

  it('is not changed and not deleted by a device', async () => {
    const { Id } = await publishedForm()
    const answer = filled(Id)
    await device.push([answer])
    const edit = device.update(answer.entityId, 1, { answers: [{ size: 4 }, { size: 9 }] }, { entityType })
    expect((await device.push([edit])).results).toMatchObject([{ status: 'rejected', code: 'FORBIDDEN' }])
    const removal = device.change({ entityType, entityId: answer.entityId, changeType: 'DELETE', version: 1 })
    expect((await device.push([removal])).results).toMatchObject([{ status: 'rejected', code: 'FORBIDDEN' }])
    expect(await read(answer.entityId)).toMatchObject({ answers: { size: 4 } })
  })
})

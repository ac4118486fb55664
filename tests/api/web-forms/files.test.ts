import { randomUUID } from 'node:crypto'
import type { FormPage } from '@outpost/contract/web-forms/form'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import { pngOf } from '../../support/picture.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface AnsweredRow {
  question: string
  answer: string
  picture: string | null
  file: string | null
}

let world: World
let formVersionId = ''
let formId = ''
/** Works in the officer's team with leads alone: forms about nothing are theirs to fill in, as everybody's. */
let colleague: SignedInClient
const path = '/api/web-forms'
const pages: FormPage[] = [
  {
    key: 'stall',
    title: 'The stall',
    questions: [
      { key: 'front', kind: 'photo', label: 'Front', required: true, max: 2 },
      { key: 'paper', kind: 'file', label: 'Licence' },
      { key: 'signed', kind: 'signature', label: 'Signature' },
    ],
  },
]

beforeAll(async () => {
  world = await makeWorld()
  colleague = await world.app.as(await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Femi' }))
  const made = await world.as.admin.post<{ webForm: { Id: string } }>(path, { name: 'Stall', about: 'nothing', pages })
  expect(made.status, made.text).toBe(200)
  formId = made.body.data.webForm.Id
  expect((await world.as.admin.post(`${path}/${formId}/publish`, {})).status).toBe(200)
  const { body } = await world.as.admin.get<{ webFormVersions: { Id: string }[] }>(`${path}/${formId}/versions`)
  formVersionId = body.data.webFormVersions[0]?.Id ?? ''
})
afterAll(() => world.app.close())

const picture = (Id = randomUUID(), name = 'front.png') => ({ Id, name, mimeType: 'image/png', size: 70 })
const store = async (by: SignedInClient, file: { Id: string; name: string }, owner: Record<string, string> = {}) => {
  const { status, text, body } = await by.upload<{ files: { url: string }[] }>(`/api/storage/upload?id=${file.Id}`, owner, {}, [
    { name: file.name, bytes: pngOf(4, 4) },
  ])
  expect(status, text).toBe(200)
  return body.data.files[0]?.url ?? ''
}
const fill = (answers: object, by: SignedInClient = world.as.officer, Id = randomUUID()) =>
  by.post<{ webFormAnswer: { Id: string; summary: string; answers: object } }>(`${path}/answers`, { Id, formVersionId, answers })
const attach = (id: string, ids: string[], by: SignedInClient = world.as.officer) =>
  by.post(`${path}/answers/${id}/files`, { newFiles: ids })
const rowsOf = async (id: string, by: SignedInClient = world.as.officer) =>
  (await by.get<{ answers: AnsweredRow[] }>(`${path}/answers/${id}/questions`)).body.data.answers
const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
const statuses = (url: string, ...who: SignedInClient[]) => Promise.all(who.map(async (one) => (await one.get(url)).status))

describe('files of a filled form', () => {
  it('that were stored before are tied to it, shown beside their question, and read by who reads the form', async () => {
    const [front, licence] = [picture(), { ...picture(randomUUID(), 'licence.png') }]
    const url = await store(world.as.officer, front)
    await store(world.as.officer, licence)
    const sent = await fill({ front: [front], paper: [licence], signed: 'Neema Kiosk' })
    expect(sent.status, sent.text).toBe(200)
    const { Id, summary } = sent.body.data.webFormAnswer
    expect(summary).toBe('Front: front.png\nLicence: licence.png\nSignature: Signed as Neema Kiosk')
    const rows = await rowsOf(Id)
    expect(rows.map(({ question, answer }) => [question, answer])).toEqual([
      ['Front', 'front.png'],
      ['Licence', 'licence.png'],
      ['Signature', 'Signed as Neema Kiosk'],
    ])
    expect(rows[0]).toMatchObject({ picture: url, file: url })
    expect(await statuses(url, world.as.officer, world.as.manager, colleague, world.as.elsewhere, world.as.foreign)).toEqual([
      200, 200, 200, 404, 404,
    ])
  })

  it('come after it too, once however often they are sent, and are said to be missing until then', async () => {
    const front = picture()
    const { Id } = (await fill({ front: [front] })).body.data.webFormAnswer
    expect(await rowsOf(Id)).toEqual([
      { page: 'The stall', question: 'Front', answer: 'front.png (not here yet)', picture: null, file: null },
    ])
    const url = await store(world.as.officer, front, { ownerType: 'webFormAnswer', ownerId: Id })
    const answers = await Promise.all(Array.from({ length: 5 }, () => attach(Id, [front.Id])))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await rowsOf(Id)).toMatchObject([{ answer: 'front.png', picture: url }])
    const { body } = await world.as.officer.get<{ timeline: { what: string }[] }>(`${path}/answers/${Id}/timeline`)
    expect(body.data.timeline.filter(({ what }) => what === 'File added')).toHaveLength(1)
    const { rows } = await world.app.database.admin.query('select from web_form_answer_file where "answerId" = $1', [Id])
    expect(rows).toHaveLength(1)
  })

  it('are only those that it names, of whoever filled it in', async () => {
    const [front, other] = [picture(), picture()]
    const { Id } = (await fill({ front: [front] })).body.data.webFormAnswer
    await store(world.as.officer, other)
    expect(fieldsOf(await attach(Id, [other.Id]))).toEqual(['newFiles'])
    expect(fieldsOf(await attach(Id, [front.Id]))).toEqual(['newFiles'])
    await store(colleague, front)
    // Somebody else's file under the Id that the form names is no file of the form.
    expect(fieldsOf(await attach(Id, [front.Id]))).toEqual(['newFiles'])
    expect((await attach(Id, [front.Id], colleague)).status).toBe(403)
    for (const by of [world.as.elsewhere, world.as.foreign]) expect((await attach(Id, [front.Id], by)).status).toBe(404)
    expect((await attach(randomUUID(), [front.Id])).status).toBe(404)
    expect(await rowsOf(Id)).toMatchObject([{ picture: null }])
  })

  it('of somebody else are not read by naming them', async () => {
    const secret = picture()
    const leadId = (
      await world.as.officer.post<{ lead: { Id: string } }>('/api/leads', { firstName: 'A', lastName: 'B', phonenumber: '0712555001' })
    ).body.data.lead.Id
    const url = await store(world.as.officer, secret, { ownerType: 'lead', ownerId: leadId })
    const taken = await fill({ front: [secret] }, world.as.elsewhere)
    expect(taken.status, taken.text).toBe(200)
    expect(await rowsOf(taken.body.data.webFormAnswer.Id, world.as.elsewhere)).toMatchObject([{ picture: null }])
    expect(await statuses(url, world.as.elsewhere)).toEqual([404])
  })

  it('are checked: how many, what kind, and that there are any', async () => {
    const message = async (answers: object) =>
      ((await fill(answers)).body as unknown as { fields?: { message: string }[] }).fields?.map((fault) => fault.message)
    expect(await message({})).toEqual(['“Front” is required'])
    expect(await message({ front: [picture(), picture(), picture()] })).toEqual(['“Front” may have 2 files at most'])
    expect(await message({ front: [{ ...picture(), mimeType: 'application/pdf' }] })).toEqual(['“Front” is not a picture'])
    expect(await message({ front: 'x' })).toEqual(['“Front” is no list of files'])
    const kept = await fill({ front: [{ ...picture(), path: '/etc/passwd' }] })
    expect(JSON.stringify(kept.body.data.webFormAnswer.answers)).not.toContain('passwd')
  })

  it('are in the report by their names', async () => {
    const front = picture()
    await fill({ front: [front, picture(randomUUID(), 'back.png')], signed: [picture(randomUUID(), 'signature.png')] })
    const { body, text } = await world.as.admin.post<{ preview: { rows: Record<string, unknown>[] } }>('/api/reports/preview', {
      report: 'webFormAnswers',
      parameters: { formId, startDate: day(-5), endDate: day(5) },
    })
    expect(body.data, text).toBeDefined()
    expect(body.data.preview.rows.map(({ q_front, q_signed }) => [q_front, q_signed])).toContainEqual([
      'front.png, back.png',
      'Signed by hand',
    ])
  })
})

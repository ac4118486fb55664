import type { FormPage } from '@outpost/contract/web-forms/form'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/app.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface Form {
  Id: string
  name: string
  status: string
  versionNumber: number | null
  hasChanges: boolean
  answerCount: number
  version: number
  pages: FormPage[]
  [key: string]: unknown
}
interface Version {
  Id: string
  title: string
  number: number
  isInForce: boolean
  pages: FormPage[]
  formId: string
}

let world: World
let as: World['as']
beforeAll(async () => {
  world = await makeWorld()
  as = world.as
})
afterAll(() => world.app.close())

const path = '/api/web-forms'
const options = ['Rented', 'Owned'].map((label) => ({ value: label.toLowerCase(), label }))
const pages: FormPage[] = [
  {
    key: 'shop',
    title: 'The shop',
    questions: [
      { key: 'premises', kind: 'choice', label: 'Premises', options, required: true },
      {
        key: 'rent',
        kind: 'money',
        label: 'Rent a month',
        required: true,
        min: 1,
        showWhen: { question: 'premises', is: 'equal', value: 'rented' },
      },
      {
        key: 'goods',
        kind: 'multiChoice',
        label: 'Goods',
        options: [
          { value: 'f', label: 'Food' },
          { value: 'c', label: 'Clothes' },
        ],
      },
      { key: 'isOpen', kind: 'boolean', label: 'Open today' },
      { key: 'since', kind: 'date', label: 'Since' },
    ],
  },
]
let names = 0
const make = async (over: object = {}): Promise<Form> => {
  const answer = await as.admin.post<{ webForm: Form }>(path, { name: `Form ${(names += 1)}`, pages, ...over })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.webForm
}
const publish = (id: string, body: object = {}) => as.admin.post<{ webForm: Form }>(`${path}/${id}/publish`, body)
const published = async (over: object = {}) => {
  const { Id } = await make(over)
  const answer = await publish(Id)
  expect(answer.status, answer.text).toBe(200)
  return { form: answer.body.data.webForm, version: await inForce(Id) }
}
const versionsOf = async (id: string) =>
  (await as.admin.get<{ webFormVersions: Version[] }>(`${path}/${id}/versions`)).body.data.webFormVersions
const inForce = async (id: string): Promise<Version> => {
  const found = (await versionsOf(id)).find((version) => version.isInForce)
  if (!found) throw new Error('no version is in force')
  return found
}
const put = (id: string, body: object) => as.admin.put<{ webForm: Form }>(`${path}/${id}`, body)
const get = async (id: string) => (await as.admin.get<{ webForm: Form }>(`${path}/${id}`)).body.data.webForm
const fill = (body: object, who: keyof World['as'] = 'officer') =>
  as[who].post<{ webFormAnswer: Record<string, unknown> & { Id: string } }>(`${path}/answers`, body)
const owned = { premises: 'owned' }
let phones = 700_100_000
const lead = async (who: keyof World['as'] = 'officer') => {
  const answer = await as[who].post<{ lead: { Id: string } }>('/api/leads', {
    firstName: 'Amina',
    lastName: 'Were',
    phonenumber: `0${(phones += 1)}`,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.lead.Id
}
const messagesOf = ({ body }: Answer<unknown>) =>
  (body as unknown as { fields?: { message: string }[] }).fields?.map(({ message }) => message) ?? []

describe('a web form', () => {
  it('is a draft, then published, changed as the draft of the next version, and archived', async () => {
    const draft = await make()
    expect(draft).toMatchObject({ status: 'Draft', versionNumber: null, hasChanges: true, answerCount: 0, about: 'nothing' })
    const first = await publish(draft.Id)
    expect(first.body, first.text).toMatchObject({ data: { webForm: { status: 'Published', versionNumber: 1, hasChanges: false } } })
    expect((await publish(draft.Id)).status).toBe(409)
    // No call but its own publishes: it would leave no version.
    expect((await as.admin.post(`${path}/${(await make()).Id}/move`, { move: 'publish' })).status).toBeGreaterThanOrEqual(409)
    expect((await as.admin.post(`${path}/${(await make()).Id}/move`, { status: 'Published' })).status).toBeGreaterThanOrEqual(409)
    const changed = await put(draft.Id, { pages: [{ ...pages[0], title: 'Another title' }] })
    expect(changed.body.data.webForm).toMatchObject({ status: 'Published', versionNumber: 1, hasChanges: true })
    expect((await inForce(draft.Id)).pages[0]?.title).toBe('The shop')
    expect((await publish(draft.Id)).body.data.webForm).toMatchObject({ versionNumber: 2, hasChanges: false })
    expect((await versionsOf(draft.Id)).map(({ number, isInForce }) => [number, isInForce])).toEqual([
      [2, true],
      [1, false],
    ])
    expect((await as.admin.post(`${path}/${draft.Id}/move`, { move: 'archive' })).status).toBe(200)
    expect((await versionsOf(draft.Id)).some(({ isInForce }) => isInForce)).toBe(false)
    // What was archived may come back, as a version of its own.
    expect((await publish(draft.Id)).body.data.webForm).toMatchObject({ status: 'Published', versionNumber: 3 })
    const { body } = await as.admin.get<{ timeline: { what: string }[] }>(`${path}/${draft.Id}/timeline`)
    expect(body.data.timeline.length).toBeGreaterThan(4)
  })

  it('is published once by five who press at once', async () => {
    const { Id } = await make()
    const answers = await Promise.all(Array.from({ length: 5 }, () => publish(Id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await versionsOf(Id)).toHaveLength(1)
  })

  it('is published as it was looked at, and not with what somebody else changed meanwhile', async () => {
    const form = await make()
    await put(form.Id, { description: 'Changed' })
    expect((await publish(form.Id, { version: form.version })).status).toBe(409)
    expect(await versionsOf(form.Id)).toEqual([])
  })

  it('names the part that contradicts itself, at every save', async () => {
    const wrong = [
      {
        ...pages[0],
        questions: [
          { key: 'a', kind: 'number', label: 'Size', min: 3, max: 2 },
          { key: 'b', kind: 'text', label: '' },
        ],
      },
    ]
    const answer = await as.admin.post(path, { name: 'Wrong', pages: wrong })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['pages.0.questions.0.max', 'pages.0.questions.1.label']])
    expect(messagesOf(answer)[0]).toBe('“Size”: the largest is under the smallest')
    expect(fieldsOf(await put((await make()).Id, { pages: wrong }))).toHaveLength(2)
    expect(fieldsOf(await as.admin.post(path, { name: 'x', pages: [{ ...pages[0], extra: 1 }] }))).toEqual(['pages.0.extra'])
    expect(
      fieldsOf(await as.admin.post(path, { name: 'x', pages: [{ ...pages[0], questions: [{ key: 'A b', kind: 'text', label: 'x' }] }] })),
    ).toEqual(['pages.0.questions.0.key'])
    expect(
      fieldsOf(await as.admin.post(path, { name: 'x', pages: [{ ...pages[0], questions: [{ key: 'a', kind: 'script', label: 'x' }] }] })),
    ).toEqual(['pages.0.questions.0.kind'])
    for (const none of [{}, 'text', 7])
      expect((await as.admin.post(path, { name: 'x', pages: none })).status, JSON.stringify(none)).toBe(422)
    expect(fieldsOf(await put((await make()).Id, { pages: null }))).toEqual(['pages'])
    expect(fieldsOf(await as.admin.post(path, { name: ' ', pages }))).toEqual(['name'])
    expect(fieldsOf(await as.admin.post(path, { name: 'x'.repeat(121), pages }))).toEqual(['name'])
  })

  it('that asks nothing is kept as a draft, and not published', async () => {
    const { Id } = await make({ pages: [] })
    expect([(await publish(Id)).status, fieldsOf(await publish(Id))]).toEqual([422, ['pages']])
  })

  it('may be sent back as it was read', async () => {
    const { form } = await published()
    const back = await put(form.Id, form)
    expect(back.status, back.text).toBe(200)
    expect(back.body.data.webForm).toMatchObject({ hasChanges: false, pages })
  })

  it('is copied as a draft of its own', async () => {
    const { form } = await published()
    const copy = (await as.admin.post<{ webForm: Form }>(`${path}/${form.Id}/duplicate`, {})).body.data.webForm
    expect(copy).toMatchObject({ name: `${form.name} (copy)`, status: 'Draft', pages })
    expect(copy.Id).not.toBe(form.Id)
  })

  it('is deleted while nobody filled it in', async () => {
    const { form, version } = await published()
    expect((await as.admin.post(`${path}/delete`, { id: (await make()).Id })).status).toBe(200)
    expect((await fill({ formVersionId: version.Id, answers: owned })).status).toBe(200)
    const refused = await as.admin.post(`${path}/delete`, { id: form.Id })
    expect([refused.status, refused.body.code]).toEqual([409, 'STILL_IN_USE'])
  })

  it('is made by those who may, and is out of sight of another company', async () => {
    const { form, version } = await published()
    for (const who of ['manager', 'officer'] as const) {
      expect((await as[who].post(path, { name: 'Mine', pages })).status).toBe(403)
      expect((await as[who].put(`${path}/${form.Id}`, { name: 'Mine' })).status).toBe(403)
      expect((await as[who].post(`${path}/${form.Id}/publish`, {})).status).toBe(403)
      expect((await as[who].get(path)).status).toBe(403)
    }
    for (const [method, to, body] of [
      ['get', form.Id, undefined],
      ['get', `${form.Id}/timeline`, undefined],
      ['get', `versions/${version.Id}`, undefined],
      ['put', form.Id, { name: 'Theirs' }],
      ['post', `${form.Id}/publish`, {}],
      ['post', `${form.Id}/duplicate`, {}],
      ['post', `${form.Id}/move`, { move: 'archive' }],
      ['post', 'delete', { id: form.Id }],
    ] as const)
      expect((await as.foreign[method](`${path}/${to}`, body as never)).status, to).toBe(404)
    expect((await as.foreign.get<{ webFormVersions: Version[] }>(`${path}/${form.Id}/versions`)).body.data.webFormVersions).toEqual([])
    expect((await as.foreign.post<{ webForm: Form }>(path, { Id: form.Id, name: 'Twin', pages })).status).not.toBe(500)
    expect((await get(form.Id)).name).toBe(form.name)
  })
})

describe('a filled form', () => {
  it('is checked by its version, keeps what was asked, and says it in words', async () => {
    const { form, version } = await published()
    const refused = await fill({ formVersionId: version.Id, answers: { premises: 'rented', isOpen: 'perhaps', colour: 'red' } })
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ['answers.colour', 'answers.isOpen', 'answers.rent']])
    expect(messagesOf(refused)).toContain('“Rent a month” is required')
    const sent = await fill({
      formVersionId: version.Id,
      answers: { ...owned, rent: 900, goods: ['c', 'f'], isOpen: false, since: '2020-02-29' },
    })
    expect(sent.status, sent.text).toBe(200)
    expect(sent.body.data.webFormAnswer).toMatchObject({
      name: form.name,
      formId: form.Id,
      answers: { premises: 'owned', goods: ['c', 'f'], isOpen: false, since: '2020-02-29' },
      summary: 'Premises: Owned\nGoods: Clothes, Food\nOpen today: No\nSince: 2020-02-29',
      createdByUserId: world.people.officer.id,
      tenantId: world.team.id,
    })
    expect((await get(form.Id)).answerCount).toBe(1)
    const words = await as.officer.get<{ answers: object[] }>(`${path}/answers/${sent.body.data.webFormAnswer.Id}/questions`)
    expect(words.body.data.answers[0]).toEqual({ page: 'The shop', question: 'Premises', answer: 'Owned', picture: null, file: null })
  })

  it('stays under the version that it was filled in under, whatever is asked later', async () => {
    const { form, version } = await published()
    const early = await fill({ formVersionId: version.Id, answers: owned })
    await put(form.Id, {
      name: 'Renamed',
      pages: [{ key: 'shop', title: 'Now', questions: [{ key: 'size', kind: 'number', label: 'Size', required: true }] }],
    })
    await publish(form.Id)
    const late = await fill({ formVersionId: version.Id, answers: { ...owned, isOpen: true } })
    expect(late.body.data.webFormAnswer, late.text).toMatchObject({ formVersionId: version.Id, name: form.name })
    const second = await inForce(form.Id)
    expect(fieldsOf(await fill({ formVersionId: second.Id, answers: owned }))).toEqual(['answers.premises', 'answers.size'])
    expect((await fill({ formVersionId: second.Id, answers: { size: 4 } })).status).toBe(200)
    const words = await as.officer.get<{ answers: { question: string }[] }>(`${path}/answers/${early.body.data.webFormAnswer.Id}/questions`)
    expect(words.body.data.answers.map(({ question }) => question)).toEqual(['Premises'])
  })

  it('is refused once its form is archived', async () => {
    const { form, version } = await published()
    await as.admin.post(`${path}/${form.Id}/move`, { move: 'archive' })
    const answer = await fill({ formVersionId: version.Id, answers: owned })
    expect([answer.status, answer.body.message]).toEqual([409, `“${form.name}” is not filled in any more.`])
    const toFill = await as.officer.get<{ webFormVersions: Version[] }>(`${path}/to-fill`)
    expect(toFill.body.data.webFormVersions.some(({ formId }) => formId === form.Id)).toBe(false)
  })

  it('is about what its form is about, which the caller may look at', async () => {
    const { version } = await published({ about: 'lead' })
    const nothing = (await published()).version
    const leadId = await lead()
    expect(fieldsOf(await fill({ formVersionId: version.Id, answers: owned }))).toEqual(['leadId'])
    expect(fieldsOf(await fill({ formVersionId: nothing.Id, leadId, answers: owned }))).toEqual(['leadId'])
    const sent = await fill({ formVersionId: version.Id, leadId, answers: owned })
    expect(sent.body.data.webFormAnswer, sent.text).toMatchObject({ leadId, leadIdLabel: 'Amina Were' })
    const filter = encodeURIComponent(JSON.stringify([{ field: 'leadId', op: 'eq', value: leadId }]))
    expect((await as.officer.get(`${path}/answers?filter=${filter}`)).body.meta?.total).toBe(1)
    // Somebody who works with neither leads nor clients reads none of it.
    const { version: ofClients } = await published({ about: 'client' })
    expect(fieldsOf(await fill({ formVersionId: ofClients.Id, clientId: leadId, answers: owned }))).toContain('clientId')
  })

  it('takes nothing of another company or out of reach', async () => {
    const { version } = await published({ about: 'lead' })
    const leadId = await lead()
    const theirLead = await lead('foreign')
    expect(fieldsOf(await fill({ formVersionId: version.Id, leadId: theirLead, answers: owned }))).toEqual(['leadId'])
    expect(fieldsOf(await fill({ formVersionId: version.Id, leadId: theirLead, answers: owned }, 'foreign'))).toEqual(['formVersionId'])
    const sent = await fill({ formVersionId: version.Id, leadId, answers: owned })
    const { Id } = sent.body.data.webFormAnswer
    for (const who of ['foreign', 'elsewhere'] as const) {
      expect((await as[who].get(`${path}/answers/${Id}`)).status).toBe(404)
      expect((await as[who].get(`${path}/answers/${Id}/questions`)).status).toBe(404)
      expect((await as[who].get(`${path}/answers/${Id}/timeline`)).status).toBe(404)
    }
    expect((await as.foreign.post(`${path}/answers/delete`, { id: Id })).status).toBe(404)
    expect((await as.officer.post(`${path}/answers/delete`, { id: Id })).status).toBe(403)
    expect((await fill({ Id, formVersionId: version.Id, leadId, answers: owned }, 'foreign')).status).toBe(422)
  })

  it('arrives once under its Id, and without one as often as it is sent', async () => {
    const { form, version } = await published()
    const Id = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => fill({ Id, formVersionId: version.Id, answers: owned })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
    expect((await get(form.Id)).answerCount).toBe(1)
  })

  it('was filled in at the time that its device says, never later than now, by nobody else', async () => {
    const { version } = await published()
    const filledAt = '2026-01-05T06:00:00.000Z'
    const early = await fill({
      formVersionId: version.Id,
      answers: owned,
      filledAt,
      createdByUserId: world.people.manager.id,
      formId: crypto.randomUUID(),
      name: 'Mine',
      summary: 'Mine',
    })
    expect(early.body.data.webFormAnswer, early.text).toMatchObject({
      filledAt,
      createdByUserId: world.people.officer.id,
      summary: 'Premises: Owned',
    })
    const late = await fill({ formVersionId: version.Id, answers: owned, filledAt: '2099-01-01T00:00:00Z' })
    expect(Date.parse(String(late.body.data.webFormAnswer['filledAt']))).toBeLessThanOrEqual(Date.now() + 60_000)
  })

  it('is refused in words where the answers are none, and where they are too many', async () => {
    const { version } = await published()
    for (const answers of [[], 'text', 7]) expect(fieldsOf(await fill({ formVersionId: version.Id, answers }))).toEqual(['answers'])
    expect(fieldsOf(await fill({ formVersionId: version.Id }))).toEqual(['answers.premises'])
    expect(fieldsOf(await fill({ answers: owned }))).toEqual(['formVersionId'])
    expect(fieldsOf(await fill({ formVersionId: crypto.randomUUID(), answers: owned }))).toEqual(['formVersionId'])
    expect(fieldsOf(await fill({ formVersionId: version.Id, answers: { ...owned, rent: 'x'.repeat(200_001) } }))).toEqual(['answers'])
  })

  it('is deleted and brought back by who may', async () => {
    const { form, version } = await published()
    const { Id } = (await fill({ formVersionId: version.Id, answers: owned })).body.data.webFormAnswer
    expect((await as.admin.post(`${path}/answers/delete`, { id: Id })).status).toBe(200)
    expect((await get(form.Id)).answerCount).toBe(0)
    expect((await as.admin.post(`${path}/answers/restore`, { ids: [Id] })).status).toBe(200)
    expect((await get(form.Id)).answerCount).toBe(1)
  })

  it('goes with its lead when that is merged into another one', async () => {
    const { version } = await published({ about: 'lead' })
    const [winnerId, loserId] = [await lead(), await lead()]
    const { Id } = (await fill({ formVersionId: version.Id, leadId: loserId, answers: owned })).body.data.webFormAnswer
    const merged = await as.manager.post('/api/leads/merge', { winnerId, loserId })
    expect(merged.status, merged.text).toBe(200)
    expect((await as.officer.get<{ webFormAnswer: object }>(`${path}/answers/${Id}`)).body.data.webFormAnswer).toMatchObject({
      leadId: winnerId,
    })
  })
})

describe('the answers of a form as a sheet', () => {
  const preview = (parameters: object, who: keyof World['as'] = 'admin') =>
    as[who].post<{ preview: { columns: { title: string; kind: string }[]; rows: Record<string, unknown>[] } }>('/api/reports/preview', {
      report: 'webFormAnswers',
      parameters,
    })
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const period = { startDate: day(-5), endDate: day(5) }

  it('have a column for each question of all versions, in words', async () => {
    const { form, version } = await published({ about: 'lead' })
    await fill({
      formVersionId: version.Id,
      leadId: await lead(),
      answers: { premises: 'rented', rent: 900.5, goods: ['f', 'c'], isOpen: true, since: '2020-02-29' },
    })
    // The key of the rent asks for a text from now on.
    await put(form.Id, { pages: [{ key: 'shop', title: 'Now', questions: [{ key: 'rent', kind: 'text', label: 'Rent in words' }] }] })
    await publish(form.Id)
    await fill({ formVersionId: (await inForce(form.Id)).Id, leadId: await lead(), answers: { rent: 'Little' } })
    const { status, text, body } = await preview({ formId: form.Id, ...period })
    expect(status, text).toBe(200)
    expect(body.data.preview.columns.map(({ title }) => title)).toEqual([
      'Filled in',
      'Filled in by',
      'Branch',
      'About',
      'Version',
      'Rent in words',
      'Premises',
      'Goods',
      'Open today',
      'Since',
    ])
    expect(body.data.preview.rows).toMatchObject([
      { about: 'Amina Were', version: 1, q_rent: '900.5', q_premises: 'Rented', q_goods: 'Food, Clothes', q_isOpen: 'Yes' },
      { version: 2, q_rent: 'Little', q_premises: null },
    ])
  })

  it('are for who makes forms, of a form of the own company', async () => {
    const { form } = await published()
    expect((await preview({ formId: form.Id, ...period }, 'officer')).status).toBe(403)
    expect((await preview({ formId: form.Id, ...period }, 'foreign')).status).toBe(422)
    expect((await preview({ formId: (await make()).Id, ...period })).status).toBe(422)
  })
})

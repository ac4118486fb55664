import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from './world.ts'

interface Entry {
  at: string
  who: string
  what: string
  detail: string | null
}

let world: World
let phones = 744_000_000
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const newLead = async (): Promise<string> => {
  const answer = await world.as.officer.post<{ lead: { Id: string } }>('/api/leads', {
    firstName: 'Neema',
    lastName: 'Achieng',
    phonenumber: `0${(phones += 1)}`,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.lead.Id
}
const say = (id: string, text: string, mentions?: string[], by: keyof World['as'] = 'officer') =>
  world.as[by].post(`/api/leads/${id}/comments`, { text, ...(mentions ? { mentions } : {}) })
const historyOf = async (id: string, by: keyof World['as'] = 'officer') =>
  (await world.as[by].get<{ timeline: Entry[] }>(`/api/leads/${id}/timeline`)).body.data.timeline
const comments = async (id: string, by?: keyof World['as']) =>
  (await historyOf(id, by)).filter(({ what }) => what === 'Comment').map(({ detail }) => detail)

describe('a comment on a record', () => {
  it('is in its history under the name of its author, and notifies whom it mentions', async () => {
    const id = await newLead()
    expect((await say(id, ' Call back on Monday. ', [world.people.manager.id, world.people.officer.id])).body.message).toBe('Comment added')
    expect(await historyOf(id)).toMatchObject([
      { what: 'Comment', detail: 'Call back on Monday.', who: expect.stringMatching(/\w+ \w+/) as string },
      { what: 'Captured' },
    ])
    const { rows } = await world.app.database.admin.query<{ userId: string; link: string }>(
      'select "userId", link from notification where "itemId" = $1',
      [id],
    )
    expect(rows).toEqual([{ userId: world.people.manager.id, link: `/sales/leads/${id}/view` }])
  })

  it('is kept once for each time it is said, also at the same moment', async () => {
    const id = await newLead()
    const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => say(id, `No ${at}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await comments(id)).toSorted()).toEqual(['No 0', 'No 1', 'No 2', 'No 3', 'No 4'])
  })

  it.each([
    ['text', { text: ' ' }],
    ['text', { text: 'a\0b' }],
    ['text', { text: 'x'.repeat(4_001) }],
    ['mentions.0', { text: 'x', mentions: ['me'] }],
  ])('names the wrong field %s', async (field, body) => {
    const answer = await world.as.officer.post(`/api/leads/${await newLead()}/comments`, body)
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]])
  })

  it('mentions nobody of another company or beyond the reach, and then says nothing', async () => {
    const id = await newLead()
    for (const stranger of [world.people.foreign.id, world.people.elsewhere.id]) {
      const answer = await say(id, 'Hello', [stranger])
      expect([answer.status, fieldsOf(answer)]).toEqual([422, ['mentions']])
    }
    expect(await comments(id)).toEqual([])
  })

  it('is read as far as the record is', async () => {
    const id = await newLead()
    await say(id, 'Between us')
    for (const who of ['foreign', 'elsewhere'] as const) {
      expect((await say(id, 'Let me in', undefined, who)).status).toBe(404)
      expect((await world.as[who].get(`/api/leads/${id}/timeline`)).status).toBe(404)
    }
  })
})

it('the number of a record is never cut, however many there are', async () => {
  await world.app.database.admin.query('insert into record_counter ("companyId", "objectType", "last") values ($1, $2, 99998)', [
    world.company.id,
    'case',
  ])
  const open = async () =>
    (await world.as.manager.post<{ case: { caseNumber: string } }>('/api/cases', { title: 'One of many' })).body.data.case.caseNumber
  expect([await open(), await open()]).toEqual(['C-99999', 'C-100000'])
})

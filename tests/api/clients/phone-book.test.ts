import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface Row {
  Id: string
  name: string
  kind: string
  visibility: string
  phonenumber: string | null
}

let world: World
const add = async (name: string, over: object = {}, by: keyof World['as'] = 'officer') => {
  const answer = await world.as[by].post<{ phoneBookEntry: Row }>('/api/phone-book/entries', { name, phonenumber: '0722333444', ...over })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.phoneBookEntry.Id
}
const book = async (by: keyof World['as'], query = '') =>
  (await world.as[by].get<{ phoneBook: Row[] }>(`/api/phone-book${query}`)).body.data.phoneBook
const names = async (by: keyof World['as'], query = '') => (await book(by, query)).map(({ name }) => name)

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

describe('the phone book', () => {
  it('shows shared entries to all, those of a branch in reach, private ones to their keeper alone, with clients and leads in reach', async () => {
    const { as } = world
    await add('Amref clinic', { visibility: 'SHARED' })
    await add('Branch garage')
    await add('Cousin', { visibility: 'PRIVATE' })
    await as.officer.post('/api/clients', { firstName: 'Dora', lastName: 'Client', phonenumber: '0733000001', employer: 'County' })
    await as.officer.post('/api/leads', { firstName: 'Ezra', lastName: 'Lead', phonenumber: '0733000002' })
    const all = ['Amref clinic', 'Branch garage', 'Cousin', 'Dora Client', 'Ezra Lead']
    expect(await names('officer')).toEqual(all)
    for (const by of ['manager', 'admin'] as const) expect(await names(by)).toEqual(all.filter((name) => name !== 'Cousin'))
    expect(await names('elsewhere')).toEqual(['Amref clinic'])
    expect(await names('foreign')).toEqual([])
    expect(await names('officer', '?search=county')).toEqual(['Dora Client'])
    const filter = JSON.stringify([{ field: 'kind', op: 'eq', value: 'LEAD' }])
    expect(await names('officer', `?filter=${encodeURIComponent(filter)}`)).toEqual(['Ezra Lead'])
  })

  it('lists a lead that became a client once, and no leads for whoever may not see them', async () => {
    const { make } = world.app
    const role = await make.role({ company: world.company, name: 'Front desk', permissions: ['CLIENTS'] })
    const desk = await world.app.as(await make.user({ tenant: world.branch, role }))
    const seen = (await desk.get<{ phoneBook: Row[] }>('/api/phone-book')).body.data.phoneBook.map(({ kind }) => kind)
    expect([seen.includes('CLIENT'), seen.includes('LEAD')]).toEqual([true, false])
    expect((await desk.post('/api/phone-book/entries', { name: 'x', phonenumber: '0722333444' })).status).toBe(403)
    const lead = (
      await world.as.officer.post<{ lead: Row }>('/api/leads', { firstName: 'Twice', lastName: 'Never', phonenumber: '0733000003' })
    ).body.data.lead
    await make.client({ tenant: world.team, leadId: lead.Id, firstName: 'Twice' })
    expect((await book('officer', '?search=twice')).map(({ kind }) => kind)).toEqual(['CLIENT'])
  })

  it('is changed by whoever keeps an entry; the branch changes what is the branch’s, and nobody takes one from others', async () => {
    const { as } = world
    const [shared, branch, hidden] = [await add('S', { visibility: 'SHARED' }), await add('B'), await add('P', { visibility: 'PRIVATE' })]
    const put = (by: keyof World['as'], id: string, body: object) => as[by].put(`/api/phone-book/entries/${id}`, body)
    expect((await put('manager', shared, { name: 'S2' })).status).toBe(403)
    expect((await put('elsewhere', shared, { name: 'S2' })).status).toBe(403)
    expect((await put('admin', shared, { name: 'S2' })).status).toBe(200)
    expect((await put('manager', branch, { name: 'B2' })).status).toBe(200)
    expect(fieldsOf(await put('manager', branch, { visibility: 'PRIVATE' }))).toEqual(['visibility'])
    for (const by of ['manager', 'admin', 'foreign'] as const) expect((await put(by, hidden, { name: 'P2' })).status).toBe(404)
    for (const by of ['elsewhere', 'foreign'] as const)
      expect((await as[by].post('/api/phone-book/entries/delete', { id: branch })).status).toBe(404)
    expect((await as.officer.post('/api/phone-book/entries/delete', { id: hidden })).status).toBe(200)
    expect((await as.admin.post('/api/phone-book/entries/restore', { ids: [hidden] })).status).toBe(404)
    expect((await as.officer.post('/api/phone-book/entries/restore', { ids: [hidden] })).status).toBe(200)
    expect(fieldsOf(await as.officer.post('/api/phone-book/entries', { name: 'Nobody' }))).toEqual(['phonenumber'])
    expect(fieldsOf(await as.officer.post('/api/phone-book/entries', { name: 'Wrong', phonenumber: '0000000' }))).toEqual(['phonenumber'])
  })

  it('gives the chosen rows as vCards, and what is out of sight is left out', async () => {
    const { as } = world
    const mine = await add('Zed; Garage', { visibility: 'PRIVATE', emailAddress: 'zed@example.org' })
    const [client] = await book('officer', '?search=dora')
    const ids = [mine, client?.Id]
    const cards = await as.officer.post('/api/phone-book/vcards', { ids })
    expect([
      cards.status,
      cards.text.match(/BEGIN:VCARD/g)?.length,
      cards.text.includes('FN:Zed\\; Garage'),
      cards.text.includes('TEL;TYPE=CELL:0733000001'),
    ]).toEqual([200, 2, true, true])
    expect((await as.admin.post('/api/phone-book/vcards', { ids })).text.match(/BEGIN:VCARD/g)).toHaveLength(1)
    expect((await as.foreign.post('/api/phone-book/vcards', { ids })).text).toBe('')
  })
})

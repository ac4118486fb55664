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

  it('warns of a number or an address that somebody in the book has, however it is typed, and tells nothing of others’ own', async () => {
    const { as } = world
    const exist = async (by: keyof World['as'], body: object) =>
      (await as[by].post<{ exists: boolean; fields: string[]; existing: { field: string; name: string }[] }>('/api/phone-book/exist', body))
        .body.data
    const Id = await add('Depot', { phonenumber: '0711 222 001', emailAddress: 'Depot@example.org' })
    const hidden = await add('Aunt', { phonenumber: '0711222002', visibility: 'PRIVATE' })
    await as.officer.post('/api/clients', { firstName: 'Fay', lastName: 'Known', phonenumber: '0711222003' })
    await as.officer.post('/api/leads', { firstName: 'Gil', lastName: 'Known', phonenumber: '0711222004' })
    expect(
      await exist('officer', { phonenumber: '+254711222001', otherNumber: '254 711 222 003', emailAddress: 'DEPOT@example.org' }),
    ).toEqual({
      exists: true,
      fields: ['phonenumber', 'otherNumber', 'emailAddress'],
      existing: [
        { field: 'phonenumber', Id, name: 'Depot (contact)' },
        { field: 'otherNumber', Id: expect.any(String), name: 'Fay Known (client)' },
        { field: 'emailAddress', Id, name: 'Depot (contact)' },
      ],
    })
    expect(await exist('officer', { phonenumber: '0711222004' })).toMatchObject({ existing: [{ name: 'Gil Known (lead)' }] })
    expect(await exist('officer', { phonenumber: '0711222002' })).toMatchObject({ existing: [{ Id: hidden }] })
    const nobody = { exists: false, fields: [], existing: [] }
    expect(await exist('officer', { phonenumber: '0711222001', Id })).toEqual(nobody)
    expect(await exist('manager', { phonenumber: '0711222002' })).toEqual(nobody)
    for (const by of ['elsewhere', 'foreign'] as const)
      expect(await exist(by, { phonenumber: '0711222001', otherNumber: '0711222003', emailAddress: 'depot@example.org' })).toEqual(nobody)
    const role = await world.app.make.role({ company: world.company, name: 'Clients only', permissions: ['CLIENTS'] })
    const desk = await world.app.as(await world.app.make.user({ tenant: world.branch, roles: [role] }))
    const seen = await desk.post<{ fields: string[] }>('/api/phone-book/exist', { phonenumber: '0711222003', otherNumber: '0711222004' })
    expect(seen.body.data.fields).toEqual(['phonenumber'])
    // Two people of one shop have one number: it is a warning, no refusal.
    await add('Depot, night', { phonenumber: '0711222001' })
    const form = await as.officer.get<{ view: { check?: object } }>('/api/console/screens/clients-phone-book-create')
    expect(form.body.data.view.check).toMatchObject({ call: { path: '/api/phone-book/exist' } })
  })

  it('takes in vCards and tables: all or none, the caller’s own, and who is in the book already is left out', async () => {
    const { as } = world
    interface Outcome {
      made: number
      skipped: number
      refused: number
      rows: { row: number; name: string; verdict: string; problems: { field: string; message: string }[] }[]
    }
    const take = (text: string, dryRun = false, by: keyof World['as'] = 'officer') =>
      as[by].post<Outcome>('/api/phone-book/import', { text, dryRun })
    await add('Clinic', { phonenumber: '0711333001' })
    const card = (name: string, number: string) => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nTEL;TYPE=CELL:${number}\r\nEND:VCARD\r\n`
    const cards = card('Hal', '+254 711 333 002') + card('Clinic again', '0711333001') + card('Hal twice', '0711333002')
    const tried = (await take(cards, true)).body.data
    expect([tried.made, tried.skipped, tried.refused]).toEqual([1, 2, 0])
    expect(tried.rows.map(({ verdict, problems }) => [verdict, problems[0]?.message])).toEqual([
      ['make', undefined],
      ['skip', 'belongs to Clinic (contact) already'],
      ['skip', 'is that of row 1 too'],
    ])
    expect(await names('officer', '?search=hal')).toEqual([])
    // Five at once make him once.
    const answers = await Promise.all(Array.from({ length: 5 }, () => take(cards)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(answers.reduce((sum, { body }) => sum + body.data.made, 0)).toBe(1)
    expect(await book('officer', '?search=hal')).toHaveLength(1)
    // A phone's numbers are nobody else's business, unless the file says so.
    expect(await names('manager', '?search=hal')).toEqual([])
    const table = 'Name,Mobile,E-mail,Seen by\nIda,0711333003,,shared\nJon,,jon@example.org,branch\n'
    expect((await take(table)).body.data).toMatchObject({ made: 2, refused: 0 })
    expect([await names('elsewhere', '?search=ida'), await names('elsewhere', '?search=jon')]).toEqual([['Ida'], []])
    const wrong = 'Name,Mobile\nKim,0711333004\nLee,12\n,0711333005\n'
    const refused = await take(wrong)
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ['row 3: phonenumber', 'row 4: name']])
    expect((await take(wrong, true)).body.data).toMatchObject({ made: 1, refused: 2 })
    expect(await names('officer', '?search=kim')).toEqual([])
    for (const text of ['Name,Mobile\n', 'no table', `Name,Mobile\n${'A,0711333009\n'.repeat(501)}`, '"'])
      expect(fieldsOf(await take(text))).toEqual(['text'])
    const role = await world.app.make.role({ company: world.company, name: 'Reads', permissions: ['CLIENTS'] })
    const reader = await world.app.as(await world.app.make.user({ tenant: world.branch, roles: [role] }))
    expect((await reader.post('/api/phone-book/import', { text: cards })).status).toBe(403)
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

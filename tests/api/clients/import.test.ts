import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../support/app.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

interface Sheet {
  headings: string[]
  guess: (string | null)[]
  fields: { key: string; required: boolean }[]
  rows: { row: number; cells: string[] }[]
}
interface Outcome {
  rows: {
    row: number
    name: string
    verdict: string
    problems: { field: string; message: string }[]
    existing: { Id: string; name: string } | null
    keys: string[]
  }[]
}
type Values = Record<string, string>
let phones = 60_000_000
const person = (over: Values = {}): Values => ({ firstName: 'Wanjiru', lastName: 'Kimani', phonenumber: `07${(phones += 1)}`, ...over })
const send = (rows: Values[], more: { dryRun?: boolean; duplicates?: string } = {}, by: Client = world.as.manager) =>
  by.post<Outcome>('/api/clients/import', { dryRun: false, ...more, rows: rows.map((values, index) => ({ row: index + 2, values })) })
const readFile = (name: string, bytes: Buffer, by: Client = world.as.manager) =>
  by.upload<Sheet>('/api/clients/import/read', {}, {}, [{ field: 'file', name, bytes }])
const stored = async (phonenumber: string) =>
  (
    await world.app.database.admin.query<Record<string, unknown>>(
      `select c.*, c."dateOfBirth"::text as born from client c where c."companyId" = $1 and c."phonenumber" = $2`,
      [world.company.id, phonenumber],
    )
  ).rows
const withRights = async (...permissions: string[]): Promise<Client> => {
  const role = await world.app.make.role({ company: world.company, name: permissions.join(' and '), permissions })
  return world.app.as(await world.app.make.user({ tenant: world.branch, role }))
}
const audits = async (id: unknown) =>
  (
    await world.app.database.admin.query<{ action: string; source: string }>(
      `select "action", "source" from audit_log where "companyId" = $1 and "objectId" = $2 order by "seq"`,
      [world.company.id, id],
    )
  ).rows
const verdictsOf = ({ body }: { body: { data: Outcome } }) => body.data.rows.map(({ verdict }) => verdict)

describe('a file of clients', () => {
  it('is read as CSV with either separator, and its columns are known by their usual words', async () => {
    const read = await readFile(
      'c.csv',
      Buffer.from(
        'First name;Surname;Mobile;National ID;D.O.B;Officer;Shoe size\nAmina;Otieno;0712000001;30000001;28/02/1990;;42\n\n;Said\n',
      ),
    )
    expect(read.status, read.text).toBe(200)
    expect(read.body.data).toMatchObject({
      guess: ['firstName', 'lastName', 'phonenumber', 'idNumber', 'dateOfBirth', 'agent', null],
      rows: [
        { row: 2, cells: ['Amina', 'Otieno', '0712000001', '30000001', '28/02/1990', '', '42'] },
        { row: 4, cells: ['', 'Said', '', '', '', '', ''] },
      ],
    })
    expect(read.body.data.fields.filter(({ required }) => required).map(({ key }) => key)).toEqual(['firstName', 'lastName', 'phonenumber'])
  })

  it('is read as a workbook, days as days', async () => {
    const book = new ExcelJS.Workbook()
    const sheet = book.addWorksheet('people')
    sheet.addRow(['First name', 'Last name', 'Phone', 'Date of birth'])
    sheet.addRow(['Amina', 'Otieno', '0712000001', new Date('1990-02-28T00:00:00Z')])
    const read = await readFile('c.xlsx', Buffer.from(await book.xlsx.writeBuffer()))
    expect(read.status, read.text).toBe(200)
    expect(read.body.data.rows).toEqual([{ row: 2, cells: ['Amina', 'Otieno', '0712000001', '1990-02-28'] }])
  })

  it('is refused empty, as something else, and from who may not capture clients', async () => {
    expect(fieldsOf(await readFile('c.csv', Buffer.from('First name,Phone\n')))).toEqual(['file'])
    expect((await readFile('c.csv', Buffer.from('%PDF-1.7 x'))).status).toBeGreaterThanOrEqual(400)
    const reader = await withRights('CLIENTS')
    expect((await readFile('c.csv', Buffer.from('First name\nA\n'), reader)).status).toBe(403)
    expect((await send([person()], {}, reader)).status).toBe(403)
  })
})

describe('an import of clients', () => {
  it('says first what would become of each row and writes nothing, then does it, with history', async () => {
    const rows = [
      person({ dateOfBirth: '28.02.1990', type: 'civil SERVANT', city: 'Thika' }),
      person({ emailAddress: 'nobody' }),
      { firstName: 'Only' },
    ]
    const trial = await send(rows, { dryRun: true })
    expect(trial.status, trial.text).toBe(200)
    expect(verdictsOf(trial)).toEqual(['make', 'refuse', 'refuse'])
    expect(trial.body.data.rows[1]?.problems.map(({ field }) => field)).toEqual(['emailAddress'])
    expect(trial.body.data.rows[2]?.problems.map(({ field }) => field).toSorted()).toEqual(['lastName', 'phonenumber'])
    expect(await stored(rows[0]?.['phonenumber'] ?? '')).toEqual([])
    expect(verdictsOf(await send(rows))).toEqual(['make', 'refuse', 'refuse'])
    const [made] = await stored(rows[0]?.['phonenumber'] ?? '')
    expect(made).toMatchObject({ born: '1990-02-28', type: 'Civil servant', city: 'Thika', tenantId: world.branch.id })
    expect(await audits(made?.['id'])).toEqual([{ action: 'client.create', source: 'import' }])
    expect(await stored(rows[1]?.['phonenumber'] ?? '')).toEqual([])
  })

  it('finds who is a client already by phone, e-mail or ID number, names them with a link, and refuses, skips or changes them as one says', async () => {
    const first = person({ emailAddress: 'Known@people.test', idNumber: '31000001', city: 'Nakuru' })
    await send([first])
    const [known] = await stored(first['phonenumber'] ?? '')
    const again = [
      { ...person({ city: 'Embu' }), phonenumber: first['phonenumber']?.replace(/^0/, '+254') ?? '' },
      person({ emailAddress: 'known@PEOPLE.test' }),
      person({ idNumber: '31000001' }),
    ]
    const refused = await send(again)
    expect(verdictsOf(refused)).toEqual(['refuse', 'refuse', 'refuse'])
    expect(refused.body.data.rows.map(({ existing, problems }) => [existing?.Id, problems[0]?.field, problems[0]?.message])).toEqual(
      ['phonenumber', 'emailAddress', 'idNumber'].map((field) => [known?.['id'], field, 'belongs to Wanjiru Kimani']),
    )
    expect(verdictsOf(await send(again, { duplicates: 'skip' }))).toEqual(['skip', 'skip', 'skip'])
    expect((await stored(first['phonenumber'] ?? ''))[0]).toMatchObject({ city: 'Nakuru' })
    const changed = await send(again.slice(0, 1), { duplicates: 'update' })
    expect(verdictsOf(changed)).toEqual(['update'])
    // What the file leaves empty stays.
    const after = (await world.app.database.admin.query<Record<string, unknown>>('select * from client where id = $1', [known?.['id']]))
      .rows[0]
    expect(after).toMatchObject({ city: 'Embu', emailAddress: 'known@people.test', idNumber: '31000001' })
    expect((await audits(known?.['id'])).map(({ action, source }) => `${action} ${source}`)).toEqual([
      'client.create import',
      'client.update import',
    ])
  })

  it('finds a person twice in the file, in any spelling, and two clients in one row', async () => {
    const one = person({ emailAddress: 'twice@people.test' })
    const rows = [
      one,
      person({ emailAddress: 'TWICE@people.test' }),
      { ...person(), phonenumber: one['phonenumber']?.replace(/^0/, '254') ?? '' },
    ]
    const trial = await send(rows, { dryRun: true })
    expect(verdictsOf(trial)).toEqual(['make', 'refuse', 'refuse'])
    expect(trial.body.data.rows[1]?.problems).toEqual([{ field: 'emailAddress', message: 'is that of row 2 too' }])
    expect(trial.body.data.rows[2]?.keys[0]).toBe(trial.body.data.rows[0]?.keys[0])
    expect(verdictsOf(await send(rows, { dryRun: true, duplicates: 'skip' }))).toEqual(['make', 'skip', 'skip'])
    const [a, b] = [person({ idNumber: '32000001' }), person({ idNumber: '32000002' })]
    await send([a, b])
    const both = await send([{ ...a, idNumber: '32000002' }], { duplicates: 'update' })
    expect(verdictsOf(both)).toEqual(['refuse'])
    expect(both.body.data.rows[0]?.problems.map(({ field }) => field)).toEqual(['phonenumber', 'idNumber'])
  })

  it('files in branches and under agents of the importer’s reach alone', async () => {
    const agent = world.people.officer.emailAddress
    const rows = [
      person({ branch: 'westlands', agent }),
      person({ branch: 'Mombasa' }),
      person({ agent: world.people.elsewhere.emailAddress }),
      person({ agent: world.people.foreign.emailAddress }),
      person({ branch: world.other.id }),
    ]
    const done = await send(rows)
    expect(verdictsOf(done)).toEqual(['make', 'refuse', 'refuse', 'refuse', 'refuse'])
    expect(done.body.data.rows.slice(1).map(({ problems }) => problems[0]?.field)).toEqual(['branch', 'agent', 'agent', 'branch'])
    expect((await stored(rows[0]?.['phonenumber'] ?? ''))[0]).toMatchObject({
      tenantId: world.team.id,
      assignedUserId: world.people.officer.id,
    })
  })

  it('reveals nothing of a client out of reach but that there is one, and changes none; a stranger’s is no duplicate', async () => {
    const hidden = person({ firstName: 'Hidden', lastName: 'Person' })
    await send([hidden], {}, world.as.elsewhere)
    for (const duplicates of ['refuse', 'update']) {
      const told = await send([{ ...person(), phonenumber: hidden['phonenumber'] ?? '', city: 'Stolen' }], { duplicates })
      expect(told.body.data.rows[0]).toMatchObject({
        verdict: 'refuse',
        existing: null,
        problems: [{ field: 'phonenumber', message: 'belongs to a client whom you do not see' }],
      })
      expect(told.text).not.toContain('Hidden')
    }
    expect((await stored(hidden['phonenumber'] ?? ''))[0]).toMatchObject({ city: null })
    expect(verdictsOf(await send([hidden], { dryRun: true }, world.as.foreign))).toEqual(['make'])
  })

  it('changes clients only for who may edit them, and takes no other column', async () => {
    const creator = await withRights('CLIENTS', 'CLIENTS/CREATE')
    expect((await send([person()], { duplicates: 'update' }, creator)).status).toBe(403)
    expect(verdictsOf(await send([person()], {}, creator))).toEqual(['make'])
    for (const key of ['tenantId', 'status', 'ussdPinHash', 'Id', 'constructor'])
      expect((await send([person({ [key]: 'x' })])).status, key).toBe(422)
    expect((await send([])).status).toBe(422)
  })

  it('said five times at once makes each person once', async () => {
    const rows = [person(), person()]
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(rows)))
    expect(answers.map(verdictsOf).filter(([verdict]) => verdict === 'make')).toHaveLength(1)
    for (const { phonenumber = '' } of rows) expect(await stored(phonenumber)).toHaveLength(1)
  })
})

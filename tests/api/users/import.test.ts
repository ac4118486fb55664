import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../support/app.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const path = '/api/users/import'
interface Outcome {
  dryRun: boolean
  made: number
  refused: number
  rows: { row: number; name: string; verdict: string; problems: { field: string; message: string }[] }[]
}
const csv = (...lines: string[]) => ({ name: 'people.csv', bytes: Buffer.from(lines.join('\n')) })
const send = (file: { name: string; bytes: Buffer }, dryRun: boolean, by: Client = world.as.admin) =>
  by.upload<Outcome>(path, { dryRun: String(dryRun) }, {}, [{ field: 'file', ...file }])
const head = 'First name,Last name,E-mail,User name,Mobile,Tenant,Roles'
const count = async () =>
  (await world.app.database.admin.query<{ n: number }>('select count(*)::int n from app_user where "companyId" = $1', [world.company.id]))
    .rows[0]?.n
const mails = async () =>
  (
    await world.app.database.admin.query<{ n: number }>(
      `select count(*)::int n from outbox where type = 'auth.mail' and payload ->> 'kind' = 'invite'`,
    )
  ).rows[0]?.n

describe('users from a file', () => {
  it('are judged row by row without making any, and then made as it was said, each invited', async () => {
    const file = csv(
      head,
      'Amina,Odhiambo,Amina.O@sunrise.test,,+254712345678,Nairobi,Loan Officer',
      '',
      'Juma,Kariuki,juma@sunrise.test,jumak,,Mombasa; Nairobi,',
    )
    const [people, sent] = [await count(), await mails()]
    const trial = await send(file, true)
    expect(trial.status, trial.text).toBe(200)
    expect(trial.body.data).toMatchObject({
      dryRun: true,
      made: 2,
      refused: 0,
      rows: [{ row: 2, name: 'Amina Odhiambo', verdict: 'make', problems: [] }, { row: 4 }],
    })
    expect([await count(), await mails()]).toEqual([people, sent])
    const done = await send(file, false)
    expect(done.body.data).toEqual({ ...trial.body.data, dryRun: false })
    expect([await count(), await mails()]).toEqual([(people ?? 0) + 2, (sent ?? 0) + 2])
    const { body } = await world.as.admin.get<{ user: Record<string, unknown> }>('/api/users/by-email/juma@sunrise.test')
    expect(body.data.user).toMatchObject({
      userName: 'jumak',
      tenantId: world.other.id,
      invitation: 'sent',
      tenants: [{ Id: world.other.id }, { Id: world.branch.id }],
    })
    const amina = await world.as.admin.get<{ user: Record<string, unknown> }>('/api/users/by-email/amina.o@sunrise.test')
    expect(amina.body.data.user).toMatchObject({ userName: 'amina.o', roles: [{ name: 'Loan Officer' }], mobile: '+254712345678' })
    const { rows } = await world.app.database.admin.query(
      `select 1 from audit_log where "objectId" = $1 and source = 'import' and action = 'user.create'`,
      [amina.body.data.user['Id']],
    )
    expect(rows).toHaveLength(1)
  })

  it('are refused with all that is wrong, and with one wrong row nobody is made', async () => {
    const taken = world.people.officer.emailAddress
    const file = csv(
      head,
      'Good,One,good@sunrise.test,,,,',
      `Same,Address,${taken},other.name,,,`,
      'Twice,Here,good@sunrise.test,twice,,,',
      'Bad,Mail,nothing,badmail,,,',
      ',Nameless,nameless@sunrise.test,,,,',
      'Wrong,Place,place@sunrise.test,,,Copper,',
      'Wrong,Role,role@sunrise.test,,,,Emperor',
      'Wrong,Phone,phone@sunrise.test,,12,,',
    )
    const people = await count()
    const { body } = await send(file, true)
    expect(body.data.made).toBe(1)
    expect(body.data.rows.map(({ row, problems }) => [row, ...new Set(problems.map(({ field }) => field))])).toEqual([
      [2],
      [3, 'emailAddress'],
      [4, 'emailAddress'],
      [5, 'emailAddress'],
      [6, 'firstName'],
      [7, 'tenants'],
      [8, 'roles'],
      [9, 'mobile'],
    ])
    const commit = await send(file, false)
    expect(commit.status).toBe(422)
    expect(commit.body.fields?.map(({ field }) => field)).toContain('row 3: emailAddress')
    expect(await count()).toBe(people)
  })

  it('reads a workbook as it is shown, and refuses what is none, too long, or another shape', async () => {
    const workbook = new ExcelJS.Workbook()
    const sheet = workbook.addWorksheet('People')
    sheet.addRow(['firstName', 'lastName', 'emailAddress'])
    sheet.addRow([
      'Neema',
      { richText: [{ text: 'Wa' }, { text: 'njiku' }] },
      { text: 'neema@sunrise.test', hyperlink: 'mailto:neema@sunrise.test' },
    ])
    const bytes = Buffer.from(await workbook.xlsx.writeBuffer())
    const { body, text } = await send({ name: 'people.xlsx', bytes }, true)
    expect(body.data.rows, text).toMatchObject([{ row: 2, name: 'Neema Wanjiku', verdict: 'make' }])
    const many = Array.from({ length: 501 }, (_, index) => `A,B,person${index}@sunrise.test`)
    const wrong: [string, { name: string; bytes: Buffer }][] = [
      ['too many', csv('firstName,lastName,emailAddress', ...many)],
      ['no rows', csv(head)],
      ['unknown column', csv('firstName,lastName,emailAddress,salary', 'a,b,c@sunrise.test,1')],
      ['missing column', csv('firstName,lastName', 'a,b')],
      ['twice', csv('firstName,lastName,emailAddress,E-mail', 'a,b,c@sunrise.test,c@sunrise.test')],
      ['quotes', csv('firstName,lastName,emailAddress', '"a,b,c@sunrise.test')],
    ]
    for (const [what, file] of wrong) expect(fieldsOf(await send(file, true)), what).toContain('file')
    expect((await send({ name: 'people.xlsx', bytes: Buffer.from('PK') }, true)).body.code).toBe('UNSUPPORTED_TYPE')
    expect(fieldsOf(await world.as.admin.post(path, { dryRun: 'true' }))).toEqual(['file'])
    // As many as are allowed are judged.
    expect((await send(csv('firstName,lastName,emailAddress', ...many.slice(1)), true)).body.data.made).toBe(500)
  })

  it('give nobody more than the importer may: roles, tenants, and the call itself', async () => {
    const role = await world.app.make.role({
      company: world.company,
      name: 'Recruiter',
      permissions: ['ADMIN/USERS', 'ADMIN/USERS/CREATE'],
    })
    const recruiter = await world.app.as(await world.app.make.user({ tenant: world.branch, role }))
    const { body } = await send(
      csv(
        head,
        'Up,Wards,upwards@sunrise.test,,,,Administrator',
        'Side,Ways,side@sunrise.test,,,Mombasa,',
        'Fine,Here,fine@sunrise.test,,,,',
      ),
      true,
      recruiter,
    )
    expect(body.data.rows.map(({ problems }) => problems[0]?.field ?? null)).toEqual(['roles', 'tenants', null])
    expect((await send(csv(head, 'Fine,Here,fine@sunrise.test,,,,'), true, world.as.officer)).status).toBe(403)
    const done = await send(csv(head, 'Fine,Here,fine@sunrise.test,,,,'), false, recruiter)
    expect(done.status, done.text).toBe(200)
    const found = await world.as.admin.get<{ user: { tenantId: string } }>('/api/users/by-email/fine@sunrise.test')
    expect(found.body.data.user.tenantId).toBe(world.branch.id)
  })

  it('five times the same file at once makes its people once', async () => {
    const file = csv(head, 'Only,Once,once@sunrise.test,,,,')
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await send(file, false)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const { rows } = await world.app.database.admin.query(`select 1 from app_user where "emailAddress" = 'once@sunrise.test'`)
    expect(rows).toHaveLength(1)
  })
})

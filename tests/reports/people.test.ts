import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant, north: MadeTenant, team: MadeTenant, south: MadeTenant
let admin: SignedInClient, branch: SignedInClient, officer: SignedInClient, stranger: SignedInClient
let agent: MadeUser, other: MadeUser, spy: MadeUser

beforeAll(async () => {
  app = await testApp()
  company = await app.make.company({ name: 'Sunrise' })
  north = await app.make.tenant({ company, type: 3, name: 'North' })
  team = await app.make.tenant({ company, parent: north, type: 4, name: 'Team' })
  south = await app.make.tenant({ company, type: 3, name: 'South' })
  const boss = await app.make.user({ company, tenant: company, role: 'admin', firstName: 'Asha', lastName: 'Admin' })
  const head = await app.make.user({ company, tenant: north, role: 'branch', firstName: 'Ben', lastName: 'Branch' })
  agent = await app.make.user({ company, tenant: team, role: 'officer', firstName: 'Nora', lastName: 'North' })
  other = await app.make.user({ company, tenant: south, role: 'officer', firstName: 'Sam', lastName: 'South' })
  const foreign = await app.make.company({ name: 'Copper' })
  spy = await app.make.user({ company: foreign, tenant: foreign, role: 'admin', firstName: 'ZZB', lastName: 'Spy' })
  admin = await app.as(boss)
  branch = await app.as(head)
  stranger = await app.as(spy)
  officer = await app.as(agent)
  for (const user of [agent, other]) {
    expect((await admin.put(`/api/users/change-password/${user.id}`, { password: 'a quiet green valley' })).status).toBe(200)
  }
  await app.make.row('password_history', {
    companyId: company.companyId,
    id: randomUUID(),
    userId: other.id,
    changedByUserId: other.id,
    passwordHash: 'argon2-canary',
    dateCreated: new Date(Date.now() - 200 * 86_400_000),
  })
})
afterAll(() => app.close())

type Rows = { preview: { rows: Record<string, unknown>[] } }
const ask = (client: SignedInClient, report: string, parameters: object = {}) =>
  client.post<Rows>('/api/reports/preview', { report, parameters })
const rowsOf = async (...asked: Parameters<typeof ask>) => {
  const answer = await ask(...asked)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.preview.rows
}
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

test('the history of passwords says whose changed and by whom, as far as the reader reaches, and shows no hash', async () => {
  const all = await ask(admin, 'passwordHistoryReport')
  const told = all.body.data.preview.rows.map(({ name, changedBy, isBySomebodyElse }) => [name, changedBy, isBySomebodyElse])
  expect(told).toEqual([
    ['Sam South', 'Asha Admin', true],
    ['Nora North', 'Asha Admin', true],
    // The passwords that they had been made with.
    ['Sam South', '', false],
    ['Nora North', '', false],
    ['Sam South', 'Sam South', false],
  ])
  expect(all.text).not.toContain('argon2')
  expect((await rowsOf(branch, 'passwordHistoryReport')).map(({ name }) => name)).toEqual(['Nora North', 'Nora North'])
  expect(await rowsOf(branch, 'passwordHistoryReport', { user: other.id })).toEqual([])
  expect(await rowsOf(stranger, 'passwordHistoryReport', { user: agent.id })).toEqual([])
  expect(await rowsOf(admin, 'passwordHistoryReport', { user: spy.id })).toEqual([])
  expect(await rowsOf(admin, 'passwordHistoryReport', { startDate: day(210), endDate: day(190) })).toHaveLength(1)
  expect(await rowsOf(admin, 'passwordHistoryReport', { startDate: day(30) })).toHaveLength(4)
})

test('new users are those made in the period, with branch and teams below it, and when they first signed in', async () => {
  const names = async (client: SignedInClient, parameters: object = {}) =>
    (await rowsOf(client, 'newUsersReport', parameters)).map(({ name }) => name).toSorted()
  expect(await names(admin)).toEqual(['Asha Admin', 'Ben Branch', 'Nora North', 'Sam South'])
  expect(await names(branch)).toEqual(['Ben Branch', 'Nora North'])
  expect(await names(admin, { branch: north.id })).toEqual(['Ben Branch', 'Nora North'])
  expect(await names(branch, { branch: south.id })).toEqual([])
  expect(await names(stranger, { branch: north.id })).toEqual([])
  expect(await names(admin, { startDate: day(60), endDate: day(30) })).toEqual([])
  const rows = await rowsOf(admin, 'newUsersReport')
  const firstLogin = (name: string) => rows.find((row) => row['name'] === name)?.['firstLogin']
  expect([firstLogin('Sam South'), typeof firstLogin('Nora North')]).toEqual([null, 'string'])
})

test('neither is for people without the right, and wrong parameters are named', async () => {
  for (const report of ['passwordHistoryReport', 'newUsersReport']) {
    expect((await ask(officer, report)).status).not.toBe(200)
    const wrong = await ask(admin, report, { startDate: 'yesterday' })
    expect([wrong.status, wrong.body.fields?.map(({ field }) => field)]).toEqual([422, ['parameters.startDate']])
    const backwards = await ask(admin, report, { startDate: day(1), endDate: day(9) })
    expect(backwards.body.fields?.map(({ field }) => field)).toEqual(['endDate'])
    const unknown = await ask(admin, report, { company: spy.companyId })
    expect(unknown.status).toBe(422)
  }
})

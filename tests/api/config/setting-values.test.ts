import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

type Client = World['as']['admin']
interface Told {
  settings: Record<string, number | null> & { origins: Record<string, { value: number; inherited: number; from: string | null }> }
}
const path = (id: string) => `/api/settings/${id}`
const read = async (client: Client, id: string) => (await client.get<Told>(path(id))).body.data.settings
const branchOf = async (): Promise<{ id: string; name: string }> =>
  (
    await world.app.database.admin.query('select "id", "name" from tenant where "companyId" = $1 and "type" = 3 order by "name" limit 1', [
      world.company.id,
    ])
  ).rows[0]
const save = (id: string, body: object, client: Client = world.as.admin) => client.put<Told>(path(id), body)
interface Line {
  label: string
  about: string | null
  unit: string
  before: number | string | null
  after: number | string | null
}
const historyOf = async (id: string) => (await world.as.admin.get<{ timeline: Line[] }>(`${path(id)}/history`)).body.data.timeline
const faults = ({ body }: { body: { fields?: { field: string; message: string }[] } }) => body.fields

describe('values of settings', () => {
  it('are inherited from the company by its branches, and marked where a branch chose its own', async () => {
    const { company } = world
    const branch = await branchOf()
    expect((await read(world.as.admin, branch.id)).origins['consentCoolDownMinutes']).toEqual({ value: 1, inherited: 1, from: null })
    expect((await save(company.id, { consentCoolDownMinutes: 10 })).status).toBe(200)
    expect((await read(world.as.admin, branch.id)).origins['consentCoolDownMinutes']).toMatchObject({ value: 10, inherited: 10 })
    expect((await read(world.as.admin, branch.id)).origins['consentCoolDownMinutes']?.from).not.toBeNull()
    const own = (await save(branch.id, { consentCoolDownMinutes: 20 })).body.data.settings
    expect([own['consentCoolDownMinutes'], own.origins['consentCoolDownMinutes']?.inherited]).toEqual([20, 10])
    expect((await save(branch.id, { consentCoolDownMinutes: null })).body.data.settings.origins['consentCoolDownMinutes']?.value).toBe(10)
  })

  it('are refused by name: out of bounds, unknown, of another kind of tenant; then nothing is saved', async () => {
    const { company } = world
    const branch = await branchOf()
    for (const value of [0, 1_441, 1.5, '10', true, {}]) {
      const answer = await save(company.id, { consentRequestsPerDay: 3, consentCoolDownMinutes: value })
      expect([answer.status, faults(answer)]).toEqual([
        422,
        [{ field: 'consentCoolDownMinutes', message: 'must be a whole number from 1 to 1440 (minutes)' }],
      ])
    }
    expect(faults(await save(company.id, { colourOfTheSky: 1 }))).toEqual([{ field: 'colourOfTheSky', message: 'is not a setting' }])
    expect(faults(await save(branch.id, { passwordLength: 20 }))).toEqual([
      { field: 'passwordLength', message: 'is chosen for the whole company' },
    ])
    expect((await read(world.as.admin, company.id))['consentRequestsPerDay']).toBeNull()
  })

  it('may be sent back as they were read, and say who changed what, from what', async () => {
    const { company } = world
    await save(company.id, { passwordsRemembered: 6 })
    await save(company.id, { passwordsRemembered: 7 })
    expect((await save(company.id, await read(world.as.admin, company.id))).status).toBe(200)
    const { body } = await world.as.admin.get<{ timeline: { name: string; who: string; before: number | null; after: number | null }[] }>(
      `${path(company.id)}/history`,
    )
    const told = body.data.timeline.filter(({ name }) => name === 'passwordsRemembered')
    expect(told.map(({ before, after }) => [before, after])).toEqual([
      [6, 7],
      [null, 6],
    ])
    expect(told[0]?.who).toMatch(/\w+ \w+/)
  })

  it('have the company’s own record, tracking, words and holidays in the same history, each with what it was', async () => {
    const { company } = world
    const { as } = world
    const tenant = (await as.admin.get<{ tenant: { name: string; timeZone: string } }>(`/api/tenants/${company.id}`)).body.data.tenant
    const given = { currency: 'ZMW', timeZone: 'Africa/Lusaka', phone: '+27821234567', assessmentDays: 60, address: 'Moi Avenue 1' }
    const put = await as.admin.put(`/api/tenants/${company.id}`, given)
    expect(put.status, put.text).toBe(200)
    expect((await as.admin.put(`/api/tenants/${company.id}`, { assessmentDays: null })).status).toBe(200)
    const label = (await as.admin.post<{ label: { Id: string } }>('/api/config/labels', { label: 'Leads', value: 'Prospects' })).body.data
      .label
    expect((await as.admin.put(`/api/config/labels/${label.Id}`, { value: 'People' })).status).toBe(200)
    const made = await as.admin.post<{ holiday: { Id: string } }>('/api/holidays', { date: '2027-05-01', name: 'Labour Day' })
    const day = made.body.data.holiday.Id
    expect((await as.admin.put(`/api/holidays/${day}`, { date: '2027-05-03' })).status).toBe(200)
    const own = await as.admin.get<{ timeline: { what: string }[] }>(`/api/holidays/${day}/timeline`)
    expect(own.body.data.timeline.map(({ what }) => what)).toEqual(['Changed', 'Created'])
    const words = await as.admin.get<{ timeline: { what: string }[] }>(`/api/config/labels/${label.Id}/timeline`)
    expect(words.body.data.timeline.map(({ what }) => what)).toEqual(['Changed', 'Created'])
    for (const stranger of [as.foreign, as.officer])
      for (const one of [`/api/holidays/${day}/timeline`, `/api/config/labels/${label.Id}/timeline`])
        expect((await stranger.get(one)).status).toBeGreaterThan(400)
    expect((await as.admin.post('/api/holidays/delete', { ids: [day] })).status).toBe(200)
    const told = await historyOf(company.id)
    const lines = told.map(({ label: what, about, before, after, unit }) => [about ? `${what}: ${about}` : what, before, after, unit])
    expect(lines.slice(0, 6)).toEqual([
      ['Holiday: Labour Day', '2027-05-03', 'none', ''],
      ['Holiday: Labour Day', '2027-05-01', '2027-05-03', ''],
      ['Holiday: Labour Day', 'none', '2027-05-01', ''],
      ['Word of the console: Leads', 'Prospects', 'People', ''],
      ['Word of the console: Leads', 'none', 'Prospects', ''],
      ['Assessments hold for', 60, '90 days', 'days'],
    ])
    expect(lines.slice(6, 11).map(([what, , after]) => [what, after])).toEqual(
      expect.arrayContaining([
        ['Currency', 'Zambian Kwacha (ZMW)'],
        ['Time zone', 'Africa/Lusaka'],
        ['Phone', '+27821234567'],
        ['Assessments hold for', 60],
        ['Address', 'Moi Avenue 1'],
      ]),
    )
    // A branch has what was done to the branch.
    const branch = await branchOf()
    expect((await as.admin.put(`/api/tenants/${branch.id}`, { phone: '+27821234568' })).status).toBe(200)
    expect((await historyOf(branch.id)).map(({ label: what }) => what)).toContain('Phone')
    expect((await historyOf(branch.id)).map(({ label: what }) => what)).not.toContain('Currency')
    expect((await as.admin.put(`/api/tenants/${company.id}`, { timeZone: tenant.timeZone })).status).toBe(200)
  })

  it('saved five times at once leave one value, and a line for each change', async () => {
    const { company } = world
    const answers = await Promise.all([10, 10, 10, 10, 10].map((value) => save(company.id, { consentLinkDays: value })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { rows } = await world.app.database.admin.query(
      `select 1 from audit_log where "companyId" = $1 and "objectType" = 'setting' and "after" ->> 'name' = 'consentLinkDays'`,
      [company.id],
    )
    expect(rows.length).toBe(1)
  })

  it('are nobody else’s: not of another company, not without the right, not beyond the reach', async () => {
    const { company, people } = world
    const stranger = await world.app.as(await world.app.make.user({ role: 'admin' }))
    for (const id of [company.id, (await branchOf()).id]) {
      expect((await stranger.get(path(id))).status).toBe(404)
      expect((await save(id, { consentLinkDays: 3 }, stranger)).status).toBe(404)
      expect((await stranger.get(`${path(id)}/history`)).status).toBe(404)
    }
    expect((await world.as.officer.get(path(company.id))).status).toBe(403)
    expect((await save(company.id, { consentLinkDays: 3 }, world.as.officer)).status).toBe(403)
    expect(people.officer.id).toBeTruthy()
  })
})

describe('what a company chose', () => {
  it('holds for the sessions of its administrators and the password they choose', async () => {
    const { company, app } = world
    await save(company.id, { officeIdleMinutes: 7, officeSessionHours: 2, impersonationMinutes: 5, passwordLength: 30 })
    const person = await app.make.user({ company, role: 'credit' })
    await app.as(person)
    const { rows } = await app.database.admin.query(
      `select "idleSeconds", round(extract(epoch from "expiresAt" - "dateCreated"))::int as lasts from session where "userId" = $1`,
      [person.id],
    )
    expect(rows).toEqual([{ idleSeconds: 420, lasts: 7_200 }])
    const set = (password: string) => world.as.admin.put(`/api/users/change-password/${person.id}`, { password })
    expect(faults(await set('only twenty letters x'))).toEqual([{ field: 'password', message: 'must have at least 30 characters' }])
    expect((await set('a much longer phrase about seven green boats')).status).toBe(200)
    const started = await world.as.admin.post<{ impersonation?: unknown; sessionEndsAt: string; serverNow: string }>(
      '/api/auth/impersonate',
      { userName: world.people.officer.userName, reason: 'to see how long it lasts' },
      { 'x-native': '1' },
    )
    const { sessionEndsAt, serverNow } = started.body.data
    expect(Math.round((Date.parse(sessionEndsAt) - Date.parse(serverNow)) / 60_000)).toBe(5)
  })

  it('holds for the days that its phones open offline, and for nobody else’s', async () => {
    const daysOf = async (client: Client) => (await client.get<{ offlineDays?: number }>('/api/console')).body.data.offlineDays
    const { officer, admin } = world.as
    expect([await daysOf(officer), await daysOf(admin)]).toEqual([14, undefined])
    await save(world.company.id, { offlineDays: 3 })
    expect(await daysOf(officer)).toBe(3)
    const elsewhere = await world.app.as(await world.app.make.user({ company: await world.app.make.company(), role: 'officer' }))
    expect(await daysOf(elsewhere)).toBe(14)
    for (const value of [0, 31, 1.5]) expect(faults(await save(world.company.id, { offlineDays: value }))?.[0]?.field).toBe('offlineDays')
    expect(await daysOf(officer)).toBe(3)
  })

  it('holds for the number of entries that a person may keep', async () => {
    const { company, app } = world
    await save(company.id, { savedViewsPerPerson: 20 })
    const client = await app.as(await app.make.user({ company, role: 'credit' }))
    const make = (n: number) => client.post('/api/views', { screen: '/sales/leads', name: `view ${n}`, scope: 'user', state: {} })
    for (let n = 0; n < 20; n += 1) expect((await make(n)).status).toBe(200)
    expect((await make(20)).body).toMatchObject({ code: 'QUOTA_REACHED', details: { most: 20 } })
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { makeTargetWorld, today, type TargetRow, type TargetWorld } from './world.ts'

let world: TargetWorld
let team: string

beforeAll(async () => {
  world = await makeTargetWorld()
  const made = await world.as.manager.post<{ team: { Id: string } }>('/api/teams', { name: 'Hunters', members: [world.people.officer.id] })
  team = made.body.data.team.Id
})
afterAll(() => world.app.close())

const own = (over: object = {}) => ({ ownerType: 'user', ownerUserId: world.people.officer.id, ...over })

it('the same target is stored once for an owner and days', async () => {
  const body = own({ metric: 'cases.opened', periodKind: 'month', startDate: today(), value: 5 })
  const [first, second] = [
    await world.as.manager.post<{ target: { Id: string } }>('/api/targets', body),
    await world.as.manager.post('/api/targets', { ...body, value: 7 }),
  ]
  expect([first.status, second.status, second.body.code, second.body.details?.['existingId']]).toEqual([
    200,
    409,
    'ALREADY_EXISTS',
    first.body.data.target.Id,
  ])
  expect((await world.as.manager.put(`/api/targets/${first.body.data.target.Id}`, { value: 7 })).status).toBe(200)
})

describe('setting a target', () => {
  it('takes the whole month round a day, and files it where the owner works', async () => {
    const made = await world.target(own({ startDate: '2026-02-17' }))
    expect(made).toMatchObject({ startDate: '2026-02-01', endDate: '2026-02-28', tenantId: world.team.id, ownerName: 'Chidi Officer' })
    expect(
      await world.target({ ownerType: 'tenant', ownerTenantId: world.branch.id, periodKind: 'week', startDate: '2026-11-22' }),
    ).toMatchObject({ startDate: '2026-11-16', endDate: '2026-11-22', tenantId: world.branch.id })
    const saved = await world.as.manager.put<{ target: TargetRow }>(`/api/targets/${made.Id}`, { startDate: '2026-03-03', value: 12 })
    expect(saved.body.data.target).toMatchObject({ startDate: '2026-03-01', endDate: '2026-03-31', value: 12 })
  })

  it.each([
    ['value', { value: 2.5 }],
    ['value', { value: 0 }],
    ['metric', { metric: 'wishes' }],
    ['endDate', { periodKind: 'custom' }],
    ['ownerUserId', { ownerUserId: undefined }],
    ['endDate', { periodKind: 'custom', startDate: '2026-02-02', endDate: '2026-02-01' }],
    ['product', { metric: 'visits.done', product: 'SME' }],
    ['endDate', { periodKind: 'custom', startDate: '2020-02-02', endDate: '2026-02-01' }],
    ['actual', { actual: 7 }],
  ])('names the wrong field %s of %j', async (field, over) => {
    const answer = await world.as.manager.post('/api/targets', {
      metric: 'leads.created',
      periodKind: 'month',
      startDate: today(),
      value: 10,
      ...own(),
      ...over,
    })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]])
  })

  it('is for owners in reach only, and not for everybody to set', async () => {
    for (const ownerUserId of [world.people.elsewhere.id, world.people.foreign.id]) {
      const answer = await world.as.manager.post('/api/targets', {
        metric: 'leads.created',
        periodKind: 'month',
        startDate: today(),
        value: 10,
        ...own({ ownerUserId }),
      })
      expect([answer.status, fieldsOf(answer)]).toEqual([422, ['ownerUserId']])
    }
    expect((await world.as.officer.post('/api/targets', { metric: 'leads.created', ...own() })).status).toBe(403)
  })

  it('is drawn on the dashboards in percent: one’s own, and those of branches and teams in reach', async () => {
    interface Reached {
      label: string
      percent: number
      Id?: string
    }
    const drawn = async (path: string, by: keyof typeof world.as) =>
      (await world.as[by].get<{ targets: Reached[] }>(path)).body.data.targets
    const mine = await world.target(own())
    const { attainment: percent } = await world.read(mine.Id)
    expect(await drawn('/api/home/targets', 'officer')).toContainEqual({ label: 'Leads captured', percent })
    expect(await drawn('/api/home/targets', 'foreign')).toEqual([])
    const branch = await world.target({ ownerType: 'tenant', ownerTenantId: world.branch.id })
    const ids = async (by: keyof typeof world.as) => (await drawn('/api/home/team-targets', by)).map(({ Id }) => Id)
    expect(await ids('manager')).toContain(branch.Id)
    expect([...(await ids('manager')), ...(await ids('foreign')), ...(await ids('elsewhere'))]).not.toContain(mine.Id)
    expect([...(await ids('foreign')), ...(await ids('elsewhere'))]).not.toContain(branch.Id)
  })

  it('keeps who changed its number, for those who see it', async () => {
    const { Id } = await world.target(own({ metric: 'leads.contacted' }))
    await world.as.manager.put(`/api/targets/${Id}`, { value: 4 })
    await world.as.admin.post('/api/targets/delete', { id: Id })
    expect((await world.as.admin.get(`/api/targets/${Id}/timeline`)).status).toBe(404)
    await world.as.admin.post('/api/targets/restore', { ids: [Id] })
    const read = (by: keyof TargetWorld['as']) =>
      world.as[by].get<{ timeline: { who: string; what: string; detail: string | null }[] }>(`/api/targets/${Id}/timeline`)
    expect((await read('officer')).body.data.timeline.map(({ who, what, detail }) => [who, what, detail])).toEqual([
      ['Asha Admin', 'Restored', null],
      ['Asha Admin', 'Deleted', null],
      ['Baraka Manager', 'Changed', 'Target: 10 → 4'],
      ['Baraka Manager', 'Created', null],
    ])
    expect([(await read('elsewhere')).status, (await read('foreign')).status]).toEqual([404, 404])
  })

  it('shows a person’s target to the person and to those who lead, nobody else', async () => {
    const made = await world.target(own())
    const colleague = await world.app.as(await world.app.make.user({ tenant: world.team, role: 'officer' }))
    expect((await world.as.officer.get(`/api/targets/${made.Id}`)).status).toBe(200)
    expect((await colleague.get(`/api/targets/${made.Id}`)).status).toBe(404)
    expect((await colleague.get(`/api/targets/${made.Id}/records`)).status).toBe(404)
    for (const who of ['foreign', 'elsewhere'] as const) expect((await world.as[who].get(`/api/targets/${made.Id}`)).status).toBe(404)
  })
})

describe('what was reached', () => {
  it('moves by exactly what was done, for the person, the team and the branch, with the records behind it', async () => {
    const { as, people } = world
    const owners = [
      own(),
      { ownerType: 'team', ownerTeamId: team },
      { ownerType: 'tenant', ownerTenantId: world.branch.id },
      { ownerType: 'tenant', ownerTenantId: world.company.id },
    ]
    const leads = await Promise.all(owners.map((owner) => world.target(owner, 'admin')))
    const visits = await Promise.all(owners.map((owner) => world.target({ ...owner, metric: 'visits.done' }, 'admin')))
    const actuals = (rows: TargetRow[]) => Promise.all(rows.map(async ({ Id }) => (await world.read(Id)).actual))
    const before = await actuals(leads)
    const made = [await world.lead(as.officer), await world.lead(as.officer)]
    const elsewhere = await world.lead(as.elsewhere)
    expect(await actuals(leads)).toEqual(before.map((value, index) => value + (index === 3 ? 3 : 2)))
    for (const { Id } of leads.slice(0, 3)) {
      const { records } = await world.records(Id)
      expect(records.map(({ entityId }) => entityId)).toEqual(expect.arrayContaining(made))
      expect(records.some(({ entityId }) => entityId === elsewhere)).toBe(false)
    }
    expect(await actuals(visits)).toEqual([0, 0, 0, 0])
    const done = await world.visit(people.officer, 'done')
    await world.visit(people.officer, 'missed')
    await world.visit(people.elsewhere, 'done')
    expect(await actuals(visits)).toEqual([1, 1, 1, 2])
    expect((await world.records(visits[0]?.Id ?? '')).records).toMatchObject([
      { entity: 'activity', entityId: done, userId: people.officer.id, label: 'Visit' },
    ])
    await as.manager.post('/api/leads/delete', { ids: [made[0]] }).then(({ status }) => expect(status).toBe(200))
    expect(await actuals(leads)).toEqual(before.map((value, index) => value + (index === 3 ? 2 : 1)))
  })

  it('counts for the team that the person was in at that moment', async () => {
    const { make } = world.app
    const user = await make.user({ tenant: world.team, role: 'officer' })
    const by = await world.app.as(user)
    const teams = await Promise.all(
      ['One', 'Two'].map(
        async (name) =>
          (await world.as.manager.post<{ team: { Id: string } }>('/api/teams', { name, members: name === 'One' ? [user.id] : [] })).body
            .data.team.Id,
      ),
    )
    const [one, two] = (await Promise.all(teams.map((ownerTeamId) => world.target({ ownerType: 'team', ownerTeamId })))) as [
      TargetRow,
      TargetRow,
    ]
    await world.lead(by)
    await world.as.manager.post(`/api/teams/${teams[1]}/members/move`, { userId: user.id })
    await world.lead(by)
    await world.lead(by)
    expect([(await world.read(one.Id)).actual, (await world.read(two.Id)).actual]).toEqual([1, 2])
  })

  it('is the same number whoever looks, and names no record out of the caller’s reach', async () => {
    const { make } = world.app
    const user = await make.user({ tenants: [world.team, world.other], role: 'officer' })
    const made = await world.target(own({ ownerUserId: user.id }))
    const [here, there] = [await world.app.as(user, { tenant: world.team }), await world.app.as(user, { tenant: world.other })]
    const near = await world.lead(here)
    await world.lead(there, { lastName: 'Secret' })
    expect([await world.read(made.Id), await world.read(made.Id, world.as.manager)].map(({ actual }) => actual)).toEqual([2, 2])
    const seen = await world.records(made.Id, world.as.manager)
    expect([seen.sum, seen.total, seen.records.filter(({ label }) => label === null).length]).toEqual([2, 2, 1])
    expect(seen.records.find(({ label }) => label !== null)).toMatchObject({ entityId: near })
    expect(JSON.stringify(seen)).not.toContain('Secret')
  })

  it('counts the first time a lead gets somewhere, for who held it then', async () => {
    const [contacted, qualified] = [
      await world.target(own({ metric: 'leads.contacted' })),
      await world.target(own({ metric: 'leads.qualified' })),
    ]
    const id = await world.lead(world.as.officer)
    const set = async (status: string) => {
      const { status: code, text } = await world.as.manager.put(`/api/leads/status/${id}`, { status, reason: 'because' })
      expect(code, text).toBe(200)
    }
    await world.as.officer.put(`/api/leads/status/${id}`, { status: 'Contacted' })
    await world.as.officer.put(`/api/leads/status/${id}`, { status: 'Nurture' })
    await world.as.officer.put(`/api/leads/status/${id}`, { status: 'Contacted' })
    expect((await world.read(contacted.Id)).actual).toBe(1)
    await set('Consent requested')
    await world.app.database.admin.query(
      `begin; select set_config('app.company', '${world.company.id}', true), set_config('app.stream', '${world.company.id}', true); update lead set "consentStatus" = 'GRANTED' where id = '${id}'; commit`,
    )
    await set('Qualified')
    expect((await world.read(qualified.Id)).actual).toBe(1)
  })

  it('is for one product only when the target says so', async () => {
    const made = await world.target(own({ product: 'SME' }))
    await world.lead(world.as.officer, { type: 'SME' })
    await world.lead(world.as.officer, { type: 'Individual' })
    expect((await world.read(made.Id)).actual).toBe(1)
  })

  it('counts a day worked once, however often it was started', async () => {
    const made = await world.target(own({ metric: 'days.worked' }))
    for (const action of [1, 0, 1]) expect((await world.as.officer.post('/api/agent/action', { action })).status).toBe(200)
    expect((await world.read(made.Id)).actual).toBe(1)
  })

  it('begins and ends at midnight of the company', async () => {
    const made = await world.target(own({ metric: 'visits.done', startDate: '2026-02-10' }))
    for (const at of ['2026-01-31T20:59:59.999Z', '2026-01-31T21:00:00Z', '2026-02-28T20:59:59.999Z', '2026-02-28T21:00:00Z'])
      await world.visit(world.people.officer, 'done', new Date(at))
    expect((await world.read(made.Id)).actual).toBe(2)
  })

  it('adds up to its records, for every metric and any owner, product and period', async () => {
    const { people } = world
    const days = fc.integer({ min: -40, max: 10 }).map((offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10))
    for (const days of [1, 5, 20]) await world.visit(people.elsewhere, 'missed', new Date(Date.now() - days * 86_400_000))
    const owner = fc.constantFrom(
      own(),
      { ownerType: 'team', ownerTeamId: team },
      { ownerType: 'tenant', ownerTenantId: world.company.id },
      { ownerType: 'tenant', ownerTenantId: world.team.id },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...world.app.services.program.metrics.keys()),
        owner,
        days,
        fc.integer({ min: 0, max: 60 }),
        async (metric, who, startDate, length) => {
          const endDate = new Date(Date.parse(startDate) + length * 86_400_000).toISOString().slice(0, 10)
          const { Id } = await world.target({ ...who, metric, periodKind: 'custom', startDate, endDate }, 'admin')
          const [{ actual, events }, { records, sum, total, people: shares }] = [await world.read(Id), await world.records(Id)]
          const added = records.reduce((all, { amount }) => all + amount, 0)
          expect([sum, added, total, records.length]).toEqual([actual, actual, events, events])
          expect(shares.reduce((all, share) => all + share.actual, 0)).toBe(actual)
          const points = (await world.as.admin.get<{ points: { actual: number | null }[] }>(`/api/targets/${Id}/progress`)).body.data.points
          if (endDate <= today()) expect(points.at(-1)?.actual).toBe(actual)
          await world.as.admin.post('/api/targets/delete', { id: Id })
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('lists of targets', () => {
  it('carry figures, cut to the days asked for', async () => {
    const made = await world.target(own({ startDate: '2025-05-05' }))
    const { body } = await world.as.manager.get<{ targets: TargetRow[] }>('/api/targets?from=2025-05-31&to=2025-06-30')
    expect(body.data.targets.map(({ Id }) => Id)).toEqual([made.Id])
    expect(body.data.targets[0]?.figures).toMatchObject({ actual: 0, attainment: 0, expected: 10, variance: -10, unit: 'count' })
    expect(fieldsOf(await world.as.manager.get('/api/targets?from=soon'))).toEqual(['from'])
  })

  it('give the caller the running targets that are the caller’s', async () => {
    const mine = await world.target(own({ metric: 'cases.resolved' }))
    const teams = await world.as.admin.post<{ team: { Id: string } }>(
      '/api/teams',
      { name: 'Of the officer', teamTenantId: world.team.id, members: [world.people.officer.id] },
      { 'x-tenant-id': world.team.id },
    )
    const ours = await world.target({ ownerType: 'team', ownerTeamId: teams.body.data.team.Id, metric: 'cases.resolved' }, 'admin')
    const past = await world.target(own({ startDate: '2025-01-01' }))
    const ids = (await world.as.officer.get<{ targets: TargetRow[] }>('/api/targets/mine')).body.data.targets.map(({ Id }) => Id)
    expect(ids).toEqual(expect.arrayContaining([mine.Id, ours.Id]))
    expect(ids).not.toContain(past.Id)
    expect((await world.as.manager.get<{ targets: TargetRow[] }>('/api/targets/mine')).body.data.targets).toEqual([])
  })
})

describe('scores', () => {
  it('are what the targets say, for everybody in reach, by person, team and tenant', async () => {
    // Also when midnight is between what happened and what asks for it.
    const [from, to] = [today(-7), today()]
    const custom = { periodKind: 'custom', startDate: from, endDate: to, metric: 'leads.created' }
    const owners = {
      user: own(custom),
      team: { ...custom, ownerType: 'team', ownerTeamId: team },
      tenant: { ...custom, ownerType: 'tenant', ownerTenantId: world.branch.id },
    }
    for (const [by, body] of Object.entries(owners)) {
      const made = await world.target(body, 'admin')
      const id = made['ownerUserId'] ?? made['ownerTeamId'] ?? made['ownerTenantId']
      const { body: answer } = await world.as.manager.get<{ scores: { Id: string; values: Record<string, number> }[] }>(
        `/api/targets/scores?from=${from}&to=${to}&by=${by}`,
      )
      expect(answer.data.scores.find(({ Id }) => Id === id)?.values['leads.created'], by).toBe((await world.read(made.Id)).actual)
      expect(answer.data.scores.map(({ Id }) => Id)).not.toContain(world.people.elsewhere.id)
    }
    expect(fieldsOf(await world.as.manager.get(`/api/targets/scores?from=${to}&to=${from.replace(/^\d{4}/, '2020')}`))).toEqual(['to'])
    expect(fieldsOf(await world.as.manager.get(`/api/targets/scores?from=${from}&to=${to}&metrics=wishes`))).toEqual(['metrics.0'])
    expect((await world.as.officer.get(`/api/targets/scores?from=${from}&to=${to}`)).status).toBe(403)
  })
})

describe('working days', () => {
  it('are Monday to Friday less the holidays of the country, until the company says otherwise', async () => {
    const { admin } = world.as
    const made = await world.target(own({ startDate: '2026-12-10', value: 23 }), 'admin')
    const days = async () =>
      (await world.as.admin.get<{ target: TargetRow & { figures: { workingDays: number } } }>(`/api/targets/${made.Id}`)).body.data.target
        .figures.workingDays
    expect(await days()).toBe(23)
    expect((await admin.post('/api/holidays', { date: '2026-12-25', name: 'Christmas Day', country: 'KE' })).status).toBe(200)
    expect((await admin.post('/api/holidays', { date: '2026-12-16', name: 'Day of Reconciliation', country: 'ZA' })).status).toBe(200)
    expect(await days()).toBe(22)
    expect((await admin.post('/api/holidays', { date: '2026-12-25', name: 'Again', country: 'KE' })).status).toBe(409)
    const lines = (...days: string[]) => days.map((weekday) => ({ weekday, startsAt: '08:00', endsAt: '17:00' }))
    expect(
      (
        await admin.post('/api/working-calendars/add', {
          tenantId: world.company.id,
          hours: lines('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'),
        })
      ).status,
    ).toBe(200)
    expect(await days()).toBe(26)
    // The officer's branch keeps a week of its own.
    expect((await admin.post('/api/working-calendars/add', { tenantId: world.branch.id, hours: lines('Monday', 'Tuesday') })).status).toBe(
      200,
    )
    expect(await days()).toBe(9)
  })
})

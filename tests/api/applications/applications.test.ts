import { randomUUID } from 'node:crypto'
import { dayOf } from '@outpost/rules/time-zone'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import type { MadeLead, MadeUser } from '../../support/make.ts'
import { runJobs } from '../leads/world.ts'
import { publishProduct, publishVersion } from '../products/fixture.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
let credit: SignedInClient
let products: { plain: string; strict: string; foreign: string }

interface Application {
  Id: string
  version: number
  applicationNumber: string
  applicant: string
  status: string
  leadId: string | null
  clientId: string | null
  productVersionId: string
  affordabilityRunId: string | null
  papers: { Id: string; name: string; isReceived: boolean }[]
  guarantors: { Id: string; name: string }[]
  [key: string]: unknown
}
type Client = Pick<SignedInClient, 'get' | 'post' | 'put' | 'upload'>

const lead = () => world.app.make.lead({ tenant: world.team, user: world.people.officer })
const assess = (of: MadeLead, over: object = {}, by: MadeUser = world.people.officer) =>
  world.app.make.row<{ id: string }>('affordability_run', {
    companyId: of.companyId,
    id: randomUUID(),
    tenantId: of.tenantId,
    leadId: of.id,
    calculator: 'cs-affordability',
    country: 'KE',
    ruleSetId: 'default',
    ruleSetVersion: '1',
    inputs: {},
    steps: '[]',
    result: {},
    outcome: 'PASS',
    instalment: 900,
    affordable: 2_000,
    createdByUserId: by.id,
    realUserId: by.id,
    ...over,
  })
const ask = (body: object, by: Client = world.as.officer) =>
  by.post<{ loanApplication: Application }>('/api/applications', { amount: 10_000, instalments: 12, ...body })
const make = async (body: object = {}, by: Client = world.as.officer) => {
  const answer = await ask(
    { productId: products.plain, ...(Object.hasOwn(body, 'leadId') ? {} : { leadId: (await lead()).id }), ...body },
    by,
  )
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.loanApplication
}
const move = (id: string, name: string, by: Client, more: object = {}) =>
  by.post<{ loanApplication: Application }>(`/api/applications/${id}/move`, { move: name, ...more })
const note = { decisionNote: 'Sound' }
/** An application that waits for a decision. */
const sent = async (body: object = {}) => {
  const made = await make(body)
  const answer = await move(made.Id, 'submit', world.as.officer)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.loanApplication
}

beforeAll(async () => {
  world = await makeWorld()
  credit = await world.app.as(await world.app.make.user({ tenant: world.branch, role: 'credit' }))
  products = {
    plain: await publishProduct(world.as.admin, 'PLAIN'),
    strict: await publishProduct(world.as.admin, 'STRICT', { calculator: 'cs-affordability', papers: ['Payslip', 'ID copy'] }),
    foreign: await publishProduct(world.as.foreign, 'THEIRS'),
  }
})
afterAll(() => world.app.close())

describe('an application', () => {
  it('pins the terms on offer and says what the loan costs, to the cent', async () => {
    const person = await lead()
    const made = await make({
      leadId: person.id,
      guarantors: [{ name: 'Wanjiru', amount: 5_000 }],
      collateral: [{ kind: 'Vehicle', description: 'Toyota', value: 400_000 }],
    })
    expect(made).toMatchObject({
      applicationNumber: expect.stringMatching(/^A-\d{5}$/) as string,
      applicant: `${person.firstName} ${person.lastName}`,
      status: 'Draft',
      instalment: 945.6,
      paidOut: 10_000,
      totalCost: expect.any(Number) as number,
      aprNominal: expect.any(Number) as number,
      ownerUserId: world.people.officer.id,
      tenantId: world.team.id,
      guarantors: [{ name: 'Wanjiru', amount: 5_000 }],
      collateral: [{ description: 'Toyota', value: 400_000 }],
      papers: [],
    })
    const { rows } = (await world.as.officer.get<{ rows: { total: string; balance: string }[] }>(`/api/applications/${made.Id}/schedule`))
      .body.data
    expect([rows.length, rows.at(-1)?.balance, rows[0]?.total]).toEqual([12, '0.00', '945.60'])
    const newer = await publishVersion(world.as.admin, products.plain, { annualRate: 36 })
    const saved = await world.as.officer.put<{ loanApplication: Application }>(`/api/applications/${made.Id}`, { amount: 20_000 })
    expect(saved.body.data.loanApplication).toMatchObject({ productVersionId: made.productVersionId, instalment: 1891.23 })
    expect((await make()).productVersionId).toBe(newer)
    await world.as.admin.post(`/api/products/versions/${newer}/move`, { move: 'retire', reason: 'Test' })
  })

  it('is for a lead or a client, each found by the other one', async () => {
    const person = await lead()
    const client = await world.app.make.client({ tenant: world.team, leadId: person.id })
    expect(await make({ leadId: undefined, clientId: client.id })).toMatchObject({ leadId: person.id, clientId: client.id })
    expect(await make({ leadId: person.id })).toMatchObject({ leadId: person.id, clientId: client.id })
    const nobody = await ask({ productId: products.plain })
    expect([nobody.status, fieldsOf(nobody)]).toEqual([422, ['clientId']])
    const mixed = await ask({ productId: products.plain, clientId: client.id, leadId: (await lead()).id })
    expect([mixed.status, fieldsOf(mixed)]).toEqual([422, ['leadId']])
  })

  it.each([
    ['under the product’s range', { amount: 999 }, ['amount']],
    ['over the product’s range', { amount: 50_001, instalments: 25 }, ['amount', 'instalments']],
    ['due before it is paid out', { firstDueAt: '2020-01-01' }, ['firstDueAt']],
    ['nothing', { amount: 0 }, ['amount']],
  ])('is refused when it is %s', async (_, body, fields) => {
    const answer = await ask({ productId: products.plain, leadId: (await lead()).id, ...body })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
  })

  it('names nothing of another company, and is out of its sight', async () => {
    const theirs = await world.app.make.lead({ tenant: world.stranger, user: world.people.foreign })
    expect(fieldsOf(await ask({ productId: products.plain, leadId: theirs.id }))).toEqual(['leadId'])
    expect(fieldsOf(await ask({ productId: products.foreign, leadId: (await lead()).id }))).toEqual(['productId'])
    const made = await make()
    for (const by of [world.as.foreign, world.as.elsewhere]) {
      expect((await by.get(`/api/applications/${made.Id}`)).status).toBe(404)
      expect((await by.get(`/api/applications/${made.Id}/schedule`)).status).toBe(404)
      expect((await move(made.Id, 'submit', by)).status).toBe(404)
    }
    const line = await world.as.officer.put<{ loanApplication: Application }>(`/api/applications/${made.Id}`, {
      guarantors: [{ name: 'A' }],
    })
    const other = await make()
    const taken = await world.as.officer.put(`/api/applications/${other.Id}`, {
      guarantors: [{ Id: line.body.data.loanApplication.guarantors[0]?.Id, name: 'B' }],
    })
    expect(taken.status).toBe(422)
  })

  it('is numbered once each, and is put back as it was read', async () => {
    const numbers = (await Promise.all(Array.from({ length: 5 }, () => make()))).map(({ applicationNumber }) => applicationNumber)
    expect(new Set(numbers).size).toBe(5)
    const made = await make({ guarantors: [{ name: 'A' }] })
    const { body } = await world.as.officer.get<{ loanApplication: Application }>(`/api/applications/${made.Id}`)
    const back = await world.as.officer.put<{ loanApplication: Application }>(`/api/applications/${made.Id}`, body.data.loanApplication)
    expect(back.status, back.text).toBe(200)
    expect(back.body.data.loanApplication).toMatchObject({ instalment: 945.6, guarantors: body.data.loanApplication.guarantors })
  })
})

describe('sending in', () => {
  it('asks for papers with a file and for an assessment that holds; it is pinned', async () => {
    const person = await lead()
    const made = await make({ productId: products.strict, leadId: person.id })
    expect(made.papers.map(({ name, isReceived }) => [name, isReceived])).toEqual([
      ['Payslip', false],
      ['ID copy', false],
    ])
    const submit = () => move(made.Id, 'submit', world.as.officer)
    const first = await submit()
    expect([first.status, first.body.message]).toEqual([
      409,
      expect.stringMatching(/Papers are missing: Payslip, ID copy\..*no assessment/),
    ])
    await world.as.officer.put(`/api/applications/${made.Id}`, { papers: made.papers.map((paper) => ({ ...paper, isReceived: true })) })
    expect((await submit()).body.message).toMatch(/no file is attached/)
    await world.as.officer.upload(`/api/applications/${made.Id}/files`)
    await assess(person, { outcome: 'FAIL' })
    expect((await submit()).body.message).toMatch(/came to FAIL/)
    await assess(person, { dateCreated: new Date(Date.now() + 1_000), affordable: 900 })
    expect((await submit()).body.message).toMatch(/945\.60 is above the 900\.00/)
    const old = await assess(person, { dateCreated: new Date(Date.now() + 2_000), calculator: 'sme-affordability' })
    const held = await assess(person, { dateCreated: new Date(Date.now() + 3_000) })
    const answer = await submit()
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.data.loanApplication).toMatchObject({
      status: 'Submitted',
      affordabilityRunId: held.id,
      affordable: 2_000,
      assessmentOutcome: 'PASS',
    })
    expect(held.id).not.toBe(old.id)
    await assess(person, { dateCreated: new Date(Date.now() + 4_000), outcome: 'FAIL' })
    expect(
      (await credit.get<{ loanApplication: Application }>(`/api/applications/${made.Id}`)).body.data.loanApplication.affordabilityRunId,
    ).toBe(held.id)
  })

  it('closes it: nothing is changed or deleted until it is sent back', async () => {
    const { Id } = await sent()
    expect((await world.as.officer.put(`/api/applications/${Id}`, { amount: 20_000 })).status).toBe(409)
    expect((await world.as.officer.put(`/api/applications/${Id}`, { guarantors: [{ name: 'A' }] })).status).toBe(409)
    expect((await world.as.officer.post('/api/applications/delete', { id: Id })).status).toBe(409)
    const read = await world.as.officer.get<{ loanApplication: Application }>(`/api/applications/${Id}`)
    expect((await world.as.officer.put(`/api/applications/${Id}`, read.body.data.loanApplication)).status).toBe(200)
    expect((await move(Id, 'sendBack', credit)).status).toBe(422)
    expect((await move(Id, 'sendBack', credit, { reason: 'The term is too long' })).body.data.loanApplication).toMatchObject({
      status: 'Draft',
      statusReason: 'The term is too long',
    })
    expect((await world.as.officer.put(`/api/applications/${Id}`, { instalments: 6 })).status).toBe(200)
    expect((await move(Id, 'submit', world.as.officer)).body.data.loanApplication).toMatchObject({
      status: 'Submitted',
      statusReason: null,
    })
    expect((await move(Id, 'approve', credit, note)).status).toBe(200)
  })

  it('is not with terms that were retired meanwhile; saved again, it takes those of today', async () => {
    const productId = await publishProduct(world.as.admin, 'CHANGING')
    const made = await make({ productId })
    await world.as.admin.post(`/api/products/versions/${made.productVersionId}/move`, { move: 'retire', reason: 'Old' })
    expect((await move(made.Id, 'submit', world.as.officer)).body.message).toMatch(/no longer offered/)
    const newer = await publishVersion(world.as.admin, productId, { annualRate: 12 })
    await world.as.officer.put(`/api/applications/${made.Id}`, { amount: 10_001 })
    expect((await move(made.Id, 'submit', world.as.officer)).body.data.loanApplication.productVersionId).toBe(newer)
  })
})

describe('a decision', () => {
  it('is made by another person than the maker, who is notified; it is made once when five make it', async () => {
    const manager = world.as.manager
    const own = await make({ leadId: (await lead()).id }, manager)
    await move(own.Id, 'submit', manager)
    const refused = await move(own.Id, 'approve', manager, note)
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringMatching(/Another person has to decide/)])
    expect((await move((await sent()).Id, 'approve', world.as.elsewhere, note)).status).toBe(404)
    expect((await move((await sent()).Id, 'approve', world.as.officer, note)).status).toBe(403)
    expect((await move(own.Id, 'approve', credit)).status).toBe(422)
    await move(own.Id, 'review', credit)
    const all = await Promise.all(Array.from({ length: 5 }, () => move(own.Id, 'approve', credit, note)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const { body } = await manager.get<{ loanApplication: Application }>(`/api/applications/${own.Id}`)
    expect(body.data.loanApplication).toMatchObject({ status: 'Approved', decisionNote: 'Sound', decidedByUserId: credit.user.id })
    const { rows } = await world.app.database.admin.query('select "message" from notification where "userId" = $1', [manager.user.id])
    expect(rows).toEqual([{ message: expect.stringContaining(`${own.applicationNumber} was approved by`) as string }])
  })

  it('is nobody’s who touched it: changed it, holds it, or assessed the applicant', async () => {
    const changed = await make()
    await world.as.manager.put(`/api/applications/${changed.Id}`, { guarantors: [{ name: 'Added' }] })
    await move(changed.Id, 'submit', world.as.officer)
    expect((await move(changed.Id, 'approve', world.as.manager, note)).body.message).toMatch(/you changed or sent in/)
    const held = await make()
    await world.as.admin.put(`/api/applications/${held.Id}`, { ownerUserId: world.people.manager.id })
    await move(held.Id, 'submit', world.as.officer)
    expect((await move(held.Id, 'decline', world.as.manager, { reason: 'No' })).status).toBe(403)
    const person = await lead()
    await assess(person, {}, world.people.manager)
    const assessed = await sent({ leadId: person.id })
    expect((await move(assessed.Id, 'approve', world.as.manager, note)).body.message).toMatch(/you assessed the applicant/)
    expect((await move(assessed.Id, 'approve', credit, note)).status).toBe(200)
  })

  it('keeps to the limit of the decider’s roles, the company’s own', async () => {
    const { make: factory } = world.app
    const company = await factory.company({ name: 'Limited' })
    const tenant = await factory.tenant({ company })
    const admin = await world.app.as(await factory.user({ company, role: 'admin' }))
    const officer = await factory.user({ tenant, role: 'officer' })
    const [by, low, none] = [
      await world.app.as(officer),
      await world.app.as(await factory.user({ tenant, role: 'credit' })),
      await world.app.as(await factory.user({ tenant, role: 'branch' })),
    ]
    const productId = await publishProduct(admin, 'L')
    const { roles } = (await admin.get<{ roles: { Id: string; systemRole: string; name: string }[] }>('/api/roles')).body.data
    const role = roles.find(({ name }) => /credit/i.test(name))
    const limit = await admin.post('/api/applications/limits', { roleId: role?.Id, amount: 10_000 })
    expect(limit.status, limit.text).toBe(200)
    expect(fieldsOf(await admin.post('/api/applications/limits', { roleId: role?.Id, amount: 1 }))).toEqual(['roleId'])
    expect(fieldsOf(await world.as.admin.post('/api/applications/limits', { roleId: role?.Id, amount: 1 }))).toEqual(['roleId'])
    const waiting = async (amount: number) => {
      const person = await factory.lead({ tenant, user: officer })
      const made = await make({ productId, leadId: person.id, amount }, by)
      await move(made.Id, 'submit', by)
      return made.Id
    }
    const large = await waiting(10_001)
    expect((await move(large, 'approve', low, note)).body.message).toMatch(
      /10,001\.00 is above what your roles may approve, KES\s10,000\.00/,
    )
    expect((await move(large, 'approve', none, note)).body.message).toMatch(/no limit of approval/)
    expect((await move(large, 'decline', low, { reason: 'Too much' })).status).toBe(200)
    expect((await move(await waiting(10_000), 'approve', low, note)).status).toBe(200)
    expect((await low.get('/api/applications/limits')).status).toBe(403)
  })

  it('says in bulk what each came to', async () => {
    const [one, own] = [await sent(), await make({ leadId: (await lead()).id }, world.as.manager)]
    await move(own.Id, 'submit', world.as.manager)
    const { body } = await world.as.manager.post<{ results: { isDone: boolean }[] }>('/api/applications/move', {
      ids: [one.Id, own.Id],
      move: 'approve',
      ...note,
    })
    expect(body.data.results.map(({ isDone }) => isDone)).toEqual([true, false])
  })

  it('is named behind the number of a target to whoever may read it, and to nobody else', async () => {
    const made = await sent()
    const today = dayOf(Date.now(), 'Africa/Nairobi')
    const given = { metric: 'applications.submitted', ownerType: 'tenant', ownerTenantId: world.team.id }
    const { body, text } = await world.as.admin.post<{ target: { Id: string } }>('/api/targets', {
      ...given,
      periodKind: 'month',
      startDate: today,
      value: 5,
    })
    expect(body.success, text).toBe(true)
    const recordsFor = async (by: Client) =>
      (await by.get<{ records: { label: string | null; entityId?: string }[] }>(`/api/targets/${body.data.target.Id}/records?size=1000`))
        .body.data.records
    expect((await recordsFor(world.as.admin)).find(({ entityId }) => entityId === made.Id)?.label).toBe(made.applicationNumber)
    const role = await world.app.make.role({ company: world.company, name: 'Reads targets', permissions: ['SALES', 'SALES/TARGETS'] })
    const reader = await world.app.as(await world.app.make.user({ tenant: world.branch, role }))
    const unnamed = await recordsFor(reader)
    expect(unnamed.length).toBeGreaterThan(0)
    expect(unnamed.filter(({ label, entityId }) => label !== null || entityId !== undefined)).toEqual([])
  })

  it('waits on Home for whoever may decide, as many as its list has', async () => {
    await sent()
    const { body } = await credit.get<{ tiles: Record<string, { value: number }> }>('/api/home/figures')
    const counted = body.data.tiles['applications-decision']?.value
    const filter = encodeURIComponent(
      JSON.stringify([
        { field: 'status', op: 'in', value: ['Submitted', 'In review'] },
        { field: 'isOwnWork', op: 'eq', value: false },
      ]),
    )
    const listed = await credit.get(`/api/applications?filter=${filter}`)
    expect(counted).toBeGreaterThan(0)
    expect(listed.body.meta?.total).toBe(counted)
  })
})

describe('what is approved', () => {
  const loansOf = async (id: string) =>
    (
      await world.app.database.admin.query<{
        principal: string
        terms: { instalments: number; annualRate: string }
        status: string
        clientId: string
        officerUserId: string
      }>('select * from loan where "applicationId" = $1', [id])
    ).rows

  it('becomes a loan of the client at the pinned terms, once', async () => {
    const person = await lead()
    const client = await world.app.make.client({ tenant: world.team, leadId: person.id })
    const { Id } = await sent({ leadId: person.id })
    await Promise.all(Array.from({ length: 5 }, () => move(Id, 'approve', credit, note)))
    expect((await credit.get<{ loanApplication: Application }>(`/api/applications/${Id}`)).body.data.loanApplication).toMatchObject({
      status: 'Disbursing',
      clientId: client.id,
      expiresAt: null,
    })
    const loans = await loansOf(Id)
    expect(loans).toHaveLength(1)
    expect(loans[0]).toMatchObject({
      principal: '10000.00',
      clientId: client.id,
      officerUserId: world.people.officer.id,
      terms: { instalments: 12, annualRate: '24' },
    })
    expect((await move(Id, 'openLoan', credit)).status).toBe(409)
    expect((await move(Id, 'withdraw', world.as.officer, { reason: 'No' })).status).toBe(409)
  })

  it('waits for a lead to become a client, and is opened then', async () => {
    const person = await lead()
    const { Id } = await sent({ leadId: person.id })
    await move(Id, 'approve', credit, note)
    expect((await move(Id, 'openLoan', credit)).body.message).toMatch(/make the lead a client first/)
    expect(await loansOf(Id)).toEqual([])
    const client = await world.app.make.client({ tenant: world.team, leadId: person.id })
    expect((await move(Id, 'openLoan', world.as.officer)).status).toBe(403)
    expect((await move(Id, 'openLoan', credit)).body.data.loanApplication).toMatchObject({ status: 'Disbursing', clientId: client.id })
    expect(await loansOf(Id)).toHaveLength(1)
  })
})

describe('time', () => {
  it('ends what nobody decided on, and leaves what still has days', async () => {
    const [over, open] = [await sent(), await sent()]
    await world.app.database.admin
      .query(`begin; select set_config('app.company', '${world.company.id}', true), set_config('app.stream', '${world.company.id}', true);
      update loan_application set "expiresAt" = now() - interval '1 minute' where "id" = '${over.Id}'; commit`)
    await world.app.database.admin.query(`update outbox set "runAt" = now() where "type" = 'applications.expire'`)
    await runJobs(world.app, world.company.id, 'applications.expire')
    const stateOf = async (id: string) =>
      (await credit.get<{ loanApplication: Application }>(`/api/applications/${id}`)).body.data.loanApplication.status
    expect([await stateOf(over.Id), await stateOf(open.Id)]).toEqual(['Expired', 'Submitted'])
    expect((await move(over.Id, 'approve', credit, note)).status).toBe(409)
  })
})

it('counts towards targets once, for whoever holds it, however often it is sent in', async () => {
  const { Id } = await sent()
  await move(Id, 'sendBack', credit, { reason: 'Again' })
  await move(Id, 'submit', world.as.officer)
  await move(Id, 'approve', credit, note)
  const { rows } = await world.app.database.admin.query<{ to: string; n: number }>(
    `select "to", count(*) filter (where "isFirst")::int as n from record_move where "objectId" = $1 and "to" in ('Submitted', 'Approved') group by 1 order by 1`,
    [Id],
  )
  expect(rows).toEqual([
    { to: 'Approved', n: 1 },
    { to: 'Submitted', n: 1 },
  ])
})

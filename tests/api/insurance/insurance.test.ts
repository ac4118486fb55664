import { holds, type Condition } from '@outpost/contract/fields'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runJobs } from '../leads/world.ts'
import { draftVersion, makeProduct } from '../products/fixture.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

type Row = { Id: string } & Record<string, unknown>
let world: World
let as: World['as']
let productId = ''
let clients = 40_000_000

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
async function good<Body>(answer: Promise<{ status: number; text: string; body: { data: Body } }>): Promise<Body> {
  const { status, text, body } = await answer
  expect(status, text).toBe(200)
  return body.data
}

beforeAll(async () => {
  world = await makeWorld()
  as = world.as
  await world.app.database.admin.query(
    `update tenant set "country" = 'ZA', "currency" = 'ZAR', "timeZone" = 'Africa/Johannesburg' where id = $1`,
    [world.company.id],
  )
  productId = await makeProduct(as.admin, 'CASH')
  const terms = { maxAmount: 100_000, annualRate: 18, creditType: 'unsecured', method: 'declining' }
  const versionId = await draftVersion(as.admin, productId, terms)
  // Nobody has entered the reference rate of the central bank, without which it is not published here.
  await world.app.database.admin.query(`update product_version set state = 'Published' where id = $1`, [versionId])
})
afterAll(() => world.app.close())

const offer = (over: object = {}) =>
  as.admin.post<{ insuranceOffer: Row }>('/api/insurance/offers', {
    insurer: 'Jubilee',
    name: 'Credit life',
    coverType: 'Credit life',
    premiumRule: 'perMille',
    rate: 4.5,
    validFrom: day(-10),
    ...over,
  })
async function active(over: object = {}): Promise<string> {
  const { insuranceOffer } = await good(offer(over))
  await good(as.admin.post(`/api/insurance/offers/${insuranceOffer.Id}/move`, { move: 'activate' }))
  return insuranceOffer.Id
}
async function asked(over: object = {}): Promise<string> {
  const { client } = await good(
    as.officer.post<{ client: Row }>('/api/clients', {
      firstName: 'Amina',
      lastName: 'Otieno',
      phonenumber: `+27${(clients += 1)}0`.slice(0, 12),
      dateOfBirth: '1990-05-01',
    }),
  )
  const { loanApplication } = await good(
    as.officer.post<{ loanApplication: Row }>('/api/applications', {
      clientId: client.Id,
      productId,
      amount: 10_000,
      instalments: 12,
      ...over,
    }),
  )
  return loanApplication.Id
}
const accept = (id: string, offerId: string, over: object = {}, who: keyof typeof as = 'officer') =>
  as[who].post(`/api/applications/${id}/insurance/accept`, { offerId, ...over })
const scheduleOf = async (id: string) =>
  (await good(as.officer.get<{ rows: { insurance: string; total: string }[] }>(`/api/applications/${id}/schedule`))).rows
const offersFor = async (id: string) => (await good(as.officer.get<{ offers: Row[] }>(`/api/applications/${id}/insurance`))).offers
const choicesOf = async (id: string) =>
  (
    await good(
      as.officer.get<{ insuranceChoices: Row[] }>(
        `/api/insurance/choices?filter=${encodeURIComponent(JSON.stringify([{ field: 'applicationId', op: 'eq', value: id }]))}`,
      ),
    )
  ).insuranceChoices.map(({ kind, status, reason }) => [kind, status, reason])

/** Actions of the comparison that its tab offers for an offer in a state, with what each asks. */
async function offeredFor(state: string): Promise<Record<string, string[]>> {
  type Action = { key: string; scope?: string; visibleIf?: Condition; form?: { key: string }[] }
  const { view } = await good(
    as.officer.get<{ view: { panels: { key: string; actions: Action[] }[] } }>('/api/console/screens/sales-applications-view-id'),
  )
  const actions = view.panels.find(({ key }) => key === 'insurance')?.actions ?? []
  const offered = actions.filter(({ scope, visibleIf }) => scope === 'row' && (visibleIf === undefined || holds(visibleIf, { state })))
  return Object.fromEntries(offered.map(({ key, form }) => [key, (form ?? []).map((field) => field.key)]))
}

describe('an offer', () => {
  it('is entered whole, activated within the cap of the country, and not changed after', async () => {
    expect(fieldsOf(await offer({ rate: null }))).toEqual(['rate'])
    expect(fieldsOf(await offer({ premiumRule: 'table', rate: null }))).toEqual(['bands'])
    expect(fieldsOf(await offer({ validUntil: day(-11) }))).toEqual(['validUntil'])
    expect(fieldsOf(await offer({ insurer: '' }))).toEqual(['insurer'])
    const dear = await good(offer({ rate: 4.51 }))
    const refused = await as.admin.post(`/api/insurance/offers/${dear.insuranceOffer.Id}/move`, { move: 'activate' })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '4.51 with levies is above 4.5, the cap on credit life a month for each 1,000 owed.',
    ])
    const levied = await good(offer({ rate: 4.5, levies: 1 }))
    expect((await as.admin.post(`/api/insurance/offers/${levied.insuranceOffer.Id}/move`, { move: 'activate' })).status).toBe(409)
    expect(await active({ rate: 5.5, hasDisability: true, name: 'With disability' })).toBeTruthy()
    const id = await active({ name: 'Kept' })
    expect((await as.admin.put(`/api/insurance/offers/${id}`, { rate: 1 })).status).toBe(409)
    expect((await as.admin.post('/api/insurance/offers/delete', { id })).status).toBe(409)
    expect((await as.admin.put(`/api/insurance/offers/${id}`, { validUntil: day(100) })).status).toBe(200)
    expect((await as.officer.get('/api/insurance/offers')).status).toBe(403)
    expect((await as.foreign.get(`/api/insurance/offers/${id}`)).status).toBe(404)
    expect((await as.admin.post(`/api/insurance/offers/${id}/move`, { move: 'withdraw', reason: 'Over' })).status).toBe(200)
  })
})

describe('an application', () => {
  it('compares the offers of today, accepts one into its schedule, declines one with a reason, and takes the own policy in their place', async () => {
    const [life, motor, later] = [
      await active({ name: 'Life A' }),
      await active({
        name: 'Motor',
        coverType: 'Motor',
        premiumRule: 'table',
        rate: null,
        bands: [{ vehicleAgeTo: 5, rate: 3 }],
        levies: 15,
      }),
      await active({ name: 'Later', validFrom: day(5) }),
    ]
    const id = await asked()
    const offers = await offersFor(id)
    expect(offers.find(({ Id }) => Id === life)).toMatchObject({ first: 45, state: 'Open' })
    expect(offers.find(({ Id }) => Id === motor)).toMatchObject({ total: null, state: 'Vehicle’s years needed' })
    expect(offers.some(({ Id }) => Id === later)).toBe(false)
    expect((await accept(id, later)).status).toBe(422)
    expect(fieldsOf(await accept(id, motor))).toEqual(['vehicleAge'])
    expect((await accept(id, motor, { vehicleAge: 6 })).status).toBe(409)
    const bare = Number((await scheduleOf(id))[0]?.total)
    await good(accept(id, life))
    const rows = await scheduleOf(id)
    expect(rows[0]?.insurance).toBe('45.00')
    expect(Number(rows[0]?.total)).toBeCloseTo(bare + 45, 2)
    await good(accept(id, motor, { vehicleAge: 4 }))
    const table = await scheduleOf(id)
    expect((await offersFor(id)).find(({ Id }) => Id === motor)).toMatchObject({ total: 345, state: 'Accepted' })
    expect(table.reduce((sum, { insurance }) => sum + Number(insurance), 0)).toBeCloseTo(345, 6)
    expect(table.map(({ insurance }) => insurance).slice(-1)).toEqual(['28.75'])
    // The premium follows the amount as the offer says.
    await good(as.officer.put(`/api/applications/${id}`, { amount: 20_000 }))
    expect((await scheduleOf(id)).reduce((sum, { insurance }) => sum + Number(insurance), 0)).toBeCloseTo(690, 6)
    expect(fieldsOf(await as.officer.post(`/api/applications/${id}/insurance/decline`, { offerId: motor }))).toEqual(['reason'])
    await good(as.officer.post(`/api/applications/${id}/insurance/decline`, { offerId: motor, reason: 'Too dear' }))
    expect((await scheduleOf(id)).every(({ insurance }) => Number(insurance) === 0)).toBe(true)
    const own = { insurer: 'Old Mutual', policyNumber: 'OM-1', sumInsured: 19_999, expiresOn: day(-1) }
    const refused = await as.officer.post(`/api/applications/${id}/insurance/own`, own)
    expect(fieldsOf(refused)).toEqual(['expiresOn', 'sumInsured'])
    await good(as.officer.post(`/api/applications/${id}/insurance/own`, { ...own, sumInsured: 20_000, expiresOn: day(400) }))
    expect(await choicesOf(id)).toEqual([
      ['Own policy', 'Accepted', null],
      ['Offer', 'Declined', 'Too dear'],
      ['Offer', 'Replaced', null],
      ['Offer', 'Replaced', null],
    ])
    expect((await good(as.officer.get<{ loanApplication: Row }>(`/api/applications/${id}`))).loanApplication['insuranceName']).toBe(
      'Old Mutual, own policy om-1',
    )
  })

  it('takes the years of the vehicle from its collateral, the oldest of several; what is typed counts before it', async () => {
    const bands = [
      { vehicleAgeTo: 5, rate: 3 },
      { vehicleAgeTo: 12, rate: 5 },
    ]
    const motor = await active({ name: 'By collateral', coverType: 'Motor', premiumRule: 'table', rate: null, bands })
    const byAge = await active({
      name: 'By both',
      coverType: 'Motor',
      premiumRule: 'table',
      rate: null,
      bands: [{ ageTo: 20, vehicleAgeTo: 5, rate: 1 }],
    })
    const year = Number(day(0).slice(0, 4))
    const vehicle = (made: number | null, over: object = {}) => ({
      kind: 'Vehicle',
      description: 'Toyota Hilux',
      value: 90_000,
      year: made,
      ...over,
    })
    const id = await asked({ collateral: [vehicle(null)] })
    const stateOf = async (offerId: string) => {
      const found = (await offersFor(id)).find(({ Id }) => Id === offerId)
      return [found?.['state'], found?.['total'], found?.['why']]
    }
    expect(await stateOf(motor)).toEqual([
      'Vehicle’s years needed',
      null,
      'No line of its table fits while the vehicle’s years are not known.',
    ])
    expect(await stateOf(byAge)).toEqual(['Not for this loan', null, 'No line of its table fits the age, the term or the vehicle.'])
    expect(await offeredFor('Vehicle’s years needed')).toEqual({ 'insurance.accept': ['vehicleAge'], 'insurance.decline': ['reason'] })
    expect(await offeredFor('Not for this loan')).toEqual({})
    const secure = (collateral: object[]) => good(as.officer.put(`/api/applications/${id}`, { collateral }))
    await secure([vehicle(year + 1)])
    expect(await stateOf(motor)).toEqual(['Open', 300, ''])
    await secure([vehicle(year - 1), vehicle(year - 7), vehicle(year - 40, { kind: 'Machine' })])
    expect(await stateOf(motor)).toEqual(['Open', 500, ''])
    await good(accept(id, motor))
    expect((await scheduleOf(id)).reduce((sum, { insurance }) => sum + Number(insurance), 0)).toBeCloseTo(500, 6)
    await good(accept(id, motor, { vehicleAge: 2 }))
    expect((await scheduleOf(id)).reduce((sum, { insurance }) => sum + Number(insurance), 0)).toBeCloseTo(300, 6)
    expect(await stateOf(motor)).toEqual(['Accepted', 300, ''])
    await secure([vehicle(year - 13)])
    await good(as.officer.post(`/api/applications/${id}/insurance/decline`, { offerId: motor, reason: 'Too dear' }))
    expect(await stateOf(motor)).toEqual(['Not for this loan', null, 'No line of its table fits the age, the term or the vehicle.'])
    expect((await accept(id, motor)).status).toBe(409)
  })

  it('has the papers of the accepted offer on its checklist, each once; those not received leave it with the offer', async () => {
    const [motor, other] = [
      await active({ name: 'Papers A', rate: 1, papers: ['ID copy', 'Logbook', 'Valuation'] }),
      await active({ name: 'Papers B', rate: 1, papers: ['Valuation', 'Health declaration'] }),
    ]
    const id = await asked({ papers: [{ name: 'Id copy ', isReceived: false }] })
    type Paper = { name: string; isReceived: boolean; note: string | null }
    const read = async () =>
      (await good(as.officer.get<{ loanApplication: { papers: Paper[] } }>(`/api/applications/${id}`))).loanApplication.papers
    const listed = async () => (await read()).map(({ name, note }) => [name, note])
    for (const answer of await Promise.all(Array.from({ length: 5 }, () => accept(id, motor)))) expect(answer.status, answer.text).toBe(200)
    const [coverA, coverB] = ['Jubilee, Papers A', 'Jubilee, Papers B']
    expect(await listed()).toEqual([
      ['Id copy', null],
      ['Logbook', coverA],
      ['Valuation', coverA],
    ])
    const early = await as.officer.post(`/api/applications/${id}/move`, { move: 'submit' })
    expect([early.status, early.body.message]).toEqual([409, expect.stringContaining('Papers are missing: Id copy, Logbook, Valuation.')])
    const received = (await read()).map((paper) => ({ ...paper, isReceived: paper.name === 'Logbook' }))
    await good(as.officer.put(`/api/applications/${id}`, { papers: received }))
    await good(accept(id, other))
    expect(await listed()).toEqual([
      ['Id copy', null],
      ['Logbook', coverA],
      ['Valuation', coverB],
      ['Health declaration', coverB],
    ])
    await good(as.officer.post(`/api/applications/${id}/insurance/decline`, { offerId: other, reason: 'Too dear' }))
    expect(await listed()).toEqual([
      ['Id copy', null],
      ['Logbook', coverA],
    ])
    // The own policy asks for none.
    await good(accept(id, other))
    const own = { insurer: 'Old Mutual', policyNumber: 'OM-9', sumInsured: 10_000, expiresOn: day(400) }
    await good(as.officer.post(`/api/applications/${id}/insurance/own`, own))
    expect((await listed()).map(([name]) => name)).toEqual(['Id copy', 'Logbook'])
  })

  it('is decided on one at a time, by who may change it, and not once it is sent in', async () => {
    const [one, other] = [await active({ name: 'One', rate: 1 }), await active({ name: 'Other', rate: 2 })]
    const id = await asked()
    const answers = await Promise.all([one, other, one, other, one].map((offerId) => accept(id, offerId)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { rows } = await world.app.database.admin.query(
      `select status, count(*)::int as count from insurance_choice where "applicationId" = $1 group by 1 order by 1`,
      [id],
    )
    expect(rows).toEqual([
      { status: 'Accepted', count: 1 },
      { status: 'Replaced', count: 4 },
    ])
    expect((await accept(id, one, {}, 'foreign')).status).toBe(404)
    expect((await accept(id, one, {}, 'elsewhere')).status).toBe(404)
    const foreign = await as.foreign.post<{ insuranceOffer: Row }>('/api/insurance/offers', {
      insurer: 'X',
      name: 'Y',
      coverType: 'Motor',
      premiumRule: 'flat',
      rate: 1,
      validFrom: day(-1),
    })
    await good(as.foreign.post(`/api/insurance/offers/${foreign.body.data.insuranceOffer.Id}/move`, { move: 'activate' }))
    expect((await accept(id, foreign.body.data.insuranceOffer.Id)).status).toBe(422)
    await good(as.officer.post(`/api/applications/${id}/move`, { move: 'submit' }))
    expect((await accept(id, one)).status).toBe(409)
  })

  it('hands its premium on to the loan that it becomes', async () => {
    const life = await active({ name: 'Carried', rate: 4 })
    const id = await asked()
    await good(accept(id, life))
    await good(as.officer.post(`/api/applications/${id}/move`, { move: 'submit' }))
    const approved = await as.admin.post(`/api/applications/${id}/move`, { move: 'approve', decisionNote: 'Fine' })
    expect(approved.status, approved.text).toBe(200)
    const { rows } = await world.app.database.admin.query(
      `select terms -> 'insurance' as insurance, instalment::float8 from loan where "applicationId" = $1`,
      [id],
    )
    expect(rows).toMatchObject([{ insurance: { kind: 'perMilleOfBalance', rate: '4' } }])
  })
})

describe('stamp duty', () => {
  it('is on top of premium and levies, once, into the schedule; an offer per 1,000 owed has none', async () => {
    expect(fieldsOf(await offer({ stamp: 5 }))).toEqual(['stamp'])
    expect(fieldsOf(await offer({ premiumRule: 'flat', rate: 10, coverType: 'Motor', stamp: -1 }))).toEqual(['stamp'])
    const cover = await active({ name: 'Comprehensive', coverType: 'Motor', premiumRule: 'percent', rate: 4, levies: 0.45, stamp: 40 })
    const id = await asked()
    expect((await offersFor(id)).find(({ Id }) => Id === cover)).toMatchObject({ total: 441.8, levies: 1.8, stamp: 40 })
    await good(accept(id, cover))
    expect((await scheduleOf(id)).reduce((sum, { insurance }) => sum + Number(insurance), 0)).toBeCloseTo(441.8, 6)
  })
})

describe('a policy of the client’s own', () => {
  const rows = async (text: string, ...values: unknown[]) =>
    (await world.app.database.admin.query(text, values)).rows as Record<string, unknown>[]
  const news = (userId: string) =>
    rows(`select message from notification where "userId" = $1 and message like 'The policy%' order by "dateCreated"`, userId)
  const look = () => runJobs(world.app, world.company.id, 'insurance.expiries')
  const noted = async (expiresIn: number, policyNumber: string) => {
    const id = await asked()
    const policy = { insurer: 'Old Mutual', policyNumber, sumInsured: 10_000, expiresOn: day(expiresIn) }
    await good(as.officer.post(`/api/applications/${id}/insurance/own`, policy))
    return id
  }

  it('is called to mind 30, 7 and 1 day before it ends, once each, whatever runs again, and is lapsed after', async () => {
    const officer = world.people.officer.id
    const id = await noted(25, 'OM-25')
    const [far, changed, over] = [await noted(60, 'OM-60'), await noted(20, 'OM-20'), await noted(10, 'OM-10')]
    await good(as.officer.post(`/api/applications/${over}/move`, { move: 'withdraw', reason: 'Changed his mind' }))
    // Another decision takes its place: nobody is notified of the former.
    await good(accept(changed, await active({ name: 'In its place', rate: 1 })))
    expect(await rows(`select from outbox where type = 'insurance.expiries' and status = 'new' and "runAt" > now()`)).toHaveLength(1)
    for (const times of [1, 1]) expect(await look()).toBe(times)
    expect(await news(officer)).toEqual([{ message: `The policy of Amina Otieno (Old Mutual, Own policy OM-25) expires on ${day(25)}` }])
    const expires = (days: number) => rows(`update insurance_choice set "expiresOn" = $2 where "applicationId" = $1`, id, day(days))
    // As the days go by: the alerts of a day of expiry are moved with it.
    for (const [days, told] of [
      [7, 2],
      [5, 2],
      [1, 3],
      [0, 3],
      [-1, 3],
    ] as const) {
      await rows(`update insurance_alert set "expiresOn" = $1`, day(days))
      await expires(days)
      for (const times of [1, 1]) expect(await look()).toBe(times)
      expect([days, (await news(officer)).length]).toEqual([days, told])
    }
    const states = async (application: string) =>
      (
        await good(
          as.officer.get<{ insuranceChoices: Row[] }>(
            `/api/insurance/choices?filter=${encodeURIComponent(JSON.stringify([{ field: 'applicationId', op: 'eq', value: application }]))}`,
          ),
        )
      ).insuranceChoices.map(({ policyState }) => policyState)
    expect([await states(id), await states(far)]).toEqual([['Lapsed'], ['Valid']])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RuleSet } from '@outpost/contract/calculators'
import type { CalculatorView, FormView, ListView } from '@outpost/contract/views'
import type { CalculatorRun } from '@outpost/rules/calculators/index'
import { testApp, type SignedInClient, type TestApp } from '../../support/app.ts'

let app: TestApp
let admin: SignedInClient
let officer: SignedInClient
let clerk: SignedInClient
let stranger: SignedInClient

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(new Date())
const inDays = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
const pay = { basicPay: 60_000, netPay: 38_000, rate: 2, termMonths: 12 }
const path = '/api/calculators/cs-affordability'
const ruleSets = '/api/calculators/rule-sets'
const run = async (by: SignedInClient, inputs: object = pay, over: object = {}) =>
  by.post<{ run: CalculatorRun }>(`${path}/run`, { inputs, ...over })

beforeAll(async () => {
  app = await testApp()
  const { make } = app
  const company = await make.company({ country: 'KE', currency: 'KES', timeZone: 'Africa/Nairobi' })
  const branch = await make.tenant({ company })
  const other = await make.company({ country: 'ZA', currency: 'ZAR', timeZone: 'Africa/Johannesburg' })
  admin = await app.as(await make.user({ role: 'admin', tenant: company }))
  officer = await app.as(await make.user({ role: 'officer', tenant: branch }))
  clerk = await app.as(
    await make.user({
      role: await make.role({ company, name: 'Log book clerk', permissions: ['SALES/AFFORDABILITY/LBF'] }),
      tenant: branch,
    }),
  )
  stranger = await app.as(await make.user({ role: 'admin', tenant: other }))
})
afterAll(() => app.close())

describe('a calculator', () => {
  it('says what it asks for and by which rules', async () => {
    const { body } = await officer.get<{ calculator: { fields: { key: string }[] }; ruleSet: RuleSet; at: string }>(path)
    expect(body.data).toMatchObject({
      at: today,
      ruleSet: { country: 'KE', version: 1 },
      calculator: { title: 'Civil servant affordability' },
    })
    expect(body.data.calculator.fields.map(({ key }) => key)).toContain('basicPay')
    const foreign = await stranger.get<{ calculator: { fields: { key: string }[] } }>(path)
    expect(foreign.body.data.calculator.fields.map(({ key }) => key)).toContain('statutory')
  })

  it('runs and shows its steps', async () => {
    const { status, body } = await run(officer)
    expect(status).toBe(200)
    expect(body.data.run).toMatchObject({
      outcome: 'PASS',
      at: today,
      result: { affordability: '18000.00', maxLoan: '190356.14' },
      ruleSet: { id: 'default-KE-cs-affordability-2000-01-01' },
    })
    expect(body.data.run.schedule?.rows).toHaveLength(12)
  })

  it('names what is wrong', async () => {
    const wrong = await run(officer, { ...pay, basicPay: null, termMonths: 1.5 })
    expect(wrong).toMatchObject({
      status: 422,
      body: {
        code: 'INVALID',
        fields: [
          { field: 'basicPay', message: 'is required' },
          { field: 'termMonths', message: 'must be a whole number' },
        ],
      },
    })
    expect(await run(officer, pay, { at: '21.11.2026' })).toMatchObject({ status: 422, body: { fields: [{ field: 'at' }] } })
    expect(await officer.post(`${path}/run`, { inputs: 'none' })).toMatchObject({ status: 422 })
    expect(await stranger.post(`${path}/run`, { inputs: {}, at: '2010-01-01' })).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'at', message: 'lies before the first rules we hold for this country' }] },
    })
  })

  it.each(['loan', 'toString', '__proto__'])('is not called %s', async (name) =>
    expect((await officer.get(`/api/calculators/${name}`)).status).toBe(404),
  )

  it('is closed without its own permission', async () => {
    expect((await clerk.get('/api/calculators/lbf-affordability')).status).toBe(200)
    for (const answer of [await clerk.get(path), await run(clerk), await clerk.post(`${path}/pdf`, { inputs: pay })])
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await app.nobody.get(path)).status).toBe(401)
  })

  it('prints a letter', async () => {
    const letter = await officer.post(`${path}/pdf`, { inputs: pay })
    expect(letter).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } })
    expect(letter.headers['content-disposition']).toContain(`cs-affordability-${today}.pdf`)
    expect(letter.text.slice(0, 5)).toBe('%PDF-')
    const months = [1, 2, 3].map((month) => ({ sales: month * 100_000, costOfSales: 50_000 }))
    expect((await officer.post('/api/calculators/sme-affordability/pdf', { inputs: { months, rate: 2, termMonths: 60 } })).status).toBe(200)
    expect(
      (
        await stranger.post('/api/calculators/lbf-premium/pdf', {
          inputs: { insuredValue: 1_000, loanAmount: 500, rate: 2, termMonths: 6 },
        })
      ).status,
    ).toBe(200)
    expect((await officer.post(`${path}/pdf`, { inputs: {} })).status).toBe(422)
  })

  it('has a screen for those who may open it', async () => {
    const { body } = await officer.get<{ view: CalculatorView }>('/api/console/screens/sales-calculators-cs-affordability')
    expect(body.data.view).toMatchObject({
      kind: 'calculator',
      sum: 'cs-affordability',
      country: 'KE',
      ruleSets: [],
      keep: { call: { path: '/api/leads/:id/affordability' } },
    })
    expect((await clerk.get('/api/console/screens/sales-calculators-cs-affordability')).status).toBe(403)
    const premium = await clerk.get<{ view: CalculatorView }>('/api/console/screens/sales-calculators-lbf-premium')
    expect(premium.body.data.view).not.toHaveProperty('keep')
  })
})

describe('rules of a company', () => {
  const enter = (over: object = {}) =>
    admin.post<{ ruleSet: RuleSet }>(ruleSets, { calculator: 'cs-affordability', effectiveFrom: today, ...over })

  it.each([
    [{ calculator: 'x' }, 'calculator'],
    [{ effectiveFrom: inDays(-1) }, 'effectiveFrom'],
    [{ effectiveFrom: 'soon' }, 'effectiveFrom'],
    [{ country: 'Kenya' }, 'country'],
    [{ wage: 1 }, 'wage'],
    [{ floorShare: '4/3' }, 'floorShare'],
    [{ floorShare: 'half' }, 'floorShare'],
    [{ buffer: -1 }, 'buffer'],
    [{ buffer: null }, 'buffer'],
    [{ method: 'guess' }, 'method'],
    [{ verified: ['floorShare'] }, 'verifiedBy'],
    [{ norms: [{ from: 5, factor: 0, percent: 1 }] }, 'norms'],
    [{ maxTermMonths: 0 }, 'maxTermMonths'],
  ])('%j is refused, naming %s', async (over, field) =>
    expect(await enter(over)).toMatchObject({ status: 422, body: { fields: [{ field }] } }),
  )

  it.each([
    [{ floorShare: null }, 'floorShare'],
    [{ floorShare: '0' }, 'floorShare'],
    [{ deductionsShare: null }, 'deductionsShare'],
    [{ method: 'net' }, 'method'],
    [{ method: 'norms' }, 'method'],
    [{ minLoan: 10_000, maxLoan: 5_000 }, 'minLoan'],
    [{ maxTermMonths: 12, defaultTermMonths: 24 }, 'defaultTermMonths'],
    [{ calculator: 'lbf-affordability', method: 'norms', norms: null }, 'norms'],
    [{ calculator: 'sme-affordability', minDscr: 1.5, referDscr: 1.2 }, 'minDscr'],
  ])('%j would drop what the law or the method needs, and is refused naming %s', async (over, field) => {
    for (const call of [ruleSets, `${ruleSets}/preview`]) {
      const { status, body } = await admin.post(call, { calculator: 'cs-affordability', effectiveFrom: today, ...over })
      expect([status, body.fields?.map((one) => one.field)]).toEqual([422, [field]])
    }
  })

  it('keep every figure that the law of South Africa sets', async () => {
    for (const [calculator, field] of [
      ['cs-affordability', 'norms'],
      ['cs-affordability', 'initiationMax'],
      ['cs-affordability', 'serviceFeeMax'],
      ['lbf-affordability', 'norms'],
      ['sme-affordability', 'rateMargin'],
      ['cs-affordability', 'creditLifeMax'],
    ] as const) {
      const { status, body } = await stranger.post(ruleSets, { calculator, effectiveFrom: today, [field]: null })
      expect([calculator, status, body.fields?.[0]?.field]).toEqual([calculator, 422, field])
    }
  })

  it('show what they do on a sample before they are entered', async () => {
    const { status, body } = await admin.post<{ effect: object[] }>(`${ruleSets}/preview`, {
      calculator: 'cs-affordability',
      effectiveFrom: today,
      buffer: 1_000,
    })
    expect([status, body.data.effect]).toMatchObject([
      200,
      [{ sample: 'Example', before: '18000.00', after: '17000.00', outcomeAfter: 'PASS' }],
    ])
    expect(body.message).toBe('1 of 1 sample changes. For instance 18000.00 → 17000.00.')
    expect((await admin.get<{ ruleSets: object[] }>(ruleSets)).body.data.ruleSets).toEqual([])
  })

  it('are entered by those who hold the settings', async () => {
    expect((await officer.post(ruleSets, { calculator: 'cs-affordability', effectiveFrom: today })).status).toBe(403)
    expect((await officer.get(ruleSets)).status).toBe(403)
  })

  it('count from their day on, over the program’s, and what was before stays', async () => {
    const first = await enter({ buffer: 1_000 })
    expect(first.body.message).toMatch(/^Rules entered\. 1 of 1 sample changes/)
    const effect = await admin.get<{ effect: object[] }>(`${ruleSets}/${(first.body.data.ruleSet as unknown as { Id: string }).Id}/effect`)
    expect(effect.body.data.effect).toMatchObject([{ before: '18000.00', after: '17000.00' }])
    expect(first.body.data.ruleSet).toMatchObject({
      version: 2,
      values: { floorShare: '1/3', buffer: 1_000, minLoan: null },
      unverified: [],
    })
    expect((await enter({ effectiveFrom: inDays(30), buffer: 2_000 })).body.data.ruleSet).toMatchObject({ version: 3 })
    const at = async (day?: string) => (await run(officer, pay, day ? { at: day } : {})).body.data.run
    expect(await at()).toMatchObject({ result: { affordability: '17000.00' }, ruleSet: { version: 2, effectiveFrom: today } })
    expect(await at(inDays(30))).toMatchObject({ result: { affordability: '16000.00' }, ruleSet: { version: 3 } })
    expect(await at(inDays(-1))).toMatchObject({
      result: { affordability: '18000.00' },
      ruleSet: { id: 'default-KE-cs-affordability-2000-01-01' },
    })
  })

  it('are not another company’s', async () => {
    const mine = await admin.get<{ ruleSets: { Id: string }[] }>(ruleSets)
    expect(mine.body.data.ruleSets).toHaveLength(2)
    expect((await stranger.get<{ ruleSets: unknown[] }>(ruleSets)).body.data.ruleSets).toEqual([])
    expect((await stranger.get(`${ruleSets}/${mine.body.data.ruleSets[0]?.Id ?? ''}`)).status).toBe(404)
    const kenyan = await stranger.post<{ run: CalculatorRun }>(`${path}/run`, {
      inputs: { grossPay: 20_000, statutory: 0, livingExpenses: 0, rate: 2, termMonths: 12 },
    })
    expect(kenyan.body.data.run.ruleSet.id).toBe('default-ZA-cs-affordability-2017-08-10')
  })

  it('show their figures in words and what is in force', async () => {
    const { body } = await admin.get<{ ruleSets: { Id: string; state: string; version: number }[] }>(ruleSets)
    expect(body.data.ruleSets.map(({ version, state }) => [version, state])).toEqual([
      [3, 'COMING'],
      [2, 'IN_FORCE'],
    ])
    const one = await admin.get<{ ruleSet: { figures: string } }>(`${ruleSets}/${body.data.ruleSets[1]?.Id ?? ''}`)
    expect(one.body.data.ruleSet.figures).toContain('Share of pay that stays: 1/3')
  })

  it('keep the mark of a figure of the law that is changed until somebody confirms it', async () => {
    expect((await enter({ floorShare: '1/4' })).body.data.ruleSet).toMatchObject({ version: 4, unverified: ['floorShare'] })
    expect((await run(officer)).body.data.run.steps[0]).toMatchObject({ value: '15000.00', unverified: true })
    expect(
      (await enter({ floorShare: '1/4', verified: ['floorShare'], verifiedBy: 'Mwangi & Co, letter of 3 May' })).body.data.ruleSet,
    ).toMatchObject({ version: 5, unverified: [], verifiedBy: 'Mwangi & Co, letter of 3 May' })
    expect((await run(officer)).body.data.run.steps[0]).not.toHaveProperty('unverified')
  })

  it('count for the assessment that is kept with a lead, and a sum under other rules is not taken', async () => {
    const {
      body: {
        data: { lead },
      },
    } = await officer.post<{ lead: { Id: string } }>('/api/leads', { firstName: 'Amina', lastName: 'Otieno', phonenumber: '0712000001' })
    const assess = (ruleSetVersion: number) =>
      officer.post<{ run: CalculatorRun; lead: Record<string, unknown> }>(`/api/leads/${lead.Id}/affordability`, {
        calculator: 'cs-affordability',
        ruleSetVersion,
        inputs: pay,
      })
    const { ruleSet } = (await run(officer)).body.data.run
    expect(await assess(ruleSet.version)).toMatchObject({
      status: 200,
      body: {
        data: {
          run: { ruleSet, result: { affordability: '22000.00' } },
          lead: { affordabilityOutcome: 'PASS', totalAffordability: 22_000 },
        },
      },
    })
    expect((await assess(1)).status).toBe(409)
  })

  it('can be neither changed nor deleted, not even past our own code', async () => {
    const { rows } = await app.database.admin.query(
      `select has_table_privilege('fx_app', 'rule_set', verb) as may from unnest(array['select', 'insert', 'update', 'delete']) verb`,
    )
    expect(rows.map(({ may }) => may)).toEqual([true, true, false, false])
  })

  it('are in the audit trail', async () => {
    const { rows } = await app.database.admin.query<{ count: string }>(
      `select count(*) from audit_log where "companyId" = $1 and action = 'ruleSet.create'`,
      [admin.user.companyId],
    )
    expect(rows[0]?.count).toBe('4')
  })

  it('have their screens', async () => {
    const list = await admin.get<{ view: ListView }>('/api/console/screens/admin-calculators')
    expect(list.body.data.view.actions.map(({ open }) => open)).toContain('/admin/calculators/lbf-premium')
    const form = await admin.get<{ view: FormView }>('/api/console/screens/admin-calculators-cs-affordability')
    expect(form.body.data.view.fields.find(({ key }) => key === 'buffer')).toMatchObject({
      kind: 'money',
      defaultValue: 1_000,
      required: true,
    })
    expect((await officer.get('/api/console/screens/admin-calculators')).status).toBe(403)
  })
})

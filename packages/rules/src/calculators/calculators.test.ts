import { Failure } from '@outpost/contract/errors'
import { describe, expect, it } from 'vitest'
import { Decimal, moneyText } from '../money.ts'
import { creditLifePremium } from './credit-life.ts'
import { cashWithin, initiationFee } from './fees.ts'
import { calculatorFields, defaultRuleSets, runCalculator, ruleSetInForce, type RuleSet } from './index.ts'
import { monthsBetween } from './inputs.ts'
import { normExpenses } from './norms.ts'
import { readRules } from './rule-reader.ts'

const at = '2026-11-21'
const kenya = { country: 'KE', at }
const southAfrica = { country: 'ZA', at }
const zaRules = readRules(ruleSetInForce('cs-affordability', southAfrica))
const loan = { rate: 2, termMonths: 12 }

function wrongFields(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    return error instanceof Failure ? (error.more.fields ?? []).map(({ field, message }) => `${field} ${message}`) : [String(error)]
  }
  return []
}

describe('norms of regulation 23A', () => {
  it.each([
    ['0', '0.00'],
    ['500', '500.00'],
    ['800', '800.00'],
    ['800.01', '800.00'],
    ['5000', '1083.50'],
    ['6250', '1167.88'],
    ['6250.01', '1167.88'],
    ['15000', '1955.38'],
    ['25000', '2855.38'],
    ['25000.01', '2855.38'],
    ['30000', '3265.38'],
    ['50000', '4905.38'],
    ['50000.01', '4905.38'],
    ['60000', '5580.38'],
  ])('%s of income asks for %s', (income, norm) =>
    expect(moneyText(normExpenses(zaRules.bands('norms'), new Decimal(income)).amount)).toBe(norm),
  )

  it('marks the steps whose band is not confirmed, and only these', () => {
    const step = (grossPay: number) =>
      runCalculator('cs-affordability', { grossPay, statutory: 0, livingExpenses: 0, ...loan }, southAfrica).steps.find(
        ({ label }) => label === 'Least living expenses (norm)',
      )
    expect(step(60_000)).toMatchObject({ value: '5580.38', unverified: true, figures: '4,905.38 + 6.75 % × (60,000.00 − 50,000.00)' })
    expect(step(30_000)).not.toHaveProperty('unverified')
  })
})

describe('costs of credit in South Africa', () => {
  it.each([
    ['500', '165.00'],
    ['1000', '165.00'],
    ['1000.10', '165.01'],
    ['5000', '565.00'],
    ['9850', '1050.00'],
    ['9851', '1050.00'],
    ['50000', '1050.00'],
    ['0', '0.00'],
  ])('initiation fee of %s is %s', (cash, fee) => expect(moneyText(initiationFee(zaRules, new Decimal(cash)))).toBe(fee))

  it('limits the fee to a share of the loan where a company sets one', () => {
    const rules = readRules({ ...zaRules.set, values: { ...zaRules.set.values, initiationShareCap: 15 } })
    expect(moneyText(initiationFee(rules, new Decimal(500)))).toBe('75.00')
  })

  it.each(['0', '100', '165', '165.01', '1165', '1165.01', '5565', '10900', '51050'])(
    'finds the most cash within a loan of %s',
    (principal) => {
      const [most, cash] = [new Decimal(principal), cashWithin(zaRules, new Decimal(principal))]
      const costs = (amount: Decimal) => amount.plus(initiationFee(zaRules, amount))
      expect(costs(cash).lte(most)).toBe(true)
      expect(costs(cash.plus('0.01')).gt(most)).toBe(true)
    },
  )

  it.each([
    ['5000', '22.50'],
    ['10000', '45.00'],
    ['25000', '112.50'],
  ])('credit life on %s costs %s a month', (owed, premium) => expect(moneyText(creditLifePremium(new Decimal(owed), 4.5))).toBe(premium))

  it('refuses a service fee and a credit life premium above the caps', () => {
    const inputs = { grossPay: 20_000, statutory: 2_000, livingExpenses: 0, ...loan }
    expect(wrongFields(() => runCalculator('cs-affordability', { ...inputs, monthlyFee: 60.01, creditLife: 4.51 }, southAfrica))).toEqual([
      'monthlyFee may not be over 60',
      'creditLife may not be over 4.5',
    ])
    expect(wrongFields(() => runCalculator('cs-affordability', { ...inputs, monthlyFee: 60, creditLife: 4.5 }, southAfrica))).toEqual([])
  })

  it('checks the cap on the rate once a reference rate is entered', () => {
    const inputs = { grossPay: 20_000, statutory: 2_000, livingExpenses: 0, ratePeriod: 'year', termMonths: 12 }
    const own: RuleSet = { ...zaRules.set, id: 'own', values: { ...zaRules.set.values, referenceRate: 7 } }
    const run = (rate: number, ruleSets: RuleSet[]) => runCalculator('cs-affordability', { ...inputs, rate }, { ...southAfrica, ruleSets })
    expect(run(28, [own])).toMatchObject({ outcome: 'PASS' })
    expect(run(28.01, [own])).toMatchObject({ outcome: 'FAIL', reasons: ['The interest of 28.01 % a year is above the cap of 28 %.'] })
    expect(run(28.01, []).steps.find(({ label }) => label.startsWith('Cap'))).toMatchObject({ value: 'not checked', unverified: true })
  })
})

it('never exceeds the limit by the cent of two roundings', () => {
  // 1,510.00 over 16 months without interest: 94.375 and 6.795 would both be rounded up, to 101.18.
  const run = runCalculator(
    'cs-affordability',
    { grossPay: 5_101.17, statutory: 0, livingExpenses: 5_000, rate: 0, termMonths: 16, monthlyFee: 0 },
    southAfrica,
  )
  expect(run.result).toMatchObject({ affordability: '101.17', instalment: '101.16' })
})

it('rounds limits to the even cent and compares them with the rounded instalment', () => {
  const run = (amount?: number) =>
    runCalculator('cs-affordability', { basicPay: 60_000, netPay: 66_808, rate: 0, termMonths: 6, ...(amount ? { amount } : {}) }, kenya)
  expect(run()).toMatchObject({ outcome: 'PASS', result: { affordability: '46808.00', maxLoan: '280848.00', instalment: '46808.00' } })
  expect(run(280_848)).toMatchObject({ outcome: 'PASS', result: { offer: '280848.00' } })
  expect(run(280_848.06)).toMatchObject({ outcome: 'FAIL', result: { offer: '280848.00' } })
})

it('refers loans above security or product limits, and fails unaffordable ones', () => {
  const car = {
    netIncome: 80_000,
    livingExpenses: 30_000,
    marketValue: 1_000_000,
    modelYear: 2015,
    rate: 3,
    termMonths: 24,
    isFinanced: false,
  }
  const run = (amount: number) => runCalculator('lbf-affordability', { ...car, amount }, kenya)
  expect(run(490_000)).toMatchObject({ outcome: 'PASS' })
  expect(run(600_000)).toMatchObject({ outcome: 'REFER', result: { offer: '490000.00' }, reasons: [expect.stringContaining('490,000.00')] })
  expect(run(900_000)).toMatchObject({ outcome: 'FAIL', reasons: [expect.stringContaining('above the affordable 50,000.00')] })
})

it.each([
  [
    'cs-affordability',
    { basicPay: 60_000, grossPay: 50_000, netPay: 55_000, ...loan },
    kenya,
    ['netPay may not be above “Gross pay”', 'basicPay may not be above “Gross pay”'],
  ],
  [
    'cs-affordability',
    { grossPay: 20_000, statutory: 20_001, livingExpenses: 0, ...loan },
    southAfrica,
    ['statutory may not be above “Gross income a month”'],
  ],
  [
    'lbf-affordability',
    { netIncome: 80_000, livingExpenses: 0, marketValue: 1_000_000, forcedSaleValue: 1_000_001, modelYear: 2015, ...loan },
    kenya,
    ['forcedSaleValue may not be above “Market value of the vehicle”'],
  ],
] as const)('refuses inputs of %s that cannot be so', (name, inputs, choice, expected) =>
  expect(wrongFields(() => runCalculator(name, inputs, choice))).toEqual(expected),
)

describe('civil servants', () => {
  it('leaves a third of basic pay in Kenya', () => {
    const run = runCalculator('cs-affordability', { basicPay: 60_000, netPay: 38_000, ...loan }, kenya)
    expect(run.steps[0]).toEqual({
      label: 'Pay that must stay',
      formula: 'basic pay × 1/3',
      figures: '60,000.00 × 1/3',
      value: '20000.00',
      unit: 'money',
    })
    expect(run.result).toMatchObject({ affordability: '18000.00', maxLoan: '190356.14', instalment: '18000.00' })
    expect(run).toMatchObject({ outcome: 'PASS', ruleSet: { id: 'default-KE-cs-affordability-2000-01-01', unverified: [] } })
  })

  it('keeps all deductions within two thirds of gross pay', () => {
    const run = (grossPay: number) =>
      runCalculator('cs-affordability', { basicPay: 60_000, grossPay, netPay: 38_000, ...loan }, kenya).result['affordability']
    expect([run(60_000), run(75_000)]).toEqual(['18000.00', '13000.00'])
  })

  it('gives nothing at the minimum, and one cent at one cent above', () => {
    const run = (netPay: number) => runCalculator('cs-affordability', { basicPay: 60_000, netPay, ...loan }, kenya)
    expect(run(20_000)).toMatchObject({ outcome: 'FAIL', result: { affordability: '0.00', maxLoan: '0.00' } })
    expect(run(20_000.01).result['affordability']).toBe('0.01')
    expect(run(19_000).result['affordability']).toBe('0.00')
  })

  it('gives the verdict on the requested loan', () => {
    const run = (amount: number) => runCalculator('cs-affordability', { basicPay: 60_000, netPay: 38_000, amount, ...loan }, kenya)
    expect(run(190_356.14)).toMatchObject({ outcome: 'PASS', result: { offer: '190356.14' } })
    // One cent more has the same rounded instalment: the rounded one decides.
    expect(run(190_356.15)).toMatchObject({ outcome: 'PASS', result: { offer: '190356.15', instalment: '18000.00' } })
    expect(run(190_400)).toMatchObject({
      outcome: 'FAIL',
      result: { offer: '190356.14', instalment: '18000.00' },
      reasons: ['The instalment of 18,004.15 is above the affordable 18,000.00. A loan of 190,356.14 would fit.'],
    })
    expect(run(100_000)).toMatchObject({
      outcome: 'PASS',
      result: { offer: '100000.00', instalment: '9455.96' },
      schedule: { totalPaid: '113471.53' },
    })
  })

  it('settles existing loans and ends before employment does', () => {
    const inputs = { basicPay: 60_000, netPay: 38_000, ...loan }
    expect(runCalculator('cs-affordability', { ...inputs, settledDeductions: 2_000, settledBalance: 10_000 }, kenya).result).toMatchObject({
      affordability: '20000.00',
      maxPrincipal: '211506.82',
      maxLoan: '201506.82',
    })
    expect(runCalculator('cs-affordability', { ...inputs, endDate: '2027-04-20' }, kenya).result['term']).toBe('4')
    expect(runCalculator('cs-affordability', { ...inputs, endDate: '2026-11-30' }, kenya)).toMatchObject({
      outcome: 'FAIL',
      result: { term: '0' },
    })
  })

  it('leaves 40 % of net pay in Zambia and half in Namibia', () => {
    const run = (country: string) => runCalculator('cs-affordability', { netPay: 10_000, ...loan }, { country, at })
    expect([run('ZM').result['affordability'], run('NA').result['affordability']]).toEqual(['6000.00', '5000.00'])
    expect(runCalculator('cs-affordability', { basicPay: 9_000, netPay: 8_000, ...loan }, { country: 'TZ', at })).toMatchObject({
      ruleSet: { country: '*', unverified: ['method', 'floorShare'] },
    })
  })

  it('follows regulation 23A in South Africa: the higher of declared and norm, of declared and bureau', () => {
    const run = (inputs: object) =>
      runCalculator(
        'cs-affordability',
        { grossPay: 25_000, statutory: 5_000, livingExpenses: 2_000, obligations: 1_000, bureauObligations: 1_500, ...loan, ...inputs },
        southAfrica,
      )
    expect(run({}).result['affordability']).toBe('15644.62')
    expect(run({ livingExpenses: 6_000 }).result['affordability']).toBe('12500.00')
    expect(run({ hasDisclosure: true })).toMatchObject({
      outcome: 'REFER',
      result: { affordability: '16500.00' },
      reasons: ['Living expenses below the norm: check the signed disclosure.'],
    })
    expect(run({ amount: 5_000 })).toMatchObject({ outcome: 'PASS', result: { principal: '5565.00', instalment: '611.26' } })
  })
})

describe('log book', () => {
  const car = { netIncome: 80_000, livingExpenses: 30_000, marketValue: 1_000_000, modelYear: 2015, rate: 3, termMonths: 24 }

  it('takes the minimum of income, vehicle and product, less the costs it pays', () => {
    const run = runCalculator('lbf-affordability', { ...car, valuationCost: 5_000 }, kenya)
    expect(run.result).toMatchObject({
      affordability: '50000.00',
      security: '490000.00',
      maxPrincipal: '490000.00',
      maxLoan: '482000.00',
      quickcash: '28933.23',
    })
    expect(run.steps.find(({ label }) => label === 'The vehicle carries')).toMatchObject({ unverified: true })
    expect(runCalculator('lbf-affordability', { ...car, isFinanced: false }, kenya).result['maxLoan']).toBe('490000.00')
  })

  it.each([
    [2011, '350000.00'],
    [2012, '490000.00'],
  ])('lends on a model of %s at most %s', (modelYear, security) =>
    expect(runCalculator('lbf-affordability', { ...car, modelYear }, kenya).result['security']).toBe(security),
  )

  it('refinances after a quarter of the term only', () => {
    const run = (monthsRepaid: number) =>
      runCalculator('lbf-affordability', { ...car, isRefinance: true, monthsRepaid, runningTerm: 24, settledBalance: 100_000 }, kenya)
    expect(run(6)).toMatchObject({ outcome: 'PASS', result: { maxLoan: '387000.00' } })
    expect(run(5)).toMatchObject({ outcome: 'FAIL', reasons: ['A refinance needs 1/4 of the running term repaid.'] })
    expect(wrongFields(() => runCalculator('lbf-affordability', { ...car, isRefinance: true }, kenya))).toEqual([
      'monthsRepaid is required',
      'runningTerm is required',
      'settledBalance is required',
    ])
  })

  it('caps the overdraft in Uganda', () => {
    const rich = { ...car, netIncome: 90_000_000, marketValue: 1_000_000_000 }
    expect(runCalculator('lbf-affordability', rich, { country: 'UG', at }).result['quickcash']).toBe('3000000.00')
  })
})

describe('SME', () => {
  const month = (sales: number) => ({ sales, costOfSales: 40_000, operatingCosts: 10_000 })
  const run = (sales: number[], inputs: object = {}) =>
    runCalculator('sme-affordability', { months: sales.map(month), ...loan, ...inputs }, kenya)

  it('takes the weakest three months in a row when they are below the average', () => {
    expect(run([100_000, 100_000, 100_000]).result).toMatchObject({
      netOperatingIncome: '50000.00',
      affordability: '40000.00',
      dscr: '1.2500',
    })
    expect(run([100_000, 80_000, 80_000, 80_000, 110_000, 110_000]).result).toMatchObject({
      netOperatingIncome: '30000.00',
      affordability: '24000.00',
    })
  })

  it('subtracts existing instalments', () => {
    expect(run([100_000, 100_000, 100_000], { existingDebtService: 15_000 }).result).toMatchObject({
      affordability: '25000.00',
      dscr: '1.2500',
    })
    expect(run([50_000, 50_000, 50_000])).toMatchObject({ outcome: 'FAIL', result: { affordability: '0.00', dscr: null } })
    expect(run([10_000, 20_000, 30_000]).result).toMatchObject({ affordability: '0.00', netOperatingIncome: '-30000.00' })
  })

  it('asks for 3 to 12 months and names a wrong cell', () => {
    expect(wrongFields(() => run([1, 2]))).toEqual(['months needs 3 to 12 rows'])
    expect(wrongFields(() => run(Array.from({ length: 13 }, () => 1)))).toEqual(['months needs 3 to 12 rows'])
    expect(
      wrongFields(() => runCalculator('sme-affordability', { months: [month(1), month(1), { sales: -1, wages: 3 }], ...loan }, kenya)),
    ).toEqual(['months.2.wages is not a column', 'months.2.sales may not be under 0'])
  })
})

describe('log book premium', () => {
  const inputs = { insuredValue: 1_000_000, loanAmount: 500_000, rate: 3, termMonths: 24 }
  it.each([
    [
      'financed',
      {
        premium: '40220.00',
        principal: '540220.00',
        instalment: '31898.60',
        instalmentWithout: '29523.71',
        premiumShare: '2374.89',
        dueNow: '0.00',
      },
    ],
    ['monthly', { instalment: '32875.38', premiumShare: '3351.67', dueNow: '0.00' }],
    ['upfront', { instalment: '29523.71', premiumShare: '0.00', dueNow: '40220.00' }],
  ])('is paid %s', (payment, result) => {
    const run = runCalculator('lbf-premium', { ...inputs, payment }, kenya)
    expect(run.result).toMatchObject(result)
    expect(run).toMatchObject({ outcome: 'NONE', ruleSet: { unverified: ['premiumRate', 'minPremium', 'levies', 'stamp'] } })
  })
})

describe('inputs', () => {
  const pay = { basicPay: 60_000, netPay: 38_000, ...loan }
  it.each([
    [{ ...pay, basicPay: null }, 'basicPay is required'],
    [{ ...pay, basicPay: 'x' }, 'basicPay must be a number'],
    [{ ...pay, basicPay: -1 }, 'basicPay may not be under 0'],
    [{ ...pay, basicPay: 1.005 }, 'basicPay may hold two decimals at most'],
    [{ ...pay, basicPay: '1e3' }, 'basicPay must be a number'],
    [{ ...pay, basicPay: 1e15 }, 'basicPay is too large'],
    [{ ...pay, termMonths: 1.5 }, 'termMonths must be a whole number'],
    [{ ...pay, termMonths: 0 }, 'termMonths may not be under 1'],
    [{ ...pay, termMonths: 97 }, 'termMonths may not be over 96'],
    [{ ...pay, ratePeriod: 'day' }, 'ratePeriod is not one of the options'],
    [{ ...pay, endDate: '2026-02-30' }, 'endDate is not a date'],
    [{ ...pay, wage: 1 }, 'wage is not an input of this calculator'],
    [{ ...pay, basicPay: Number.NaN }, 'basicPay must be a number'],
    [{ ...pay, basicPay: [1] }, 'basicPay must be a number'],
  ])('%o: %s', (inputs, message) => expect(wrongFields(() => runCalculator('cs-affordability', inputs, kenya))).toEqual([message]))

  it('stores amounts as text and uses defaults for missing inputs', () => {
    expect(runCalculator('cs-affordability', { basicPay: '60000.50', netPay: 38_000, rate: 2 }, kenya).inputs).toEqual({
      basicPay: '60000.5',
      netPay: '38000',
      rate: '2',
      ratePeriod: 'month',
      termMonths: '24',
    })
  })

  it('knows only its calculators', () => expect(() => runCalculator('toString', {}, kenya)).toThrow('Not found.'))

  it.each([
    ['2026-01-31', '2026-02-28', 0],
    ['2026-01-15', '2026-04-15', 3],
    ['2026-01-15', '2025-12-01', 0],
    ['2026-11-21', '2028-01-20', 13],
  ])('%s to %s are %i whole months', (from, to, months) => expect(monthsBetween(from, to)).toBe(months))
})

describe('the rule set in force', () => {
  const base = ruleSetInForce('cs-affordability', kenya)
  const own = (effectiveFrom: string, version: number): RuleSet => ({ ...base, id: `${effectiveFrom}/${version}`, effectiveFrom, version })
  const ruleSets = [own('2027-01-01', 3), own('2026-01-01', 1), own('2026-01-01', 2)]

  it('is the company’s latest of the day, before the program’s', () => {
    const id = (day: string) => ruleSetInForce('cs-affordability', { country: 'KE', at: day, ruleSets }).id
    expect([id('2025-12-31'), id('2026-01-01'), id('2026-12-31'), id('2027-01-01')]).toEqual([
      base.id,
      '2026-01-01/2',
      '2026-01-01/2',
      '2027-01-01/3',
    ])
  })

  it('does not cross calculators or countries', () => {
    expect(ruleSetInForce('sme-affordability', { ...kenya, ruleSets }).id).toBe('default-KE-sme-affordability-2000-01-01')
    expect(ruleSetInForce('cs-affordability', { country: 'ZM', at, ruleSets }).id).toBe('default-ZM-cs-affordability-2000-01-01')
  })

  it('does not guess before the first rules of a country', () => {
    expect(wrongFields(() => ruleSetInForce('cs-affordability', { country: 'ZA', at: '2017-08-09' }))).toEqual([
      'at lies before the first rules we hold for this country',
    ])
  })

  it('has inputs for each set, and marks only existing values', () => {
    for (const { calculator, country, unverified, values } of defaultRuleSets) {
      expect(calculatorFields(calculator, { country, at }).fields.length).toBeGreaterThan(5)
      for (const key of unverified) expect(Object.keys(values)).toContain(key.split('.')[0])
    }
  })
})

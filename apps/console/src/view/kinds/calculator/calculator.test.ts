import { describe, expect, it } from 'vitest'
import type { CalculatorView } from '@outpost/contract/views'
import { addressOf, clearedAddress, startInputs } from './address-inputs.ts'
import { cellNumber, pastedCells, withPasted } from './pasted.ts'
import { inputsOf, outlineOf, summaryOf, tryRun, type Outline } from './run.ts'

const view = (sum: string, country = 'KE'): CalculatorView => ({
  kind: 'calculator',
  title: 'x',
  sum,
  country,
  ruleSets: [],
  run: { method: 'POST', path: '/run' },
  pdf: { method: 'POST', path: '/pdf' },
})
const outline = (sum: string, country?: string): Outline => {
  const found = outlineOf(view(sum, country), '2026-11-21')
  if (!found) throw new Error(`no ${sum}`)
  return found
}

describe('a part of a spreadsheet', () => {
  it.each([
    ['1234.5', 1234.5],
    ['KES 1,234.50', 1234.5],
    ['1 234,50', 1234.5],
    ['1.234.567', 1_234_567],
    ['12,345', 12_345],
    ['(200)', 200],
    ['-200', 200],
    ['R 0.5', 0.5],
    ['', null],
    ['n/a', null],
    ['0', 0],
  ])('reads %s as %s', (text, number) => expect(cellNumber(text)).toBe(number))

  it('is laid over the rows from a cell on; rows are added, what is beyond the last month or column is left out', () => {
    const cells = pastedCells('100\t40\t9\r\n200\t\r\n300\t60\r\n')
    expect(cells).toEqual([
      [100, 40, 9],
      [200, null],
      [300, 60],
    ])
    expect(
      withPasted([{ sales: 1 }, { sales: 2, drawings: 5 }], cells, { keys: ['sales', 'drawings'], place: { row: 1, column: 0 }, max: 3 }),
    ).toEqual([{ sales: 1 }, { sales: 100, drawings: 40 }, { sales: 200, drawings: null }])
  })
})

describe('the address of a calculator', () => {
  it('holds what differs from the defaults, and brings it back', () => {
    const za = outline('cs-affordability', 'ZA')
    const start = startInputs(za, {})
    expect(start).toMatchObject({ ratePeriod: 'month', monthlyFee: 60, creditLife: 4.5 })
    const record = { ...start, grossPay: 20_000, monthlyFee: null, hasDisclosure: true }
    const address = Object.fromEntries(Object.entries(addressOf(za, record)).filter(([, value]) => value !== undefined))
    expect(address).toEqual({ grossPay: 20_000, monthlyFee: '', hasDisclosure: true })
    expect(startInputs(za, address)).toEqual(record)
    expect(Object.keys(clearedAddress(za))).toContain('compare')
  })

  it('holds the months of a business once there are some', () => {
    const sme = outline('sme-affordability')
    expect(startInputs(sme, {})['months']).toEqual([{}, {}, {}])
    expect(addressOf(sme, startInputs(sme, {}))['months']).toBeUndefined()
    const months = [{ sales: 1 }, { sales: 2 }, { sales: 3 }, {}]
    expect(addressOf(sme, { ...startInputs(sme, {}), months })['months']).toEqual(months)
    expect(startInputs(sme, { months: 'x' })['months']).toEqual([{}, {}, {}])
  })
})

describe('running here', () => {
  it('tells what is missing and what is wrong in words', () => {
    const sme = outline('sme-affordability')
    const trial = tryRun(view('sme-affordability'), sme, {
      ...inputsOf(sme, startInputs(sme, {})),
      rate: 200,
      months: [{ sales: 1 }, {}, { sales: 3 }],
    })
    expect(trial).toEqual({ missing: ['Month 2, Sales'], wrong: ['Interest may not be over 100'] })
  })

  it('leaves out what is hidden and says the result as text', () => {
    const lbf = outline('lbf-affordability')
    const inputs = inputsOf(lbf, {
      ...startInputs(lbf, {}),
      netIncome: 80_000,
      livingExpenses: 30_000,
      marketValue: 1_000_000,
      modelYear: 2015,
      rate: 3,
      settledBalance: 5,
    })
    expect(inputs).not.toHaveProperty('settledBalance')
    const { run } = tryRun(view('lbf-affordability'), lbf, inputs)
    const text = run ? summaryOf(lbf, run, 'KES') : ''
    expect(text).toContain('PASS')
    expect(text).toContain(
      'The vehicle carries: KES 490,000.00 = 700,000.00 × (100 − 0) % × 70 % (not confirmed)'.replace('KES ', 'KES\u00a0'),
    )
    expect(text).toContain('Rules: default-KE-lbf-affordability-2000-01-01, version 1, KE, in force from 2000-01-01')
  })

  it('knows no sum of another version', () => expect(outlineOf(view('future'), '2026-11-21')).toBeUndefined())
})

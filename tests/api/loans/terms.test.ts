import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

const fees = async (id: string, who: keyof Lending['world']['as'] = 'officer') =>
  (await as[who].get<{ fees: Row[] }>(`/api/loans/${id}/fees`)).body.data?.fees

describe('the page of a loan', () => {
  it('says the terms that it was agreed at, and its fees: how much and when', async () => {
    const { Id } = await lending.running(dayFrom(-5), {
      terms: {
        dayCount: 'actual/365',
        brokenPeriod: 'charge',
        graceOnPrincipal: 1,
        roundTo: '5',
        dueOnHoliday: 'next',
        allocation: ['interest', 'fee', 'principal', 'penalty'],
        fees: [
          { name: 'Opening', kind: 'percentOfPrincipal', amount: '2.5', due: 'deducted' },
          { name: 'Service', kind: 'flat', amount: '10', due: 'perInstalment' },
        ],
        penalty: { kind: 'percentOfOverdue', amount: '5', per: 'month', graceDays: 7 },
        insurance: { kind: 'perMilleOfBalance', rate: '1.5' },
      },
    })
    const { loan } = (await as.officer.get<{ loan: Row }>(`/api/loans/${Id}`)).body.data
    expect(loan).toMatchObject({
      everyUnit: 'month',
      everyCount: 1,
      dayCount: 'actual/365',
      brokenPeriod: 'charge',
      graceOnPrincipal: 1,
      graceOnInterest: 0,
      balloon: null,
      dueOnHoliday: 'next',
      roundTo: '5',
      allocation: 'interest,fee,principal,penalty',
      penaltyKind: 'percentOfOverdue',
      penaltyAmount: 5,
      penaltyPer: 'month',
      penaltyGraceDays: 7,
      insuranceKind: 'perMilleOfBalance',
      insuranceRate: 1.5,
    })
    expect(await fees(Id)).toEqual([
      { Id: '1', name: 'Opening', kind: 'percentOfPrincipal', amount: 2.5, due: 'deducted', each: '30.00' },
      { Id: '2', name: 'Service', kind: 'flat', amount: 10, due: 'perInstalment', each: '10.00' },
    ])
    expect((await as.foreign.get(`/api/loans/${Id}/fees`)).status).toBe(404)
    expect((await as.elsewhere.get(`/api/loans/${Id}/fees`)).status).toBe(404)
    const { view } = (
      await as.officer.get<{ view: { sections: { title?: string; rows: string[][] }[]; panels: { key: string }[] } }>(
        '/api/console/screens/loans-accounts-id-view',
      )
    ).body.data
    expect(view.sections.find(({ title }) => title === 'Terms')?.rows.flat()).toContain('penaltyGraceDays')
    expect(view.panels.map(({ key }) => key)).toContain('fees')
  })

  it('says that there is no penalty and no insurance where none was agreed', async () => {
    const { Id } = await lending.running(dayFrom(-5))
    const { loan } = (await as.officer.get<{ loan: Row }>(`/api/loans/${Id}`)).body.data
    expect(loan).toMatchObject({ penaltyKind: 'none', penaltyAmount: null, penaltyPer: null, insuranceKind: 'none', roundTo: null })
    expect(await fees(Id)).toEqual([])
  })
})

import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

const day = 86_400_000

/** Offers of three insurers: credit life per 1,000 owed, a vehicle's cover by its age, and a draft. */
export function companyInsurance({
  company,
  adminId,
  now,
}: {
  company: DemoCompany
  adminId: string
  now: number
}): [table: string, rows: object[]][] {
  const companyId = demoId(company.key)
  const date = (days: number) => new Date(now + days * day).toISOString().slice(0, 10)
  const offer = (number: number, values: object) => ({
    companyId,
    id: demoId(`insurance ${company.key}`, number),
    number,
    insurer: 'Umoja Life',
    name: 'Credit life',
    coverType: 'Credit life',
    state: 'Active',
    premiumRule: 'perMille',
    rate: 3.5,
    minimum: null,
    levies: 0,
    commission: 10,
    hasDisability: false,
    papers: ['Health declaration'],
    validFrom: date(-200),
    validUntil: null,
    createdByUserId: adminId,
    version: 1,
    dateCreated: new Date(now - number * day).toISOString(),
    ...values,
  })
  const motor = demoId(`insurance ${company.key}`, 2)
  return [
    [
      'insurance_offer',
      [
        offer(1, {}),
        offer(2, {
          insurer: 'Savanna Insurance',
          name: 'Comprehensive motor',
          coverType: 'Motor',
          premiumRule: 'table',
          rate: null,
          minimum: 5_000,
          levies: 0.45,
          papers: ['Logbook', 'Valuation'],
        }),
        offer(3, {
          insurer: 'Baraka Mutual',
          name: 'Funeral',
          coverType: 'Funeral',
          state: 'Draft',
          premiumRule: 'flat',
          rate: 1_200,
          validUntil: date(365),
        }),
      ],
    ],
    [
      'insurance_band',
      [
        { vehicleAgeTo: 5, rate: 3.5 },
        { vehicleAgeTo: 12, rate: 4.5 },
      ].map((band, position) => ({
        companyId,
        id: demoId(`insurance band ${company.key}`, position),
        offerId: motor,
        position,
        ageTo: null,
        monthsTo: null,
        ...band,
      })),
    ],
    ['record_counter', [{ companyId, objectType: 'insuranceOffer', last: 3 }]],
  ]
}

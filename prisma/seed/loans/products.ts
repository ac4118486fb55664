import { loanTermsOf, type ProductTerms } from '@outpost/rules/products/product-terms'
import { quoteOf } from '@outpost/rules/products/quote'
import { iso, type LeadRows } from '../leads.ts'
import type { DemoUser } from '../people.ts'
import { createRandom, demoId } from '../random.ts'
import type { DemoCompany } from '../tree.ts'

const day = 86_400_000
const began = '2026-01-01'
/** Rates within the law of each country; what a loan may be, in the money of the country. */
const markets = {
  KE: { rate: 36, unit: 1_000, initiation: 2.5, service: 100 },
  ZA: { rate: 27.5, unit: 500, initiation: 0, service: 60 },
  ZM: { rate: 42, unit: 500, initiation: 3, service: 50 },
} as const

const base = {
  creditType: 'unsecured',
  method: 'declining',
  dayCount: 'equalPeriods',
  everyUnit: 'month',
  everyCount: 1,
  brokenPeriod: 'ignore',
  graceOnPrincipal: 0,
  graceOnInterest: 0,
  balloonPercent: null,
  dueOnHoliday: 'next',
  allocation: 'penalty,fee,interest,principal',
  penaltyKind: 'none',
  penaltyAmount: null,
  penaltyPer: 'month',
  penaltyGraceDays: 5,
  insuranceKind: 'perMilleOfBalance',
  insuranceRate: 2,
} as const

interface DemoProduct {
  code: string
  name: string
  category: string
  terms: Omit<ProductTerms, 'fees'>
  papers: string[]
}

function productsOf({ country }: DemoCompany): DemoProduct[] {
  const { rate, unit } = markets[country]
  return [
    {
      code: 'PAY',
      name: 'Payroll loan',
      category: 'Personal loans',
      papers: ['Latest payslip', 'ID copy'],
      terms: { ...base, annualRate: rate, minAmount: 5 * unit, maxAmount: 200 * unit, minInstalments: 3, maxInstalments: 48 },
    },
    {
      code: 'BIZ',
      name: 'Business loan',
      category: 'Business loans',
      papers: ['Business permit', 'Bank statements'],
      terms: {
        ...base,
        creditType: 'developmental',
        annualRate: rate - 3,
        minAmount: 20 * unit,
        maxAmount: 1_000 * unit,
        minInstalments: 6,
        maxInstalments: 36,
        graceOnPrincipal: 1,
      },
    },
    {
      code: 'LOG',
      name: 'Log book loan',
      category: 'Secured loans',
      papers: ['Log book', 'Valuation'],
      terms: {
        ...base,
        creditType: 'other',
        annualRate: rate - 6,
        method: 'equalPrincipal',
        minAmount: 50 * unit,
        maxAmount: 2_000 * unit,
        minInstalments: 6,
        maxInstalments: 36,
      },
    },
  ]
}

type Lead = Record<string, unknown> & { id: string; tenantId: string; status: string; assignedUserId: string | null }
const stages = [['Draft', 'Submitted', 'In review', 'Approved', 'Declined'], 10] as const

/** Products with a published version each, a draft of a newer one, a branch that does not offer one, and some applications of leads on their way. */
export function companyProducts({
  company,
  users,
  made,
  now,
}: {
  company: DemoCompany
  users: readonly DemoUser[]
  made: LeadRows
  now: number
}): [table: string, rows: object[]][] {
  const companyId = demoId(company.key)
  const maker = users.find(({ role }) => role === 'product')?.id ?? null
  const id = (kind: string, index: number) => demoId(`${kind} ${company.key}`, index)
  const products = productsOf(company)
  const { initiation, service, rate } = markets[company.country]
  const own = { companyId, createdByUserId: maker, dateCreated: iso(now - 90 * day), dateModified: iso(now - 80 * day) }
  const fees = [
    ...(initiation > 0
      ? [{ name: 'Initiation fee', role: 'initiation', kind: 'percentOfPrincipal', amount: initiation, due: 'deducted' } as const]
      : []),
    { name: 'Service fee', role: 'service', kind: 'flat', amount: service, due: 'perInstalment' } as const,
  ]
  const published = { state: 'Published', publishedAt: iso(now - 80 * day), publishedByUserId: maker, effectiveFrom: began }
  const version = ({ terms, papers }: DemoProduct, index: number) => ({
    ...own,
    ...terms,
    id: id('version', index),
    productId: id('product', index),
    number: 1,
    papers,
    ...published,
  })
  const newer = products.slice(0, 1).map((product) => ({
    ...version(product, 0),
    id: id('version', 100),
    number: 2,
    state: 'Draft',
    publishedAt: null,
    publishedByUserId: null,
    annualRate: rate - 1,
    note: 'One point less for loyal clients',
  }))
  const feeRows = [...products.map((_, index) => index), 100].flatMap((versionIndex) =>
    fees.map((fee, position) => ({
      companyId,
      id: id(`fee ${versionIndex}`, position),
      versionId: id('version', versionIndex),
      position,
      ...fee,
    })),
  )
  const closed = users.find(({ role }) => role === 'credit')?.tenantIds[0]
  return [
    ['product_category', products.map(({ category }, index) => ({ ...own, id: id('category', index), name: category }))],
    [
      'product',
      products.map(({ code, name }, index) => ({ ...own, id: id('product', index), categoryId: id('category', index), code, name })),
    ],
    ['product_version', [...products.map(version), ...newer]],
    ['product_fee', feeRows],
    ['product_offer', closed ? [{ ...own, id: id('offer', 0), tenantId: closed, productId: id('product', 2), isOffered: false }] : []],
    ...applicationsOf({ company, made, now, products, fees, id, credit: users.find(({ role }) => role === 'credit')?.id ?? null }),
  ]
}

interface Asked {
  credit: string | null
  company: DemoCompany
  made: LeadRows
  now: number
  products: readonly DemoProduct[]
  fees: ProductTerms['fees']
  id: (kind: string, index: number) => string
}

function applicationsOf({ company, made, now, products, fees, id, credit }: Asked): [table: string, rows: object[]][] {
  const random = createRandom(`applications ${company.key}`)
  const companyId = demoId(company.key)
  const [names, count] = stages
  const leads = (made.leads as Lead[])
    .filter(({ status, assignedUserId }) => ['Qualified', 'Onboarding', 'Contacted'].includes(status) && assignedUserId)
    .slice(0, count)
  const applications = leads.map((lead, index) => {
    // Products that every branch offers.
    const productIndex = index % 2
    const { terms } = products[productIndex] as DemoProduct
    const status = names[index % names.length] ?? 'Draft'
    const amount = Number(terms.minAmount) * random.int(6, 30)
    const instalments = random.int(6, 24)
    const at = now - random.int(1, 20) * day
    const quote = quoteOf({
      terms: loanTermsOf({ ...terms, fees }, { currency: company.currency, amount, instalments }),
      amount,
      disbursedOn: iso(at).slice(0, 10),
    })
    const { instalment, paidOut, totalPaid, totalCost, aprEffective, aprNominal } = quote
    const isSent = status !== 'Draft'
    const isDecided = status === 'Approved' || status === 'Declined'
    return {
      companyId,
      id: id('application', index),
      tenantId: lead.tenantId,
      number: index + 1,
      leadId: lead.id,
      productId: id('product', productIndex),
      productVersionId: id('version', productIndex),
      amount,
      instalments,
      purpose: random.pick(['School fees', 'Stock for the shop', 'A motorbike', 'Repairs of the house', 'Medical costs']),
      status,
      ownerUserId: lead.assignedUserId,
      instalment,
      paidOut,
      totalPaid,
      totalCost,
      aprEffective,
      aprNominal,
      quote: JSON.stringify(quote),
      quotedAt: iso(at),
      createdByUserId: lead.assignedUserId,
      submittedAt: isSent ? iso(at + day / 4) : null,
      expiresAt: isSent && !isDecided ? iso(at + 30 * day) : null,
      decidedAt: isDecided ? iso(at + day) : null,
      decidedByUserId: isDecided ? credit : null,
      statusReason: status === 'Declined' ? 'Existing arrears elsewhere' : null,
      decisionNote: status === 'Approved' ? 'Income and papers are in order' : null,
      dateCreated: iso(at),
    }
  })
  const papers = applications.flatMap(({ id: applicationId, tenantId, status }, index) =>
    (products[index % 2] as DemoProduct).papers.map((name, position) => ({
      companyId,
      id: id(`paper ${index}`, position),
      tenantId,
      applicationId,
      position,
      name,
      isReceived: status !== 'Draft',
    })),
  )
  return [
    ['loan_application', applications],
    ['application_paper', papers],
    [
      'record_move',
      applications.flatMap((row, index) =>
        movesOf(row, { id: id(`application move ${index}`, 0), decisionId: id(`application move ${index}`, 1), credit }),
      ),
    ],
    ['record_counter', [{ companyId, objectType: 'loanApplication', last: applications.length }]],
  ]
}

interface Sent {
  companyId: string
  id: string
  tenantId: string
  status: string
  submittedAt: string | null
  decidedAt: string | null
  createdByUserId: string | null
}

/** What the log says of an application: sent in by its officer, decided by the credit officer. */
function movesOf(
  { companyId, id: objectId, tenantId, status, submittedAt, decidedAt, createdByUserId }: Sent,
  { id, decisionId, credit }: { id: string; decisionId: string; credit: string | null },
): object[] {
  const base = {
    companyId,
    tenantId,
    movedInTenantId: tenantId,
    objectType: 'loanApplication',
    objectId,
    field: 'status',
    durationSeconds: 21_600,
    isFirst: true,
  }
  const sent = {
    ...base,
    id,
    move: 'submit',
    from: 'Draft',
    to: 'Submitted',
    meaning: 'open',
    userId: createdByUserId,
    realUserId: createdByUserId,
    dateCreated: submittedAt,
  }
  const decided = {
    ...base,
    id: decisionId,
    move: 'decide',
    from: 'Submitted',
    to: status,
    meaning: 'done',
    userId: credit,
    realUserId: credit,
    dateCreated: decidedAt,
  }
  return [...(submittedAt ? [sent] : []), ...(decidedAt ? [decided] : [])]
}

import { expect } from 'vitest'
import { runNightly } from '../../../apps/server/src/areas/loans/loan.nightly.ts'
import type { Ctx } from '../../../apps/server/src/kernel/types.ts'
import type { Random } from '../../support/draws.ts'
import { dayFrom, type Lending, type Row } from './lending.ts'

type Answer = Awaited<ReturnType<Lending['move']>>
/** Something that people do with money, as it is drawn; undefined where there is nothing to do it with. */
type Deed = (course: Course) => Promise<Answer | undefined>

/** What a course knows: its loans, and what became of them so far. */
export interface Course {
  lending: Lending
  program: Ctx
  random: Random
  loans: string[]
}

const methods = ['flat', 'declining', 'equalPrincipal', 'interestOnly'] as const
const orders = [
  ['penalty', 'fee', 'interest', 'principal'],
  ['principal', 'interest', 'fee', 'penalty'],
  ['interest', 'principal', 'penalty', 'fee'],
] as const

/** Terms of every kind that a loan may have, drawn. */
export function drawnTerms(random: Random): NonNullable<Parameters<Lending['loan']>[0]>['terms'] {
  const penalty = { kind: 'percentOfOverdue' as const, amount: '3.5', per: 'month' as const, graceDays: 2 }
  return {
    method: (random.pick(methods) ?? 'flat') as 'flat',
    annualRate: random.pick(['0', '24', '37.5', '180']) ?? '24',
    every: random.chance(0.3) ? { unit: 'week', count: 1 } : { unit: 'month', count: 1 },
    instalments: 1 + Math.floor(random.between(0, 9)),
    allocation: [...(random.pick(orders) ?? orders[0])],
    ...(random.chance(0.5)
      ? { fees: [{ name: 'Service', kind: 'flat', amount: '10.33', due: random.chance(0.5) ? 'perInstalment' : 'deducted' }] }
      : {}),
    ...(random.chance(0.4) ? { insurance: { kind: 'percentOfPrincipal', rate: '1.7' } } : {}),
    ...(random.chance(0.7) ? { penalty: random.chance(0.5) ? { ...penalty, kind: 'flat', amount: '17.77' } : penalty } : {}),
  }
}

const one = <Of>({ random }: Course, of: readonly Of[]): Of | undefined => random.pick(of)
const loanOf = (course: Course): string => one(course, course.loans) ?? ''
const whole = ({ random }: Course, low: number, high: number) => Math.floor(random.between(low, high))
const found = (course: Course, text: string) => course.lending.rows(text, course.loans)

/** An amount as people pay: a part, all that is owed, a little or much more, and what nobody can pay. */
async function amountFor(course: Course, loanId: string): Promise<number> {
  const { owed, instalment } = (await course.lending.read(loanId)) as unknown as { owed: number; instalment: number }
  const amounts = [0.01, instalment, owed, owed + 0.01, owed - 0.01, owed / 3, owed * 1.5, whole(course, 1, 500)]
  return Math.round((one(course, amounts) ?? 1) * 100) / 100
}

const pay: Deed = async (course) => {
  const { lending, random } = course
  const loanId = random.chance(0.15) ? null : loanOf(course)
  const amount = await amountFor(course, loanId ?? loanOf(course))
  const day = dayFrom(-whole(course, 0, random.chance(0.5) ? 3 : 80))
  const method = one(course, ['cash', 'transfer', 'mobileMoney', 'cheque'])
  return lending.world.as.admin.post('/api/payments', { loanId, amount, paidOn: day, method })
}

const onPayment =
  (name: 'reverse' | 'release' | 'allocate'): Deed =>
  async (course) => {
    const state = name === 'allocate' ? `status = 'Suspense'` : `status in ('Posted', 'Suspense')`
    const payments = await found(
      course,
      `select id from payment where ("loanId" = any($1) or "loanId" is null) and ${state} order by number`,
    )
    const payment = one(course, payments)
    const body = name === 'allocate' ? { loanId: loanOf(course) } : { reason: 'Drawn' }
    return payment && course.lending.world.as.admin.post(`/api/payments/${String(payment['id'])}/${name}`, body)
  }

const quote: Deed = (course) =>
  course.lending.world.as.admin.post('/api/settlement-quotes', { loanId: loanOf(course), validUntil: dayFrom(whole(course, 0, 20)) })

/** Pays what a quote asks for, or a cent less. */
const payQuote: Deed = async (course) => {
  const quotes = await found(
    course,
    `select "loanId", total::float8 from settlement_quote where "loanId" = any($1) and status = 'Open' order by number`,
  )
  const open = one(course, quotes)
  if (!open) return undefined
  const amount = Math.round((Number(open['total']) - (course.random.chance(0.2) ? 0.01 : 0)) * 100) / 100
  return course.lending.world.as.admin.post('/api/payments', { loanId: open['loanId'], amount, paidOn: dayFrom(0), method: 'cash' })
}

const restructure: Deed = (course) =>
  course.lending.world.as.manager.post('/api/loan-changes', {
    loanId: loanOf(course),
    reason: 'Drawn',
    ...(course.random.chance(0.3)
      ? { kind: 'holiday', skip: whole(course, 1, 3) }
      : { kind: 'restructure', instalments: whole(course, 1, 9), annualRate: one(course, [null, 0, 12]) }),
  })

const decide =
  (table: string, path: string, moves: Record<string, readonly string[]>): Deed =>
  async (course) => {
    const rows = await found(
      course,
      `select id, status from ${table} where "loanId" = any($1) and status = any(array['${Object.keys(moves).join("','")}']) order by number`,
    )
    const row = one(course, rows)
    if (!row) return undefined
    const move = one(course, moves[String(row['status'])] ?? [])
    const asked =
      move === 'confirm' ? { providerReference: `B2C${String(row['id'])}`, paidOn: dayFrom(-whole(course, 0, 2)) } : { reason: 'Drawn' }
    return course.lending.world.as.admin.post(`/api/${path}/${String(row['id'])}/move`, { move, ...asked })
  }

const payout: Deed = (course) =>
  course.lending.world.as.manager.post('/api/disbursements', {
    loanId: loanOf(course),
    channel: one(course, ['mobileMoney', 'cash']),
    ...(course.random.chance(0.6) ? { kind: 'refund', ...(course.random.chance(0.4) ? { amount: whole(course, 0, 60) } : {}) } : {}),
  })

const topUp: Deed = async (course) => {
  const { lending, loans } = course
  const answer = await lending.world.as.manager.post<{ loan: Row }>(`/api/loans/${loanOf(course)}/top-up`, {
    principal: whole(course, 1_000, 5_000),
  })
  if (answer.status === 200) loans.push(answer.body.data.loan.Id)
  return answer
}

const sell: Deed = (course) => {
  const price = whole(course, 1, 2_000)
  return course.lending.world.as.manager.post('/api/security-sales', {
    loanId: loanOf(course),
    description: 'Plough',
    soldOn: dayFrom(-whole(course, 0, 20)),
    price,
    costs: one(course, [0, 0.01, price, price / 2]),
    channel: one(course, ['bank', 'cash', 'mobileMoney']),
  })
}

const writeOff: Deed = (course) =>
  course.lending.world.as.admin.post(`/api/loans/${loanOf(course)}/move`, { move: 'writeOff', reason: 'Drawn' })
const cancel: Deed = (course) =>
  course.lending.world.as.admin.post(`/api/loans/${loanOf(course)}/move`, { move: 'cancel', reason: 'Drawn' })
const transfer: Deed = (course) =>
  course.lending.world.as.admin.post('/api/loans/transfer', {
    ids: [loanOf(course)],
    tenantId: one(course, [course.lending.world.team.id, course.lending.world.other.id, course.lending.world.branch.id]),
    reason: 'Drawn',
  })
const night: Deed = async ({ program }) => void (await runNightly(program))

/** Each deed so often as its number says. */
const deeds: readonly (readonly [number, string, Deed])[] = [
  [9, 'pay', pay],
  [5, 'reverse', onPayment('reverse')],
  [4, 'release', onPayment('release')],
  [4, 'allocate', onPayment('allocate')],
  [3, 'quote', quote],
  [3, 'pay a quote', payQuote],
  [3, 'restructure', restructure],
  [4, 'decide on a restructure', decide('loan_change', 'loan-changes', { Requested: ['approve', 'approve', 'reject'] })],
  [4, 'ask for a payout', payout],
  [
    9,
    'move a payout',
    decide('disbursement', 'disbursements', {
      Requested: ['approve', 'approve', 'reject'],
      Approved: ['send', 'send', 'reject'],
      Sent: ['confirm', 'confirm', 'confirm', 'fail'],
      Failed: ['retry', 'reject'],
    }),
  ],
  [2, 'top up', topUp],
  [3, 'sell', sell],
  [4, 'decide on a sale', decide('security_sale', 'security-sales', { Requested: ['book', 'book', 'reject'], Booked: ['reverse'] })],
  [1, 'write off', writeOff],
  [0.5, 'cancel', cancel],
  [3, 'transfer', transfer],
  [2, 'night', night],
]
const all = deeds.reduce((sum, [often]) => sum + often, 0)

function drawn(random: Random): readonly [number, string, Deed] {
  let at = random.between(0, all)
  return deeds.find(([often]) => (at -= often) < 0) ?? deeds[0]!
}

/** A deed, or two at once; what was done and what was answered. No answer is a fault of the program. */
export async function doSomething(course: Course): Promise<string> {
  const together = Array.from({ length: course.random.chance(0.25) ? 2 : 1 }, () => drawn(course.random))
  const said = await Promise.all(
    together.map(async ([, name, deed]) => {
      const answer = await deed(course)
      expect(answer?.status ?? 200, `${name}: ${answer?.text ?? ''}`).toBeLessThan(500)
      return `${name} ${answer?.status ?? '-'}${answer && answer.status !== 200 ? ` ${JSON.stringify(answer.body.message ?? '')}` : ''}`
    }),
  )
  return said.join(' + ')
}

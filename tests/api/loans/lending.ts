import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import type { Ctx } from '../../../apps/server/src/kernel/types.ts'
import { expect } from 'vitest'
import type { LoanTerms } from '@outpost/rules/lending/terms'
import { until } from '../../support/until.ts'
import type { MadeTenant } from '../../support/make.ts'
import { makeWorld, type World } from '../world.ts'

export const terms: LoanTerms = {
  currency: 'KES',
  method: 'flat',
  annualRate: '24',
  dayCount: 'equalPeriods',
  every: { unit: 'month', count: 1 },
  instalments: 3,
  brokenPeriod: 'ignore',
  graceOnPrincipal: 0,
  graceOnInterest: 0,
  fees: [],
  allocation: ['penalty', 'fee', 'interest', 'principal'],
  dueOnHoliday: 'keep',
}

export type Row = { Id: string } & Record<string, unknown>
type Who = keyof World['as']

export interface Lending {
  world: World
  client: (tenant?: MadeTenant, over?: object) => Promise<string>
  loan: (over?: { terms?: Partial<LoanTerms>; principal?: string; clientId?: string }) => Promise<Row>
  /** A loan that was paid out on a day: asked for by the manager, approved by the administrator. */
  running: (paidOn: string, over?: Parameters<Lending['loan']>[0]) => Promise<Row>
  disbursement: (loanId: string, who?: Who) => Promise<Row>
  move: (id: string, move: string, asked?: object, who?: Who) => ReturnType<World['as']['admin']['post']>
  pay: (loanId: string | null, amount: number, paidOn: string, over?: object) => Promise<Row>
  read: (id: string) => Promise<Row>
  rows: (text: string, ...values: unknown[]) => Promise<Record<string, unknown>[]>
  /** Waits until every stored message of a provider is processed; on a busy machine the provider is answered earlier. */
  processed: () => Promise<void>
  /** What jobs of the company act as. */
  program: () => Promise<Ctx>
  /** Sums of the ledger by purpose, debit less credit; of a loan or of all. */
  balances: (loanId?: string) => Promise<Record<string, number>>
}

let phones = 10_000_001

/** A day so many days from now, in Nairobi as in UTC but for three hours that no test looks at. */
export const dayFrom = (days: number): string => new Date(Date.now() + 3 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)

export async function makeLending(): Promise<Lending> {
  const world = await makeWorld()
  const { as, app, company } = world
  // Somebody of the whole company beside the administrator, who asks for payouts.
  const second = await app.as(await app.make.user({ company, role: 'admin', firstName: 'Second' }))
  const rows: Lending['rows'] = async (text, ...values) => (await app.database.admin.query(text, values)).rows as Record<string, unknown>[]
  await rows(`update tenant set "timeZone" = 'Africa/Nairobi', "currency" = 'KES', "country" = 'KE' where id = $1`, company.id)
  const client: Lending['client'] = async (tenant = world.team, over = {}) => {
    const phone = `2547${String(phones++).padStart(8, '0')}`
    const { id } = await app.make.client({
      tenant,
      phonenumber: `+${phone}`,
      trimmedPhonenumber: phone,
      assignedUserId: world.people.officer.id,
      createdByUserId: world.people.officer.id,
      ...over,
    })
    return id
  }
  const loan: Lending['loan'] = async ({ terms: more = {}, principal = '1200', clientId } = {}) => {
    const answer = await second.post<{ loan: Row }>('/api/loans', {
      clientId: clientId ?? (await client()),
      principal,
      terms: { ...terms, ...more },
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.loan
  }
  const disbursement: Lending['disbursement'] = async (loanId, who = 'manager') => {
    const answer = await as[who].post<{ disbursement: Row }>('/api/disbursements', { loanId, channel: 'mobileMoney' })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.disbursement
  }
  const move: Lending['move'] = (id, name, asked = {}, who = 'admin') =>
    as[who].post(`/api/disbursements/${id}/move`, { move: name, ...asked })
  const read: Lending['read'] = async (id) => (await as.admin.get<{ loan: Row }>(`/api/loans/${id}`)).body.data.loan
  const running: Lending['running'] = async (paidOn, over) => {
    const made = await loan(over)
    const asked = await second.post<{ disbursement: Row }>('/api/disbursements', { loanId: made.Id, channel: 'mobileMoney' })
    const { Id } = asked.body.data.disbursement
    for (const [name, asked] of [
      ['approve', {}],
      ['send', {}],
      ['confirm', { providerReference: `B2C${Id.slice(0, 8)}`, paidOn }],
    ] as const) {
      const answer = await move(Id, name, asked)
      expect(answer.status, answer.text).toBe(200)
    }
    return read(made.Id)
  }
  const pay: Lending['pay'] = async (loanId, amount, paidOn, over = {}) => {
    const answer = await as.admin.post<{ payment: Row }>('/api/payments', { loanId, amount, paidOn, method: 'cash', ...over })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.payment
  }
  const balances: Lending['balances'] = async (loanId) => {
    const found = await rows(
      `select a.purpose, sum(l.debit - l.credit)::float8 as balance from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a.id = l."accountId"
       where l."companyId" = $1 and ($2::uuid is null or l."loanId" = $2) group by 1 having sum(l.debit - l.credit) <> 0`,
      company.id,
      loanId ?? null,
    )
    return Object.fromEntries(found.map(({ purpose, balance }) => [String(purpose), Number(balance)]))
  }
  const processed = () =>
    until(async () => (await rows('select from provider_message where "doneAt" is null and "lastError" is null limit 1')).length === 0)
  const program = () => makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
  return { world, client, loan, running, disbursement, move, pay, read, rows, balances, processed, program }
}

import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx, PanelDefinition } from '../../kernel/types.ts'
import { loan } from './loan.resource.ts'

const day = z.iso.date()
export const scheduleAnswer = z.strictObject({
  instalments: z.array(
    z.strictObject({
      Id: z.string(),
      number: z.int(),
      dueOn: day,
      principal: z.number(),
      interest: z.number(),
      fee: z.number(),
      insurance: z.number(),
      penalty: z.number(),
      total: z.number(),
      paid: z.number(),
      open: z.number(),
      balance: z.number(),
      paidOn: day.nullable(),
      state: z.string(),
    }),
  ),
})

/** The instalments of a loan with what was paid of each. */
export async function scheduleOfLoan(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, loan, id)
  const instalments = await ctx.sql.query(sql`
    select i."loanId" || '-' || i."number" as "Id", i."number", to_char(i."dueOn", 'YYYY-MM-DD') as "dueOn", i."principal"::float8 as principal, i."interest"::float8 as interest, i."fee"::float8 as fee,
      i."insurance"::float8 as insurance, i."penalty"::float8 as penalty, s.total::float8 as total, s.paid::float8 as paid, (s.total - s.paid)::float8 as open, i."balance"::float8 as balance,
      to_char(i."paidOn", 'YYYY-MM-DD') as "paidOn", case when s.total = s.paid then 'Paid' when i."dueOn" < ctx.today() then 'Late' when s.paid > 0 then 'Part paid' when i."dueOn" = ctx.today() then 'Due' else 'To come' end as state
    from loan_instalment i cross join lateral (select i."principal" + i."interest" + i."fee" + i."insurance" + i."penalty" as total,
      i."principalPaid" + i."interestPaid" + i."feePaid" + i."insurancePaid" + i."penaltyPaid" as paid) s
    where i."companyId" = ${ctx.company.id}::uuid and i."loanId" = ${id}::uuid order by i."number"`)
  return { data: { instalments } }
}

export const transactionsAnswer = z.strictObject({
  transactions: z.array(
    z.strictObject({
      Id: identifierSchema,
      bookedOn: day,
      valueOn: day,
      kind: z.string(),
      text: z.string(),
      change: z.number(),
      principal: z.number(),
      interest: z.number(),
      fee: z.number(),
      insurance: z.number(),
      penalty: z.number(),
      overpaid: z.number(),
      principalOwed: z.number(),
      entryId: identifierSchema,
      paymentId: identifierSchema.nullable(),
      dateCreated: z.iso.datetime(),
    }),
  ),
})

/** What was done to a loan, the newest first; each row is an entry of the ledger, and the running principal is what their sum makes. */
export async function transactionsOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, loan, id)
  return { data: { transactions: await readTransactions(ctx, id) } }
}

export const readTransactions = (ctx: Ctx, id: string) =>
  ctx.sql.query<Record<string, unknown>>(sql`
    select * from (
      select t."id" as "Id", to_char(t."bookedOn", 'YYYY-MM-DD') as "bookedOn", to_char(t."valueOn", 'YYYY-MM-DD') as "valueOn", t."kind",
        coalesce((select e."text" from ledger_entry e where e."companyId" = t."companyId" and e."id" = t."entryId"), t."kind") as text,
        (t."principal" + t."interest" + t."fee" + t."insurance" + t."penalty")::float8 as change, t."principal"::float8 as principal, t."interest"::float8 as interest, t."fee"::float8 as fee,
        t."insurance"::float8 as insurance, t."penalty"::float8 as penalty, t."overpaid"::float8 as overpaid,
        (sum(t."principal") over (order by t."bookedOn", t."id"))::float8 as "principalOwed", t."entryId", t."paymentId",
        to_char(t."dateCreated" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "dateCreated"
      from loan_transaction t where t."companyId" = ${ctx.company.id}::uuid and t."loanId" = ${id}::uuid) r
    order by r."bookedOn" desc, r."Id" desc`)

const money = (label: string) => ({ kind: 'money', label }) as const
const states = ['Paid green', 'Late red', 'Part paid gold', 'Due blue', 'To come default'].map((word) => {
  const at = word.lastIndexOf(' ')
  return { value: word.slice(0, at), label: word.slice(0, at), colour: word.slice(at + 1) }
})

export const schedulePanel: PanelDefinition = {
  key: 'schedule',
  title: 'Schedule',
  route: 'loans.schedule',
  value: 'instalments',
  fields: {
    number: { kind: 'number', label: 'No.' },
    dueOn: { kind: 'date', label: 'Due' },
    principal: money('Principal'),
    interest: money('Interest'),
    fee: money('Fees'),
    insurance: money('Insurance'),
    penalty: money('Penalties'),
    total: money('Total'),
    paid: money('Paid'),
    open: money('Still open'),
    balance: money('Principal after it'),
    state: { kind: 'choice', label: 'State', options: states },
    paidOn: { kind: 'date', label: 'Paid on' },
  },
  empty: { title: 'No schedule yet', body: 'It is made when the payout is confirmed.' },
}
export const transactionsPanel: PanelDefinition = {
  key: 'transactions',
  title: 'Transactions',
  route: 'loans.transactions',
  value: 'transactions',
  fields: {
    bookedOn: { kind: 'date', label: 'Booked' },
    valueOn: { kind: 'date', label: 'Value date' },
    text: { kind: 'text', label: 'What' },
    change: money('Change of what is owed'),
    principal: money('Principal'),
    interest: money('Interest'),
    fee: money('Fees'),
    insurance: money('Insurance'),
    penalty: money('Penalties'),
    overpaid: money('Overpaid'),
    principalOwed: money('Principal owed then'),
  },
  empty: { title: 'Nothing booked yet' },
}
export const allocationsPanel: PanelDefinition = {
  key: 'allocations',
  title: 'Allocation',
  route: 'payments.allocations',
  value: 'allocations',
  fields: {
    instalment: { kind: 'number', label: 'Instalment' },
    part: { kind: 'text', label: 'Part' },
    amount: money('Amount'),
    state: {
      kind: 'choice',
      label: 'State',
      options: [
        { value: 'Booked', label: 'Booked', colour: 'green' },
        { value: 'Taken back', label: 'Taken back', colour: 'default' },
      ],
    },
    dateCreated: { kind: 'dateTime', label: 'Booked at' },
  },
  empty: { title: 'Nothing allocated', body: 'Money in suspense is allocated when its loan is known.' },
}
export const suggestionsPanel: PanelDefinition = {
  key: 'suggestions',
  title: 'Likely loans',
  route: 'payments.suggestions',
  value: 'suggestions',
  fields: {
    loanNumber: { kind: 'text', label: 'Loan' },
    client: { kind: 'text', label: 'Client' },
    because: { kind: 'text', label: 'Because of' },
    instalment: money('Instalment'),
    owed: money('Owed'),
    score: { kind: 'number', label: 'Likelihood' },
  },
  open: '/loans/accounts/:Id/view',
  actions: [
    {
      route: 'payments.allocateTo',
      label: 'Allocate here',
      scope: 'row',
      idField: 'loanId',
      confirm: { title: 'Allocate the payment to this loan?' },
    },
  ],
  empty: { title: 'No likely loan', body: 'Nothing fits its reference, its payer or its amount, or it is allocated already.' },
}

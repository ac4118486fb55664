import { sql } from '@outpost/platform/db/sql'
import { Decimal, moneyText } from '@outpost/rules/money'
import type { Content, TableCell } from 'pdfmake/interfaces.js'
import type { z } from 'zod'
import { pdfLetter } from '../../kernel/pdf.ts'
import { wordingFor } from '../../kernel/settings/wording.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'
import { readTransactions } from './loan.panels.ts'
import { restructurePreview, settlementQuote, type Preview, type quoteInput, type restructureInput } from './loan.quotes.ts'
import { loan } from './loan.resource.ts'
import { payment } from './payments/payment.resource.ts'

/** What a letter writes, in the formats of the company. */
interface Words {
  /** An amount, exact: "KES 1,234.50". */
  amount(value: unknown): string
  /** The same in a column. */
  figure(value: unknown): string
  day(value: unknown): string
}
async function wordsOf({ company }: Ctx): Promise<Words> {
  const { money, plainMoney, day } = await wordingFor(company)
  return {
    amount: (value) => money(moneyText(String(value ?? 0))),
    figure: (value) => plainMoney(moneyText(String(value ?? 0))),
    day: (value) => (value instanceof Date ? day(value.toISOString()) : day(text(value))),
  }
}
const text = (value: unknown) => (value === null || value === undefined || value === '' ? '–' : String(value as string))

/** Rows of two columns: what, and its value. */
const facts = (rows: readonly (readonly [string, string])[]): Content => ({
  table: { widths: ['35%', '*'], body: rows.map(([what, value]): TableCell[] => [{ text: what, color: '#555555' }, value]) },
  layout: 'lightHorizontalLines',
  margin: [0, 8, 0, 8],
})
const grid = (head: readonly string[], rows: readonly (readonly string[])[]): Content => ({
  table: {
    headerRows: 1,
    widths: ['auto', '*', ...head.slice(2).map(() => 'auto')],
    body: [
      head.map((word): TableCell => ({ text: word, bold: true, fontSize: 8 })),
      ...rows.map((row) => row.map((word, column): TableCell => ({ text: word, fontSize: 8, alignment: column > 1 ? 'right' : 'left' }))),
    ],
  },
  layout: 'lightHorizontalLines',
  margin: [0, 4, 0, 8],
})
const titled = (title: string): Content => ({ text: title, fontSize: 13, margin: [0, 2, 0, 6] })

/** The receipt of a payment, with what it settled. A reversed one says so. */
export async function receipt(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, payment, id)
  const words = await wordsOf(ctx)
  const lines = await ctx.sql.query<{ number: number; part: string; amount: string }>(sql`
    select "number", "part", "amount"::text from payment_allocation where "companyId" = ${ctx.company.id}::uuid and "paymentId" = ${id}::uuid and "supersededAt" is null order by "number", "part"`)
  const title = `Receipt ${text(record['paymentNumber'])}`
  const content: Content[] = [
    titled(title),
    ...(record['status'] === 'Reversed' ? [{ text: `Reversed: ${text(record['statusReason'])}`, bold: true } as Content] : []),
    facts([
      ['Amount', words.amount(record['amount'])],
      ['Paid on', words.day(record['paidOn'])],
      ['Method', text(record['method'])],
      ['Reference', text(record['providerReference'])],
      ['Payer', text(record['payerName'] ?? record['clientIdLabel'])],
      ['Client', text(record['clientIdLabel'])],
      ['Loan', text(record['loanIdLabel'])],
      ['Captured by', text(record['createdBy'])],
    ]),
    ...(lines.length > 0
      ? [
          grid(
            ['Instalment', 'Part', 'Amount'],
            lines.map(({ number, part, amount }) => [number === 0 ? '–' : String(number), part, words.amount(amount)]),
          ),
        ]
      : []),
  ]
  return pdfLetter(title, { company: ctx.company, title, content })
}

/** The statement of a loan: what is owed today, and all that was booked on it with the running principal. */
export async function statement(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, loan, id)
  const words = await wordsOf(ctx)
  const rows = (await readTransactions(ctx, id)).toReversed()
  const title = `Statement of loan ${text(record['loanNumber'])}`
  const content: Content[] = [
    titled(title),
    { text: `As of ${words.day(today(ctx))}`, color: '#555555' },
    facts([
      ['Client', text(record['clientIdLabel'])],
      ['Status', text(record['status'])],
      ['Principal', words.amount(record['principal'])],
      ['Paid out on', words.day(record['disbursedOn'])],
      ['Owed', words.amount(record['owed'])],
      ['of it principal', words.amount(record['principalOwed'])],
      ['of it overdue', words.amount(record['overdue'])],
      ['Days past due', text(record['daysPastDue'])],
    ]),
    grid(
      ['Booked', 'What', 'Principal', 'Interest', 'Fees', 'Penalties', 'Principal owed'],
      rows.map((row) => statementRow(words, row)),
    ),
    {
      text: 'Changes of what is owed: a payment is negative. Interest is due by the schedule and is booked here when it is paid.',
      fontSize: 8,
      color: '#555555',
    },
  ]
  return pdfLetter(title, { company: ctx.company, title, content })
}

const statementRow = (words: Words, row: Record<string, unknown>): string[] => [
  words.day(row['bookedOn']),
  text(row['text']),
  ...[
    row['principal'],
    row['interest'],
    new Decimal(Number(row['fee'])).plus(Number(row['insurance'])),
    row['penalty'],
    row['principalOwed'],
  ].map((value) => words.figure(value)),
]

/** A settlement quote as a letter. */
export async function quoteLetter(ctx: Ctx, input: z.infer<typeof quoteInput>): Promise<Answer> {
  const quote = await settlementQuote(ctx, input)
  const words = await wordsOf(ctx)
  const title = `Settlement quote of loan ${quote.loanNumber}`
  const content: Content[] = [
    titled(title),
    facts([
      ['Client', quote.client],
      ['Valid until', words.day(quote.validUntil)],
      ['Principal', words.amount(quote.principal)],
      ['Interest to that day', words.amount(quote.interest)],
      ['Fees and insurance due', words.amount(quote.fees)],
      ['Penalties', words.amount(quote.penalties)],
      ['To be paid in all', words.amount(quote.total)],
      ['Saved against the schedule', words.amount(quote.saved)],
    ]),
  ]
  return pdfLetter(title, { company: ctx.company, title, content })
}

/** A restructure before and after, side by side, as a letter. */
export async function restructureLetter(ctx: Ctx, input: z.infer<typeof restructureInput>): Promise<Answer> {
  const { loanNumber, principal, before, after } = await restructurePreview(ctx, input)
  const words = await wordsOf(ctx)
  const title = `Restructure of loan ${loanNumber}, a preview`
  const sums = (one: Preview['before']) => [
    String(one.instalments),
    words.amount(one.instalment),
    words.amount(one.interest),
    words.amount(one.total),
    words.day(one.last),
  ]
  const labels = ['Instalments', 'Next instalment', 'Interest', 'In all', 'Last one']
  const rows = Array.from({ length: Math.max(before.rows.length, after.rows.length) }, (_, index) => [
    ...halfRow(words, before.rows[index]),
    ...halfRow(words, after.rows[index]),
  ])
  const content: Content[] = [
    titled(title),
    { text: `Principal owed: ${words.amount(principal)}. Nothing is changed by this preview.`, color: '#555555' },
    grid(
      ['', 'As it is', 'As it would be'],
      labels.map((label, index) => [label, sums(before)[index] ?? '', sums(after)[index] ?? '']),
    ),
    grid(['Due now', 'Total', 'Principal after', 'Due then', 'Total', 'Principal after'], rows),
  ]
  return pdfLetter(title, { company: ctx.company, title, content })
}

const halfRow = (words: Words, row: Preview['before']['rows'][number] | undefined): string[] =>
  row ? [words.day(row.dueOn), words.figure(row.total), words.figure(row.balance)] : ['', '', '']

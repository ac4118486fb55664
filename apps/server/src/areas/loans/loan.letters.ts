import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal, moneyText } from '@outpost/rules/money'
import type { Content, TableCell } from 'pdfmake/interfaces.js'
import { pdfLetter } from '../../kernel/pdf.ts'
import { getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { today } from '../ledger/index.ts'
import { readTransactions } from './loan.panels.ts'
import { loan } from './loan.resource.ts'
import { payment } from './payment.resource.ts'

const grouped = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
/** An amount for people, exact: "KES 1,234.50". */
const amountOf = ({ company }: Ctx, value: unknown) =>
  `${company.currency} ${grouped.format(moneyText(String(value ?? 0)) as unknown as number)}`
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
  const lines = await ctx.sql.query<{ number: number; part: string; amount: string }>(sql`
    select "number", "part", "amount"::text from payment_allocation where "companyId" = ${ctx.company.id}::uuid and "paymentId" = ${id}::uuid and "supersededAt" is null order by "number", "part"`)
  const title = `Receipt ${text(record['paymentNumber'])}`
  const content: Content[] = [
    titled(title),
    ...(record['status'] === 'Reversed' ? [{ text: `Reversed: ${text(record['statusReason'])}`, bold: true } as Content] : []),
    facts([
      ['Amount', amountOf(ctx, record['amount'])],
      ['Paid on', text(record['paidOn'])],
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
            lines.map(({ number, part, amount }) => [number === 0 ? '–' : String(number), part, amountOf(ctx, amount)]),
          ),
        ]
      : []),
  ]
  return pdfLetter(title, { company: ctx.company, title, content })
}

/** The statement of a loan: what is owed today, and all that was booked on it with the running principal. */
export async function statement(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, loan, id)
  const rows = (await readTransactions(ctx, id)).toReversed()
  const title = `Statement of loan ${text(record['loanNumber'])}`
  const content: Content[] = [
    titled(title),
    { text: `As of ${today(ctx)}`, color: '#555555' },
    facts([
      ['Client', text(record['clientIdLabel'])],
      ['Status', text(record['status'])],
      ['Principal', amountOf(ctx, record['principal'])],
      ['Paid out on', text(record['disbursedOn'])],
      ['Owed', amountOf(ctx, record['owed'])],
      ['of it principal', amountOf(ctx, record['principalOwed'])],
      ['of it overdue', amountOf(ctx, record['overdue'])],
      ['Days past due', text(record['daysPastDue'])],
    ]),
    grid(
      ['Booked', 'What', 'Principal', 'Interest', 'Fees', 'Penalties', 'Principal owed'],
      rows.map((row) => statementRow(row)),
    ),
    {
      text: 'Changes of what is owed: a payment is negative. Interest is due by the schedule and is booked here when it is paid.',
      fontSize: 8,
      color: '#555555',
    },
  ]
  return pdfLetter(title, { company: ctx.company, title, content })
}

const statementRow = (row: Record<string, unknown>): string[] => [
  text(row['bookedOn']),
  text(row['text']),
  ...[
    row['principal'],
    row['interest'],
    new Decimal(Number(row['fee'])).plus(Number(row['insurance'])),
    row['penalty'],
    row['principalOwed'],
  ].map((value) => moneyText(String(value))),
]

/** Refuses what is asked of a loan that does not run. */
export function assertRunning(record: WireRecord): void {
  if (record['status'] !== 'Active') fail('ILLEGAL_TRANSITION', { message: `The loan is ${text(record['status'])}.` })
}

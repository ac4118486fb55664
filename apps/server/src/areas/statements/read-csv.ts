import { CsvError, parse } from 'csv-parse/sync'
import { fail, type FieldError } from '@outpost/contract/errors'
import { amountFault } from '@outpost/rules/currency'
import { typedAmount } from '@outpost/rules/typed-amount'
import { daySchema } from '../../kernel/days.ts'

/** A line of money that came in or went out. */
export interface StatementLine {
  bookedOn: string
  direction: 'in' | 'out'
  /** More than 0 either way. */
  amount: string
  reference: string
  payer: string
  details: string
}

/** Headings as banks and providers write them, by what they mean. */
type Column = Exclude<keyof StatementLine, 'direction'> | 'out'
const headings: Readonly<Record<Column, readonly string[]>> = {
  bookedOn: ['date', 'bookedon', 'completiontime', 'transactiondate', 'valuedate', 'bookingdate'],
  amount: ['amount', 'paidin', 'credit', 'moneyin'],
  out: ['withdrawn', 'paidout', 'debit', 'moneyout', 'withdrawal', 'withdrawals'],
  reference: ['reference', 'receiptno', 'transactionid', 'transid', 'ref'],
  payer: ['payer', 'name', 'otherpartyinfo', 'otherparty', 'payername'],
  details: ['details', 'accountno', 'account', 'billreference', 'billrefnumber', 'narrative', 'description'],
}
const optional = new Set<Column>(['out', 'payer', 'details'])
const most = 5_000
const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** A line as its file has it, not judged yet: `at` names its place. */
export interface RawLine extends StatementLine {
  at: string
}

/** What a file holds. */
export interface RawStatement {
  lines: RawLine[]
  /** Whether it would show money that went out: some show only what came in. */
  showsOut: boolean
}

/**
 * Lines of a CSV with headings, as the file has them. Money went out where the column of the amount has a minus, or is empty and the column of what was withdrawn
 * is not (some write a minus there too). A line without money is left out.
 */
export function readCsv(csv: string): RawStatement {
  const [first = [], ...body] = rowsOf(csv)
  const columns = Object.fromEntries(
    Object.entries(headings).map(([key, names]) => [key, first.findIndex((heading) => names.includes(bare(heading)))]),
  ) as Record<Column, number>
  const missing = (Object.keys(headings) as Column[]).filter((key) => columns[key] < 0 && !optional.has(key))
  if (missing.length > 0)
    refuseStatement(
      missing.map((key) => `has no column for the ${key === 'bookedOn' ? 'date' : key}: ${headings[key].slice(0, 3).join(', ')}`),
    )
  const lines = body.flatMap((cells, place): RawLine[] => {
    const of = (key: Column) => (cells[columns[key]] ?? '').trim()
    const money = moneyOf(of('amount'), of('out'))
    if (!money) return []
    const raw = of('bookedOn')
    return [
      {
        at: `line ${place + 2}`,
        bookedOn: dayOf(raw) ?? raw,
        ...money,
        reference: of('reference'),
        payer: of('payer'),
        details: of('details'),
      },
    ]
  })
  return { lines, showsOut: columns.out >= 0 || lines.some(({ direction }) => direction === 'out') }
}

/** The direction and amount of a line, as the file writes it; undefined where it has no amount. */
function moneyOf(came: string, withdrawn: string): Pick<StatementLine, 'direction' | 'amount'> | undefined {
  // What is no amount stays as it is written: the line is refused with it.
  const [amount = '', out = ''] = [came, withdrawn].map((text) => typedAmount(text) ?? text)
  const isMoney = (text: string) => text !== '' && Number(text) !== 0
  if (isMoney(amount)) return amount.startsWith('-') ? { direction: 'out', amount: amount.slice(1) } : { direction: 'in', amount }
  return isMoney(out) ? { direction: 'out', amount: out.replace(/^-/, '') } : undefined
}

/** Lines that are whole and fit the company, whatever file they come from. INVALID names the place of each that does not. */
export function checkedLines(raw: readonly RawLine[], { currency, today }: { currency: string; today: string }): StatementLine[] {
  const faults: string[] = []
  if (raw.length > most) refuseStatement([`has more than ${most} lines`])
  const lines = raw.map(({ at, bookedOn, direction, amount, reference, payer, details }): StatementLine => {
    if (!daySchema.safeParse(bookedOn).success) faults.push(`${at}: the date “${bookedOn}” is none`)
    else if (bookedOn > today) faults.push(`${at}: the date lies in the future`)
    if (!/^\d{1,12}(\.\d+)?$/.test(amount) || amountFault(Number(amount), currency) !== undefined)
      faults.push(`${at}: the amount “${amount}” is none in ${currency}`)
    if (reference === '') faults.push(`${at}: the reference is missing`)
    return {
      bookedOn,
      direction,
      amount,
      reference: reference.slice(0, 60),
      payer: payer.slice(0, 120),
      details: details.slice(0, 200),
    }
  })
  if (faults.length > 0) refuseStatement(faults.slice(0, 20))
  if (lines.length === 0) refuseStatement(['holds no money that came in or went out'])
  const seen = new Set<string>()
  for (const { direction, reference } of lines) {
    // A payout and its charge have one reference.
    if (direction === 'out') continue
    const key = reference.toUpperCase()
    if (seen.has(key)) refuseStatement([`names ${reference} twice`])
    seen.add(key)
  }
  return lines
}

function rowsOf(csv: string): string[][] {
  try {
    const rows = parse(csv, {
      bom: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      delimiter: csv.split('\n', 1)[0]?.includes(';') ? ';' : ',',
    }) as string[][]
    if (rows.length > most + 1) refuseStatement([`has more than ${most} lines`])
    return rows
  } catch (error) {
    if (error instanceof CsvError) return refuseStatement([`cannot be read: ${error.message}`])
    throw error
  }
}

/** 2026-11-25, 25/11/2026 or 25.11.2026, with or without a time behind it. */
function dayOf(text: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})\b/.exec(text) ?? []
  const iso = year === undefined ? text.slice(0, 10) : `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return daySchema.safeParse(iso).success ? iso : undefined
}

/** Refuses a file in whole: each message says what is wrong with it. */
export const refuseStatement = (messages: readonly string[]): never =>
  fail('INVALID', { fields: messages.map((message): FieldError => ({ field: 'csv', message })) })

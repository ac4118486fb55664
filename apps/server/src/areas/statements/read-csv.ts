import { CsvError, parse } from 'csv-parse/sync'
import { fail, type FieldError } from '@outpost/contract/errors'
import { amountFault } from '@outpost/rules/currency'
import { z } from 'zod'

/** A line of money that came in. */
export interface StatementLine {
  bookedOn: string
  amount: string
  reference: string
  payer: string
  details: string
}

/** Headings as banks and providers write them, by what they mean. */
const headings: Readonly<Record<keyof StatementLine, readonly string[]>> = {
  bookedOn: ['date', 'bookedon', 'completiontime', 'transactiondate', 'valuedate', 'bookingdate'],
  amount: ['amount', 'paidin', 'credit', 'moneyin'],
  reference: ['reference', 'receiptno', 'transactionid', 'transid', 'ref'],
  payer: ['payer', 'name', 'otherpartyinfo', 'otherparty', 'payername'],
  details: ['details', 'accountno', 'account', 'billreference', 'billrefnumber', 'narrative', 'description'],
}
const optional = new Set<keyof StatementLine>(['payer', 'details'])
const most = 5_000
const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Lines of a CSV with headings. Money that went out (nothing or less in the column of the amount) is left out. INVALID names line and column of what cannot be read. */
export function readStatement(csv: string, { currency, today }: { currency: string; today: string }): StatementLine[] {
  const rows = rowsOf(csv)
  const [first = [], ...body] = rows
  const columns = Object.fromEntries(
    Object.entries(headings).map(([key, names]) => [key, first.findIndex((heading) => names.includes(bare(heading)))]),
  ) as Record<keyof StatementLine, number>
  const missing = (Object.keys(headings) as (keyof StatementLine)[]).filter((key) => columns[key] < 0 && !optional.has(key))
  if (missing.length > 0)
    refuse(missing.map((key) => `has no column for the ${key === 'bookedOn' ? 'date' : key}: ${headings[key].slice(0, 3).join(', ')}`))
  const faults: string[] = []
  const lines = body.flatMap((cells, place): StatementLine[] => {
    const of = (key: keyof StatementLine) => (cells[columns[key]] ?? '').trim()
    const amount = of('amount').replaceAll(/[,\s]/g, '')
    if (amount === '' || amount.startsWith('-') || Number(amount) === 0) return []
    const bookedOn = dayOf(of('bookedOn'))
    const at = `line ${place + 2}`
    if (bookedOn === undefined) faults.push(`${at}: the date “${of('bookedOn')}” is none`)
    else if (bookedOn > today) faults.push(`${at}: the date lies in the future`)
    if (!/^\d{1,12}(\.\d+)?$/.test(amount) || amountFault(Number(amount), currency) !== undefined)
      faults.push(`${at}: the amount “${of('amount')}” is none in ${currency}`)
    if (of('reference') === '') faults.push(`${at}: the reference is missing`)
    return [
      {
        bookedOn: bookedOn ?? today,
        amount,
        reference: of('reference').slice(0, 60),
        payer: of('payer').slice(0, 120),
        details: of('details').slice(0, 200),
      },
    ]
  })
  if (faults.length > 0) refuse(faults.slice(0, 20))
  if (lines.length === 0) refuse(['holds no money that came in'])
  const twice = lines.find(
    ({ reference }, place) => lines.findIndex((line) => line.reference.toUpperCase() === reference.toUpperCase()) < place,
  )
  if (twice) refuse([`names ${twice.reference} twice`])
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
    if (rows.length > most + 1) refuse([`has more than ${most} lines`])
    return rows
  } catch (error) {
    if (error instanceof CsvError) return refuse([`cannot be read: ${error.message}`])
    throw error
  }
}

/** 2026-11-25, 25/11/2026 or 25.11.2026, with or without a time behind it. */
function dayOf(text: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})\b/.exec(text) ?? []
  const iso = year === undefined ? text.slice(0, 10) : `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return z.iso.date().safeParse(iso).success ? iso : undefined
}

const refuse = (messages: readonly string[]): never =>
  fail('INVALID', { fields: messages.map((message): FieldError => ({ field: 'csv', message })) })

import { Parser, type BankStatement, type Transaction } from 'mt940js'
import { refuseStatement, type RawLine, type RawStatement } from './read-csv.ts'

/** A text that has the fields of an MT940: its reference and its account or first movement. */
export const isMt940 = (text: string): boolean => /^:20:/m.test(text) && /^:(?:25|60[FM]|61):/m.test(text)

/**
 * Money that came in and went out by a SWIFT MT940, as the lines of a CSV are read: several statements in a file are one. A bank's own reference counts before the client's; where
 * there is none (NONREF), the statement's number and the place in it are used, so that the same file gives the same reference again. Field 86 gives payer (32, 33) and
 * details (20 to 29); without sub-fields all of it is details.
 */
export function readMt940(text: string, currency: string): RawStatement {
  const statements = statementsOf(text)
  const other = statements.find((one) => one.currency !== currency)
  if (other) refuseStatement([`is in ${other.currency}, your books are in ${currency}`])
  const lines = statements.flatMap((statement) =>
    statement.transactions.flatMap((one, index) => (one.amount === 0 ? [] : [lineOf(statement, one, index + 1)])),
  )
  return { lines, showsOut: true }
}

function statementsOf(text: string): BankStatement[] {
  try {
    return new Parser().parse(text.replaceAll(/\r\n?/g, '\n'))
  } catch (error) {
    return refuseStatement([`cannot be read as MT940: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function lineOf({ transactionReference, number }: BankStatement, one: Transaction, place: number): RawLine {
  const named = [one.bankReference, one.reference].map((text) => text.trim()).find((text) => text !== '' && text !== 'NONREF')
  const part = (from: number, to: number) =>
    Object.entries(one.structuredDetails ?? {})
      .filter(([key]) => Number(key) >= from && Number(key) <= to)
      .map(([, value]) => value)
      .join('')
  const details = part(20, 29) || (one.structuredDetails ? '' : one.details)
  return {
    at: `movement ${place}`,
    bookedOn: one.date.toISOString().slice(0, 10),
    direction: one.amount > 0 ? 'in' : 'out',
    amount: Math.abs(one.amount).toFixed(2).replace(/\.00$/, ''),
    reference: named ?? `${transactionReference} ${number.statement}/${number.sequence}-${place}`,
    payer: part(32, 33),
    details: details.replaceAll(/\s+/g, ' ').trim(),
  }
}

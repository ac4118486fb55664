import { fail, type Failure, type FieldError } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { recordPayments } from '../loans/index.ts'
import { collectionSheet } from './sheet.resource.ts'

interface Line {
  id: string
  place: number
  loanId: string | null
  received: string
  attendance: string
}

/**
 * Books every payment of the sheet, or none: INVALID names each line that cannot be booked (`lines.3.received`). A payment has the id of its line, so nothing
 * makes two of one; who posts at the same moment waits and is refused.
 */
export function postSheet(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    await getRecord(inner, collectionSheet, id)
    const sheet = await inner.sql.one<{ number: number; status: string; day: string }>(sql`
      select "number", "status", to_char("meetingOn", 'YYYY-MM-DD') as day from collection_sheet where "companyId" = ${inner.company.id}::uuid and "id" = ${id}::uuid for update`)
    if (sheet.status !== 'Draft') fail('ILLEGAL_TRANSITION', { message: `The sheet is ${sheet.status} already.` })
    const lines = await inner.sql.query<Line & Record<string, unknown>>(sql`
      select "id", "position" as place, "loanId", "received"::text, "attendance" from collection_line where "companyId" = ${inner.company.id}::uuid and "sheetId" = ${id}::uuid`)
    const paid = lines.filter(({ received }) => !new Decimal(received).isZero())
    if (paid.length === 0) fail('INVALID', { fields: [{ field: 'lines', message: 'hold no money: cancel the sheet where nobody paid' }] })
    const faults: FieldError[] = []
    for (const [line, message] of await bookAll(inner, paid, sheet)) faults.push({ field: `lines.${line.place}.received`, message })
    if (faults.length > 0)
      fail('INVALID', { fields: faults.toSorted((one, other) => one.field.localeCompare(other.field, 'en', { numeric: true })) })
    await writeRecords(inner, collectionSheet, [
      {
        kind: 'update',
        id,
        input: { status: 'Posted', postedAt: new Date(), postedByUserId: inner.user.id },
        move: { field: 'status', name: 'post', asked: {} },
      },
    ])
    return {
      data: { collectionSheet: await getRecord(inner, collectionSheet, id) },
      message: paid.length === 1 ? 'Posted: 1 payment' : `Posted: ${paid.length} payments`,
    }
  })
}

/** Books all lines at once; gives those that cannot be booked, and why. */
async function bookAll(
  ctx: Ctx,
  lines: readonly Line[],
  { number, day }: { number: number; day: string },
): Promise<(readonly [Line, string])[]> {
  const payable = lines.filter(({ loanId }) => loanId !== null)
  const made = await recordPayments(
    ctx,
    payable.map(({ id, loanId, received }) => ({
      Id: id,
      loanId,
      amount: received,
      method: 'cash',
      paidOn: day,
      note: `Collection sheet CS-${String(number).padStart(5, '0')}`,
    })),
  )
  const why = new Map(payable.map((line, place) => [line, made[place]?.failure]))
  return lines.flatMap((line) => {
    if (line.loanId === null) return [[line, 'has no running loan to be booked on'] as const]
    const failure = why.get(line)
    return failure ? [[line, wordsOf(failure)] as const] : []
  })
}

function wordsOf({ more, message }: Failure): string {
  const [field] = more.fields ?? []
  return field ? `${field.field}: ${field.message}` : message
}

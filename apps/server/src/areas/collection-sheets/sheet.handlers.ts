import { fail, type Failure, type FieldError } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { createRecord, getRecord } from '../../kernel/resource/records.ts'
import { dayText } from '../../kernel/days.ts'
import type { RecordInput } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { recordPayments } from '../loans/index.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { collectionSheet } from './sheet.resource.ts'

/** Begins the sheet of a meeting: a line for each member and each loan that runs, with what is due by then. A meeting has one sheet. */
export function openSheet(ctx: Ctx, { lines: _, ...input }: RecordInput): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const group = await getRecord(inner, resourceNamed('clientGroup') ?? fail('NOT_FOUND'), String(input['groupId'])).catch(() =>
      fail('INVALID', { fields: [{ field: 'groupId', message: 'does not exist' }] }),
    )
    const day = input['meetingOn'] instanceof Date ? dayText(input['meetingOn']) : String(input['meetingOn'])
    const twin = await inner.sql.maybe(sql`
      select from collection_sheet where "companyId" = ${inner.company.id}::uuid and "groupId" = ${group.Id}::uuid and "meetingOn" = ${day}::date and "status" <> 'Cancelled' and "deletedAt" is null`)
    if (twin) fail('CONFLICT', { message: 'This meeting has a collection sheet already.' })
    const lines = await linesOf(inner, group.Id, day)
    if (lines.length === 0) fail('CONFLICT', { message: 'The group has no members yet.' })
    const made = await createRecord(inner, collectionSheet, { ...input, lines }, { tenantId: group['tenantId'] })
    return { data: { collectionSheet: made }, message: 'Collection sheet begun' }
  })
}

const linesOf = (ctx: Ctx, groupId: string, day: string) =>
  ctx.sql.query<{ clientId: string; loanId: string | null; expected: number }>(sql`
    select m."clientId", l."id" as "loanId", coalesce(d.due, 0)::float8 as expected, 0 as received, 'Present' as attendance
    from client_group_member m join client c on c."companyId" = m."companyId" and c."id" = m."clientId" and c."deletedAt" is null
      left join loan l on l."companyId" = m."companyId" and l."clientId" = m."clientId" and l."status" = 'Active' and l."deletedAt" is null and l."disbursedOn" <= ${day}::date
      left join lateral (select sum(i."principal" + i."interest" + i."fee" + i."insurance" + i."penalty" - i."principalPaid" - i."interestPaid" - i."feePaid" - i."insurancePaid" - i."penaltyPaid") as due
        from loan_instalment i where i."companyId" = l."companyId" and i."loanId" = l."id" and i."dueOn" <= ${day}::date) d on true
    where m."companyId" = ${ctx.company.id}::uuid and m."groupId" = ${groupId}::uuid order by m."position", l."number"`)

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

import { fail, type FieldError } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import type { Ctx } from '../../kernel/types.ts'

type Amount = number | string | Decimal | null
/** A line as the office has it, or would make it. */
export interface OfficeLine {
  Id?: string
  clientId: string
  loanId: string | null
  expected: Amount
  received: Amount
  attendance: string
}
/** A line as a body or a device gives it: identified by its Id, or by its member and loan. */
export type GivenLine = Partial<OfficeLine>

/** A line for each member of a group and each loan that runs, with what is due by that day. */
export const linesOfGroup = (ctx: Ctx, groupId: string, day: string): Promise<OfficeLine[]> =>
  ctx.sql.query<OfficeLine & Record<string, unknown>>(sql`
    select m."clientId", l."id" as "loanId", coalesce(d.due, 0)::float8 as expected, 0 as received, 'Present' as attendance
    from client_group_member m join client c on c."companyId" = m."companyId" and c."id" = m."clientId" and c."deletedAt" is null
      left join loan l on l."companyId" = m."companyId" and l."clientId" = m."clientId" and l."status" = 'Active' and l."deletedAt" is null and l."disbursedOn" <= ${day}::date
      left join lateral (select sum(i."principal" + i."interest" + i."fee" + i."insurance" + i."penalty" - i."principalPaid" - i."interestPaid" - i."feePaid" - i."insurancePaid" - i."penaltyPaid") as due
        from loan_instalment i where i."companyId" = l."companyId" and i."loanId" = l."id" and i."dueOn" <= ${day}::date) d on true
    where m."companyId" = ${ctx.company.id}::uuid and m."groupId" = ${groupId}::uuid order by m."position", l."number"`)

interface Filling {
  given: readonly GivenLine[]
  isSync: boolean
  /** The sheet is being begun: its lines take the ids that a device gave them, so that its later edits find them. */
  isNew: boolean
}

/**
 * The office's lines with what was typed: who came and what was received. Whom a sheet names and what is expected of them is never a
 * body's to say. INVALID names each line that fits none; one of a device that says nothing of somebody who has left is left out.
 */
export function fillLines(office: readonly OfficeLine[], { given, isSync, isNew }: Filling): OfficeLine[] {
  const pairs = pairLines(office, given)
  const faults = given.flatMap((line, place) => {
    const held = pairs.get(line)
    if (held) return faultsOf(line, held, place)
    const hasLeft = !office.some(({ clientId }) => clientId === line.clientId)
    return isSync && hasLeft && !isTyped(line) ? [] : [strangerFault(place, isNew, hasLeft)]
  })
  const named = new Set([...pairs.values()].map(({ clientId }) => clientId))
  if (!isNew && office.some(({ clientId }) => !named.has(clientId)))
    faults.push({ field: 'lines', message: 'must hold every member of the sheet: who did not come is absent' })
  if (faults.length > 0) fail('INVALID', { fields: faults })
  const typed = new Map([...pairs].map(([line, held]) => [held, line]))
  return office.map((held) => filled(held, typed.get(held), isNew))
}

/** Which line of the office each given one is: by its Id, else the first of its member, and loan, that no other is. */
function pairLines(office: readonly OfficeLine[], given: readonly GivenLine[]): Map<GivenLine, OfficeLine> {
  const byId = new Map(office.flatMap((held) => (held.Id === undefined ? [] : [[held.Id, held] as const])))
  const pairs = new Map(given.flatMap((line) => (byId.has(line.Id ?? '') ? [[line, byId.get(line.Id ?? '') as OfficeLine] as const] : [])))
  const free = new Set(office.filter((held) => ![...pairs.values()].includes(held)))
  for (const line of given.filter((one) => !pairs.has(one))) {
    const held = [...free].find(
      ({ clientId, loanId }) => clientId === line.clientId && (line.loanId === undefined || line.loanId === null || line.loanId === loanId),
    )
    if (!held) continue
    pairs.set(line, held)
    free.delete(held)
  }
  return pairs
}

function faultsOf(line: GivenLine, held: OfficeLine, place: number): FieldError[] {
  const at = (field: string, message: string) => ({ field: `lines.${place}.${field}`, message })
  const isNamed = line.Id !== undefined && line.Id === held.Id
  return [
    ...(line.clientId !== undefined && line.clientId !== held.clientId ? [at('clientId', 'comes from the group')] : []),
    ...(isNamed && line.loanId !== undefined && (line.loanId ?? null) !== held.loanId ? [at('loanId', 'comes from the member')] : []),
    ...((line.expected ?? null) !== null && !new Decimal(line.expected ?? 0).equals(held.expected ?? 0)
      ? [at('expected', 'comes from the loan')]
      : []),
  ]
}

function strangerFault(place: number, isNew: boolean, hasLeft: boolean): FieldError {
  if (isNew && !hasLeft) return { field: `lines.${place}.loanId`, message: 'comes from the member' }
  if (isNew) return { field: `lines.${place}.clientId`, message: 'is no member of the group' }
  return { field: `lines.${place}.Id`, message: 'is no line of this sheet: who is on it comes from the group' }
}

/** Somebody wrote in the line: money, or that the member did not come. */
const isTyped = ({ received, attendance }: GivenLine): boolean =>
  !new Decimal(received ?? 0).isZero() || (attendance !== undefined && attendance !== 'Present')

/** A line that was matched by its member, and in which nobody wrote, changes nothing. */
function filled(held: OfficeLine, line: GivenLine | undefined, isNew: boolean): OfficeLine {
  const id = isNew ? line?.Id : held.Id
  const own = { ...held, ...(id === undefined ? {} : { Id: id }) }
  if (!line || (line.Id !== held.Id && !isTyped(line))) return own
  return { ...own, received: line.received ?? held.received, attendance: line.attendance ?? held.attendance }
}

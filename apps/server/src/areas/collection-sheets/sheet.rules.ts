import { fail, type FieldError } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { sql } from '@outpost/platform/db/sql'
import { Decimal } from '@outpost/rules/money'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type Row = ModelRow<'collectionSheet'>
interface GivenLine {
  Id?: string
  clientId?: string
  loanId?: string | null
  expected?: number | string
}

/** A sheet that was posted or cancelled stays as it is; in a draft, who is on it and what is expected comes from the loans and is not changed by hand. */
export async function prepareSheet(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') return {}
  if (kind === 'create') return { createdByUserId: ctx.user.id }
  const { lines, ...given } = input as Partial<Row> & { lines?: GivenLine[] }
  if (before && before.status !== 'Draft' && (lines || (given.note !== undefined && (given.note ?? null) !== before.note)))
    fail('CONFLICT', { message: `The sheet is ${before.status}: it stays as it is.` })
  if (lines) await keepLines(ctx, id, lines)
  return {}
}

async function keepLines(ctx: Ctx, sheetId: string, lines: readonly GivenLine[]): Promise<void> {
  const stored = await ctx.sql.query<{ id: string; clientId: string; loanId: string | null; expected: string }>(
    sql`select "id", "clientId", "loanId", "expected"::text from collection_line where "companyId" = ${ctx.company.id}::uuid and "sheetId" = ${sheetId}::uuid`,
  )
  const faults = lines.flatMap((line, place): FieldError[] => {
    const held = stored.find(({ id }) => id === line.Id)
    const at = (field: string, message: string) => ({ field: `lines.${place}.${field}`, message })
    if (!held) return [at('Id', 'is no line of this sheet: who is on it comes from the group')]
    return [
      ...(line.clientId !== undefined && line.clientId !== held.clientId ? [at('clientId', 'comes from the group')] : []),
      ...(line.loanId !== undefined && (line.loanId ?? null) !== held.loanId ? [at('loanId', 'comes from the member')] : []),
      ...(line.expected !== undefined && !new Decimal(line.expected ?? 0).equals(held.expected)
        ? [at('expected', 'comes from the loan')]
        : []),
    ]
  })
  const missing = stored.filter(({ id }) => !lines.some((line) => line.Id === id))
  if (missing.length > 0) faults.push({ field: 'lines', message: 'must hold every member of the sheet: who did not come is absent' })
  if (faults.length > 0) fail('INVALID', { fields: faults })
}

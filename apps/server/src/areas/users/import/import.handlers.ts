import { fail, failField, Failure, type FieldError } from '@outpost/contract/errors'
import { z } from 'zod'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import { checkInput, type RecordInput } from '../../../kernel/resource/schema.ts'
import { readSheet } from '../../../kernel/uploads/sheet.ts'
import { problemsOf, runTrial } from '../../../kernel/uploads/trial.ts'
import type { Answer, Ctx, RequestInfo } from '../../../kernel/types.ts'
import { requestAuthMail } from '../../auth/index.ts'
import { invited } from '../invitations.ts'
import { createInput, withTenants } from '../user.handlers.ts'
import { user } from '../user.resource.ts'
import { readColumns, type ImportRow } from './columns.ts'
import { readNames, userNameOf, type Names } from './names.ts'

export const sheetLimits = { files: 1, maxBytes: 2_097_152, types: ['csv', 'xlsx'] }
export const importInput = z.strictObject({
  dryRun: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true'),
})
export const importAnswer = z.strictObject({
  dryRun: z.boolean(),
  /** How many rows make a user, and how many are refused; with one refused, nothing is made. */
  made: z.int(),
  refused: z.int(),
  rows: z.array(
    z.strictObject({
      /** As the spreadsheet counts: the headings are row 1. */
      row: z.int(),
      name: z.string(),
      emailAddress: z.string(),
      verdict: z.enum(['make', 'refuse']),
      problems: z.array(z.strictObject({ field: z.string(), message: z.string() })),
    }),
  ),
})

interface Assessed {
  row: ImportRow
  problems: FieldError[]
}

/**
 * Makes a user of each row and invites them, all or none. A dry run is the same up to the end and then taken back, so that its verdicts
 * are those of the commit. Stops with INVALID: of the file, or, when it is no dry run, of its refused rows.
 */
export async function importUsers(ctx: Ctx, { dryRun }: z.infer<typeof importInput>, { files, store }: RequestInfo): Promise<Answer> {
  const [file] = files ?? []
  if (!file) return failField('file', 'is required')
  const rows = readColumns(await readSheet(file, store))
  const isRefused = ({ problems }: Assessed) => problems.length > 0
  const tried = await runTrial(
    ctx,
    (inner) => write(inner, rows),
    (all) => dryRun || all.some(isRefused),
  )
  const refused = tried.filter(isRefused)
  if (!dryRun && refused.length > 0) fail('INVALID', { fields: refused.slice(0, 50).flatMap(fieldsOf) })
  const made = tried.length - refused.length
  return {
    data: { dryRun, made, refused: refused.length, rows: tried.map(answered) },
    message: dryRun ? undefined : `${made === 1 ? '1 user' : `${made} users`} made and invited`,
  }
}

const fieldsOf = ({ row, problems }: Assessed) => problems.map(({ field, message }) => ({ field: `row ${row.number}: ${field}`, message }))
const answered = ({ row: { number, values }, problems }: Assessed) => ({
  row: number,
  name: [values.firstName, values.lastName].filter(Boolean).join(' '),
  emailAddress: values.emailAddress ?? '',
  verdict: problems.length === 0 ? 'make' : 'refuse',
  problems: problems.map(({ field, message }) => ({ field, message })),
})

async function write(ctx: Ctx, rows: readonly ImportRow[]): Promise<Assessed[]> {
  const names = await readNames(ctx, rows)
  const read = rows.map((row) => readRow(ctx, row, names))
  const good = read.filter(({ problems }) => problems.length === 0)
  const changes = good.map(({ input }) => ({ kind: 'create' as const, input, columns: invited() }))
  const verdicts = await writeRecords(ctx, user, changes, { source: 'import', onRefusal: 'report' })
  const failures = new Map(good.map(({ row }, index) => [row, verdicts[index]?.failure]))
  for (const { id, failure } of verdicts)
    if (!failure) await requestAuthMail(ctx.sql, { companyId: ctx.company.id, userId: id, kind: 'invite' })
  return read.map(({ row, problems }) => {
    const failure = failures.get(row)
    return { row, problems: failure ? problemsOf(failure) : problems }
  })
}

/** A row as a user's input, or what is wrong with it. */
function readRow(ctx: Ctx, row: ImportRow, names: Names): Assessed & { input: RecordInput } {
  const { tenants, roles, problems } = names.of(row)
  const { tenants: _tenants, roles: _roles, ...values } = row.values
  const userName = userNameOf(row.values)
  try {
    const input = withTenants(
      ctx,
      checkInput(createInput, { ...values, userName, ...(tenants ? { tenants } : {}), ...(roles ? { roles } : {}) }),
    )
    return { row, input, problems }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { row, input: {}, problems: [...problems, ...problemsOf(error)] }
  }
}

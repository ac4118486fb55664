import { fail, failField, Failure, type FieldError } from '@outpost/contract/errors'
import { unguardText } from '@outpost/rules/spreadsheet'
import { takeTurn } from '@outpost/platform/db/turn'
import { z } from 'zod'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import { checkInput, writeSchemas, type RecordInput } from '../../../kernel/resource/schema.ts'
import { readCsv } from '../../../kernel/uploads/sheet.ts'
import { problemsOf, runTrial } from '../../../kernel/uploads/trial.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { askedOf, knownNumbers, ownerName, type Known } from './known-numbers.ts'
import { phoneBookEntry } from './phone-book.resource.ts'
import { isCards, readCards, readTable, type ReadEntry } from './read-cards.ts'

const mostRows = 500

export const importInput = z.strictObject({
  dryRun: z.boolean().default(true),
  /** The file: vCards, or CSV with headings. */
  text: z.string().min(1).max(1_000_000),
})
export const importAnswer = z.strictObject({
  dryRun: z.boolean(),
  /** How many entries are made, how many are known already and passed over, and how many are refused; with one refused, nothing is made. */
  made: z.int(),
  skipped: z.int(),
  refused: z.int(),
  rows: z.array(
    z.strictObject({
      row: z.int(),
      name: z.string(),
      phonenumber: z.string(),
      verdict: z.enum(['make', 'skip', 'refuse']),
      problems: z.array(z.strictObject({ field: z.string(), message: z.string() })),
    }),
  ),
})

interface Assessed {
  entry: ReadEntry
  verdict: 'make' | 'skip' | 'refuse'
  problems: FieldError[]
  input?: RecordInput
}

/**
 * Makes an entry of each card or row, all or none, but for those whose number or address is in the book already. Without a word of the file they are
 * the caller's alone: a phone holds numbers that are nobody else's business. A dry run is taken back at its end.
 */
export async function importEntries(ctx: Ctx, { dryRun, text }: z.infer<typeof importInput>): Promise<Answer> {
  const entries = isCards(text) ? readCards(text) : readTable(readCsv(text, 'text').map((cells) => cells.map(unguardText)))
  if (entries.length === 0) failField('text', 'holds nobody')
  if (entries.length > mostRows) failField('text', `holds more than ${mostRows} people: divide it`)
  const isRefused = ({ verdict }: Assessed) => verdict === 'refuse'
  const tried = await runTrial(
    ctx,
    (inner) => write(inner, entries),
    (all) => dryRun || all.some(isRefused),
  )
  const refused = tried.filter(isRefused)
  if (!dryRun && refused.length > 0) fail('INVALID', { fields: refused.slice(0, 50).flatMap(fieldsOf) })
  const of = (verdict: Assessed['verdict']) => tried.filter((one) => one.verdict === verdict).length
  return {
    data: { dryRun, made: of('make'), skipped: of('skip'), refused: refused.length, rows: tried.map(answered) },
    message: dryRun ? undefined : of('make') === 1 ? '1 contact added' : `${of('make')} contacts added`,
  }
}

const fieldsOf = ({ entry, problems }: Assessed) => problems.map(({ field, message }) => ({ field: `row ${entry.row}: ${field}`, message }))
const answered = ({ entry: { row, values }, verdict, problems }: Assessed) => ({
  row,
  name: values.name ?? '',
  phonenumber: values.phonenumber ?? '',
  verdict,
  problems: problems.map(({ field, message }) => ({ field, message })),
})

async function write(ctx: Ctx, entries: readonly ReadEntry[]): Promise<Assessed[]> {
  // One after the other: of two that come together each would find nobody.
  await takeTurn(ctx.sql, `phone book of ${ctx.company.id}`)
  const known = await knownNumbers(
    ctx,
    entries.map(({ values }) => values),
  )
  const first = new Map<string, number>()
  const read = entries.map((entry, place) => assess(ctx, { entry, known: known[place] ?? [], first }))
  const good = read.flatMap((one) => (one.input ? [{ one, input: one.input }] : []))
  const changes = good.map(({ input }) => ({ kind: 'create' as const, input }))
  const verdicts = await writeRecords(ctx, phoneBookEntry, changes, { source: 'import', onRefusal: 'report', as: 'row' })
  const failures = new Map(good.map(({ one }, index) => [one, verdicts[index]?.failure]))
  return read.map((one) => {
    const failure = failures.get(one)
    return failure ? { ...one, verdict: 'refuse', problems: problemsOf(failure) } : one
  })
}

/** What becomes of a row: somebody who is known, or is in the file twice, is skipped. */
function assess(ctx: Ctx, { entry, known, first }: { entry: ReadEntry; known: readonly Known[]; first: Map<string, number> }): Assessed {
  const own = askedOf(ctx, entry.values)
  const twice = own.flatMap(({ field, key }) => {
    const row = first.get(key)
    return row === undefined ? [] : [{ field, message: `is that of row ${row} too` }]
  })
  for (const { key } of own) if (!first.has(key)) first.set(key, entry.row)
  const problems = [...known.map((one) => ({ field: one.field, message: `belongs to ${ownerName(one)} already` })), ...twice]
  if (problems.length > 0) return { entry, verdict: 'skip', problems }
  const { visibility = 'PRIVATE', ...values } = entry.values
  try {
    const input = checkInput(writeSchemas(phoneBookEntry).create, { ...values, visibility: visibility.toUpperCase() })
    return { entry, verdict: 'make', problems, input }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { entry, verdict: 'refuse', problems: problemsOf(error) }
  }
}

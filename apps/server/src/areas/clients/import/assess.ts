import { Failure, type FieldError } from '@outpost/contract/errors'
import type { Formats } from '@outpost/rules/formats'
import { trimPhone } from '@outpost/rules/phone'
import { findDuplicates, typedField, type Duplicate } from '../../../kernel/resource/duplicates.ts'
import { checkInput, writeSchemas, type RecordInput } from '../../../kernel/resource/schema.ts'
import type { Change } from '../../../kernel/resource/writing.ts'
import { formatsOf } from '../../../kernel/settings/look.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { client } from '../client.resource.ts'
import { findOthers, openLead, type OtherFound } from '../other-person.ts'
import { readDay, readType } from './columns.ts'
import { readPlaces, type Places } from './places.ts'
import { problemsOf } from '../../../kernel/uploads/trial.ts'
import type { ImportedRow } from '../../../kernel/imports/import-kind.ts'
import { namesOf, type ImportInput, type PortionInput } from './portion.ts'

type Row = ImportInput['rows'][number]
/** A row with what becomes of it. */
export interface Assessed extends ImportedRow {
  change?: Change
}
interface Around {
  ctx: Ctx
  duplicates: ImportInput['duplicates']
  places: Places
  formats: Formats
  stored: ReadonlyMap<string, readonly Duplicate[]>
  names: ReadonlyMap<string, string>
  /** Open leads whom the caller sees, by the key that they hold. */
  leads: ReadonlyMap<string, readonly OtherFound[]>
  /** Number of the row that says a key first. */
  first: ReadonlyMap<string, number>
}

/** What is to become of each row: made, a known client changed, passed over, or refused for the reason beside its field. */
export async function assessRows(ctx: Ctx, { duplicates, rows }: PortionInput): Promise<Assessed[]> {
  // Reading a phone number costs the most of a row: each is read once.
  const keyed = rows.map((row) => ({ row, compared: keysOf(ctx, row) }))
  const found = await findDuplicates(
    ctx,
    client,
    keyed.map(({ compared }) => compared),
  )
  const seen = found.filter(({ isVisible }) => isVisible).map(({ id }) => id)
  const judged = keyed.map(({ row, compared }) => ({ row, keys: keyTexts(compared) }))
  const first = new Map<string, number>()
  for (const { row, keys } of judged) for (const key of keys) if (!first.has(key)) first.set(key, row.row)
  const around: Around = {
    ctx,
    duplicates,
    first,
    stored: Map.groupBy(found, ({ column, value }) => keyText(column, value)),
    names: await namesOf(ctx, [...new Set(seen)]),
    leads: Map.groupBy(await findOthers(ctx, openLead, { rows: keyed.map(({ compared }) => compared) }), ({ column, value }) =>
      keyText(column, value),
    ),
    places: await readPlaces(ctx),
    formats: await formatsOf(ctx.company.id),
  }
  return judged.map(({ row, keys }) => assess(around, row, keys))
}

/** What the company's rule of duplicates compares. */
function keysOf({ company }: Ctx, { values }: Row): Record<string, string> {
  return Object.fromEntries(
    Object.entries({
      trimmedPhonenumber: (values.phonenumber && trimPhone(values.phonenumber, company.country)) || '',
      emailAddress: values.emailAddress?.trim().toLowerCase() ?? '',
      idNumber: values.idNumber?.trim() ?? '',
    }).filter(([, value]) => value !== ''),
  )
}
const keyText = (column: string, value: string) => `${column} ${value.toLowerCase()}`
const keyTexts = (compared: Record<string, string>) => Object.entries(compared).map(([column, value]) => keyText(column, value))
/** The field that a key is of. */
const fieldOfKey = (key: string) => (client.duplicates ? typedField(client.duplicates, key.split(' ')[0] ?? '') : key)

/** An earlier row of the file has this key. */
export const saidTwice = (key: string, first: number): FieldError => ({ field: fieldOfKey(key), message: `is that of row ${first} too` })

function assess(around: Around, row: Row, keys: string[]): Assessed {
  const { first, stored, names, duplicates } = around
  const own = { row: row.row, name: [row.values.firstName, row.values.lastName].filter(Boolean).join(' '), keys }
  const matches = keys.flatMap((key) => (stored.get(key) ?? []).map((one) => ({ ...one, field: fieldOfKey(key) })))
  const [known] = matches
  const existing = known && names.has(known.id) ? { Id: known.id, name: names.get(known.id) ?? '' } : null
  const refuse = (problems: FieldError[]): Assessed => ({ ...own, existing, verdict: 'refuse', problems })

  const twice = keys.filter((key) => (first.get(key) ?? row.row) < row.row)
  const again = twice.map((key) => saidTwice(key, first.get(key) ?? row.row))
  if (again.length > 0) return duplicates === 'skip' ? { ...own, existing, verdict: 'skip', problems: again } : refuse(again)
  if (!known) return read(around, row, { ...own, existing, verdict: 'make', ...warningsOf(around, keys) })

  const whose = matches.map(({ field, id }) => ({ field, message: `belongs to ${names.get(id) ?? 'a client whom you do not see'}` }))
  if (duplicates === 'skip') return { ...own, existing, verdict: 'skip', problems: whose }
  const isOne = new Set(matches.map(({ id }) => id)).size === 1
  return duplicates === 'update' && isOne && existing ? read(around, row, { ...own, existing, verdict: 'update' }) : refuse(whose)
}

/** A client whom a lead should have become: the row is taken, and says so. */
function warningsOf({ leads }: Around, keys: readonly string[]): Pick<Assessed, 'warnings'> {
  const found = keys.flatMap((key) => leads.get(key) ?? [])
  if (found.length === 0) return {}
  const message = 'An open lead has this already. Make the client from this lead:'
  return { warnings: found.map(({ field, id, name }) => ({ field, message, name, open: `/sales/leads/${id}/view` })) }
}

/** The change that a row means, or what is wrong with its fields. What a file leaves empty stays as it is; the branch of a client changes by a transfer alone. */
function read({ ctx, places, formats }: Around, { values }: Row, assessed: Omit<Assessed, 'problems'>): Assessed {
  const { branch, agent, ...given } = Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== '')) as Row['values']
  const filed = branch === undefined || assessed.verdict === 'update' ? { problems: [] } : places.branch(branch)
  const owner = agent === undefined ? { problems: [] } : places.agent(agent)
  const problems: FieldError[] = [...filed.problems, ...owner.problems]
  const input: RecordInput = {
    ...given,
    ...(given.dateOfBirth ? { dateOfBirth: readDay(given.dateOfBirth, formats) } : {}),
    ...(given.employedSince ? { employedSince: readDay(given.employedSince, formats) } : {}),
    ...(given.type ? { type: readType(given.type) } : {}),
    ...('id' in owner && owner.id ? { assignedUserId: owner.id } : {}),
  }
  try {
    const change = changeOf(assessed, input, ('id' in filed && filed.id) || ctx.tenant.id)
    return problems.length > 0 ? { ...assessed, verdict: 'refuse', problems } : { ...assessed, problems, change }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { ...assessed, verdict: 'refuse', problems: [...problems, ...problemsOf(error)] }
  }
}

function changeOf({ verdict, existing }: Omit<Assessed, 'problems'>, input: RecordInput, tenantId: string): Change {
  if (verdict !== 'update' || !existing)
    return { kind: 'create', input: checkInput(writeSchemas(client).create, input), columns: { tenantId } }
  const { id: _, ...changed } = checkInput(writeSchemas(client).update, { ...input, id: existing.Id })
  return { kind: 'update', id: existing.Id, input: changed }
}

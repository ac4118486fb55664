import type { AuditedAct } from '../audit.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { linesOf, pairsOf, relationKeys, type Lines } from './relations.ts'
import { plainValue } from '../resource/unchanged.ts'
import {
  existingLines,
  formerLines,
  lineChanges,
  readLines,
  resolveLines,
  writeLines,
  type GivenLine,
  type LineRow,
} from './write-lines.ts'
import { arePairsChanged, readPairs, writePairs } from './write-pairs.ts'
import { followTenant, movedRecords } from './follow-tenant.ts'
import type { Batch, Related, Writing } from '../resource/writing.ts'

/** Reads what the relations hold that these changes are to set: one statement a relation, none where none is named. */
export async function readRelated(batch: Batch): Promise<void> {
  const { ctx, resource } = batch
  for (const key of relationKeys(resource)) {
    const named = batch.writings.filter(
      ({ failure, given, values, related }) =>
        !failure && (Object.hasOwn(given, key) || Object.hasOwn(values, key)) && related?.[key] === undefined,
    )
    const stored = named.filter(({ change, before }) => change.kind !== 'create' && before)
    const [pairs, lines] = [pairsOf(resource, key), linesOf(resource, key)]
    const ids = stored.map(({ id }) => id)
    const found: ReadonlyMap<string, readonly unknown[]> =
      ids.length === 0 ? new Map() : pairs ? await readPairs(ctx, pairs, ids) : lines ? await readLines(ctx, lines, ids) : new Map()
    for (const writing of named) place(writing, { key, before: found.get(writing.id) ?? [], isLines: lines !== undefined })
    if (lines) await findFree(batch, lines, named)
  }
}

function place(writing: Writing, { key, before, isLines }: { key: string; before: readonly unknown[]; isLines: boolean }): void {
  writing.related = { ...writing.related, [key]: { before } }
  if (writing.before) writing.before = { ...writing.before, [key]: isLines ? (before as readonly LineRow[]).map(toGiven) : before }
}

const toGiven = ({ id, ...values }: LineRow): GivenLine => ({ Id: id, ...values })
const linesIn = (writing: Writing, key: string): GivenLine[] => (writing.given[key] ?? writing.values[key] ?? []) as GivenLine[]

/** Which ids new lines may bring: those of a device, where nobody has them, and those that the record had before. Asked only when a line has one that is not the record's. */
async function findFree({ ctx, resource, isSync }: Batch, lines: Lines, named: readonly Writing[]): Promise<void> {
  const unknown = named.flatMap((writing) => {
    const present = new Set(relatedOf<LineRow>(writing, lines.field).before.map(({ id }) => id))
    const ids = linesIn(writing, lines.field).flatMap(({ Id }) => (Id !== undefined && !present.has(Id) ? [Id] : []))
    return ids.length > 0 && (isSync || writing.change.kind !== 'create') ? [{ writing, ids }] : []
  })
  if (unknown.length === 0) return
  const taken = isSync
    ? await existingLines(
        ctx,
        lines,
        unknown.flatMap(({ ids }) => ids),
      )
    : undefined
  const former = taken
    ? undefined
    : await formerLines(
        ctx,
        resource,
        lines,
        unknown.map(({ writing }) => writing.id),
      )
  for (const { writing, ids } of unknown)
    relatedOf(writing, lines.field).free = new Set(ids.filter((id) => (taken ? !taken.has(id) : former?.has(`${writing.id} ${id}`))))
}

const relatedOf = <Row>(writing: Writing, key: string): Related<Row> => (writing.related?.[key] ?? { before: [] }) as Related<Row>

/** Lines that a change gives as they are to be, so that prepare sees whole ones. Fails naming the line and the field. */
export function resolveGivenLines(resource: AnyResource, writing: Writing): void {
  for (const key of relationKeys(resource)) {
    const lines = linesOf(resource, key)
    if (lines && Object.hasOwn(writing.given, key))
      writing.given = { ...writing.given, [key]: settled(lines, writing, writing.given[key] as GivenLine[]).map(toGiven) }
  }
}

function settled(lines: Lines, writing: Writing, given: readonly GivenLine[]): LineRow[] {
  const { before, free } = relatedOf<LineRow>(writing, lines.field)
  // A new record made online gets new lines: their ids are the server's to give.
  const own = writing.change.kind === 'create' && !free ? given.map(({ Id: _, ...values }) => values) : given
  return resolveLines(lines, own, { before, isFree: (id) => free?.has(id) === true })
}

/** Takes the relations out of what is to be written as columns. */
export function takeRelated(resource: AnyResource, writing: Writing): void {
  for (const key of relationKeys(resource).filter((one) => Object.hasOwn(writing.values, one))) {
    const { [key]: value, ...values } = writing.values
    writing.values = values
    const lines = linesOf(resource, key)
    const related = relatedOf<unknown>(writing, key)
    const present = related.before as LineRow[]
    // Given lines are settled already; what prepare makes of them is the program's own.
    const after = lines
      ? resolveLines(lines, value as GivenLine[], { before: present, isFree: () => true })
      : (value as string[]).map((id) => (pairsOf(resource, key)?.isText ? id : id.toLowerCase()))
    writing.related = { ...writing.related, [key]: { ...related, after } }
  }
}

/** True for changes that set a relation. */
export const hasRelated = ({ related = {} }: Writing): boolean => Object.values(related).some(({ after }) => after !== undefined)

/** Writes the relations of records that are there: each in sets. What is filed under the record's tenant goes along when it moves. */
export async function writeRelated(ctx: Ctx, resource: AnyResource, writings: readonly Writing[]): Promise<void> {
  const moved = movedRecords(writings)
  for (const key of relationKeys(resource)) {
    const [pairs, lines] = [pairsOf(resource, key), linesOf(resource, key)]
    const writes = writings.flatMap((writing) => {
      const { before, after } = relatedOf<never>(writing, key)
      const record = { ...writing.before, ...writing.values }
      return after ? [{ id: writing.id, tenantId: tenantOf(ctx, resource, writing), record, before, after }] : []
    })
    if (pairs?.hasTenant) await followTenant(ctx, { table: pairs.table, own: pairs.own }, moved)
    if (lines?.hasTenant) await followTenant(ctx, { table: lines.of.table, own: lines.by }, moved)
    if (pairs && writes.length > 0) await writePairs(ctx, resource, pairs, writes)
    if (lines && writes.length > 0) await writeLines(ctx, lines, writes)
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
const tenantOf = (ctx: Ctx, { isScoped }: AnyResource, { values, before }: Writing) =>
  text(values['tenantId']) ?? text(before?.['tenantId']) ?? (isScoped ? ctx.tenant.id : undefined)

/** An audit row for each relation that a change altered: of pairs what was and is, of lines those that went, changed and came. */
export function relatedActs(resource: AnyResource, writing: Writing): AuditedAct[] {
  return Object.entries(writing.related ?? {}).flatMap(([key, { before, after }]) => {
    if (!after) return []
    const actOf = (was: readonly unknown[], is: readonly unknown[]): AuditedAct[] => [
      {
        action: `${resource.one}.${key}`,
        objectType: resource.one,
        objectId: writing.id,
        ...(writing.change.kind === 'create' ? {} : { before: { [key]: was } }),
        after: { [key]: is },
      },
    ]
    const [pairs, lines] = [pairsOf(resource, key), linesOf(resource, key)]
    if (pairs) return arePairsChanged(pairs, { before: before as string[], after: after as string[] }) ? actOf(before, after) : []
    if (!lines) return []
    const { added, changed, removed } = lineChanges(lines.of, { before: before as LineRow[], after: after as LineRow[] })
    const plain = (rows: readonly LineRow[]) => rows.map((row) => plainLine(lines, row))
    if (added.length + changed.length + removed.length === 0) return []
    return actOf(plain([...changed.map(({ from }) => from), ...removed]), plain([...changed.map(({ to }) => to), ...added]))
  })
}

function plainLine({ of, by, hasPlace }: Lines, row: LineRow): Record<string, unknown> {
  const fields = Object.keys(of.fields).filter((key) => key !== by && row[key] !== undefined)
  return {
    Id: row.id,
    ...(hasPlace ? { position: row['position'] } : {}),
    ...Object.fromEntries(fields.map((key) => [key, plainValue(row[key])])),
  }
}

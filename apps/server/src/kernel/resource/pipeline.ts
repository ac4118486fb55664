import { randomUUIDv7 } from 'node:crypto'
import { Failure } from '@outpost/contract/errors'
import { inTransaction, withSource } from '../session/ctx.ts'
import { feedBeyond } from '../sync/feed-beyond.ts'
import { withStream, type Stream } from '../sync/stream.ts'
import type { AnyResource, Ctx, PrepareWrite } from '../types.ts'
import { checkMoves } from '../workflow/check.ts'
import { rememberWritten } from '../workflow/four-eyes.ts'
import { followMoves, keepsMoves, logMoves } from '../workflow/log.ts'
import { refuseFractions } from '../relations/currency.ts'
import { followTenant, movedRecords } from '../relations/follow-tenant.ts'
import { findDuplicateFailures } from './duplicates.ts'
import { announceRecordEvents } from '../record-events.ts'
import { takeNumbers } from '../keeps/numbering.ts'
import { mayRead } from '../session/readers.ts'
import { findHeldFailures, findReferenceFailures, refuseBeyondReach } from './references.ts'
import { hasRelated, readRelated, resolveGivenLines, takeRelated, writeRelated } from '../relations/related.ts'
import { assertRequired, type RecordInput } from './schema.ts'
import { changedRow, givenValues, newRow } from './row-values.ts'
import { publishWrites } from './trace.ts'
import { changedColumns } from './unchanged.ts'
import { deleteRows, insertRows, lockRows, notFound, readRecord, readRecords, updateRows, type Columns } from './write.ts'
import type { Batch, Change, Verdict, WriteOptions, Writing } from './writing.ts'

/**
 * Writes records of a resource: the only door to its table. It works in sets: the lock, references, duplicates, rows, feed
 * and audit are one statement each for all changes. A record is named once at most. Runs in the ctx's transaction, opens
 * one when there is none. Refusals: NOT_FOUND, CONFLICT (another version; details.current for those who may read the
 * record), INVALID, FORBIDDEN, ALREADY_EXISTS, STILL_IN_USE, the error of the duplicate rule and what prepare refuses.
 */
export async function writeRecords(
  ctx: Ctx,
  resource: AnyResource,
  changes: readonly Change[],
  { source, onRefusal = 'throw', held, as = 'detail' }: WriteOptions = {},
): Promise<Verdict[]> {
  if (changes.length === 0) return []
  const writings = changes.map(begin)
  if (new Set(writings.map(({ id }) => id)).size < writings.length) throw new Error(`${resource.one}: a record is named twice in one write`)
  await inWriteTransaction(source ? withSource(ctx, source) : ctx, resource, async (inner, stream) => {
    const batch: Batch = { ctx: inner, resource, stream, isSync: source === 'sync', mayReport: onRefusal === 'report', as, writings }
    await readBefore(batch, held)
    await readRelated(batch)
    await each(batch, (writing) => prepare(batch, writing))
    await readRelated(batch)
    await each(batch, (writing) => takeRelated(resource, writing))
    await refuseAll(batch, findHeldFailures)
    await refuseAll(batch, findReferenceFailures)
    await each(batch, (writing) => checkReach(batch, writing))
    await refuseAll(batch, findDuplicateFailures)
    for (const writing of open(writings)) if (stream) writing.seq = stream.next()
    await write(batch, open(writings))
    publishWrites(batch)
    await feedBeyond(inner, resource, idsOf(open(writings)))
    await announceRecordEvents(batch)
    if (resource.workflow) rememberWritten(inner, resource, idsOf(open(writings)))
  })
  return writings.map(verdictOf)
}

const verdictOf = ({ id, record, failure, seq }: Writing): Verdict => ({
  id,
  ...(failure ? { failure } : record ? { record } : {}),
  ...(seq === undefined ? {} : { seq }),
})

/** Changes that nothing has refused so far. */
const open = (writings: readonly Writing[]) => writings.filter(({ failure }) => !failure)
const idsOf = (writings: readonly Writing[]) => writings.map(({ id }) => id)

function begin(change: Change): Writing {
  if (change.kind !== 'create')
    return { change, id: change.id.toLowerCase(), given: change.kind === 'update' ? { ...change.input } : {}, values: {} }
  const { Id, ...given } = change.input
  return { change, id: typeof Id === 'string' ? Id.toLowerCase() : randomUUIDv7(), given, values: {} }
}

/** Every write runs in a transaction; those of synced resources under the company's counter, taken first. */
function inWriteTransaction<Result>(ctx: Ctx, resource: AnyResource, run: (ctx: Ctx, stream?: Stream) => Promise<Result>): Promise<Result> {
  if (resource.isSynced) return withStream(ctx, run)
  return inTransaction(ctx, run)
}

async function readBefore({ ctx, resource, writings }: Batch, held: WriteOptions['held']): Promise<void> {
  const wanted = writings.filter(({ change }) => change.kind !== 'create')
  const toLock = wanted.filter(({ id }) => !held?.has(id))
  const rows = toLock.some(({ change }) => change.kind === 'restore') ? 'all' : 'live'
  const locked = toLock.length === 0 ? [] : await lockRows(ctx, resource, { ids: idsOf(toLock), rows })
  const found = new Map(locked.map((row) => [String(row['id']), row]))
  for (const writing of wanted) {
    const before = held?.get(writing.id) ?? found.get(writing.id)
    const isGone = resource.isSoftDeleted === true && before?.['deletedAt'] != null
    if (before && isGone === (writing.change.kind === 'restore')) writing.before = before
  }
}

/** Rules of the record itself, and what it derives. */
async function prepare(batch: Batch, writing: Writing): Promise<void> {
  const { ctx, resource, isSync } = batch
  const { change, id, before } = writing
  if (change.kind !== 'create' && !before) throw new Failure(notFound(resource))
  if (change.kind === 'update') await refuseOldVersion({ ctx, resource }, writing, change.version)
  if (change.kind === 'update') refuseFixed(resource, changedColumns(resource, before ?? {}, writing.given))
  if (resource.workflow) await walk(batch, writing)
  if (change.kind === 'remove' || change.kind === 'restore') refuseBeyondReach(ctx, resource, before ?? {})
  if (change.kind === 'restore') return
  resolveGivenLines(resource, writing)
  const { given } = writing
  const columns = change.kind === 'create' || change.kind === 'update' ? (change.columns ?? {}) : {}
  // The definition ties prepare to the model's row; here, where any resource passes, that type is gone.
  const seam: Omit<PrepareWrite<Columns>, 'input' | 'before'> & { input: RecordInput; before?: Columns } = {
    kind: change.kind,
    input: given,
    isSync,
    id,
    ...(before ? { before } : {}),
  }
  const derived = ((await resource.prepare?.(ctx, seam as never)) as Columns | undefined) ?? {}
  writing.values = { ...given, ...(change.kind === 'create' ? givenValues(ctx, resource) : {}), ...columns, ...derived }
  if (change.kind === 'remove') return
  const record = { ...writing.before, ...writing.values }
  assertRequired(resource, record)
  refuseFractions(ctx, resource, writing.values, record)
}

/** The moves that a change makes are checked, and what they ask is kept where the resource says. */
async function walk(batch: Batch, writing: Writing): Promise<void> {
  writing.steps = await checkMoves(batch, writing)
  for (const { columns } of writing.steps) Object.assign(writing.given, columns)
}

/** Fails when a field that is set once, at creation, gets another value; a record that was read may say it again. */
function refuseFixed(resource: AnyResource, changed: Columns): void {
  const fields = Object.keys(changed)
    .filter((key) => resource.fields[key]?.createOnly)
    .map((field) => ({ field, message: 'cannot be changed' }))
  if (fields.length > 0) throw new Failure('INVALID', { fields })
}

async function refuseOldVersion(
  { ctx, resource }: Pick<Batch, 'ctx' | 'resource'>,
  { id, before }: Writing,
  version: number | undefined,
): Promise<void> {
  if (version === undefined || before?.['version'] === undefined || BigInt(version) === before['version']) return
  throw new Failure('CONFLICT', mayRead(ctx, resource) ? { details: { current: await readRecord(ctx, resource, id) } } : {})
}

function checkReach({ ctx, resource }: Batch, { change, before = {}, values }: Writing): void {
  if (change.kind === 'create') refuseBeyondReach(ctx, resource, values)
  if (change.kind === 'update') refuseBeyondReach(ctx, resource, before, { ...before, ...values })
}

/** A step for each change that nothing has refused. Where a verdict for each was asked for, a refusal is that of the one record. */
async function each({ mayReport, writings }: Batch, step: (writing: Writing) => Promise<void> | void): Promise<void> {
  for (const writing of open(writings)) {
    try {
      await step(writing)
    } catch (error) {
      if (!mayReport || !(error instanceof Failure)) throw error
      writing.failure = error
    }
  }
}

async function refuseAll(
  batch: Batch,
  find: (batch: Batch, writings: readonly Writing[]) => Promise<ReadonlyMap<Writing, Failure>>,
): Promise<void> {
  for (const [writing, failure] of await find(batch, open(batch.writings))) {
    if (!batch.mayReport) throw failure
    writing.failure = failure
  }
}

/** Writes the rows. What the database itself refuses (a taken value, a record in use) is narrowed down to the record it is about. */
async function write(batch: Batch, writings: readonly Writing[]): Promise<void> {
  if (writings.length === 0) return
  if (!batch.mayReport) return writeSets(batch, writings)
  try {
    await batch.ctx.transaction((ctx) => writeSets({ ...batch, ctx }, writings))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [only, ...others] = writings
    if (only && others.length === 0) return void (only.failure = error)
    const middle = writings.length >> 1
    await write(batch, writings.slice(0, middle))
    await write(batch, writings.slice(middle))
  }
}

async function writeSets({ ctx, resource, as }: Batch, writings: readonly Writing[]): Promise<void> {
  const of = (...kinds: Change['kind'][]) => writings.filter(({ change }) => kinds.includes(change.kind))
  const [created, removed] = [of('create'), of('remove')]
  const numbers = await takeNumbers(ctx, resource, created.length)
  const numbered = (place: number) => (numbers[place] === undefined ? {} : { number: numbers[place] })
  const newRows = created.map((writing, place) => ({ ...newRow(ctx, resource, writing), ...numbered(place) }))
  const made = await insertRows(ctx, resource, newRows, as)
  // The rows of a record's relations need the record; a changed one is read with them.
  await writeRelated(ctx, resource, of('create', 'update'))
  const changing = [...of('update', 'restore'), ...(resource.isSoftDeleted ? removed : [])]
  const changed = await updateRows(
    ctx,
    resource,
    changing.map((writing) => changedRow(resource, writing)),
    as,
  )
  const moved = movedRecords(of('update'))
  for (const table of keptTables(resource)) await followTenant(ctx, { table, own: 'objectId', one: resource.one }, moved)
  for (const belonging of resource.belongings ?? []) await followTenant(ctx, belonging, moved)
  if (!resource.isSoftDeleted) await deleteRows(ctx, resource, idsOf(removed))
  const related = as === 'row' ? [] : idsOf(created.filter(hasRelated))
  if (related.length > 0) for (const [id, record] of await readRecords(ctx, resource, related)) made.set(id, record)
  for (const writing of writings) writing.record = made.get(writing.id) ?? changed.get(writing.id)
  if (!resource.workflow) return
  await logMoves(ctx, resource, writings)
  const followed = await followMoves(ctx, resource, writings)
  if (followed.length === 0) return
  // What followed may show in the record.
  const records = await readRecords(ctx, resource, followed)
  for (const writing of writings) writing.record = records.get(writing.id) ?? writing.record
}

/** Tables of what the resource's records keep. */
const keptTables = (resource: AnyResource): string[] => [
  ...(resource.keeps?.includes('comments') ? ['record_comment'] : []),
  ...(resource.keeps?.includes('files') && !resource.belongings?.some(({ holdsFiles }) => holdsFiles) ? ['record_file'] : []),
  ...(keepsMoves(resource) ? ['record_move'] : []),
]

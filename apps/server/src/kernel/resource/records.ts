import type { AnyResource, Ctx } from '../types.ts'
import { writeRecords } from './pipeline.ts'
import type { RecordInput } from './schema.ts'
import type { Columns, WireRecord } from './write.ts'
import type { Change, MoveCalled, Verdict } from './writing.ts'

export { readRecord as getRecord, type WireRecord } from './write.ts'

/**
 * Creates a record from checked input (writeSchemas(resource).create): supplied Id or a new uuid v7, filed under the
 * chosen tenant. `columns` are the program's own beside it. Refusals: as writeRecords.
 */
export async function createRecord(ctx: Ctx, resource: AnyResource, input: RecordInput, columns: Columns = {}): Promise<WireRecord> {
  return recordOf(await writeRecords(ctx, resource, [{ kind: 'create', input, columns }]))
}

/**
 * Changes fields of the caller's record, from checked input (writeSchemas(resource).update). With a version that is not
 * the present one: CONFLICT. With a move the change is made as it: its field is among the input. Refusals: as writeRecords.
 */
export async function updateRecord(
  ctx: Ctx,
  resource: AnyResource,
  id: string,
  input: RecordInput,
  move?: MoveCalled,
): Promise<WireRecord> {
  const { id: _, Id: __, version, ...given } = input
  return recordOf(
    await writeRecords(ctx, resource, [
      { kind: 'update', id, input: given, version: version as number | undefined, ...(move ? { move } : {}) },
    ]),
  )
}

/** The same change of several records, all or none; in the order of their ids. */
export async function updateRecords(ctx: Ctx, resource: AnyResource, ids: readonly string[], input: RecordInput): Promise<WireRecord[]> {
  return recordsOf(await writeEach(ctx, resource, ids, (id) => ({ kind: 'update', id, input })))
}

/** Removes the caller's records, all or none: marks them when the resource is soft-deleted. NOT_FOUND when one is out of sight. */
export async function removeRecords(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<void> {
  await writeEach(ctx, resource, ids, (id) => ({ kind: 'remove', id }))
}

/** Brings soft-deleted records of the caller's reach back, all or none; unique values are checked again. */
export async function restoreRecords(ctx: Ctx, resource: AnyResource, ids: readonly string[]): Promise<WireRecord[]> {
  return recordsOf(await writeEach(ctx, resource, ids, (id) => ({ kind: 'restore', id })))
}

function writeEach(ctx: Ctx, resource: AnyResource, ids: readonly string[], changeOf: (id: string) => Change): Promise<Verdict[]> {
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))]
  return writeRecords(ctx, resource, distinct.map(changeOf))
}

const recordsOf = (verdicts: readonly Verdict[]) => verdicts.map((verdict) => recordOf([verdict]))

function recordOf([verdict]: readonly Verdict[]): WireRecord {
  if (!verdict?.record) throw new Error('the record was written and is not given back')
  return verdict.record
}

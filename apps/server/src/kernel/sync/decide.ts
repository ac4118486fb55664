import { Failure } from '@outpost/contract/errors'
import type { ChangeRecord, FieldConflict, RejectCode } from '@outpost/contract/sync'
import { checkInput, writeSchemas } from '../resource/schema.ts'
import { settableFields } from '../resource/define.ts'
import { findDuplicates, type Duplicate } from '../resource/duplicates.ts'
import type { AnyResource, Ctx, PrepareWrite } from '../types.ts'
import { mayAccess } from '@outpost/rules/permission'
import { runCommand } from './commands.ts'
import { commandOf, maySync, type SyncEntities, type SyncEntity } from './entities.ts'
import { rejectCode, wordOf } from './refusal.ts'
import { judgeChange, type Judgement, type WireRow } from './judge.ts'
import type { Batch } from './rows.ts'

/** What becomes of one change; `row` holds the columns to write. */
export interface Decision {
  change: ChangeRecord
  entity?: SyncEntity
  outcome: 'applied' | 'merged' | 'rejected' | 'waiting'
  write?: 'insert' | 'update' | 'remove'
  row?: Record<string, unknown>
  tenantId: string
  seq: number
  conflicts: FieldConflict[]
  /** The row as the server held it, for verdicts that write nothing. */
  held?: WireRow
  code?: RejectCode
  message?: string
  existingId?: string
}

export interface Round {
  batch: Batch
  entities: SyncEntities
  /** Ids of dependencies that exist on the server; grows with what this batch inserts. */
  known: Set<string>
  /** Tenants in which the caller may file new records. */
  tenants: ReadonlySet<string>
}

/** Verdicts on changes of different entities: judged, checked by the same rules as the API, then freed of duplicates. */
export async function decide(ctx: Ctx, changes: readonly ChangeRecord[], round: Round): Promise<Decision[]> {
  const decisions: Decision[] = []
  for (const change of changes) decisions.push(await decideOne(ctx, change, round))
  await refuseDuplicates(ctx, decisions)
  holdBackOrphans(decisions, round.known)
  return decisions
}

async function decideOne(ctx: Ctx, change: ChangeRecord, { batch, entities, known, tenants }: Round): Promise<Decision> {
  const entity = entities.get(change.entityType)
  const held = batch.rows.get(change.entityId)
  const start: Decision = { change, entity, outcome: 'applied', tenantId: held?.tenantId ?? change.tenantId, seq: 0, conflicts: [], held }
  const refusal = refuseCaller(ctx, change, entity, tenants)
  if (refusal || !entity) return { ...start, outcome: 'rejected', code: refusal?.code ?? 'VALIDATION', message: refusal?.message ?? '' }
  const command = commandOf(entity, change)
  if (command) return { ...start, ...await runCommand(ctx, { change, command, held, known }) }
  const judgement = judgeChange(change, held, entity.classes)
  if (judgement.verdict === 'reject') return { ...start, outcome: 'rejected', code: judgement.code, message: judgement.message }
  if (judgement.verdict === 'nothing') return { ...start, outcome: judgement.conflicts.length > 0 ? 'merged' : 'applied', conflicts: judgement.conflicts }
  try {
    return { ...start, ...await prepareWrite(ctx, { change, entity, judgement, held, before: batch.columns.get(change.entityId) }) }
  } catch (error) {
    const code = rejectCode(error)
    if (!code) throw error
    return { ...start, outcome: 'rejected', code, message: wordOf(error as Failure) }
  }
}

/** A change of somebody else's log, of a tenant out of reach, or without the permission its route asks. */
function refuseCaller(ctx: Ctx, change: ChangeRecord, entity: SyncEntity | undefined, tenants: ReadonlySet<string>): { code: RejectCode, message: string } | null {
  const command = commandOf(entity, change)
  if (!entity || (entity.resource.offline !== 'read-write' && !command)) return { code: 'VALIDATION', message: `entityType: ${change.entityType} is not synced.` }
  const what = change.changeType === 'UPDATE' ? 'update' : change.changeType === 'DELETE' ? 'remove' : 'insert'
  const isMine = change.userId === ctx.user.id
  // What exists lies where it lies; a new record must be filed in a tenant that stands and is the caller's.
  const isInReach = what === 'insert' ? tenants.has(change.tenantId) : ctx.scope === '*' || ctx.scope.includes(change.tenantId)
  if (isMine && isInReach && (command ? mayAccess(ctx, command.access) : maySync(ctx, entity, what))) return null
  return { code: 'FORBIDDEN', message: isMine ? 'You may not do this any more.' : 'The change belongs to another user.' }
}

interface Writing { change: ChangeRecord, entity: SyncEntity, judgement: Judgement, held: WireRow | undefined, before: Record<string, unknown> | undefined }

async function prepareWrite(ctx: Ctx, { change, entity, judgement, held, before }: Writing): Promise<Partial<Decision>> {
  const { resource } = entity
  const stamp = { id: change.entityId, dateModified: new Date() }
  if (judgement.verdict === 'insert') {
    const input = columnsOf(checkInput(writeSchemas(resource).create, insertBody(resource, change.entityId, judgement.values)))
    const derived = await derive(ctx, resource, { kind: 'create', input, isSync: true, id: change.entityId })
    const row = { ...input, ...derived, ...stamp, companyId: ctx.company.id, tenantId: change.tenantId, version: 1, dateCreated: new Date() }
    return { write: 'insert', row }
  }
  const version = Number(held?.version ?? 0) + 1
  if (judgement.verdict === 'remove') {
    await derive(ctx, resource, { kind: 'remove', input: {}, before, isSync: true, id: change.entityId })
    return { write: 'remove', row: { ...stamp, version, deletedAt: new Date() } }
  }
  const values = judgement.verdict === 'update' ? judgement.values : {}
  const input = checkedValues(resource, change.entityId, values)
  const derived = await derive(ctx, resource, { kind: 'update', input, before, isSync: true, id: change.entityId })
  const conflicts = judgement.verdict === 'update' ? judgement.conflicts : []
  return { write: 'update', row: { ...input, ...derived, ...stamp, version }, conflicts, outcome: conflicts.length > 0 ? 'merged' : 'applied' }
}

/** A device sends its whole record; only what a form may set counts, the rest the server derives. */
function insertBody(resource: AnyResource, id: string, snapshot: Record<string, unknown>): Record<string, unknown> {
  const settable = new Set(settableFields(resource).map(([key]) => key))
  const given = Object.entries(snapshot).filter(([key, value]) => settable.has(key) && value !== null && value !== '')
  return { ...Object.fromEntries(given), Id: id }
}

/** Form fields through the form's schema; fields with a merge of their own (status) are for `prepare` to check. */
function checkedValues(resource: AnyResource, id: string, values: Record<string, unknown>): Record<string, unknown> {
  const settable = new Set(settableFields(resource).map(([key]) => key))
  const form = Object.fromEntries(Object.entries(values).filter(([key]) => settable.has(key)))
  const others = Object.fromEntries(Object.entries(values).filter(([key]) => !settable.has(key)))
  return { ...columnsOf(checkInput(writeSchemas(resource).update, { ...form, id })), ...others }
}

function columnsOf({ Id: _, id: __, version: ___, ...columns }: Record<string, unknown>): Record<string, unknown> {
  return columns
}

function derive(ctx: Ctx, resource: AnyResource, write: PrepareWrite<Record<string, unknown>>): Promise<object> | object {
  return resource.prepare?.(ctx, write as PrepareWrite<never>) ?? {}
}

/** One look for the whole round; within it the earlier change wins. */
async function refuseDuplicates(ctx: Ctx, decisions: readonly Decision[]): Promise<void> {
  const writers = decisions.filter((decision) => decision.entity?.resource.duplicates && (decision.write === 'insert' || decision.write === 'update'))
  for (const group of Map.groupBy(writers, (decision) => decision.entity as SyncEntity).entries()) {
    const [{ resource }, members] = group
    const found = await findDuplicates(ctx, resource, members.map(({ row, change }) => ({ ...row, id: change.entityId })))
    const taken = new Map<string, string>()
    for (const decision of members) refuseIfDuplicate(decision, resource, found, taken)
  }
}

function refuseIfDuplicate(decision: Decision, resource: AnyResource, found: readonly Duplicate[], taken: Map<string, string>): void {
  if (!resource.duplicates) return
  const { columns, error } = resource.duplicates
  for (const column of columns) {
    const value = decision.row?.[column]
    if (typeof value !== 'string' || value === '') continue
    const key = `${column} ${value.toLowerCase()}`
    const stored = found.find((other) => other.column === column && other.value.toLowerCase() === value.toLowerCase() && other.id !== decision.change.entityId)
    const first = taken.get(key)
    if (!stored && first === undefined) continue
    const duplicate = new Failure(error)
    const existingId = stored ? (stored.isVisible ? stored.id : undefined) : first
    Object.assign(decision, { outcome: 'rejected', code: rejectCode(duplicate), message: wordOf(duplicate), existingId, write: undefined, row: undefined, conflicts: [] })
    return
  }
  for (const column of columns) {
    const value = decision.row?.[column]
    if (typeof value === 'string' && value !== '') taken.set(`${column} ${value.toLowerCase()}`, decision.change.entityId)
  }
}

/**
 * A change whose parent is not there waits without a receipt; it comes again after the parent. So does what hangs on
 * one that waits: hence again until nothing more is held back.
 */
function holdBackOrphans(decisions: readonly Decision[], known: Set<string>): void {
  for (const { write, change } of decisions) if (write === 'insert') known.add(change.entityId)
  for (;;) {
    const orphans = decisions.filter(({ outcome, change }) => outcome !== 'rejected' && outcome !== 'waiting' && change.deps.some((id) => !known.has(id)))
    if (orphans.length === 0) return
    for (const orphan of orphans) {
      if (orphan.write === 'insert') known.delete(orphan.change.entityId)
      Object.assign(orphan, { outcome: 'waiting', message: 'Waits for another record that has not arrived.', write: undefined, row: undefined, conflicts: [] })
    }
  }
}

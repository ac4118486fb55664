import { z } from 'zod'
import type { ChangeRecord, RejectCode } from '@outpost/contract/sync/protocol'
import { reaches } from '../session/reach.ts'
import { checkInput, writeSchemas } from '../resource/schema.ts'
import { columnOf, fieldOf, hasColumn, settableFields } from '../resource/define.ts'
import { valueSchema } from '../resource/values.ts'
import type { AnyResource, Ctx } from '../types.ts'
import { mayAccess } from '@outpost/rules/people/permission'
import { asksSecond } from '../workflow/states.ts'
import { runCommand } from './commands.ts'
import type { Decision, Round } from './decision.ts'
import { commandOf, maySync, type SyncEntity } from './entities.ts'
import { refusedBy } from './refusal.ts'
import { resolveChange, type MergeResult } from './resolve.ts'

/** Verdicts on changes of different entities: who may, what merges, and whether it fits the form. Nothing is written but by commands. */
export async function decide(ctx: Ctx, changes: readonly ChangeRecord[], round: Round): Promise<Decision[]> {
  const decisions: Decision[] = []
  for (const change of changes) decisions.push(await decideOne(ctx, change, round))
  return decisions
}

async function decideOne(ctx: Ctx, change: ChangeRecord, { batch, entities, known, ahead, tenants, sentAt }: Round): Promise<Decision> {
  const entity = entities.get(change.entityType)
  const held = batch.rows.get(change.entityId)
  const start: Decision = { change, entity, outcome: 'applied', tenantId: held?.tenantId ?? change.tenantId, conflicts: [], held }
  const refusal = refuseCaller(ctx, change, entity, tenants)
  if (refusal || !entity) return { ...start, outcome: 'rejected', code: refusal?.code ?? 'VALIDATION', message: refusal?.message ?? '' }
  const command = commandOf(entity, change)
  if (command) return { ...start, ...(await runCommand(ctx, { change, command, held, known, sentAt })) }
  const judgement = resolveChange(change, held, entity.classes)
  if (judgement.verdict === 'reject') return { ...start, outcome: 'rejected', code: judgement.code, message: judgement.message }
  try {
    const decision = { ...start, ...toWrite(change, entity.resource, judgement) }
    // It comes again after its parent, without a receipt.
    return change.deps.every((id) => known.has(id) || ahead.has(id))
      ? decision
      : { ...start, outcome: 'waiting', message: 'Waits for another record that has not arrived.' }
  } catch (error) {
    return { ...start, ...refusedBy(error, entity.resource) }
  }
}

/** A change of somebody else's log, of a tenant out of reach, or without the permission its route asks. */
function refuseCaller(
  ctx: Ctx,
  change: ChangeRecord,
  entity: SyncEntity | undefined,
  tenants: ReadonlySet<string>,
): { code: RejectCode; message: string } | null {
  const command = commandOf(entity, change)
  if (!entity || (entity.resource.offline !== 'read-write' && !command))
    return { code: 'VALIDATION', message: `entityType: ${change.entityType} is not synced.` }
  const what = change.changeType === 'UPDATE' ? 'update' : change.changeType === 'DELETE' ? 'remove' : 'insert'
  const isMine = change.userId === ctx.user.id
  // An existing record keeps its tenant; a new one must be filed in a live tenant within the caller's reach.
  const isInReach = what === 'insert' ? tenants.has(change.tenantId) : reaches(ctx, change.tenantId)
  if (isMine && isInReach && (command ? mayAccess(ctx, command.access) : maySync(ctx, entity, what))) return null
  return { code: 'FORBIDDEN', message: isMine ? 'You may not do this any more.' : 'The change belongs to another user.' }
}

function toWrite(change: ChangeRecord, resource: AnyResource, judgement: MergeResult): Partial<Decision> {
  const id = change.entityId
  if (judgement.verdict === 'insert') {
    const input = checkInput(writeSchemas(resource).create, { ...judgement.values, Id: id })
    const columns = hasColumn(resource, 'tenantId') ? { tenantId: change.tenantId } : {}
    return { write: { kind: 'create', input: { ...input, Id: id }, columns } }
  }
  if (judgement.verdict === 'remove') return { write: { kind: 'remove', id } }
  const conflicts = 'conflicts' in judgement ? judgement.conflicts : []
  const outcome = conflicts.length > 0 ? 'merged' : 'applied'
  if (judgement.verdict !== 'update') return { outcome, conflicts }
  // What a second person lets pass is what their device showed.
  const version = asksSecond(resource, judgement.values) ? change.version : undefined
  return { outcome, conflicts, write: { kind: 'update', id, input: checkedValues(resource, id, judgement.values), version } }
}

/** What a device changes: form fields by the form's schema, fields with a merge of their own (status) by their kind; whether they may follow is for `prepare`. */
export function checkedValues(resource: AnyResource, id: string, values: Record<string, unknown>): Record<string, unknown> {
  const settable = new Set(settableFields(resource).map(([key]) => key))
  const merged = Object.fromEntries(Object.entries(values).filter(([key]) => !settable.has(key)))
  const shape = Object.fromEntries(Object.keys(merged).map((key) => [key, valueSchema(fieldOf(resource, key), columnOf(resource, key))]))
  return { ...columnsOf(checkInput(writeSchemas(resource).update, { ...values, id })), ...checkInput(z.strictObject(shape), merged) }
}

function columnsOf({ Id: _, id: __, version: ___, ...columns }: Record<string, unknown>): Record<string, unknown> {
  return columns
}

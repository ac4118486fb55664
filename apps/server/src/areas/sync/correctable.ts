import { fail } from '@outpost/contract/errors'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { idsIn } from '@outpost/rules/sync/merge'
import { hasColumn, settableFields } from '../../kernel/resource/define.ts'
import { commandOf, type SyncEntity } from '../../kernel/sync/entities.ts'
import type { FieldDefinition } from '../../kernel/types.ts'

/** Kinds that a form of a few fields cannot ask for. */
const unasked: readonly string[] = ['json', 'file', 'image', 'password', 'permissionTree']

const branch: FieldDefinition = { kind: 'reference', label: 'Branch', to: 'tenant', required: true }

/**
 * The fields of a change that a person in the office can correct: all that its kind takes of a new record, with the branch it is filed
 * in, and those it holds of a change. A call has none of its own: what happened is told as it was.
 */
export function correctable(entity: SyncEntity, change: ChangeRecord): Record<string, FieldDefinition> {
  const { resource } = entity
  if (commandOf(entity, change)) return {}
  const asked = settableFields(resource).filter(([, { kind }]) => !unasked.includes(kind))
  if (!change.snapshot) return Object.fromEntries(asked.filter(([key]) => Object.hasOwn(change.patch, key)))
  return { ...(hasColumn(resource, 'tenantId') ? { tenantId: branch } : {}), ...Object.fromEntries(asked) }
}

/** The change with other values in some of its fields. Fails on a field that is none of it. */
export function corrected(
  entity: SyncEntity,
  change: ChangeRecord,
  values: Record<string, unknown>,
  now: Record<string, unknown>,
): ChangeRecord {
  const fields = correctable(entity, change)
  const foreign = Object.keys(values).filter((key) => !Object.hasOwn(fields, key))
  if (foreign.length > 0) fail('INVALID', { fields: foreign.map((field) => ({ field, message: 'is not part of this change' })) })
  if (!change.snapshot) {
    const patched = Object.entries(values).map(
      ([key, value]) => [key, [baseOf(change.patch[key], now[key]), value]] as [string, [unknown, unknown]],
    )
    return { ...change, patch: { ...change.patch, ...Object.fromEntries(patched) } }
  }
  const { tenantId = change.tenantId, ...others } = values
  if (typeof tenantId !== 'string') fail('INVALID', { fields: [{ field: 'tenantId', message: 'is required' }] })
  return { ...change, tenantId: String(tenantId), snapshot: { ...change.snapshot, ...others } }
}

/** What the device changed from; a list that came as additions and removals is chosen whole, from what it is now. */
const baseOf = (patch: ChangeRecord['patch'][string] | undefined, now: unknown): unknown => (Array.isArray(patch) ? patch[0] : idsIn(now))

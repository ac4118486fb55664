import { changeRecord, changeSchema, type ChangeRecord } from '@outpost/contract/sync/protocol'
import { isIdentifier } from '@outpost/rules/validation'

/** A change that could not be read: nothing of it is used but its id. */
export interface UnreadableChange {
  changeId: string
  problem: string
}

/**
 * True for a change of a program that is newer than this server, as devices have when an update was taken back: it must not be judged,
 * as a refusal is final. Such a push is refused as a whole, and the device keeps it.
 */
export function isNewer(sent: unknown): boolean {
  return (
    typeof sent === 'object' && sent !== null && 'schema' in sent && Number.isInteger(sent.schema) && Number(sent.schema) > changeSchema
  )
}

/** Checks one change on its own, so that a bad one never refuses its neighbours. */
export function readChange(sent: unknown): ChangeRecord | UnreadableChange {
  const parsed = changeRecord.safeParse(sent)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  return { changeId: idOf(sent), problem: `${issue?.path.join('.') || 'change'}: ${issue?.message ?? 'is not valid'}` }
}

function idOf(sent: unknown): string {
  const id = typeof sent === 'object' && sent !== null && 'changeId' in sent ? sent.changeId : undefined
  return typeof id === 'string' && isIdentifier(id) ? id : '00000000-0000-0000-0000-000000000000'
}

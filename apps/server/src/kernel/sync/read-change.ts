import { changeRecord, changeSchema, type ChangeRecord } from '@outpost/contract/sync'
import { isIdentifier } from '@outpost/rules/validation'

/** A change that could not be read: nothing of it is used but its id. */
export interface UnreadableChange {
  changeId: string
  problem: string
}

/** Checks one change on its own, so that a bad one never refuses its neighbours; older schemas are lifted to ours. */
export function readChange(sent: unknown): ChangeRecord | UnreadableChange {
  const parsed = changeRecord.safeParse(sent)
  if (parsed.success) {
    return parsed.data.schema > changeSchema ? { changeId: parsed.data.changeId, problem: 'schema: newer than this server.' } : parsed.data
  }
  const issue = parsed.error.issues[0]
  return { changeId: idOf(sent), problem: `${issue?.path.join('.') || 'change'}: ${issue?.message ?? 'is not valid'}` }
}

function idOf(sent: unknown): string {
  const id = typeof sent === 'object' && sent !== null && 'changeId' in sent ? sent.changeId : undefined
  return typeof id === 'string' && isIdentifier(id) ? id : '00000000-0000-0000-0000-000000000000'
}

import { changeRecord, changeSchema, type ChangeRecord } from '@outpost/contract/sync/protocol'
import { isIdentifier } from '@outpost/rules/validation'
import { raised, type SentChange } from './upgrades.ts'

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
  return hasSchema(sent) && Number(sent['schema']) > changeSchema
}

/**
 * Checks one change on its own, so that a bad one never refuses its neighbours. One of an earlier schema is raised first; one that is too
 * old for that, or on which a step fails, goes to the office as it was sent.
 */
export function readChange(sent: unknown, raise: (change: SentChange) => SentChange | null = raised): ChangeRecord | UnreadableChange {
  let now: unknown = sent
  try {
    if (hasSchema(sent)) now = raise(sent)
  } catch (error) {
    return { changeId: idOf(sent), problem: `schema: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (now === null && sent !== null) return { changeId: idOf(sent), problem: 'schema: is of a program that is too old' }
  const parsed = changeRecord.safeParse(now)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  return { changeId: idOf(sent), problem: `${issue?.path.join('.') || 'change'}: ${issue?.message ?? 'is not valid'}` }
}

const hasSchema = (sent: unknown): sent is SentChange =>
  typeof sent === 'object' && sent !== null && 'schema' in sent && Number.isInteger(sent.schema)

function idOf(sent: unknown): string {
  const id = typeof sent === 'object' && sent !== null && 'changeId' in sent ? sent.changeId : undefined
  return typeof id === 'string' && isIdentifier(id) ? id : '00000000-0000-0000-0000-000000000000'
}

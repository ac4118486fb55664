import type { ChangeRecord, PushResult } from '@outpost/contract/sync'
import { repeatOnConflict } from '@outpost/platform/db/context'
import { pgErrorKind } from '@outpost/platform/db/errors'
import { audit } from '../audit.ts'
import { announce } from '../realtime/announce.ts'
import type { Ctx } from '../types.ts'
import { decide, type Decision } from './decide.ts'
import type { SyncEntities } from './entities.ts'
import { readChange, type Unread } from './read-change.ts'
import { feedChange, withStream, type Stream } from './stream.ts'
import { existingIds, keepUnread, loadBatch, reachedTenants, reloadRows, saveConflicts, saveDeadLetters, tellable, writeRows } from './rows.ts'

/**
 * Verdicts on a batch of changes in their order. The batch is one transaction under the company's counter; when it
 * fails as a whole, each change is tried in a transaction of its own, so that only the poisonous one gets `error`.
 */
export async function pushChanges(ctx: Ctx, sent: readonly unknown[], entities: SyncEntities): Promise<PushResult[]> {
  const read = sent.map(readChange)
  const changes = read.filter((change): change is ChangeRecord => !('problem' in change))
  const unread = read.flatMap((change, index) => ('problem' in change ? [{ ...change, sent: sent[index] }] : []))
  if (unread.length > 0) await ctx.transaction((inner) => keepUnread(inner, unread))
  const verdicts = new Map((await pushOrSplit(ctx, changes, entities)).map((result) => [result.changeId, result]))
  return read.map((change) => ('problem' in change ? refuseUnread(change) : verdicts.get(change.changeId) ?? failed(change.changeId)))
}

const refuseUnread = ({ changeId, problem }: Unread): PushResult => ({ changeId, status: 'rejected', code: 'VALIDATION', message: problem })
const failed = (changeId: string): PushResult => ({ changeId, status: 'error', message: 'The server could not take this change. It will be tried again.' })

async function pushOrSplit(ctx: Ctx, changes: readonly ChangeRecord[], entities: SyncEntities): Promise<PushResult[]> {
  if (changes.length === 0) return []
  try {
    return await repeatOnConflict(() => pushBatch(ctx, changes, entities))
  } catch (error) {
    if (isWholeFailure(error)) throw error
    if (changes.length === 1) return [onlyVerdict(ctx, changes[0] as ChangeRecord, error)]
    const results: PushResult[] = []
    for (const change of changes) results.push(...await pushOrSplit(ctx, [change], entities))
    return results
  }
}

/** The database is away or busy: no change is to blame, the device keeps all and comes again. */
const isWholeFailure = (error: unknown) => ['unreachable', 'busy', 'lockTimeout', 'statementTimeout'].includes(pgErrorKind(error) ?? '')

function onlyVerdict(ctx: Ctx, change: ChangeRecord, error: unknown): PushResult {
  ctx.log.warn({ err: error, changeId: change.changeId, entityType: change.entityType }, 'a change could not be taken')
  if (pgErrorKind(error) === 'unique') return { changeId: change.changeId, status: 'rejected', code: 'VALIDATION', message: 'A record with these values exists already.' }
  return failed(change.changeId)
}

function pushBatch(ctx: Ctx, changes: readonly ChangeRecord[], entities: SyncEntities): Promise<PushResult[]> {
  return withStream(ctx, async (inner, stream) => {
    const results = new Map<string, PushResult>()
    const batch = await loadBatch(inner, changes, entities)
    const open = changes.filter((change) => {
      const receipt = batch.receipts.get(change.changeId)
      if (receipt) results.set(change.changeId, receipt)
      return !receipt
    })
    const known = await existingIds(inner, open, entities)
    const tenants = await reachedTenants(inner, open)
    const written = { taken: 0, refused: 0 }
    for (const [index, round] of rounds(open).entries()) {
      // A later change of an entity is judged against what the earlier one left.
      if (index > 0) await reloadRows(inner, round, { batch, entities })
      const decisions = await decide(inner, round, { batch, entities, known, tenants })
      await settle(inner, stream, decisions, results)
      written.taken += decisions.filter(({ outcome }) => outcome === 'applied' || outcome === 'merged').length
      written.refused += decisions.filter(({ outcome }) => outcome === 'rejected').length
    }
    if (open.length > 0) {
      audit(inner, { action: 'sync.push', objectType: 'sync', objectId: open[0]?.deviceId ?? null, after: { ...written, changes: open.map((change) => change.changeId) } })
    }
    return changes.map((change) => results.get(change.changeId) ?? failed(change.changeId))
  })
}

/** The k-th change of each entity stands in round k: within a round the rows are independent, across rounds in order. */
function rounds(changes: readonly ChangeRecord[]): ChangeRecord[][] {
  const seen = new Map<string, number>()
  const result: ChangeRecord[][] = []
  for (const change of changes) {
    const round = seen.get(change.entityId) ?? 0
    seen.set(change.entityId, round + 1)
    result[round] = [...(result[round] ?? []), change]
  }
  return result
}

/** Gives numbers, writes rows, feed, receipts, conflicts and dead letters of one round. */
async function settle(ctx: Ctx, stream: Stream, decisions: readonly Decision[], results: Map<string, PushResult>): Promise<void> {
  for (const decision of decisions) {
    if (decision.outcome === 'waiting') continue
    decision.seq = stream.next()
    if (decision.row) decision.row.syncSeq = decision.seq
  }
  const wire = await writeRows(ctx, decisions)
  for (const decision of decisions) {
    const result = toResult(decision, wire.get(decision.change.entityId))
    results.set(decision.change.changeId, tellable(ctx, decision.entity, result))
    if (decision.outcome !== 'waiting') leaveReceipt(stream, decision, result)
  }
  await saveConflicts(ctx, decisions)
  await saveDeadLetters(ctx, decisions)
  for (const [key, group] of Map.groupBy(decisions.filter((decision) => decision.write), ({ entity, write }) => `${entity?.resource.one} ${write}`)) {
    const entity = group[0]?.entity
    const op = key.endsWith('insert') ? 'created' : key.endsWith('remove') ? 'removed' : 'updated'
    if (entity) announce(ctx, entity.resource, group.map(({ change }) => change.entityId), op, [...new Set(group.map(({ tenantId }) => tenantId))])
  }
}

function leaveReceipt(stream: Stream, decision: Decision, result: PushResult): void {
  const { change, seq, tenantId, write } = decision
  const changeType = change.changeType === 'CREATE' ? 'INSERT' : change.changeType
  if (write) feedChange(stream, seq, { entityType: change.entityType, entityId: change.entityId, tenantId, changeType })
  const { fields: _, ...kept } = result
  stream.receipt({
    changeId: change.changeId, seq, entityType: change.entityType, entityId: change.entityId, changeType: change.changeType,
    result: decision.outcome as 'applied' | 'merged' | 'rejected', baseVersion: change.version, deviceId: change.deviceId, clientSeq: change.clientSeq,
    detail: decision.outcome === 'applied' ? { version: kept.version } : kept,
  })
}

function toResult(decision: Decision, wire: Record<string, unknown> | undefined): PushResult {
  const { change, outcome, seq } = decision
  if (outcome === 'waiting') return { changeId: change.changeId, status: 'waiting', message: decision.message }
  if (outcome === 'rejected') {
    return {
      changeId: change.changeId, status: 'rejected', seq, code: decision.code, message: decision.message,
      ...(decision.existingId ? { existingId: decision.existingId } : {}), ...(decision.held ? { fields: decision.held } : {}),
    }
  }
  const fields = wire ?? decision.held
  return {
    changeId: change.changeId, status: outcome, seq,
    ...(fields ? { fields, version: Number(fields['version']) } : {}),
    ...(decision.conflicts.length > 0 ? { conflicts: decision.conflicts } : {}),
  }
}

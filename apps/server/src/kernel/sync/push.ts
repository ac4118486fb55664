import { counter } from '@outpost/platform/http/metrics'
import type { ChangeRecord, PushResult } from '@outpost/contract/sync/protocol'
import { repeatOnConflict } from '@outpost/platform/db/context'
import { pgErrorKind } from '@outpost/platform/db/errors'
import { withSource } from '../session/ctx.ts'
import type { Ctx } from '../types.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'
import { commandOf, type SyncEntities } from './entities.ts'
import { readChange, type UnreadableChange } from './read-change.ts'
import { withStream, type Stream } from './stream.ts'
import {
  existingIds,
  saveUnreadable,
  loadBatch,
  reachedTenants,
  reloadRows,
  saveConflicts,
  saveDeadLetters,
  visibleVerdict,
  writeDecisions,
} from './rows.ts'

/** What takes the changes: the kinds that devices hold, and the device's time as it sent them. */
interface Taking {
  entities: SyncEntities
  sentAt?: string | undefined
}

/**
 * Verdicts on a batch of changes in their order. The batch is one transaction under the company's counter; when it
 * fails as a whole, each change is tried in a transaction of its own, so that only the poisonous one gets `error`.
 */
export async function pushChanges(ctx: Ctx, sent: readonly unknown[], taking: Taking): Promise<PushResult[]> {
  const read = sent.map((one) => readChange(one))
  const changes = read.filter((change): change is ChangeRecord => !('problem' in change))
  const unread = read.flatMap((change, index) => ('problem' in change ? [{ ...change, sent: sent[index] }] : []))
  if (unread.length > 0) await ctx.transaction((inner) => saveUnreadable(inner, unread))
  const verdicts = new Map((await pushOrSplit(ctx, changes, taking)).map((result) => [result.changeId, result]))
  const results = read.map((change) =>
    'problem' in change ? refuseUnread(change) : (verdicts.get(change.changeId) ?? failed(change.changeId)),
  )
  for (const { status, code = '' } of results) changesTaken.inc({ status, code })
  return results
}

const changesTaken = counter('sync_changes', 'Changes that devices sent, by verdict and reason', ['status', 'code'])

const refuseUnread = ({ changeId, problem }: UnreadableChange): PushResult => ({
  changeId,
  status: 'rejected',
  code: 'VALIDATION',
  message: problem,
})
const failed = (changeId: string): PushResult => ({
  changeId,
  status: 'error',
  message: 'The server could not take this change. It will be tried again.',
})

async function pushOrSplit(ctx: Ctx, changes: readonly ChangeRecord[], taking: Taking): Promise<PushResult[]> {
  if (changes.length === 0) return []
  try {
    return await repeatOnConflict(() => pushBatch(ctx, changes, taking))
  } catch (error) {
    if (isWholeFailure(error)) throw error
    if (changes.length === 1) return [onlyVerdict(ctx, changes[0] as ChangeRecord, error)]
    const results: PushResult[] = []
    for (const change of changes) results.push(...(await pushOrSplit(ctx, [change], taking)))
    return results
  }
}

/** The database is away or busy: no change is to blame, the device keeps all and comes again. */
const isWholeFailure = (error: unknown) => ['unreachable', 'busy', 'lockTimeout', 'statementTimeout'].includes(pgErrorKind(error) ?? '')

function onlyVerdict(ctx: Ctx, change: ChangeRecord, error: unknown): PushResult {
  ctx.log.warn({ err: error, changeId: change.changeId, entityType: change.entityType }, 'a change could not be taken')
  if (pgErrorKind(error) === 'unique')
    return { changeId: change.changeId, status: 'rejected', code: 'VALIDATION', message: 'A record with these values exists already.' }
  return failed(change.changeId)
}

function pushBatch(ctx: Ctx, changes: readonly ChangeRecord[], { entities, sentAt }: Taking): Promise<PushResult[]> {
  return withStream(withSource(ctx, 'sync'), async (inner, stream) => {
    const results = new Map<string, PushResult>()
    const batch = await loadBatch(inner, changes, entities)
    const open = changes.filter((change) => {
      const receipt = batch.receipts.get(change.changeId)
      if (receipt) results.set(change.changeId, receipt)
      return !receipt
    })
    const known = await existingIds(inner, open, entities)
    const tenants = await reachedTenants(inner, open)
    const waves = inWaves(open, (change) => commandOf(entities.get(change.entityType), change) !== undefined)
    for (const [index, wave] of waves.entries()) {
      // A later change of an entity is judged against what the earlier one left.
      if (index > 0) await reloadRows(inner, wave, { batch, entities })
      const ahead = new Set(
        waves
          .slice(index + 1)
          .flat()
          .filter(isInsert)
          .map(({ entityId }) => entityId),
      )
      const decisions = await decide(inner, wave, { batch, entities, known, ahead, tenants, sentAt })
      await writeDecisions(inner, decisions, { batch, known })
      await settle(inner, stream, decisions, results)
    }
    return changes.map((change) => results.get(change.changeId) ?? failed(change.changeId))
  })
}

const isInsert = ({ changeType }: ChangeRecord) => changeType === 'INSERT' || changeType === 'CREATE'

/**
 * Changes of a wave are independent: those of one entity follow each other, and what hangs on a new record follows it. Calls are events
 * and happen in the order in which they were made, whatever they are about: who ends a visit and begins the next is at one at a time.
 */
function inWaves(changes: readonly ChangeRecord[], isCall: (change: ChangeRecord) => boolean): ChangeRecord[][] {
  const inserts = new Map(changes.filter(isInsert).map((change) => [change.entityId, change]))
  const last = new Map<string, ChangeRecord>()
  const places = new Map<ChangeRecord, number>()
  const follow = (change: ChangeRecord, others: readonly (ChangeRecord | undefined)[]) =>
    Math.max(-1, ...others.flatMap((other) => (other && other !== change ? [placeOf(other)] : []))) + 1
  const placeOf = (change: ChangeRecord): number => {
    const known = places.get(change)
    if (known !== undefined) return known
    // Changes that wait for each other end here.
    places.set(change, 0)
    const place = follow(
      change,
      change.deps.map((id) => inserts.get(id)),
    )
    places.set(change, place)
    return place
  }
  let calls = 0
  for (const change of changes) {
    const place = Math.max(placeOf(change), follow(change, [last.get(change.entityId)]))
    places.set(change, isCall(change) ? (calls = Math.max(calls, place)) : place)
    last.set(change.entityId, change)
  }
  return [...Map.groupBy(changes, (change) => places.get(change) ?? 0)].toSorted(([a], [b]) => a - b).map(([, wave]) => wave)
}

/** Gives numbers, receipts, conflicts and dead letters of one wave. */
async function settle(ctx: Ctx, stream: Stream, decisions: readonly Decision[], results: Map<string, PushResult>): Promise<void> {
  for (const decision of decisions) {
    if (decision.outcome !== 'waiting') decision.seq ??= stream.next()
    const result = toResult(decision)
    results.set(decision.change.changeId, visibleVerdict(ctx, decision.entity, result))
    if (decision.outcome !== 'waiting') leaveReceipt(stream, decision, result)
  }
  await saveConflicts(ctx, decisions)
  await saveDeadLetters(ctx, decisions)
}

function leaveReceipt(stream: Stream, { change, seq = 0, outcome }: Decision, { fields: _, ...kept }: PushResult): void {
  stream.receipt({
    changeId: change.changeId,
    seq,
    entityType: change.entityType,
    entityId: change.entityId,
    changeType: change.changeType,
    result: outcome as 'applied' | 'merged' | 'rejected',
    baseVersion: change.version,
    deviceId: change.deviceId,
    clientSeq: change.clientSeq,
    detail: outcome === 'applied' ? { version: kept.version } : kept,
  })
}

function toResult(decision: Decision): PushResult {
  const { change, outcome, seq, held: fields } = decision
  if (outcome === 'waiting') return { changeId: change.changeId, status: 'waiting', message: decision.message }
  if (outcome === 'rejected') {
    return {
      changeId: change.changeId,
      status: 'rejected',
      seq,
      code: decision.code,
      message: decision.message,
      ...(decision.existingId ? { existingId: decision.existingId } : {}),
      ...(fields ? { fields } : {}),
    }
  }
  return {
    changeId: change.changeId,
    status: outcome,
    seq,
    ...(fields ? { fields, version: Number(fields['version']) } : {}),
    ...(decision.conflicts.length > 0 ? { conflicts: decision.conflicts } : {}),
  }
}

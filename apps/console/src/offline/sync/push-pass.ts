import type { ChangeRecord, PushAnswer } from '@outpost/contract/sync/protocol'
import { maxPushChanges } from '@outpost/contract/sync/limits'
import type { LogSummary } from '../store/log.ts'
import type { LoopPorts } from './loop-ports.ts'

/** How much unsent work the server believes this device to hold; null until it has said so since the start. */
export interface Told {
  pending: number | null
  files: number | null
}

/** A batch and what the server said of it, not worked in yet. */
interface Answered {
  batch: ChangeRecord[]
  answer: PushAnswer
}
const keyOf = ({ entityType, entityId }: ChangeRecord): string => `${entityType}/${entityId}`
/** Changes of a batch that are over, by what the server says. */
const over = ({ answer }: Answered): number => answer.results.filter(({ status }) => status !== 'waiting' && status !== 'error').length

/**
 * Each change once. While the server works on a batch, the verdicts on the one before are worked in and the next one is prepared, which holds
 * nothing of an entity that is on its way: a change is sent when those before it of its entity have their verdicts, here as well.
 */
export async function pushPass(ports: LoopPorts, told: Told): Promise<{ done: number; open: number; errors: number }> {
  const blocked = new Set<string>()
  const sums = { done: 0, errors: 0 }
  let [limit, batch, behind]: [number, ChangeRecord[], Answered | null] = [maxPushChanges, [], null]
  for (;;) {
    const summary = await ports.store.summary()
    const report: LogSummary = { ...summary, count: summary.count - (behind ? over(behind) : 0) }
    const pushing: Promise<PushAnswer | 'halve' | null> = batch.length > 0 ? pushOrHalve(ports, batch, report) : Promise.resolve(null)
    const preparing: Promise<ChangeRecord[]> = workIn(ports, behind, { blocked, sums }).then(() =>
      ports.store.takeBatch({ limit, blocked, onTheWay: new Set(batch.map(keyOf)) }),
    )
    const [answered, prepared] = await Promise.allSettled([pushing, preparing])
    if (prepared.status === 'rejected') throw prepared.reason
    if (answered.status === 'rejected') throw answered.reason
    const answer = answered.value
    if (answer === 'halve') {
      limit = Math.max(1, Math.floor(batch.length / 2))
      // What was prepared may be as little to blame, but is of the former size, and behind this one.
      ;[batch, behind] = [[], null]
      continue
    }
    behind = answer && { batch, answer }
    if (behind) Object.assign(told, { pending: report.count - over(behind), files: summary.files })
    batch = prepared.value
    if (batch.length === 0 && !behind) return { ...sums, open: blocked.size }
  }
}

/** Works the verdicts on a batch in; what stays open is not sent again in this pass. */
async function workIn(
  ports: LoopPorts,
  answered: Answered | null,
  { blocked, sums }: { blocked: Set<string>; sums: { done: number; errors: number } },
): Promise<void> {
  if (!answered) return
  const { batch, answer } = answered
  const applied = await ports.store.applyVerdicts(answer.results, batch)
  sums.done += applied.done
  sums.errors += applied.errors
  for (const key of applied.open) blocked.add(key)
  // A change the answer is silent about is as open as one that waits.
  const named = new Set(answer.results.map((result) => result.changeId))
  for (const change of batch) if (!named.has(change.changeId)) blocked.add(keyOf(change))
}

/** What a server answers to a body that it does not take: one of the changes may be to blame. */
const bodyRefusals: readonly number[] = [400, 413, 422]

async function pushOrHalve(ports: LoopPorts, batch: ChangeRecord[], summary: LogSummary): Promise<PushAnswer | 'halve'> {
  try {
    return await ports.push(batch, summary)
  } catch (error) {
    const refusal = ports.refusalOf(error)
    if (!refusal || !bodyRefusals.includes(refusal.status)) throw error
    const [only] = batch
    if (batch.length > 1 || !only) return 'halve'
    // When the server refuses a push without changes too, this change is not to blame.
    if (refusal.status !== 413) await ports.push([], summary)
    // One change that no server takes would stop all others for ever.
    await ports.store.setAside(only.changeId, refusal.status === 413 ? 'TOO_LARGE' : 'VALIDATION', refusal.message)
    return 'halve'
  }
}

import type { PullAnswer, PullChange } from '@outpost/contract/sync/protocol'
import { metaStep, type Core } from './core.ts'
import type { Step } from './database.ts'
import { settle } from '../sync/verdicts.ts'
import type { Entity, EntityRow } from './shapes.ts'
import { dropBeyondWindow } from './window.ts'

/** Where the next pull goes on: into this generation, or into the one that a full pull is filling. */
export interface PullPoint {
  cursor: string | null
  isFull: boolean
}

export async function pullPoint(core: Core): Promise<PullPoint> {
  const shadow = await core.meta('shadow')
  return shadow ? { cursor: shadow.cursor, isFull: true } : { cursor: (await core.meta('cursor')) ?? null, isFull: false }
}

/** Begins a full pull beside the rows in use (the server said reset); the log is not touched. */
export function beginFullPull(core: Core): Promise<void> {
  return core.exclusive(async () => {
    const gen = (await core.generation()) + 1
    await core.db.commit([{ in: 'entities', drop: generationRange(gen) }, metaStep('shadow', { gen, cursor: null })])
  })
}

const generationRange = (gen: number) => IDBKeyRange.bound([gen], [gen + 1], false, true)

/** Puts one page and its cursor down in one transaction; the last page of a full pull swaps the generations. */
export function applyPage(core: Core, answer: PullAnswer, { isFull }: PullPoint): Promise<void> {
  return core.exclusive(async () => {
    const shadow = await core.meta('shadow')
    // Another tab finished or began a full pull since this page was asked for: the page is of no use.
    if (isFull !== (shadow !== undefined)) return
    const gen = shadow?.gen ?? (await core.generation())
    const steps = await pageSteps(core, gen, answer.changes, isFull)
    const position = shadow ? metaStep('shadow', { gen, cursor: answer.cursor }) : metaStep('cursor', answer.cursor)
    await core.db.commit([...steps, position])
    if (shadow && !answer.more) await swapGenerations(core, shadow.gen, answer.cursor)
    else if (!shadow) touchPage(core, answer.changes)
    if (!answer.more) await dropBeyondWindow(core, answer.serverNow)
  })
}

function touchPage(core: Core, changes: readonly PullChange[]): void {
  const byType = Map.groupBy(changes, (change) => change.t)
  for (const [type, ofType] of byType) core.touch({ type, ids: ofType.map((change) => change.id) })
}

/** The last change of a page to each entity. A move between tenants is gone and put under one number, in whatever order they come: put is the last. */
function lastWords(changes: readonly PullChange[]): PullChange[] {
  const inOrder = changes.toSorted((a, b) => a.seq - b.seq || Number(a.op === 'put') - Number(b.op === 'put'))
  return [...new Map(inOrder.map((change) => [`${change.t}/${change.id}`, change])).values()]
}

async function pageSteps(core: Core, gen: number, changes: readonly PullChange[], isFull: boolean): Promise<Step[]> {
  const words = lastWords(changes)
  const rows = await core.db.read((db) => {
    const store = db.transaction('entities').store
    return Promise.all(words.map((change) => store.get([gen, change.t, change.id])))
  })
  const steps = await Promise.all(words.map((change, index) => pullStep(core, gen, change, rows[index], isFull)))
  return steps.filter((step) => step !== null)
}

async function pullStep(core: Core, gen: number, change: PullChange, row: EntityRow | undefined, isFull: boolean): Promise<Step | null> {
  const server = change.op === 'put' && change.data ? { ...change.data, Id: change.id } : null
  const fresh: Entity = { type: change.t, id: change.id, version: change.version, state: 'clean', server, local: null }
  if (isFull || !row || row.state === 'clean') {
    // An answer to a push may be newer than a page that was asked for before it.
    if (row && server && row.server && row.version > change.version) return null
    return core.entityStep(gen, fresh)
  }
  const held = await core.openEntity(row)
  if (server && held.server && held.version > change.version) return null
  const pending = await core.pendingOf(change.t, change.id)
  return core.entityStep(gen, settle({ ...held, server, version: change.version }, pending))
}

/** Makes the filled generation the one in use and drops the old one, in one transaction; unsent changes stay on top. */
async function swapGenerations(core: Core, gen: number, cursor: string): Promise<void> {
  const old = await core.generation()
  const carried = await Promise.all(
    (await unsettledRows(core, old)).map(async (row) => {
      const [mine, fresh, pending] = [
        await core.openEntity(row),
        await core.entity(row.type, row.id, gen),
        await core.pendingOf(row.type, row.id),
      ]
      return core.entityStep(gen, settle({ ...mine, server: fresh?.server ?? null, version: fresh?.version ?? 0 }, pending))
    }),
  )
  await core.db.commit([
    ...carried,
    metaStep('generation', gen),
    metaStep('cursor', cursor),
    { in: 'meta', drop: 'shadow' },
    { in: 'entities', drop: generationRange(old) },
  ])
  core.touch({})
}

async function unsettledRows(core: Core, gen: number): Promise<EntityRow[]> {
  const of = (state: 'pending' | 'attention') => core.db.read((db) => db.getAllFromIndex('entities', 'state', [gen, state]))
  return [...(await of('pending')), ...(await of('attention'))]
}

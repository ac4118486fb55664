import { generatedKinds } from '../kinds.generated.ts'
import { metaStep, type Core } from './core.ts'
import type { Step } from './database.ts'
import type { EntityRow } from './shapes.ts'

const dayMilliseconds = 86_400_000

/**
 * Drops the records that became too old for devices, once a day by the server's clock. Called with the store to itself; what has unsent changes stays.
 * The server leaves the same ones out of its pages, so that they come back only when they change.
 */
export async function dropBeyondWindow(core: Core, serverNow: string): Promise<void> {
  const day = serverNow.slice(0, 10)
  if ((await core.meta('windowDay')) === day) return
  const gen = await core.generation()
  for (const { type, window } of generatedKinds) {
    if (!window) continue
    const rows = await core.db.read((db) => db.getAll('entities', IDBKeyRange.bound([gen, type], [gen, type, []])))
    const oldest = Date.parse(serverNow) - window.days * dayMilliseconds
    const old = await Promise.all(rows.map((row) => isBefore(core, row, window.field, oldest)))
    const steps = rows.filter((_, index) => old[index]).map(({ id }): Step => ({ in: 'entities', drop: [gen, type, id] }))
    if (steps.length === 0) continue
    await core.db.commit(steps)
    core.touch({ type })
  }
  await core.db.commit([metaStep('windowDay', day)])
}

async function isBefore(core: Core, row: EntityRow, field: string, oldest: number): Promise<boolean> {
  if (row.state !== 'clean') return false
  const at = Date.parse(String((await core.openEntity(row)).server?.[field] ?? ''))
  return at < oldest
}

import { metaStep, newChange, type Core } from '../store/core.ts'
import { diff } from '../store/changes.ts'
import { settle } from './verdicts.ts'

/**
 * Looks for entities that differ from the server without a logged change (a torn write) and writes the missing change
 * anew. Gives a sentence for each; none is what is expected.
 */
export function checkAtStart(core: Core): Promise<string[]> {
  return core.exclusive(async () => {
    const gen = await core.generation()
    const rows = await core.db.read((db) => db.getAllFromIndex('entities', 'state', [gen, 'pending']))
    const incidents: string[] = []
    for (const row of rows) {
      const pending = await core.pendingOf(row.type, row.id)
      if (pending.length > 0) continue
      const entity = await core.openEntity(row)
      const base = { entityType: row.type, entityId: row.id, version: entity.version }
      const change =
        entity.server && entity.local
          ? newChange(core, { ...base, changeType: 'UPDATE', patch: diff(entity.server, entity.local) })
          : newChange(
              core,
              entity.local ? { ...base, version: 0, changeType: 'INSERT', snapshot: entity.local } : { ...base, changeType: 'DELETE' },
            )
      const isEmpty = change.changeType === 'UPDATE' && Object.keys(change.patch).length === 0
      if (isEmpty) await core.db.commit([await core.entityStep(gen, settle(entity, []))])
      else await core.db.commit([{ in: 'log', add: await core.sealChange(change) }])
      incidents.push(
        `${row.type} ${row.id} was changed without a logged change; ${isEmpty ? 'it equals the server copy' : 'the change was written anew'}.`,
      )
    }
    if (incidents.length > 0) {
      const at = new Date().toISOString()
      await core.db.commit([
        metaStep('incidents', [...((await core.meta('incidents')) ?? []), ...incidents.map((text) => ({ at, text }))].slice(-100)),
      ])
    }
    return incidents
  })
}

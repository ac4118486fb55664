import { saveFile } from '../data/api.ts'
import { currentOffline } from './current.ts'

/** Hands every unsent and refused change to the user as one JSON file; gives how many there were. */
export async function exportLog(): Promise<number> {
  const offline = currentOffline()
  if (!offline) return 0
  const unsent = await offline.store.unsent()
  const { userId, companyId, deviceId } = offline.store.owner
  const content = { madeAt: new Date().toISOString(), userId, companyId, deviceId, ...unsent }
  saveFile(new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), `outpost-unsent-${content.madeAt.slice(0, 10)}.json`)
  return unsent.log.length + unsent.attention.length
}

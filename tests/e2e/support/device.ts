import { randomUUID } from 'node:crypto'
import type { ConsoleLayout } from '@outpost/contract/console'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { callAs } from './calls.ts'

/** Names and places of what a device in the field has sent. */
export interface Pushed {
  deviceId: string
  /** A lead that was taken, one that was refused for its number, and one whose town the office changed too. */
  taken: string
  refused: string
  disputed: string
}

/** Lets a device of this person send a lead that is taken, one that is refused, and an edit that meets the office's. */
export async function pushFrom(url: string, email: string): Promise<Pushed> {
  const call = await callAs(url, email)
  const { user } = ((await call('GET', '/api/console')).body as unknown as { data: ConsoleLayout }).data
  const tenantId = user.selectedTenant.Id
  const deviceId = randomUUID()
  let clientSeq = 0
  const change = (over: Partial<ChangeRecord>): ChangeRecord => ({
    clientSeq: (clientSeq += 1),
    changeId: randomUUID(),
    schema: 1,
    deviceId,
    tenantId,
    userId: user.Id,
    version: 0,
    entityId: randomUUID(),
    entityType: 'lead',
    dateModified: new Date().toISOString(),
    changeType: 'INSERT',
    patch: {},
    deps: [],
    ...over,
  })
  const lead = (firstName: string, phonenumber: string) =>
    change({ snapshot: { firstName, lastName: 'Fieldwork', phonenumber, city: 'Thika' } })
  const number = String(Date.now()).slice(-6)
  const [taken, refused, disputed] = [lead('Taken', `0711${number}`), lead('Refused', '12'), lead('Disputed', `0744${number}`)]
  const push = async (...changes: ChangeRecord[]) => {
    const { status, text } = await call('POST', '/api/sync/push', {
      protocol: 1,
      deviceId,
      clientNow: new Date().toISOString(),
      pendingCount: changes.length,
      oldestPendingAt: null,
      persisted: true,
      maxClientSeq: clientSeq,
      appVersion: '1.4.2',
      changes,
    })
    if (status !== 200) throw new Error(text)
  }
  await push(taken, refused, disputed)
  const { status, text } = await call('PUT', `/api/leads/${disputed.entityId}`, { city: 'Nyeri' })
  if (status !== 200) throw new Error(text)
  await push(change({ changeType: 'UPDATE', entityId: disputed.entityId, version: 1, patch: { city: ['Thika', 'Kisumu'] } }))
  return { deviceId, taken: taken.entityId, refused: refused.entityId, disputed: disputed.entityId }
}

import { randomUUID } from 'node:crypto'
import { demoId } from '../../../prisma/seed/random.ts'
import type { House } from './house.ts'

export const batch = 500
/** Counts on over all devices: no two of their leads share a number. */
let clientSeq = 0

/** Each call pushes one batch of new leads of one device; rows a second. */
export function pusher(house: House, headers: Record<string, string>, url = house.url): () => Promise<number> {
  const deviceId = randomUUID()
  const common = {
    schema: 1,
    deviceId,
    tenantId: demoId('NBO-W'),
    userId: demoId('sunrise officer'),
    version: 0,
    entityType: 'lead',
    changeType: 'INSERT',
  }
  return async () => {
    const changes = Array.from({ length: batch }, () => {
      clientSeq += 1
      const snapshot = {
        firstName: 'Njeri',
        lastName: 'Mwangi',
        phonenumber: `07${String(30_000_000 + clientSeq)}`,
        emailAddress: `sync${clientSeq}@mail.test`,
      }
      return { ...common, clientSeq, changeId: randomUUID(), entityId: randomUUID(), dateModified: new Date().toISOString(), snapshot }
    })
    const body = JSON.stringify({
      protocol: 1,
      deviceId,
      clientNow: new Date().toISOString(),
      pendingCount: batch,
      oldestPendingAt: null,
      persisted: true,
      maxClientSeq: clientSeq,
      changes,
    })
    const { status, text, ms } = await house.call({ url, path: '/api/sync/push', method: 'POST', headers, body })
    const applied = text.split('"status":"applied"').length - 1
    if (status !== 200 || applied !== batch) throw new Error(`push: ${status}, ${applied} of ${batch} applied: ${text.slice(0, 300)}`)
    return (batch * 1000) / ms
  }
}

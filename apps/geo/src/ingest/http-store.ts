import { setTimeout as wait } from 'node:timers/promises'
import { fail } from '@outpost/contract/errors'
import type { GeoPools } from '@outpost/platform/db/pool'
import { validateFixes, lostReason, type RefusedFix } from './validate-fix.ts'
import type { Fix } from '../positions/fix.ts'
import type { IngestServices } from './listen/services.ts'
import { mayReport, type Feed, type KnownDevice } from './identity.ts'
import { trackableTimes } from './write/trackable.ts'
import type { ForwardedEvent, Store, StoreMeta, StoreResult } from './store.ts'

/** How long an HTTP sender waits for the commit before it is asked to retry. */
const limitMs = 10_000
const unknownResult: StoreResult = { accepted: 0, refused: [], unknownDevice: true }
const locked: StoreResult = { accepted: 0, refused: [], badToken: true }

/** The store behind the HTTP endpoints: finds the device, checks its secret, and returns once all is committed. */
export function createHttpStore(ingestServices: IngestServices, pool: GeoPools['ingest']): Store {
  return async (uniqueId, fixes, meta) => {
    const { identities } = ingestServices
    const feed = meta.isFeed ? (meta.feed ?? (await identities.findFeed(meta.token ?? ''))) : null
    if (meta.isFeed && !feed) return locked
    const sent = { uniqueId, fixes, meta, feed }
    const kept = await storeForOwner(ingestServices, pool, sent)
    if (kept !== 'outdated') return kept
    // The device was changed, deleted or registered by somebody else in the meantime.
    identities.forget([uniqueId])
    const again = await storeForOwner(ingestServices, pool, sent)
    return again === 'outdated' ? fail('UNAVAILABLE') : again
  }
}

interface Sent {
  uniqueId: string
  fixes: readonly Fix[]
  meta: StoreMeta
  feed: Feed | null
}

async function storeForOwner(
  ingestServices: IngestServices,
  pool: GeoPools['ingest'],
  { uniqueId, fixes, meta, feed }: Sent,
): Promise<StoreResult | 'outdated'> {
  const { identities, deviceStats, commands } = ingestServices
  const device = await identities.find(uniqueId)
  // Another company's device is unknown to this feed and not available for adoption.
  if (device && feed && device.companyId !== feed.companyId) return unknownResult
  if (!device) {
    deviceStats.noteUnknown(uniqueId, {
      protocol: meta.protocol,
      remote: meta.remote,
      words: meta.device ?? {},
      companyId: feed?.companyId ?? null,
    })
    return unknownResult
  }
  if (!feed && !mayReport(device, meta.token)) return locked
  const result = await store(ingestServices, { device, fixes, meta })
  if (result === 'outdated') return result
  if (meta.events?.length) {
    const times = await trackableTimes(
      pool,
      device,
      meta.events.map(({ at }) => at),
    )
    await insertEvents(
      pool,
      device,
      meta.events.filter(({ at }) => times.has(at)),
    )
  }
  if (meta.pushToken)
    await pool.query(`update geo.device set "pushToken" = $3 where "companyId" = $1 and "id" = $2 and "generation" = $4`, [
      device.companyId,
      device.deviceId,
      meta.pushToken,
      device.generation,
    ])
  const command = meta.takesCommand ? await commands.take(device) : undefined
  return { ...result, ...(command === undefined ? {} : { command }) }
}

async function store(
  ingestServices: IngestServices,
  { device, fixes: given, meta }: { device: KnownDevice; fixes: readonly Fix[]; meta: StoreMeta },
): Promise<StoreResult | 'outdated'> {
  const { writer, now } = ingestServices
  if (writer.isFull()) return fail('UNAVAILABLE')
  const { fixes, refused } = validateFixes(given, now())
  if (!meta.isHistory) note(ingestServices, device, { stored: fixes.length, refused: [...meta.refused, ...refused], meta })
  const inTime = new AbortController()
  const late = wait(limitMs, 'late' as const, { signal: inTime.signal }).catch(() => 'late' as const)
  const written = await Promise.race([writer.write(device, fixes), late])
  inTime.abort()
  // It is still written when the database returns; a repeated report changes nothing.
  if (written === 'late') return fail('UNAVAILABLE')
  if (written === 'outdated') return written
  if (written === 'stored') return { accepted: given.length - refused.length, refused }
  return {
    accepted: 0,
    refused: given.map((_, index) => ({ index, code: 101, field: 'position', message: 'The position could not be stored' })),
  }
}

/** Records what the device's operator sees of a report. */
function note(
  { deviceStats }: IngestServices,
  device: KnownDevice,
  { stored, refused, meta }: { stored: number; refused: readonly RefusedFix[]; meta: StoreMeta },
): void {
  const { remote, protocol } = meta
  deviceStats.note(device, { frames: 1, fixes: stored, refused: refused.length, remote })
  deviceStats.setOnline(device, true, protocol)
  for (const { lost, ...why } of refused) {
    if (lost)
      deviceStats.quarantine(device, {
        protocol,
        reason: lostReason(why),
        detail: why.message,
        remote,
        bytes: Buffer.from(JSON.stringify(lost)),
      })
  }
}

async function insertEvents(
  pool: GeoPools['ingest'],
  { companyId, deviceId, generation }: KnownDevice,
  events: readonly ForwardedEvent[],
): Promise<void> {
  await pool.query(
    `insert into geo.event ("companyId", "deviceId", "type", "eventTime", "key", "attributes")
    select $1, $2, t.type, to_timestamp(t.at / 1000.0), coalesce(t.attributes ->> 'alarm', ''), t.attributes
    from unnest($3::text[], $4::float8[], $5::jsonb[]) t(type, at, attributes)
    where exists (select from geo.device d where d."companyId" = $1 and d."id" = $2 and d."generation" = $6 and d."deletedAt" is null and not d."disabled") on conflict do nothing`,
    [
      companyId,
      deviceId,
      events.map(({ type }) => type),
      events.map(({ at }) => at),
      events.map(({ attributes }) => JSON.stringify(attributes)),
      generation,
    ],
  )
}

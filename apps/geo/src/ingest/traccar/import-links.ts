import { transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Feed } from '../identity.ts'
import { wholeCompany } from './progress.ts'
import type { TraccarDevice, TraccarGroup } from './records.ts'
import type { TraccarClient } from './rest.ts'

export interface Fleet {
  devices: readonly TraccarDevice[]
  groups: readonly TraccarGroup[]
}

/**
 * Links devices to the fences that watch them on the Traccar server, directly or through their groups; both must exist here. Returns the
 * number of new links. A fence that was unlinked here in the meantime is linked again: an import asks for Traccar's state.
 */
export async function importLinks(
  client: Pick<TraccarClient, 'fencesOf'>,
  { pool, feed, server, fleet }: { pool: GeoPools['geo']; feed: Feed; server: string; fleet: Fleet },
): Promise<number> {
  const ofGroup = new Map<number, string[]>()
  for (const { traccarId } of fleet.groups) ofGroup.set(traccarId, await client.fencesOf({ groupId: traccarId }))
  let count = 0
  for (const device of fleet.devices) {
    const own = await client.fencesOf({ deviceId: device.traccarId })
    const fences = new Set([...own, ...groupsOf(device, fleet.groups).flatMap(({ traccarId }) => ofGroup.get(traccarId) ?? [])])
    if (fences.size > 0)
      count += await link(
        pool,
        feed,
        device.uniqueId,
        [...fences].map((fence) => `${server}/${fence}`),
      )
  }
  return count
}

/** The group of a device and its ancestors, the nearest first; stops at a cycle. */
export function groupsOf({ groupId }: Pick<TraccarDevice, 'groupId'>, groups: readonly TraccarGroup[]): TraccarGroup[] {
  const known = new Map(groups.map((group) => [group.traccarId, group]))
  const found = new Set<TraccarGroup>()
  for (let group = known.get(groupId ?? 0); group && !found.has(group); group = known.get(group.parentId ?? 0)) found.add(group)
  return [...found]
}

function link(pool: GeoPools['geo'], { companyId }: Feed, uniqueId: string, fences: readonly string[]): Promise<number> {
  return transactionIn(
    pool,
    wholeCompany(companyId),
    (own) =>
      own.exec(sql`
    insert into geo.geofence_link ("companyId", "deviceId", "geofenceId")
    select d."companyId", d."id", g."id" from geo.device d join geo.geofence g on g."companyId" = d."companyId" and g."deletedAt" is null and g."attributes" ->> 'traccarId' = any(${fences})
    where d."companyId" = ctx.company() and d."uniqueId" = ${uniqueId} and d."deletedAt" is null on conflict do nothing`),
    { retry: true },
  )
}

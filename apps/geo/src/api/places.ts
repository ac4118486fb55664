import { LRUCache } from 'lru-cache'
import { sql } from '@outpost/platform/db/sql'
import type { Point } from '@outpost/rules/distance'
import { indexFences, usualSettings, type FenceIndex } from '../fences/fence-index.ts'
import { shapeOfRow, type ShapeRow } from '../fences/row.ts'
import { geocode, type Address, type Sources } from '../geocoding/geocode.ts'
import { fenceNaming } from '../geocoding/named-fence.ts'
import { placeNear } from '../geocoding/places.ts'
import { remoteGeocoder, type RemoteGeocoder } from '../geocoding/remote.ts'
import type { GeoCtx } from './types.ts'

interface Named { index: FenceIndex, names: ReadonlyMap<string, string> }

/**
 * Puts places into words for callers: their company's points of interest and fences, what was looked up before, the
 * operator's geocoder (when there is one), the bundled places. Works without a network and never fails.
 */
export function createPlaceNames(remote?: RemoteGeocoder): (ctx: GeoCtx, point: Point) => Promise<Address> {
  const ask = remote ? remoteGeocoder(remote) : null
  // By company and reach: a fence somebody does not see does not name places for them.
  const known = new LRUCache<string, { version: string, named: Named }>({ max: 50 })
  return (ctx, point) => geocode(point, {
    own: async (place) => {
      const { index, names } = await fencesOf(ctx, known)
      const found = fenceNaming(index, place, () => true)
      return found && { id: found.fenceId, name: names.get(found.fenceId) ?? '', source: found.source, metres: found.metres }
    },
    cache: cacheOf(ctx),
    remote: ask,
    place: placeNear,
    failed: (source, error) => ctx.log.warn({ err: error, source }, 'a source of place names failed'),
  })
}

async function fencesOf(ctx: GeoCtx, known: LRUCache<string, { version: string, named: Named }>): Promise<Named> {
  const { company, scope } = ctx.caller
  const key = `${company} ${scope === '*' ? '*' : [...scope].sort().join()}`
  const { version } = await ctx.sql.one<{ version: string }>(sql`
    select concat_ws(' ', count(*), max("dateModified")) as version from geo.geofence where "companyId" = ${company} and "deletedAt" is null and "isActive"`)
  const before = known.get(key)
  if (before?.version === version) return before.named
  const rows = await ctx.sql.query<ShapeRow & { id: string, name: string }>(sql`
    select "id", "name", "type", "shape", "area", "radius" from geo.geofence where "companyId" = ${company} and "deletedAt" is null and "isActive"`)
  const index = indexFences(rows.map((row) => ({ id: row.id, shape: shapeOfRow(row), since: 0, settings: usualSettings })))
  const named = { index, names: new Map(rows.map(({ id, name }) => [id, name])) }
  known.set(key, { version, named })
  return named
}

function cacheOf(ctx: GeoCtx): Sources['cache'] {
  const { company } = ctx.caller
  return {
    read: (cell) => ctx.sql.maybe(sql`select "address", "placeId" from geo.geocode_cache where "companyId" = ${company} and "cell" = ${cell}`),
    write: (cell, { address, placeId }) => ctx.transaction(async (db) => void await db.exec(sql`
      insert into geo.geocode_cache ("companyId", "cell", "address", "source", "placeId") values (${company}, ${cell}, ${address}, 'remote', ${placeId})
      on conflict ("companyId", "cell") do update set "address" = excluded."address", "placeId" = excluded."placeId", "dateCreated" = now()`)),
  }
}

import { LRUCache } from 'lru-cache'
import { sql } from '@outpost/platform/db/sql'
import type { Point } from '@outpost/rules/places/distance'
import { indexFences, fenceDefaults, type FenceIndex } from '../fences/fence-index.ts'
import { shapeOfRow, type ShapeRow } from '../fences/row.ts'
import { cellOf } from '../geocoding/coordinates.ts'
import { geocode, type CachedAddress, type Sources } from '../geocoding/geocode.ts'
import { nearestFence } from '../geocoding/nearest-fence.ts'
import { placeNear } from '../geocoding/places.ts'
import { remoteGeocoder, type RemoteGeocoder } from '../geocoding/remote.ts'
import type { GeoCtx, GeoServices } from './types.ts'

interface Named {
  index: FenceIndex
  names: ReadonlyMap<string, string>
}

/**
 * Names places for callers, from these sources in order: the company's points of interest and fences, the cache, the operator's geocoder
 * (not asked for bulk requests), the bundled places. Works without a network and never fails.
 */
export function createPlaceNames(remote?: RemoteGeocoder): Pick<GeoServices, 'describePlace' | 'describePlaces'> {
  const ask = remote ? remoteGeocoder(remote) : null
  // Cached by company and reach, because a fence out of somebody's reach must not name places for them.
  const known = new LRUCache<string, { version: string; named: Named }>({ max: 50 })
  const failed = (ctx: GeoCtx) => (source: string, error: unknown) => ctx.log.warn({ err: error, source }, 'a source of place names failed')
  return {
    describePlace: (ctx, point) =>
      geocode(point, {
        own: async (place) => nameOf(await fencesOf(ctx, known), place),
        cache: cacheOf(ctx),
        remote: ask,
        place: placeNear,
        failed: failed(ctx),
      }),
    describePlaces: async (ctx, points) => {
      if (points.length === 0) return []
      const [fences, cache] = [fencesOf(ctx, known), cacheOfMany(ctx, points)]
      // Each place asks both and gets both results.
      for (const source of [fences, cache]) source.catch(() => undefined)
      const sources: Sources = {
        own: async (place) => nameOf(await fences, place),
        remote: null,
        place: placeNear,
        failed: failed(ctx),
        cache: { read: async (cell) => (await cache).get(cell), write: async () => undefined },
      }
      const addresses = await Promise.all(points.map((point) => geocode(point, sources)))
      return addresses.map(({ address }) => address)
    },
  }
}

function nameOf({ index, names }: Named, place: Point) {
  const found = nearestFence(index, place, () => true)
  return found && { id: found.fenceId, name: names.get(found.fenceId) ?? '', source: found.source, metres: found.metres }
}

async function fencesOf(ctx: GeoCtx, known: LRUCache<string, { version: string; named: Named }>): Promise<Named> {
  const { company, scope } = ctx.caller
  const key = `${company} ${scope === '*' ? '*' : [...scope].sort().join()}`
  const { version } = await ctx.sql.one<{ version: string }>(sql`
    select concat_ws(' ', count(*), max("dateModified")) as version from geo.geofence where "companyId" = ${company} and "deletedAt" is null and "isActive"`)
  const before = known.get(key)
  if (before?.version === version) return before.named
  const rows = await ctx.sql.query<ShapeRow & { id: string; name: string }>(sql`
    select "id", "name", "type", "shape", "area", "radius" from geo.geofence where "companyId" = ${company} and "deletedAt" is null and "isActive"`)
  const index = indexFences(rows.map((row) => ({ id: row.id, shape: shapeOfRow(row), since: 0, settings: fenceDefaults })))
  const named = { index, names: new Map(rows.map(({ id, name }) => [id, name])) }
  known.set(key, { version, named })
  return named
}

function cacheOf(ctx: GeoCtx): Sources['cache'] {
  const { company } = ctx.caller
  return {
    read: (cell) =>
      ctx.sql.maybe(sql`select "address", "placeId" from geo.geocode_cache where "companyId" = ${company} and "cell" = ${cell}`),
    write: (cell, { address, placeId }) =>
      ctx.transaction(
        async (db) =>
          void (await db.exec(sql`
      insert into geo.geocode_cache ("companyId", "cell", "address", "source", "placeId") values (${company}, ${cell}, ${address}, 'remote', ${placeId})
      on conflict ("companyId", "cell") do update set "address" = excluded."address", "placeId" = excluded."placeId", "dateCreated" = now()`)),
      ),
  }
}

async function cacheOfMany(ctx: GeoCtx, points: readonly Point[]): Promise<ReadonlyMap<string, CachedAddress>> {
  const cells = [...new Set(points.map(cellOf))]
  const rows = await ctx.sql.query<CachedAddress & { cell: string }>(sql`
    select "cell", "address", "placeId" from geo.geocode_cache where "companyId" = ${ctx.caller.company} and "cell" = any(${cells}::text[])`)
  return new Map(rows.map(({ cell, ...found }) => [cell, found]))
}

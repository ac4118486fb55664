import { fail } from '@outpost/contract/errors'
import { LRUCache } from 'lru-cache'
import { sql } from '@outpost/platform/db/sql'
import Supercluster from 'supercluster'
import { z } from 'zod'
import { deviceStatus, recentCount } from './positions/fields.ts'
import { handler, type GeoCtx } from './types.ts'

/** A device as the map draws it. km/h, degrees. */
interface Marker {
  deviceId: string
  name: string
  category: string | null
  status: Status
  latitude: number
  longitude: number
  speed: number | null
  course: number | null
  fixTime: string
}
type Status = 'moving' | 'towed' | 'idling' | 'parked' | 'offline' | 'unknown' | 'disabled'
type Counts = Partial<Record<Status, number>>
type Index = Supercluster<Marker, Counts>
interface Devices {
  index: Index
  count: number
}
type Box = [west: number, south: number, east: number, north: number]

/** Most single devices in one answer; beyond that the answer has clusters. */
const maxDevices = 2_000
const maxZoom = 22

const statusOf = (marker: Pick<Marker, 'status'>): Counts => ({ [marker.status]: 1 })
function addCounts(sum: Counts, more: Readonly<Counts>): void {
  for (const [status, count] of Object.entries(more) as [Status, number][]) sum[status] = (sum[status] ?? 0) + count
}

/** Cluster indexes by company, reach and what the asset wall hides. Each is valid until one of its devices moves or changes. */
const indexes = new LRUCache<string, { version: string; devices: Promise<Devices> }>({ max: 50 })

const input = z.strictObject({
  zoom: z.coerce.number().int().min(0).max(maxZoom),
  x: z.coerce.number().int(),
  y: z.coerce.number().int(),
  forceNoSum: z
    .enum(['0', '1', 'true', 'false'])
    .default('0')
    .transform((text) => text === '1' || text === 'true'),
})

/**
 * Returns the devices of a slippy tile and its eight neighbours, clustered where they are close: {clusters: [{lat, lng, count, byStatus,
 * expandAt}], devices}. Tile 0/0 at zoom 15, the specification's default, means the whole world.
 */
export const mapzoom = handler(input, async (ctx, { zoom, x, y, forceNoSum }) => {
  assertTile({ zoom, x, y })
  const { index, count } = await devicesFor(ctx)
  const isAll = zoom === 15 && x === 0 && y === 0
  const boxes = isAll ? [[-180, -90, 180, 90] as Box] : boxesAround({ zoom, x, y })
  for (let level = forceNoSum ? maxZoom + 1 : zoom; ; level = level > maxZoom ? zoom : level - 1) {
    const found = boxes.flatMap((box) => index.getClusters(box, level))
    const singles = found.filter((one) => !('cluster' in one.properties))
    if (singles.length <= maxDevices || level <= 0) return { data: split(index, found), meta: { zoom: level, devices: count } }
  }
})

/** Throws when the tile does not exist: at each zoom, columns and rows are limited to the same number. */
function assertTile({ zoom, ...tile }: { zoom: number; x: number; y: number }): void {
  const last = 2 ** zoom - 1
  const fields = Object.entries(tile)
    .filter(([, at]) => at < 0 || at > last)
    .map(([field]) => ({ field, message: `is no tile of zoom ${zoom}: 0 to ${last}` }))
  if (fields.length > 0) fail('INVALID', { fields })
}

/** The tile and its neighbours as boxes; two when they cross the antimeridian. */
export function boxesAround({ zoom, x, y }: { zoom: number; x: number; y: number }): Box[] {
  const tiles = 2 ** zoom
  if (tiles <= 3) return [[-180, -90, 180, 90]]
  const wrapped = ((x % tiles) + tiles) % tiles
  const longitude = (column: number) => (column / tiles) * 360 - 180
  const latitude = (row: number) => {
    if (row <= 0) return 90
    if (row >= tiles) return -90
    return (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / tiles))) * 180) / Math.PI
  }
  const [south, north] = [latitude(y + 2), latitude(y - 1)]
  const [west, east] = [longitude(wrapped - 1), longitude(wrapped + 2)]
  if (west < -180)
    return [
      [west + 360, south, 180, north],
      [-180, south, east, north],
    ]
  return east > 180
    ? [
        [west, south, 180, north],
        [-180, south, east - 360, north],
      ]
    : [[west, south, east, north]]
}

type Found = ReturnType<Index['getClusters']>

function split(index: Index, found: Found): { clusters: object[]; devices: Marker[] } {
  const clusters: object[] = []
  const devices: Marker[] = []
  for (const { properties, geometry } of found) {
    const [lng, lat] = geometry.coordinates
    if ('cluster' in properties) {
      const { cluster_id: id, point_count: count, cluster: _, point_count_abbreviated: __, ...byStatus } = properties
      clusters.push({ lat, lng, count, byStatus, expandAt: index.getClusterExpansionZoom(id) })
    } else devices.push(properties)
  }
  return { clusters, devices }
}

/** Returns the caller's index; rebuilds it only when something in it has changed. */
async function devicesFor(ctx: GeoCtx): Promise<Devices> {
  const { company, scope } = ctx.caller
  const { version, wall } = await ctx.sql.one<{ version: string; wall: string | null }>(sql`
    select (select md5(string_agg(h::text, ',' order by h)) from ctx.hidden_devices() h) as wall, concat_ws(' ', count(*), max(l."seq"), ${recentCount}, max(t."dateModified"), max(t."statusAt")) as version
    from geo.device t join geo.latest l on l."companyId" = t."companyId" and l."deviceId" = t."id" where t."companyId" = ${company} and t."deletedAt" is null`)
  const key = `${company} ${scope === '*' ? '*' : [...scope].sort().join()} ${wall ?? ''}`
  const known = indexes.get(key)
  if (known?.version === version) return known.devices
  const devices = readDevices(ctx)
  indexes.set(key, { version, devices })
  devices.catch(() => indexes.delete(key))
  return devices
}

async function readDevices(ctx: GeoCtx): Promise<Devices> {
  const markers = await ctx.sql.query<Marker>(sql`
    select t."id" as "deviceId", t."name", t."category", l."latitude", l."longitude", l."speed", l."course", l."fixTime",
      case when ${deviceStatus} <> 'online' then ${deviceStatus} when l."isValid" and l."speed" > 5 then case when l."state" -> 'ignition' = 'false' then 'towed' else 'moving' end when l."state" -> 'ignition' = 'true' then 'idling' else 'parked' end as "status"
    from geo.device t join geo.latest l on l."companyId" = t."companyId" and l."deviceId" = t."id"
    where t."companyId" = ${ctx.caller.company} and t."deletedAt" is null and l."latitude" is not null`)
  const index: Index = new Supercluster<Marker, Counts>({ radius: 60, extent: 256, maxZoom, map: statusOf, reduce: addCounts })
  index.load(
    markers.map((marker) => ({
      type: 'Feature',
      properties: marker,
      geometry: { type: 'Point', coordinates: [marker.longitude, marker.latitude] },
    })),
  )
  return { index, count: markers.length }
}

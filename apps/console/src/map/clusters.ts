import Supercluster from 'supercluster'
import type { Tone } from '../theme/tones.ts'
import type { Bounds, MapPoint } from './shapes.ts'
import { isInside } from './viewport.ts'

/** A mark on the map: a point, or a cluster of several. `key` identifies the same mark from one drawing to the next. */
export type Mark = { kind: 'point'; key: string; lat: number; lng: number; point: MapPoint } | ClusterMark
export interface ClusterMark {
  kind: 'cluster'
  key: string
  lat: number
  lng: number
  count: number
  tone: Tone
  /** Its number in the clusters of this zoom. */
  cluster: number
  zoom: number
}

interface Props {
  point: MapPoint
  tone: Tone | 'mixed'
}
interface Merged {
  tone: Tone | 'mixed'
}

/** Pixels around a point within which others join its cluster. */
const radius = 80
/** The deepest zoom of clusters: points that still cluster there are listed when their cluster is opened. */
export const clusterZoom = 19

export interface PointIndex {
  marksIn: (bounds: Bounds, zoom: number) => Mark[]
  /** Zoom at which the cluster separates; deeper than all others when its points are at one place. */
  splitZoom: (mark: ClusterMark) => number
  members: (mark: ClusterMark) => MapPoint[]
}

/**
 * An index over the points that returns the marks of a part of the map; numbered stops never cluster. Only the zoom that is shown is
 * clustered: while thousands of points move, all zooms together cost ten times as much, twice a second.
 */
export function indexPoints(points: readonly MapPoint[], isClustered: boolean): PointIndex {
  const loose = isClustered ? points.filter((point) => point.number !== undefined) : points
  const gathered = isClustered ? points.filter((point) => point.number === undefined).map(toFeature) : []
  const levels = new Map<number, Level>()
  const levelOf = (zoom: number) => {
    const at = Math.min(Math.round(zoom), clusterZoom)
    const level = levels.get(at) ?? clusterAt(gathered, at)
    levels.set(at, level)
    return level
  }
  const members = ({ cluster, zoom }: ClusterMark) =>
    levelOf(zoom)
      .getLeaves(cluster, Infinity)
      .flatMap(({ properties }) => ('point' in properties ? [properties.point] : []))
  return {
    marksIn: (bounds, zoom) => [
      ...levelOf(zoom)
        .getClusters([bounds.west, bounds.south, bounds.east, bounds.north], zoom)
        .map((found) => toMark(found, zoom)),
      ...loose.filter((point) => isInside(point, bounds)).map(pointMark),
    ],
    splitZoom: (mark) => {
      const inside = members(mark).map(toFeature)
      let zoom = Math.round(mark.zoom) + 1
      while (zoom <= clusterZoom && clusterAt(inside, zoom).getClusters(everywhere, zoom).length === 1) zoom += 1
      return zoom
    },
    members,
  }
}

type Level = Supercluster<Props, Merged>
const everywhere: [number, number, number, number] = [-180, -90, 180, 90]

function clusterAt(features: ReturnType<typeof toFeature>[], zoom: number): Level {
  const level = new Supercluster<Props, Merged>({
    radius,
    minZoom: zoom,
    maxZoom: zoom,
    minPoints: 2,
    map: ({ tone }) => ({ tone }),
    reduce: (merged, { tone }) => {
      if (merged.tone !== tone) merged.tone = 'mixed'
    },
  })
  return level.load(features)
}

const toFeature = (point: MapPoint) => ({
  type: 'Feature' as const,
  properties: { point, tone: point.tone ?? ('quiet' as const) },
  geometry: { type: 'Point' as const, coordinates: [point.lng, point.lat] },
})

const pointMark = (point: MapPoint): Mark => ({ kind: 'point', key: point.id, lat: point.lat, lng: point.lng, point })

function toMark({ geometry, properties }: ReturnType<Level['getClusters']>[number], zoom: number): Mark {
  const [lng = 0, lat = 0] = geometry.coordinates
  if (!('cluster' in properties)) return pointMark(properties.point)
  const { cluster_id: cluster, point_count: count, tone } = properties
  return { kind: 'cluster', key: `cluster ${cluster}`, lat, lng, count, cluster, zoom, tone: tone === 'mixed' ? 'info' : tone }
}

/** "940", "1.2k": the short count in a cluster's circle. */
export const shortCount = (count: number): string =>
  count < 1000 ? String(count) : `${count < 10_000 ? (count / 1000).toFixed(1).replace('.0', '') : Math.round(count / 1000)}k`

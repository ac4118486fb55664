import Supercluster from 'supercluster'
import type { Tone } from '../theme/tones.ts'
import type { Bounds, MapPoint } from './shapes.ts'
import { isInside } from './viewport.ts'

/** A mark on the map: a point, or a cluster of several. `key` identifies the same mark from one drawing to the next. */
export type Mark =
  | { kind: 'point'; key: string; lat: number; lng: number; point: MapPoint }
  | { kind: 'cluster'; key: string; lat: number; lng: number; count: number; tone: Tone; cluster: number }

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
  /** Zoom at which the cluster separates. */
  splitZoom: (cluster: number) => number
  members: (cluster: number) => MapPoint[]
}

/** An index over the points that returns the marks of a part of the map; numbered stops never cluster. */
export function indexPoints(points: readonly MapPoint[], isClustered: boolean): PointIndex {
  const loose = isClustered ? points.filter((point) => point.number !== undefined) : points
  const index = new Supercluster<Props, Merged>({
    radius,
    maxZoom: clusterZoom,
    minPoints: 2,
    map: ({ tone }) => ({ tone }),
    reduce: (merged, { tone }) => {
      if (merged.tone !== tone) merged.tone = 'mixed'
    },
  })
  index.load(isClustered ? points.filter((point) => point.number === undefined).map(toFeature) : [])
  return {
    marksIn: (bounds, zoom) => [
      ...index.getClusters([bounds.west, bounds.south, bounds.east, bounds.north], Math.round(zoom)).map(toMark),
      ...loose.filter((point) => isInside(point, bounds)).map(pointMark),
    ],
    splitZoom: (cluster) => index.getClusterExpansionZoom(cluster),
    members: (cluster) => index.getLeaves(cluster, Infinity).flatMap(({ properties }) => ('point' in properties ? [properties.point] : [])),
  }
}

const toFeature = (point: MapPoint) => ({
  type: 'Feature' as const,
  properties: { point, tone: point.tone ?? ('quiet' as const) },
  geometry: { type: 'Point' as const, coordinates: [point.lng, point.lat] },
})

const pointMark = (point: MapPoint): Mark => ({ kind: 'point', key: point.id, lat: point.lat, lng: point.lng, point })

function toMark({ geometry, properties }: ReturnType<Supercluster<Props, Merged>['getClusters']>[number]): Mark {
  const [lng = 0, lat = 0] = geometry.coordinates
  if (!('cluster' in properties)) return pointMark(properties.point)
  const { cluster_id: cluster, point_count: count, tone } = properties
  return { kind: 'cluster', key: `cluster ${cluster}`, lat, lng, count, cluster, tone: tone === 'mixed' ? 'info' : tone }
}

/** "940", "1.2k": the short count in a cluster's circle. */
export const shortCount = (count: number): string =>
  count < 1000 ? String(count) : `${count < 10_000 ? (count / 1000).toFixed(1).replace('.0', '') : Math.round(count / 1000)}k`

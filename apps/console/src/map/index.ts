/** The map components. Import them only from files that are loaded lazily: leaflet must not become part of the shell. */
export { MapView } from './MapView.tsx'
export { FollowPlace, RevealPlace, WatchBox } from './follow.tsx'
export { DrawRing } from './draw/DrawRing.tsx'
export type { SnapLine } from './draw/snap.ts'
export { Shapes } from './Shapes.tsx'
export type { MapArea, MapLine, MapPoint, Place } from './shapes.ts'
export { hasPlace } from './viewport.ts'
export { areaText, bearing, distanceText, metres } from './distance.ts'

/** The map kit. Import it from files that are loaded lazily only: leaflet must not reach the shell. */
export { MapFrame } from './MapFrame.tsx'
export type { MapLine, MapPoint } from './shapes.ts'
export { hasPlace } from './viewport.ts'
export { distanceWords, metres } from './distance.ts'

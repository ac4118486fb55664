/** The map kit. Import it from files that are loaded lazily only: leaflet must not reach the shell. */
export { MapFrame } from './MapFrame.tsx'
export type { MapFrameProps } from './MapFrame.tsx'
export type { MapArea, MapLine, MapPoint, Place } from './shapes.ts'
export { hasPlace } from './viewport.ts'
export { distanceWords, lengthOf, metres } from './distance.ts'
export { useMap } from 'react-leaflet'

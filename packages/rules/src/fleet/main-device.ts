export interface Placed {
  type: string
  /** The last sign of life, ISO 8601. */
  lastUpdate: string | null
}

/** Of the devices on an asset the one that says where it is: of those with a place its primary one, the newest of several. */
export function mainDevice<Device extends Placed>(devices: readonly Device[], hasPlace: (device: Device) => boolean): Device | undefined {
  if (devices.length < 2) return devices.find(hasPlace)
  const newest = devices.filter(hasPlace).toSorted((a, b) => (b.lastUpdate ?? '').localeCompare(a.lastUpdate ?? ''))
  return newest.find(({ type }) => type === 'Primary') ?? newest[0]
}

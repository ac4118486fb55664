import type { Attributes } from '../positions/fix.ts'

export interface CellTower {
  mobileCountryCode: number
  mobileNetworkCode: number
  locationAreaCode: number
  cellId: number
  signalStrength?: number
}
export interface AccessPoint {
  macAddress: string
  signalStrength?: number
}

/** Cells and access points as the attribute `network`: JSON text in the shape that Traccar forwards; nothing when there are none. */
export function networkOf(cellTowers: readonly CellTower[], wifiAccessPoints: readonly AccessPoint[] = []): Attributes {
  if (cellTowers.length + wifiAccessPoints.length === 0) return {}
  const cells = cellTowers.length > 0 ? { cellTowers } : {}
  const points = wifiAccessPoints.length > 0 ? { wifiAccessPoints } : {}
  return { network: JSON.stringify({ radioType: 'gsm', ...cells, ...points }) }
}

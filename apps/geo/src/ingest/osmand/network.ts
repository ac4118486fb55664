import { malformed, type Malformed } from '../report.ts'
import { readNumber } from '../values.ts'

interface Tower { mobileCountryCode: number, mobileNetworkCode: number, locationAreaCode: number, cellId: number, signalStrength?: number }
interface AccessPoint { macAddress: string, signalStrength?: number }

/**
 * Cells `mcc,mnc,lac,cid[,rssi]` and access points `mac[,rssi]` (dashes for colons) as the JSON text of the attribute
 * `network`, in the shape Traccar forwards; null when there are none.
 */
export function readNetwork(cells: readonly string[], points: readonly string[]): { network: string | null } | { malformed: Malformed } {
  const cellTowers = cells.map(readTower)
  if (cellTowers.includes(null)) return malformed('cell', 'cell must be mcc,mnc,lac,cid or mcc,mnc,lac,cid,rssi')
  const wifiAccessPoints = points.map(readAccessPoint)
  if (wifiAccessPoints.includes(null)) return malformed('wifi', 'wifi must be mac,rssi with dashes in the mac')
  if (cells.length + points.length === 0) return { network: null }
  return { network: JSON.stringify({ radioType: 'gsm', ...(cells.length > 0 ? { cellTowers } : {}), ...(points.length > 0 ? { wifiAccessPoints } : {}) }) }
}

function readTower(text: string): Tower | null {
  const parts = text.split(',')
  const [mcc, mnc, lac, cid, rssi] = parts.map(readNumber)
  if (parts.length < 4 || parts.length > 5 || mcc == null || mnc == null || lac == null || cid == null || rssi === null) return null
  return { mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: lac, cellId: cid, ...(rssi === undefined ? {} : { signalStrength: rssi }) }
}

function readAccessPoint(text: string): AccessPoint | null {
  const [mac = '', rssi, ...more] = text.split(',')
  const strength = rssi === undefined ? undefined : readNumber(rssi)
  if (!/^[0-9a-f]{2}([-:][0-9a-f]{2}){5}$/i.test(mac) || strength === null || more.length > 0) return null
  return { macAddress: mac.replaceAll('-', ':').toLowerCase(), ...(strength === undefined ? {} : { signalStrength: strength }) }
}

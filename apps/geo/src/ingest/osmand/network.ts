import type { Attributes } from '../../positions/fix.ts'
import { networkOf, type AccessPoint, type CellTower } from '../network.ts'
import { malformed, type Malformed } from '../report.ts'
import { readNumber } from '../values.ts'

/** Cells `mcc,mnc,lac,cid[,rssi]` and access points `mac[,rssi]` (dashes for colons) as the attribute `network`; nothing when there are none. */
export function readNetwork(cells: readonly string[], points: readonly string[]): { network: Attributes } | { malformed: Malformed } {
  const towers = cells.map(readTower)
  if (!isWhole(towers)) return malformed('cell', 'cell must be mcc,mnc,lac,cid or mcc,mnc,lac,cid,rssi')
  const accessPoints = points.map(readAccessPoint)
  if (!isWhole(accessPoints)) return malformed('wifi', 'wifi must be mac,rssi with dashes in the mac')
  return { network: networkOf(towers, accessPoints) }
}

const isWhole = <One>(list: readonly (One | null)[]): list is One[] => !list.includes(null)

function readTower(text: string): CellTower | null {
  const parts = text.split(',')
  const [mcc, mnc, lac, cid, rssi] = parts.map(readNumber)
  if (parts.length < 4 || parts.length > 5 || mcc == null || mnc == null || lac == null || cid == null || rssi === null) return null
  return {
    mobileCountryCode: mcc,
    mobileNetworkCode: mnc,
    locationAreaCode: lac,
    cellId: cid,
    ...(rssi === undefined ? {} : { signalStrength: rssi }),
  }
}

function readAccessPoint(text: string): AccessPoint | null {
  const [mac = '', rssi, ...more] = text.split(',')
  const strength = rssi === undefined ? undefined : readNumber(rssi)
  if (!/^[0-9a-f]{2}([-:][0-9a-f]{2}){5}$/i.test(mac) || strength === null || more.length > 0) return null
  return { macAddress: mac.replaceAll('-', ':').toLowerCase(), ...(strength === undefined ? {} : { signalStrength: strength }) }
}

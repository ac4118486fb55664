import type { Fix } from '../../positions/fix.ts'
import type { KnownDevice } from '../identity.ts'

export interface Row {
  device: KnownDevice
  fix: Fix
}

/** What one batch contains of one device: its newest message with a place, its newest values, and the time range it covers. */
export interface Summary {
  device: KnownDevice
  newest: Fix | null
  state: Fix['attributes']
  stateTime: number
  since: number
  until: number
}

/** One summary per device, sorted by device so that two batches never deadlock. */
export function summarise(rows: readonly Row[]): Summary[] {
  const byDevice = [...Map.groupBy(rows, (row) => row.device.deviceId).values()]
  const summaries = byDevice.map((own) => {
    const fixes = own.map((row) => row.fix).toSorted((a, b) => a.fixTime - b.fixTime)
    const [first, last] = [fixes[0], fixes.at(-1)] as [Fix, Fix]
    return {
      device: (own[0] as Row).device,
      newest: fixes.findLast((fix) => fix.latitude !== null) ?? null,
      state: lasting(Object.assign({}, ...fixes.map((fix) => fix.attributes)) as Fix['attributes']),
      stateTime: last.fixTime,
      since: first.fixTime,
      until: last.fixTime,
    }
  })
  return summaries.toSorted((a, b) => order(a.device, b.device))
}

/** Events of a moment, which are not a state of the device afterwards. */
const momentary = new Set(['alarm', 'event', 'result', 'archive', 'approximate'])
const lasting = (attributes: Fix['attributes']) => Object.fromEntries(Object.entries(attributes).filter(([key]) => !momentary.has(key)))

const order = (a: KnownDevice, b: KnownDevice) => (`${a.companyId}${a.deviceId}` < `${b.companyId}${b.deviceId}` ? -1 : 1)

import { mainDevice } from '@outpost/rules/fleet/main-device'
import { z } from 'zod'
import { recordSchema } from '../../../kernel/resource/answers.ts'
import type { WireRecord } from '../../../kernel/resource/records.ts'
import { asset } from './asset.resource.ts'

const text = z.string().nullable()
const position = z.looseObject({
  fixTime: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  speed: z.number().nullable(),
  course: z.number().nullable(),
  attributes: z.record(z.string(), z.unknown()),
})
/** A device that is on an asset now, as the geo service gives it. */
export const mounted = z.object({
  assetId: z.string(),
  deviceId: z.string(),
  since: z.string(),
  uniqueId: z.string(),
  name: z.string(),
  type: z.string(),
  make: text,
  model: text,
  protocol: text,
  status: z.string(),
  state: z.string(),
  lastUpdate: text,
  position: position.nullable(),
})
export type Mounted = z.infer<typeof mounted>

const attribute = z.strictObject({ type: z.string(), value: z.unknown() })
/** A device of an asset in the words of the specification. */
export const assetDevice = z.strictObject({
  deviceId: z.string(),
  uniqueId: z.string(),
  name: z.string(),
  devicetypename: z.string(),
  make: text,
  model: text,
  protocol: text,
  status: z.string(),
  state: z.string(),
  since: z.string(),
  lastUpdate: text,
  attributes: z.array(attribute),
  telemetry: z.record(z.string(), z.unknown()),
  position: position.nullable(),
})
type AssetDevice = z.infer<typeof assetDevice>

export function deviceOf({ type, assetId: _, position: place, ...device }: Mounted): AssetDevice {
  const telemetry = place?.attributes ?? {}
  return {
    ...device,
    devicetypename: type === 'Beacon' ? 'Bluetooth Transponder' : type,
    attributes: Object.entries(telemetry).map(([key, value]) => ({ type: key, value })),
    telemetry,
    position: place,
  }
}

const vehicleKeys = ['registrationNumber', 'make', 'model', 'colour', 'year', 'vehicleIdentificationNumber', 'engineNumber'] as const

const group = z.strictObject({ Id: z.string(), label: text })

const tracked = {
  groupIds: z.array(group),
  name: z.string(),
  vehicle: z.record(z.string(), z.unknown()),
  asset_devices: z.array(assetDevice),
  state: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  coords: z.strictObject({ latitude: z.number(), longitude: z.number() }).nullable(),
  lastUpdate: text,
  deviceTime: text,
  telemetry: z.record(z.string(), z.unknown()),
}
export const listedAsset = () => recordSchema(asset, 'list').extend(tracked)
export const detailedAsset = () => recordSchema(asset, 'detail').extend(tracked)

/** The record with the vehicle and the devices beside it, and where it is: the place of the device that sent last. */
export function assetOf(record: WireRecord, devices: readonly Mounted[]): Record<string, unknown> {
  const main = mainDevice(devices, ({ position: place }) => place !== null)
  const place = main?.position ?? null
  const coords = place && { latitude: place.latitude, longitude: place.longitude }
  return {
    ...record,
    name: [record.registrationNumber, record.make].filter(Boolean).join(' '),
    vehicle: Object.fromEntries(vehicleKeys.map((key) => [key, record[key] ?? null])),
    asset_devices: devices.map(deviceOf),
    state: main?.state ?? devices[0]?.state ?? 'unlinked',
    latitude: coords?.latitude ?? null,
    longitude: coords?.longitude ?? null,
    coords,
    lastUpdate: main?.lastUpdate ?? null,
    deviceTime: place?.fixTime ?? null,
    telemetry: place?.attributes ?? {},
  }
}

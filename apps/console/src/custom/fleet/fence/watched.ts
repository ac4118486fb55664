import { call } from '../../../data/calls.ts'
import type { DeviceOption } from '../commands/options.ts'

/** The devices that are watched at a fence, by name. */
export async function watchedDevices(fenceId: string, signal: AbortSignal): Promise<DeviceOption[]> {
  const query = { geofenceId: fenceId, size: '10000', sortField: 'device', sortOrder: 'ASC' } as const
  const { data } = await call('geo.permissions.list', { query }, { signal })
  return data.permissions.map(({ deviceId, device }) => ({ value: deviceId, label: device, protocol: null }))
}

/** From now on these and no others are watched at the fence. */
export const watchDevices = (fenceId: string, devices: readonly DeviceOption[]) =>
  call('geo.geofences.setDevices', { params: { id: fenceId }, body: { deviceIds: devices.map(({ value }) => value) } })

/** True when both hold the same devices, in whatever order. */
export const isSameDevices = (some: readonly DeviceOption[], others: readonly DeviceOption[]): boolean =>
  new Set(some.map(({ value }) => value)).symmetricDifference(new Set(others.map(({ value }) => value))).size === 0

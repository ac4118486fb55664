import type { Fix } from '../../positions/fix.ts'
import { buildFrame } from './frame.ts'

/** The first frame of a device (type 0x01): its 15-digit identity, and its time zone when it is not UTC. */
export function gt06Login(device: { uniqueId: string; serial: number; utcOffsetMinutes?: number }): Uint8Array {
  const offset = device.utcOffsetMinutes ?? 0
  const size = Math.abs(offset)
  const zone = ((Math.floor(size / 60) * 100 + (size % 60)) << 4) | (offset < 0 ? 8 : 0)
  const content = Buffer.alloc(12)
  content.write(device.uniqueId.padStart(16, '0'), 0, 8, 'hex')
  content.writeUInt16BE(zone, 10)
  return buildFrame({ type: 0x01, serial: device.serial, content })
}

/**
 * A fix as a location without a cell (type 0x22, or 0x12 when the ignition is not known): whole seconds, 1/1,800,000
 * degree, whole km/h up to 255, whole degrees; of the attributes `sat`, `ignition` and `odometer` in metres.
 */
export function gt06Location(fix: Fix, device: { serial: number; utcOffsetMinutes?: number }): Uint8Array {
  const isIgnitionKnown = typeof fix.attributes.ignition === 'boolean'
  const content = Buffer.alloc(isIgnitionKnown ? 33 : 30)
  const date = new Date(fix.fixTime + (device.utcOffsetMinutes ?? 0) * 60_000)
  content.set([
    date.getUTCFullYear() - 2000,
    date.getUTCMonth() + 1,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ])
  content.writeUInt8(0xc0 | Number(fix.attributes.sat ?? 0), 6)
  content.writeUInt32BE(Math.round(Math.abs(fix.latitude ?? 0) * 1_800_000), 7)
  content.writeUInt32BE(Math.round(Math.abs(fix.longitude ?? 0) * 1_800_000), 11)
  content.writeUInt8(Math.min(255, Math.round(fix.speed ?? 0)), 15)
  content.writeUInt16BE(flagsOf(fix), 16)
  if (isIgnitionKnown) content.writeUInt8(fix.attributes.ignition ? 1 : 0, 26)
  content.writeUInt32BE(Number(fix.attributes.odometer ?? 0), content.length - 4)
  return buildFrame({ type: isIgnitionKnown ? 0x22 : 0x12, serial: device.serial, content })
}

/** A heartbeat (type 0x13): ignition, battery in levels of six, signal. */
export function gt06Heartbeat(state: { serial: number; isIgnitionOn: boolean; batteryLevel: number; rssi: number }): Uint8Array {
  return buildFrame({
    type: 0x13,
    serial: state.serial,
    content: Uint8Array.of(0x40 | (state.isIgnitionOn ? 2 : 0), state.batteryLevel, state.rssi, 0, 2),
  })
}

function flagsOf(fix: Fix): number {
  const north = (fix.latitude ?? 0) >= 0 ? 0x400 : 0
  const west = (fix.longitude ?? 0) < 0 ? 0x800 : 0
  return (Math.round(fix.course ?? 0) % 360) | north | west | (fix.isValid ? 0x1000 : 0)
}

import type { Attributes, Fix } from '../../positions/fix.ts'
import type { KnownDevice } from '../identity.ts'
import { lostReason, validateFixes } from '../validate-fix.ts'
import { writeForOwner } from '../write/owner.ts'
import { releaseDevice, updateDevice } from './session-device.ts'
import type { Of, SessionState } from './session-state.ts'

/** An unchanged heartbeat is stored this often, as proof that nothing happened. */
const beatMs = 600_000
const lateMs = 900_000

/** Stores fixes. False when they were not stored because the device no longer exists. */
export async function storeFixes(state: SessionState, device: KnownDevice, list: readonly Fix[], bytes: Uint8Array): Promise<boolean> {
  const {
    ingestServices: { deviceStats, now },
    options: { remote, codec },
  } = state
  const { fixes, refused } = validateFixes(list, now())
  const buffered = fixes.filter((fix) => now() - fix.fixTime > lateMs).length
  const newest = Math.max(...fixes.map((fix) => fix.deviceTime))
  deviceStats.note(device, {
    fixes: fixes.length,
    refused: refused.length,
    buffered,
    ...(fixes.length > 0 && buffered === 0 ? { clockSkewMs: newest - now() } : {}),
  })
  const lost = refused.find((one) => one.lost)
  if (lost) deviceStats.quarantine(device, { protocol: codec.name, reason: lostReason(lost), detail: lost.message, remote, bytes })
  const { written, owner } = await writeForOwner(state.ingestServices, device, fixes)
  if (!owner) releaseDevice(state, device)
  else if (owner !== device && state.device?.deviceId === device.deviceId) updateDevice(state, owner)
  // A refused frame would be repeated for ever and block everything after it, so it goes to quarantine and is acknowledged.
  if (written === 'refused')
    deviceStats.quarantine(owner ?? device, {
      protocol: codec.name,
      reason: 'shape',
      detail: 'The database refused the positions of this frame',
      remote,
      bytes,
    })
  return written !== 'outdated'
}

/** Heartbeat values are stored when they change, and from time to time as proof that the device is alive. */
export async function storeHeartbeat(
  state: SessionState,
  device: KnownDevice,
  { at, attributes }: Of<'heartbeat'>,
  bytes: Uint8Array,
): Promise<boolean> {
  const now = state.ingestServices.now()
  const text = JSON.stringify(attributes)
  const isNews = text !== state.lastBeat.text || now - state.lastBeat.at >= beatMs
  if (!isNews || Object.keys(attributes).length === 0) return true
  state.lastBeat = { text, at: now }
  return storeFixes(state, device, [fixWithoutPlace(at ?? Math.trunc(now / 1_000) * 1_000, attributes)], bytes)
}

/** An answer is stored whether or not a command is pending: most commands are sent by SMS or by the installer. */
export async function storeAnswer(
  state: SessionState,
  device: KnownDevice,
  { text, correlation }: Of<'answer'>,
  bytes: Uint8Array,
): Promise<boolean> {
  const { commands, now } = state.ingestServices
  state.lastAnswerAt = Math.max(now(), state.lastAnswerAt + 1)
  const [isKept] = await Promise.all([
    storeFixes(state, device, [fixWithoutPlace(state.lastAnswerAt, { result: text })], bytes),
    commands.answered(device, text, correlation),
  ])
  return isKept
}

const fixWithoutPlace = (time: number, attributes: Attributes): Fix => ({
  fixTime: time,
  deviceTime: time,
  latitude: null,
  longitude: null,
  isValid: false,
  altitude: null,
  speed: null,
  course: null,
  accuracy: null,
  attributes,
})

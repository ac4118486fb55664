import { stateOf, type KnownDevice } from '../identity.ts'
import type { OpenConnection } from './connections.ts'
import { finish, reply, sendBytes, type Of, type SessionState } from './session-state.ts'

/** The device may have been deleted, disabled or registered by another company while the connection is open. */
export async function refreshDevice(state: SessionState): Promise<void> {
  const {
    device,
    ingestServices: { identities },
  } = state
  if (!device) return
  // While the database is away the session keeps its device: every insert checks the device again anyway.
  const now = await identities.find(device.uniqueId).catch(() => device)
  if (!now) releaseDevice(state, device)
  else if (stateOf(now) !== stateOf(device)) updateDevice(state, now)
}

/** The device of a frame: the identity it carries, else the one that logged in. The first identity named becomes the session's. */
export async function senderOf(state: SessionState, uniqueId: string | undefined): Promise<KnownDevice | null> {
  if (uniqueId === undefined || uniqueId === state.device?.uniqueId) return state.device
  const device = await state.ingestServices.identities.find(uniqueId)
  if (device) attachDevice(state, device)
  return device
}

/** A login names the device; an unknown one is noted and refused. */
export async function handleLogin(state: SessionState, { uniqueId, ack, refusal, attributes }: Of<'login'>): Promise<void> {
  const {
    ingestServices: { identities, deviceStats },
    options,
  } = state
  const device = await identities.find(uniqueId)
  if (!device) {
    deviceStats.noteUnknown(uniqueId, { protocol: options.codec.name, remote: options.remote })
    if (options.isMirror) return void Object.assign(state, { device: null })
    reply(state, refusal, Promise.resolve())
    return finish(state)
  }
  if (state.device?.deviceId !== device.deviceId) attachDevice(state, device)
  const offset = attributes?.utcOffsetMinutes
  state.utcOffset = typeof offset === 'number' ? offset : null
  deviceStats.note(device, { logins: 1, frames: 1, remote: options.remote })
  deviceStats.setOnline(device, true, options.codec.name)
  reply(state, ack, Promise.resolve())
}

/** Updates the session's device; attaches another one when its identity has a new owner. */
export function updateDevice(state: SessionState, device: KnownDevice): void {
  if (state.device?.deviceId !== device.deviceId) return attachDevice(state, device)
  state.device = device
  if (state.connection) state.connection.device = device
}

/** Removes the device from the session, because it no longer exists. */
export function releaseDevice(state: SessionState, device: KnownDevice): void {
  if (state.device?.deviceId !== device.deviceId) return
  detachDevice(state)
  state.device = null
  handleUnknownDevice(state, device.uniqueId)
}

/** Notes a sender that no company has registered, and ends its connection. */
export function handleUnknownDevice(state: SessionState, uniqueId: string | undefined): void {
  const {
    ingestServices: { deviceStats },
    options,
  } = state
  if (uniqueId !== undefined) deviceStats.noteUnknown(uniqueId, { protocol: options.codec.name, remote: options.remote })
  // Data before a login: the device has lost its state and must reconnect. A mirror joins in the middle and waits for a login.
  if (!options.isMirror) finish(state)
}

/** Attaches the session to this device. */
function attachDevice(state: SessionState, device: KnownDevice): void {
  const {
    ingestServices: { connections, deviceStats, now, log },
    options,
  } = state
  detachDevice(state)
  state.device = device
  if (options.isMirror) return
  const connection: OpenConnection = {
    device,
    codec: options.codec,
    remote: options.remote,
    lastAt: now(),
    send: (bytes) => sendBytes(state, bytes),
    replace: () => {
      Object.assign(state, { isOpen: false, isOver: true })
      options.end()
    },
  }
  state.connection = connection
  if (!connections.open(connection)) return
  deviceStats.note(device, { conflicts: 1 })
  log.warn({ device: device.deviceId, remote: options.remote }, 'two connections share one identity')
}

export function detachDevice(state: SessionState): void {
  const {
    connection,
    device,
    options: { codec },
    ingestServices: { connections, deviceStats },
  } = state
  if (connection) {
    connections.close(connection)
    if (device && !connections.of(device.deviceId)) deviceStats.setOnline(device, false, codec.name)
  }
  state.connection = null
}

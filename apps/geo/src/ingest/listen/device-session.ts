import type { Log } from '@outpost/platform/log'
import { validateFixes, lostReason } from '../validate-fix.ts'
import type { Codec, Frame, Known, Message } from '../codec.ts'
import type { Attributes, Fix } from '../../positions/fix.ts'
import type { Commands } from './commands.ts'
import { stateOf, type Identities, type KnownDevice } from '../identity.ts'
import { writeForOwner } from '../write/owner.ts'
import type { OpenConnection, Connections } from './connections.ts'
import type { DeviceStats } from './device-stats.ts'
import type { Writer } from '../write/writer.ts'

/** Services that every session on every port uses. */
export interface IngestServices {
  identities: Identities
  writer: Writer
  deviceStats: DeviceStats
  connections: Connections
  commands: Commands
  log: Log
  now: () => number
}

export interface DeviceSessionOptions {
  codec: Codec
  /** The connection is a copy of what another server answers (Traccar's server.forward): nothing is sent and nobody is refused. */
  isMirror: boolean
  remote: string
  send(bytes: Uint8Array): void
  /** Ends the connection once the sent bytes have left. */
  end(): void
}

/** The session of one connected device: takes frames in order, and acknowledges in the same order what is committed. */
export interface DeviceSession {
  take(frames: readonly Frame[]): Promise<void>
  /** What the codec may know besides the bytes; null before identification. */
  known(): Known | null
  /** Frames that wait for their commit. */
  pending(): number
  /** Settles when nothing is pending. */
  settled(): Promise<void>
  close(): void
}

interface State {
  ingestServices: IngestServices
  options: DeviceSessionOptions
  device: KnownDevice | null
  line: OpenConnection | null
  utcOffset: number | null
  tail: Promise<unknown>
  pending: number
  badFrames: number
  /** Nothing more is sent. */
  isOpen: boolean
  /** Nothing more is read; frames read before are still acknowledged. */
  isOver: boolean
  lastBeat: { text: string; at: number }
  /** Time of the last answer. Two answers never share a millisecond, or one would replace the other. */
  lastAnswerAt: number
}
type Of<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>

/** Limit for a sender without identity; beyond it, it is no tracker. */
const maxBadFrames = 3
/** An unchanged heartbeat is stored this often, as proof that nothing happened. */
const beatMs = 600_000
const lateMs = 900_000

export function createDeviceSession(ingestServices: IngestServices, options: DeviceSessionOptions): DeviceSession {
  const state: State = {
    ingestServices,
    options,
    device: null,
    line: null,
    utcOffset: null,
    tail: Promise.resolve(),
    pending: 0,
    badFrames: 0,
    isOpen: true,
    isOver: false,
    lastBeat: { text: '', at: 0 },
    lastAnswerAt: 0,
  }
  return {
    async take(frames) {
      if (frames.length > 0) await refreshDevice(state)
      for (const frame of frames) if (!state.isOver) await handle(state, frame)
    },
    known: () => (state.device ? { model: state.device.model, utcOffsetMinutes: state.device.utcOffsetMinutes ?? state.utcOffset } : null),
    pending: () => state.pending,
    settled: async () => void (await state.tail),
    close() {
      Object.assign(state, { isOpen: false, isOver: true })
      detachDevice(state)
    },
  }
}

async function handle(state: State, { bytes, message }: Frame): Promise<void> {
  if (message.kind === 'bad') return handleBadFrame(state, bytes, message)
  if (message.kind === 'login') return handleLogin(state, message)
  const device = await senderOf(state, message.uniqueId)
  if (!device) return handleUnknownDevice(state, message.uniqueId)
  const {
    ingestServices: { deviceStats, now },
    options: { remote, codec },
  } = state
  if (state.line) state.line.lastAt = now()
  deviceStats.note(device, { frames: 1, remote })
  deviceStats.setOnline(device, true, codec.name)
  switch (message.kind) {
    case 'fixes':
      return reply(state, message.ack, storeFixes(state, device, message.fixes, bytes))
    case 'heartbeat':
      return reply(state, message.ack, storeHeartbeat(state, device, message, bytes))
    case 'answer':
      return reply(state, message.ack, storeAnswer(state, device, message, bytes))
    case 'ignored': {
      if (message.reason)
        deviceStats.quarantine(device, { protocol: codec.name, reason: message.reason, detail: message.what, remote, bytes })
      return reply(state, message.ack, Promise.resolve())
    }
  }
}

/** Sends the acknowledgement once the work is done (false: it could not be done), and never before that of the previous frame. */
function reply(state: State, ack: Uint8Array | null, done: Promise<boolean | void>): void {
  state.pending += 1
  state.tail = state.tail
    .then(() => done)
    .then((isDone) => {
      if (isDone !== false) sendBytes(state, ack)
    })
    .finally(() => {
      state.pending -= 1
    })
}

/** The device may have been deleted, disabled or registered by another company while the connection is open. */
async function refreshDevice(state: State): Promise<void> {
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

/** Updates the session's device; attaches another one when its identity has a new owner. */
function updateDevice(state: State, device: KnownDevice): void {
  if (state.device?.deviceId !== device.deviceId) return attachDevice(state, device)
  state.device = device
  if (state.line) state.line.device = device
}

/** Removes the device from the session, because it no longer exists. */
function releaseDevice(state: State, device: KnownDevice): void {
  if (state.device?.deviceId !== device.deviceId) return
  detachDevice(state)
  state.device = null
  handleUnknownDevice(state, device.uniqueId)
}

/** Ends the connection once everything read before is acknowledged. */
function finish(state: State): void {
  state.isOver = true
  void state.tail.then(state.options.end)
}

function sendBytes({ options, isOpen }: State, bytes: Uint8Array | null): void {
  if (bytes && isOpen && !options.isMirror) options.send(bytes)
}

async function handleLogin(state: State, { uniqueId, ack, refusal, attributes }: Of<'login'>): Promise<void> {
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

/** Attaches the session to this device. */
function attachDevice(state: State, device: KnownDevice): void {
  const {
    ingestServices: { connections, deviceStats, now, log },
    options,
  } = state
  detachDevice(state)
  state.device = device
  if (options.isMirror) return
  const line: OpenConnection = {
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
  state.line = line
  if (!connections.open(line)) return
  deviceStats.note(device, { conflicts: 1 })
  log.warn({ device: device.deviceId, remote: options.remote }, 'two lines share one identity')
}

function detachDevice(state: State): void {
  const {
    line,
    device,
    options: { codec },
    ingestServices: { connections, deviceStats },
  } = state
  if (line) {
    connections.close(line)
    if (device && !connections.of(device.deviceId)) deviceStats.setOnline(device, false, codec.name)
  }
  state.line = null
}

/** The device of a frame: the identity it carries, else the one that logged in. The first identity named becomes the session's. */
async function senderOf(state: State, uniqueId: string | undefined): Promise<KnownDevice | null> {
  if (uniqueId === undefined || uniqueId === state.device?.uniqueId) return state.device
  const device = await state.ingestServices.identities.find(uniqueId)
  if (device) attachDevice(state, device)
  return device
}

function handleUnknownDevice(state: State, uniqueId: string | undefined): void {
  const {
    ingestServices: { deviceStats },
    options,
  } = state
  if (uniqueId !== undefined) deviceStats.noteUnknown(uniqueId, { protocol: options.codec.name, remote: options.remote })
  // Data before a login: the device has lost its state and must reconnect. A mirror joins in the middle and waits for a login.
  if (!options.isMirror) finish(state)
}

function handleBadFrame(state: State, bytes: Uint8Array, { reason, detail }: Of<'bad'>): void {
  const {
    device,
    options,
    ingestServices: { deviceStats },
  } = state
  state.badFrames += 1
  if (device) deviceStats.quarantine(device, { protocol: options.codec.name, reason, detail, remote: options.remote, bytes })
  else if (state.badFrames >= maxBadFrames && !options.isMirror) finish(state)
}

/** Stores fixes. False when they were not stored because the device no longer exists. */
async function storeFixes(state: State, device: KnownDevice, list: readonly Fix[], bytes: Uint8Array): Promise<boolean> {
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
async function storeHeartbeat(state: State, device: KnownDevice, { at, attributes }: Of<'heartbeat'>, bytes: Uint8Array): Promise<boolean> {
  const now = state.ingestServices.now()
  const text = JSON.stringify(attributes)
  const isNews = text !== state.lastBeat.text || now - state.lastBeat.at >= beatMs
  if (!isNews || Object.keys(attributes).length === 0) return true
  state.lastBeat = { text, at: now }
  return storeFixes(state, device, [fixWithoutPlace(at ?? Math.trunc(now / 1_000) * 1_000, attributes)], bytes)
}

/** An answer is stored whether or not a command is pending: most commands are sent by SMS or by the installer. */
async function storeAnswer(state: State, device: KnownDevice, { text, correlation }: Of<'answer'>, bytes: Uint8Array): Promise<boolean> {
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

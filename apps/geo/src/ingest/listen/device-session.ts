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

/** What every line of every port works with. */
export interface IngestServices { identities: Identities, writer: Writer, deviceStats: DeviceStats, connections: Connections, commands: Commands, log: Log, now: () => number }

export interface DeviceSessionOptions {
  codec: Codec
  /** The line is a copy of what another server answers (Traccar's server.forward): nothing is said, nobody is refused. */
  isMirror: boolean
  remote: string
  send(bytes: Uint8Array): void
  /** Ends the line once what was sent has left. */
  end(): void
}

/** One device's side of a line: takes frames in order, and acknowledges in the same order what is committed. */
export interface DeviceSession {
  take(frames: readonly Frame[]): Promise<void>
  /** What the codec may know beside the bytes; null while nobody has said who it is. */
  known(): Known | null
  /** Frames that wait for their commit. */
  pending(): number
  /** Settles when nothing is pending. */
  settled(): Promise<void>
  close(): void
}

interface State {
  ingestServices: IngestServices, options: DeviceSessionOptions, device: KnownDevice | null, line: OpenConnection | null, utcOffset: number | null
  tail: Promise<unknown>, pending: number, badFrames: number
  /** Nothing more is said. */
  isOpen: boolean
  /** Nothing more is heard, while what was heard before is still answered. */
  isOver: boolean
  lastBeat: { text: string, at: number }
  /** When the last answer was heard; two never share a moment, for one would take the other's place. */
  lastAnswerAt: number
}
type Of<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>

/** Of somebody who has not said who it is; then it is no tracker. */
const mostBadFrames = 3
/** An unchanged heartbeat is written down so often, as proof that nothing happened. */
const beatMs = 600_000
const lateMs = 900_000

export function createDeviceSession(ingestServices: IngestServices, options: DeviceSessionOptions): DeviceSession {
  const state: State = {
    ingestServices, options, device: null, line: null, utcOffset: null,
    tail: Promise.resolve(), pending: 0, badFrames: 0, isOpen: true, isOver: false, lastBeat: { text: '', at: 0 }, lastAnswerAt: 0,
  }
  return {
    async take(frames) {
      if (frames.length > 0) await lookAgain(state)
      for (const frame of frames) if (!state.isOver) await handle(state, frame)
    },
    known: () => (state.device ? { model: state.device.model, utcOffsetMinutes: state.device.utcOffsetMinutes ?? state.utcOffset } : null),
    pending: () => state.pending,
    settled: async () => void await state.tail,
    close() {
      Object.assign(state, { isOpen: false, isOver: true })
      leave(state)
    },
  }
}

async function handle(state: State, { bytes, message }: Frame): Promise<void> {
  if (message.kind === 'bad') return hearBad(state, bytes, message)
  if (message.kind === 'login') return hearLogin(state, message)
  const device = await speaker(state, message.uniqueId)
  if (!device) return hearStranger(state, message.uniqueId)
  const { ingestServices: { deviceStats, now }, options: { remote, codec } } = state
  if (state.line) state.line.lastAt = now()
  deviceStats.note(device, { frames: 1, remote })
  deviceStats.setOnline(device, true, codec.name)
  switch (message.kind) {
    case 'fixes': return reply(state, message.ack, keep(state, device, message.fixes, bytes))
    case 'heartbeat': return reply(state, message.ack, beat(state, device, message, bytes))
    case 'answer': return reply(state, message.ack, answered(state, device, message, bytes))
    case 'ignored': {
      if (message.reason) deviceStats.quarantine(device, { protocol: codec.name, reason: message.reason, detail: message.what, remote, bytes })
      return reply(state, message.ack, Promise.resolve())
    }
  }
}

/** Sends the answer when what it stands for is done (false: it could not be), and never before the answer to the frame ahead of it. */
function reply(state: State, ack: Uint8Array | null, done: Promise<boolean | void>): void {
  state.pending += 1
  state.tail = state.tail.then(() => done).then((isDone) => { if (isDone !== false) say(state, ack) }).finally(() => { state.pending -= 1 })
}

/** A line may outlive what its device was: deleted, switched off, registered by somebody else. */
async function lookAgain(state: State): Promise<void> {
  const { device, ingestServices: { identities } } = state
  if (!device) return
  // While the database is away the device stays what it was: nothing is written for it without asking again.
  const now = await identities.find(device.uniqueId).catch(() => device)
  if (!now) lose(state, device)
  else if (stateOf(now) !== stateOf(device)) change(state, now)
}

/** The line's device as it is now; another one when its identity has another owner. */
function change(state: State, device: KnownDevice): void {
  if (state.device?.deviceId !== device.deviceId) return become(state, device)
  state.device = device
  if (state.line) state.line.device = device
}

/** Nobody's line any more. */
function lose(state: State, device: KnownDevice): void {
  if (state.device?.deviceId !== device.deviceId) return
  leave(state)
  state.device = null
  hearStranger(state, device.uniqueId)
}

/** Ends the line once what was heard before is answered. */
function finish(state: State): void {
  state.isOver = true
  void state.tail.then(state.options.end)
}

function say({ options, isOpen }: State, bytes: Uint8Array | null): void {
  if (bytes && isOpen && !options.isMirror) options.send(bytes)
}

async function hearLogin(state: State, { uniqueId, ack, refusal, attributes }: Of<'login'>): Promise<void> {
  const { ingestServices: { identities, deviceStats }, options } = state
  const device = await identities.find(uniqueId)
  if (!device) {
    deviceStats.noteUnknown(uniqueId, { protocol: options.codec.name, remote: options.remote })
    if (options.isMirror) return void Object.assign(state, { device: null })
    reply(state, refusal, Promise.resolve())
    return finish(state)
  }
  if (state.device?.deviceId !== device.deviceId) become(state, device)
  const offset = attributes?.utcOffsetMinutes
  state.utcOffset = typeof offset === 'number' ? offset : null
  deviceStats.note(device, { logins: 1, frames: 1, remote: options.remote })
  deviceStats.setOnline(device, true, options.codec.name)
  reply(state, ack, Promise.resolve())
}

/** From here on the line is this device's. */
function become(state: State, device: KnownDevice): void {
  const { ingestServices: { connections, deviceStats, now, log }, options } = state
  leave(state)
  state.device = device
  if (options.isMirror) return
  const line: OpenConnection = {
    device, codec: options.codec, remote: options.remote, lastAt: now(), send: (bytes) => say(state, bytes),
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

function leave(state: State): void {
  const { line, device, options: { codec }, ingestServices: { connections, deviceStats } } = state
  if (line) {
    connections.close(line)
    if (device && !connections.of(device.deviceId)) deviceStats.setOnline(device, false, codec.name)
  }
  state.line = null
}

/** Who a frame is of: the identity it carries, else the one that logged in. The first one named makes the line its own. */
async function speaker(state: State, uniqueId: string | undefined): Promise<KnownDevice | null> {
  if (uniqueId === undefined || uniqueId === state.device?.uniqueId) return state.device
  const device = await state.ingestServices.identities.find(uniqueId)
  if (device) become(state, device)
  return device
}

function hearStranger(state: State, uniqueId: string | undefined): void {
  const { ingestServices: { deviceStats }, options } = state
  if (uniqueId !== undefined) deviceStats.noteUnknown(uniqueId, { protocol: options.codec.name, remote: options.remote })
  // Data before a login: a device that has lost its place starts again. A mirror joins in the middle and waits for one.
  if (!options.isMirror) finish(state)
}

function hearBad(state: State, bytes: Uint8Array, { reason, detail }: Of<'bad'>): void {
  const { device, options, ingestServices: { deviceStats } } = state
  state.badFrames += 1
  if (device) deviceStats.quarantine(device, { protocol: options.codec.name, reason, detail, remote: options.remote, bytes })
  else if (state.badFrames >= mostBadFrames && !options.isMirror) finish(state)
}

/** False when it is kept by nobody, because the device is not there any more. */
async function keep(state: State, device: KnownDevice, list: readonly Fix[], bytes: Uint8Array): Promise<boolean> {
  const { ingestServices: { deviceStats, now }, options: { remote, codec } } = state
  const { fixes, refused } = validateFixes(list, now())
  const buffered = fixes.filter((fix) => now() - fix.fixTime > lateMs).length
  const newest = Math.max(...fixes.map((fix) => fix.deviceTime))
  deviceStats.note(device, { fixes: fixes.length, refused: refused.length, buffered, ...(fixes.length > 0 && buffered === 0 ? { clockSkewMs: newest - now() } : {}) })
  const lost = refused.find((one) => one.lost)
  if (lost) deviceStats.quarantine(device, { protocol: codec.name, reason: lostReason(lost), detail: lost.message, remote, bytes })
  const { written, owner } = await writeForOwner(state.ingestServices, device, fixes)
  if (!owner) lose(state, device)
  else if (owner !== device && state.device?.deviceId === device.deviceId) change(state, owner)
  // Sent again for ever, it would hold up whatever comes after it: kept as it came, and acknowledged.
  if (written === 'refused') deviceStats.quarantine(owner ?? device, { protocol: codec.name, reason: 'shape', detail: 'The database refused the positions of this frame', remote, bytes })
  return written !== 'outdated'
}

/** Values without a place are news when they change; else they prove now and then that the device lives. */
async function beat(state: State, device: KnownDevice, { at, attributes }: Of<'heartbeat'>, bytes: Uint8Array): Promise<boolean> {
  const now = state.ingestServices.now()
  const text = JSON.stringify(attributes)
  const isNews = text !== state.lastBeat.text || now - state.lastBeat.at >= beatMs
  if (!isNews || Object.keys(attributes).length === 0) return true
  state.lastBeat = { text, at: now }
  return keep(state, device, [placeless(at ?? Math.trunc(now / 1_000) * 1_000, attributes)], bytes)
}

/** What the device says is kept whether or not a command waits for it: most were sent by SMS, or by who set it up. */
async function answered(state: State, device: KnownDevice, { text, correlation }: Of<'answer'>, bytes: Uint8Array): Promise<boolean> {
  const { commands, now } = state.ingestServices
  state.lastAnswerAt = Math.max(now(), state.lastAnswerAt + 1)
  const [isKept] = await Promise.all([
    keep(state, device, [placeless(state.lastAnswerAt, { result: text })], bytes), commands.answered(device, text, correlation),
  ])
  return isKept
}

const placeless = (time: number, attributes: Attributes): Fix => ({
  fixTime: time, deviceTime: time, latitude: null, longitude: null, isValid: false, altitude: null, speed: null, course: null, accuracy: null, attributes,
})

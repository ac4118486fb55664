import type { Frame, Known } from '../codec.ts'
import type { IngestServices } from './services.ts'
import { detachDevice, handleLogin, handleUnknownDevice, refreshDevice, senderOf } from './session-device.ts'
import { storeAnswer, storeFixes, storeHeartbeat } from './session-messages.ts'
import { finish, newState, reply, type DeviceSessionOptions, type Of, type SessionState } from './session-state.ts'

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

/** Limit for a sender without identity; beyond it, it is no tracker. */
const maxBadFrames = 3

export function createDeviceSession(ingestServices: IngestServices, options: DeviceSessionOptions): DeviceSession {
  const state = newState(ingestServices, options)
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

async function handle(state: SessionState, { bytes, message }: Frame): Promise<void> {
  if (message.kind === 'bad') return handleBadFrame(state, bytes, message)
  if (message.kind === 'login') return handleLogin(state, message)
  const device = await senderOf(state, message.uniqueId)
  if (!device) return handleUnknownDevice(state, message.uniqueId)
  const {
    ingestServices: { deviceStats, now },
    options: { remote, codec },
  } = state
  if (state.connection) state.connection.lastAt = now()
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

function handleBadFrame(state: SessionState, bytes: Uint8Array, { reason, detail }: Of<'bad'>): void {
  const {
    device,
    options,
    ingestServices: { deviceStats },
  } = state
  state.badFrames += 1
  if (device) deviceStats.quarantine(device, { protocol: options.codec.name, reason, detail, remote: options.remote, bytes })
  else if (state.badFrames >= maxBadFrames && !options.isMirror) finish(state)
}

import type { Codec, Message } from '../codec.ts'
import type { KnownDevice } from '../identity.ts'
import type { OpenConnection } from './connections.ts'
import type { IngestServices } from './services.ts'

export interface DeviceSessionOptions {
  codec: Codec
  /** The connection is a copy of what another server answers (Traccar's server.forward): nothing is sent and nobody is refused. */
  isMirror: boolean
  remote: string
  send(bytes: Uint8Array): void
  /** Ends the connection once the sent bytes have left. */
  end(): void
}

/** What a session knows and has under way; only the files of the session change it. */
export interface SessionState {
  ingestServices: IngestServices
  options: DeviceSessionOptions
  device: KnownDevice | null
  connection: OpenConnection | null
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
export type Of<Kind extends Message['kind']> = Extract<Message, { kind: Kind }>

export const newState = (ingestServices: IngestServices, options: DeviceSessionOptions): SessionState => ({
  ingestServices,
  options,
  device: null,
  connection: null,
  utcOffset: null,
  tail: Promise.resolve(),
  pending: 0,
  badFrames: 0,
  isOpen: true,
  isOver: false,
  lastBeat: { text: '', at: 0 },
  lastAnswerAt: 0,
})

/** Sends the acknowledgement once the work is done (false: it could not be done), and never before that of the previous frame. */
export function reply(state: SessionState, ack: Uint8Array | null, done: Promise<boolean | void>): void {
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

/** Ends the connection once everything read before is acknowledged. */
export function finish(state: SessionState): void {
  state.isOver = true
  void state.tail.then(state.options.end)
}

export function sendBytes({ options, isOpen }: SessionState, bytes: Uint8Array | null): void {
  if (bytes && isOpen && !options.isMirror) options.send(bytes)
}

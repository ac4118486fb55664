import type { DeviceCommand } from '../commands/command.ts'
import type { Attributes, Fix } from '../positions/fix.ts'

/** Why bytes could not be read; the operator sees the count of each reason per device. */
export type BadReason =
  | 'crc'
  | 'length'
  | 'count'
  | 'shape'
  | 'tooLong'
  | 'unknownType'
  /** Readable, but with an impossible time or place. */
  | 'clock'
  | 'place'

/**
 * The content of one frame. `ack` is sent only after the content is committed; a bad frame is never acknowledged. Frames after a login
 * carry its identity; a `uniqueId` in the frame itself takes precedence.
 */
export type Message =
  | { kind: 'login'; uniqueId: string; ack: Uint8Array | null; refusal: Uint8Array | null; attributes?: Attributes }
  | { kind: 'fixes'; uniqueId?: string; fixes: Fix[]; ack: Uint8Array | null }
  /** A heartbeat; its attributes (battery, signal, ignition) may have changed. */
  | { kind: 'heartbeat'; uniqueId?: string; at: number | null; attributes: Attributes; ack: Uint8Array | null }
  /** The answer to a command, as the device's text. */
  | { kind: 'answer'; uniqueId?: string; text: string; correlation?: string; ack: Uint8Array | null }
  /** A frame without use to us. With a reason it is stored in quarantine, because nothing that is acknowledged may be lost unseen. */
  | { kind: 'ignored'; uniqueId?: string; what: string; reason?: BadReason; ack: Uint8Array | null }
  | { kind: 'bad'; reason: BadReason; detail: string }

/** One received frame: its bytes (for quarantine and the device's last frames) and its content. */
export interface Frame {
  bytes: Uint8Array
  message: Message
}

/**
 * Result of reading all complete frames; the rest is passed again, in front of the next bytes. `scanned`: this many bytes of the rest
 * need not be searched again, because no frame starts within them.
 */
export interface StreamResult {
  frames: Frame[]
  rest: Uint8Array
  scanned?: number
}

/**
 * What is known about the sending device besides its bytes: its model, and its clock's offset from UTC (from its record, else from
 * `attributes.utcOffsetMinutes` of the login earlier in this stream).
 */
export interface Known {
  model?: string | null
  utcOffsetMinutes?: number | null
}

/**
 * A protocol as pure functions from bytes to messages, with no clock but `now` and no I/O. Nothing throws on a device's input:
 * unreadable bytes become a frame of kind 'bad', and garbage before the next start mark is skipped as one.
 */
export interface Codec {
  name: string
  /**
   * Frames of a stream (TCP). `scanned` is the previous result's, so that a stream that arrives byte by byte costs no more than one that
   * arrives at once.
   */
  read(bytes: Uint8Array, now: number, known?: Known, scanned?: number): StreamResult
  /** One datagram (UDP), for protocols that use them. */
  readDatagram?(bytes: Uint8Array, now: number, known?: Known): Frame[]
  /** The bytes of a command; null when the protocol has no such command. */
  encode(command: DeviceCommand): Uint8Array | null
}

/** No frame of any protocol is longer. */
export const maxFrameBytes = 65_536

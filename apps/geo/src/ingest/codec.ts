import type { DeviceCommand } from '../commands/command.ts'
import type { Attributes, Fix } from '../positions/fix.ts'

/** Why bytes were not understood; a device's count of each is shown to the operator. */
export type BadReason =
  | 'crc' | 'length' | 'count' | 'shape' | 'tooLong' | 'unknownType'
  /** Understood, and of a time or a place that cannot be. */
  | 'clock' | 'place'

/**
 * What one frame means. `ack` goes back only when what the frame carries is committed; a bad frame is never
 * acknowledged. Frames after a login carry its identity; a `uniqueId` in the frame itself wins.
 */
export type Message =
  | { kind: 'login', uniqueId: string, ack: Uint8Array | null, refusal: Uint8Array | null, attributes?: Attributes }
  | { kind: 'fixes', uniqueId?: string, fixes: Fix[], ack: Uint8Array | null }
  /** A sign of life; its attributes (battery, signal, ignition) may be news. */
  | { kind: 'heartbeat', uniqueId?: string, at: number | null, attributes: Attributes, ack: Uint8Array | null }
  /** The answer to a command, in the device's words. */
  | { kind: 'answer', uniqueId?: string, text: string, correlation?: string, ack: Uint8Array | null }
  /** Of no use to us. With a reason it is kept in quarantine, for nothing that is acknowledged may vanish unseen. */
  | { kind: 'ignored', uniqueId?: string, what: string, reason?: BadReason, ack: Uint8Array | null }
  | { kind: 'bad', reason: BadReason, detail: string }

/** One frame as it came: the bytes (for quarantine and the last frames of a device) and what they mean. */
export interface Frame { bytes: Uint8Array, message: Message }

/**
 * Reads as many whole frames as the bytes hold; the rest is given back with the next read in front of it. `looked`: so
 * many bytes of the rest need no second look, for nothing that ends within them begins a frame.
 */
export interface StreamResult { frames: Frame[], rest: Uint8Array, looked?: number }

/**
 * What is known of the device at the other end beside its bytes: its model, and how far its clock is from UTC (from its
 * record, else from `attributes.utcOffsetMinutes` of the login earlier in this stream).
 */
export interface Known { model?: string | null, utcOffsetMinutes?: number | null }

/**
 * A protocol as pure functions: bytes in, meaning out, no clock but `now` and no I/O. Nothing throws on what a device
 * sends: what cannot be read is a frame of kind 'bad', and garbage before the next start mark is skipped as one.
 */
export interface Codec {
  name: string
  /**
   * Frames of a stream (TCP). `looked` is what the read before gave: a stream that comes byte by byte costs no more
   * than one that comes at once.
   */
  read(bytes: Uint8Array, now: number, known?: Known, looked?: number): StreamResult
  /** One datagram (UDP), where the protocol has them. */
  readDatagram?(bytes: Uint8Array, now: number, known?: Known): Frame[]
  /** Bytes of a command, or null when the protocol has no such command. */
  encode(command: DeviceCommand): Uint8Array | null
}

/** No frame of any protocol is longer. */
export const longestFrame = 65_536

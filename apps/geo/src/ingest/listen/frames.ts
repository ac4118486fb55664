import { maxFrameBytes, type Codec, type Frame, type Known } from '../codec.ts'

/** Reads one stream through a codec: takes chunks as they arrive and returns the frames they complete, in order. */
export interface FrameReader {
  push(chunk: Uint8Array, now: number, known?: Known): Frame[]
  /** Bytes of a started, incomplete frame. */
  waiting(): number
}

/** Buffers the incomplete rest of a stream, at most `maxFrameBytes` bytes: beyond that the rest is a bad frame and discarded. */
export function frameReader(codec: Codec): FrameReader {
  let buffered = emptyBuffer
  let scanned = 0
  return {
    push(chunk, now, known) {
      buffered = buffered.length === 0 ? bufferedOf(chunk) : append(buffered, chunk)
      const result = codec.read(buffered.store.subarray(buffered.start, buffered.start + buffered.length), now, known, scanned)
      const { rest } = result
      scanned = Math.min(result.scanned ?? 0, rest.length)
      if (rest.length <= maxFrameBytes) {
        buffered =
          rest.length === 0 ? emptyBuffer : { ...buffered, start: buffered.start + buffered.length - rest.length, length: rest.length }
        return result.frames
      }
      buffered = emptyBuffer
      scanned = 0
      const detail = `${rest.length} bytes and no whole frame`
      return [...result.frames, { bytes: rest, message: { kind: 'bad', reason: 'tooLong', detail } }]
    },
    waiting: () => buffered.length,
  }
}

/** The bytes from `start` on, in a buffer with possible spare room after them. Bytes before them belong to frames already returned. */
interface Buffered {
  store: Uint8Array
  start: number
  length: number
  isOwn: boolean
}

const emptyBuffer: Buffered = { store: new Uint8Array(0), start: 0, length: 0, isOwn: false }
/** The network may reuse its chunk, so only the rest is ever copied. */
const bufferedOf = (chunk: Uint8Array): Buffered => ({ store: chunk, start: 0, length: chunk.length, isOwn: false })

/** Reallocates only when there is no room, to twice the size: each byte is copied a few times in total, however small the chunks. */
function append({ store, start, length, isOwn }: Buffered, chunk: Uint8Array): Buffered {
  const whole = length + chunk.length
  if (isOwn && start + whole <= store.length) {
    store.set(chunk, start + length)
    return { store, start, length: whole, isOwn }
  }
  const wider = new Uint8Array(Math.max(2 * whole, 256))
  wider.set(store.subarray(start, start + length))
  wider.set(chunk, length)
  return { store: wider, start: 0, length: whole, isOwn: true }
}

import { longestFrame, type Codec, type Frame, type Known } from '../codec.ts'

/** One stream's way through a codec: give each chunk as it comes, get the whole frames it completed, in order. */
export interface FrameReader {
  push(chunk: Uint8Array, now: number, known?: Known): Frame[]
  /** Bytes of a frame that has begun and is not whole. */
  waiting(): number
}

/** Keeps what a codec could not yet read of a stream; never more than `longestFrame` bytes: beyond that the rest is a bad frame and forgotten. */
export function frameReader(codec: Codec): FrameReader {
  let gathered = nothing
  let looked = 0
  return {
    push(chunk, now, known) {
      gathered = gathered.length === 0 ? gatheredOf(chunk) : append(gathered, chunk)
      const result = codec.read(gathered.store.subarray(gathered.start, gathered.start + gathered.length), now, known, looked)
      const { rest } = result
      looked = Math.min(result.looked ?? 0, rest.length)
      if (rest.length <= longestFrame) {
        gathered = rest.length === 0 ? nothing : { ...gathered, start: gathered.start + gathered.length - rest.length, length: rest.length }
        return result.frames
      }
      gathered = nothing
      looked = 0
      const detail = `${rest.length} bytes and no whole frame`
      return [...result.frames, { bytes: rest, message: { kind: 'bad', reason: 'tooLong', detail } }]
    },
    waiting: () => gathered.length,
  }
}

/** The bytes from `start` on, in a store that may have room behind them. What stands in front of them belongs to frames given away. */
interface Gathered { store: Uint8Array, start: number, length: number, isOwn: boolean }

const nothing: Gathered = { store: new Uint8Array(0), start: 0, length: 0, isOwn: false }
/** The sender's chunk may be used again by the network; only its rest is ever copied. */
const gatheredOf = (chunk: Uint8Array): Gathered => ({ store: chunk, start: 0, length: chunk.length, isOwn: false })

/** Moves only when there is no room, into twice as much: each byte is copied a few times in all, however small the chunks. */
function append({ store, start, length, isOwn }: Gathered, chunk: Uint8Array): Gathered {
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

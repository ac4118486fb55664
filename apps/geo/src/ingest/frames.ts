import { longestFrame, type Codec, type Frame, type Known } from './codec.ts'

/** One stream's way through a codec: give each chunk as it comes, get the whole frames it completed, in order. */
export interface FrameReader {
  push(chunk: Uint8Array, now: number, known?: Known): Frame[]
  /** Bytes of a frame that has begun and is not whole. */
  waiting(): number
}

/** Keeps what a codec could not yet read of a stream; never more than `longestFrame` bytes: beyond that the rest is a bad frame and forgotten. */
export function frameReader(codec: Codec): FrameReader {
  let rest: Uint8Array = new Uint8Array(0)
  return {
    push(chunk, now, known) {
      const result = codec.read(joined(rest, chunk), now, known)
      rest = result.rest
      if (rest.length <= longestFrame) return result.frames
      const bytes = rest
      rest = new Uint8Array(0)
      const detail = `${bytes.length} bytes and no whole frame`
      return [...result.frames, { bytes, message: { kind: 'bad', reason: 'tooLong', detail } }]
    },
    waiting: () => rest.length,
  }
}

function joined(before: Uint8Array, after: Uint8Array): Uint8Array {
  if (before.length === 0) return after
  const both = new Uint8Array(before.length + after.length)
  both.set(before)
  both.set(after, before.length)
  return both
}

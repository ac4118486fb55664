/**
 * Reads big-endian numbers one after another. Past the end it returns zeros and sets `isOver`, so that a reader of untrusted bytes
 * checks once at the end instead of before every field.
 */
export interface Cursor {
  unsigned(bytes: 1 | 2 | 4): number
  signed(bytes: 1 | 2 | 4): number
  /** Four bytes, with the digits that they contain. */
  float(): number
  slice(length: number): Uint8Array
  left(): number
  isOver(): boolean
}

export function cursorOver(bytes: Uint8Array): Cursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let isOver = false
  const step = (length: number): number | null => {
    if (isOver || at + length > bytes.length) {
      isOver = true
      return null
    }
    at += length
    return at - length
  }
  return {
    unsigned(length) {
      const from = step(length)
      if (from === null) return 0
      return length === 1 ? view.getUint8(from) : length === 2 ? view.getUint16(from) : view.getUint32(from)
    },
    signed(length) {
      const from = step(length)
      if (from === null) return 0
      return length === 1 ? view.getInt8(from) : length === 2 ? view.getInt16(from) : view.getInt32(from)
    },
    float() {
      const from = step(4)
      return from === null ? 0 : Number(view.getFloat32(from).toPrecision(9))
    },
    slice(length) {
      const from = step(length)
      return from === null ? new Uint8Array(0) : bytes.subarray(from, from + length)
    },
    left: () => (isOver ? 0 : bytes.length - at),
    isOver: () => isOver,
  }
}

/** Bytes as lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

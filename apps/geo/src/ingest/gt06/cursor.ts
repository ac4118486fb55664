/** Reads a message front to back, big-endian. Reading past its end throws a RangeError, which `asFarAsItGoes` catches. */
export interface Cursor {
  left(): number
  /** An unsigned number of 1, 2, 3, 4 or 8 bytes. */
  u(size: 1 | 2 | 3 | 4 | 8): number
  /** A signed number of 1, 2 or 4 bytes. */
  i(size: 1 | 2 | 4): number
  take(length: number): Uint8Array
  skip(length: number): void
  hex(length: number): string
  text(length: number): string
  peek(): number
  /** True when the next bytes are zeros. */
  isZero(length: number): boolean
}

export function cursorOver(bytes: Uint8Array): Cursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const step = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('the message ends here')
    at += length
    return at - length
  }
  const take = (length: number) => {
    const from = step(length)
    return bytes.subarray(from, from + length)
  }
  return {
    left: () => bytes.length - at,
    u(size) {
      const from = step(size)
      if (size === 8) return Number(view.getBigUint64(from))
      if (size === 3) return view.getUint8(from) * 0x10000 + view.getUint16(from + 1)
      return size === 1 ? view.getUint8(from) : size === 2 ? view.getUint16(from) : view.getUint32(from)
    },
    i(size) {
      const from = step(size)
      return size === 1 ? view.getInt8(from) : size === 2 ? view.getInt16(from) : view.getInt32(from)
    },
    take,
    skip: (length) => void step(length),
    hex: (length) => hexOf(take(length)),
    text: (length) => asciiOf(take(length)),
    peek: () => view.getUint8(at),
    isZero: (length) => bytes.subarray(at, at + length).every((byte) => byte === 0),
  }
}

/** Bytes as lower-case hex. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** Bytes as ASCII text, without the zero padding of some devices. */
export function asciiOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').replaceAll('\0', '')
}

/** Runs a reader until the message ends and keeps what was read by then: devices omit trailing fields that they do not have. */
export function asFarAsItGoes(read: () => void): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

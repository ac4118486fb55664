import { describe, expect, it } from 'vitest'
import { maxFrameBytes, type Codec } from '../codec.ts'
import { frameReader } from './frames.ts'

/** Lines, each of them a frame. */
const lines: Codec = {
  name: 'lines',
  read(bytes) {
    const end = bytes.lastIndexOf(10) + 1
    const whole = Buffer.from(bytes.subarray(0, end)).toString('latin1').split('\n').slice(0, -1)
    return {
      frames: whole.map((text) => ({ bytes: Buffer.from(text), message: { kind: 'answer', text, ack: null } })),
      rest: bytes.subarray(end),
    }
  },
  encode: () => null,
}
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

describe('a stream through a codec', () => {
  it('returns a frame once its last byte has arrived', () => {
    const reader = frameReader(lines)
    expect(reader.push(bytesOf('on'), 0)).toEqual([])
    expect(reader.waiting()).toBe(2)
    expect(reader.push(bytesOf('e\ntwo\nth'), 0).map(({ message }) => message)).toMatchObject([{ text: 'one' }, { text: 'two' }])
    expect(reader.push(bytesOf('ree\n'), 0).map(({ message }) => message)).toMatchObject([{ text: 'three' }])
    expect(reader.waiting()).toBe(0)
  })

  it('discards a frame that never ends', () => {
    const reader = frameReader(lines)
    expect(reader.push(new Uint8Array(maxFrameBytes).fill(65), 0)).toEqual([])
    expect(reader.push(bytesOf('A'), 0)).toMatchObject([{ message: { kind: 'bad', reason: 'tooLong' } }])
    expect(reader.waiting()).toBe(0)
    expect(reader.push(bytesOf('again\n'), 0)).toMatchObject([{ message: { text: 'again' } }])
  })
})

import { describe, expect, it } from 'vitest'
import { countSteps } from '../../../../tests/support/steps.ts'
import { frameReader } from './listen/frames.ts'
import { protocols } from './protocols.ts'

const now = Date.UTC(2026, 10, 22)
const sources = ['/apps/geo/src/ingest/']
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex')

interface Stream {
  what: string
  begin: string
  row: string
}

/** Hostile input that provokes repeated scanning: a start that announces much, then a sequence that never ends. */
const hostile: Readonly<Record<string, readonly Stream[]>> = {
  gt06: [
    { what: 'a long frame of short ones that end where they say', begin: '7979fff0', row: '7878ff0d0a' },
    { what: 'the same within the longest that is believed', begin: '79790ff0', row: '7878ff0d0a' },
    { what: 'start marks over one another', begin: '79790ff0', row: '78' },
    { what: 'long frames within long ones', begin: '79790ff0', row: '797903f8' },
    { what: 'long frames that end where they say', begin: '79790ff0', row: `${'797903f8'.repeat(4)}0d0a` },
    { what: 'line ends alone', begin: '79790ff0', row: '0d0a' },
    { what: 'no start mark at all', begin: '', row: '2e' },
    { what: 'frames whose end is elsewhere', begin: '7878', row: '787820' },
    { what: 'access points without a checksum', begin: '7878ff17', row: '7878ff17' },
    { what: 'short frames with a wrong checksum', begin: '', row: '787805000000000d0a0d0a' },
  ],
  h02: [
    { what: 'a sentence that never ends', begin: hexOf('*HQ,'), row: '41' },
    { what: 'beginnings that are none', begin: hexOf('*HQ,'), row: hexOf('*$X') },
    { what: 'garbage of beginnings', begin: '41', row: hexOf('$12') },
    { what: 'garbage', begin: '41', row: '42' },
    { what: 'blanks and garbage', begin: '20204120', row: '20' },
    { what: 'binary messages cut short', begin: '', row: '244100000001' },
  ],
  teltonika: [
    { what: 'the longest packet', begin: '000000000000fff0', row: '08' },
    { what: 'beginnings of packets', begin: '', row: '00000000000000ff' },
    { what: 'zeros', begin: '', row: '00' },
    { what: 'logins that are none', begin: '', row: '000f31323334' },
    { what: 'garbage', begin: '41', row: '41' },
  ],
}

function streamOf({ begin, row }: Stream, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  const [head, tail] = [bytesOf(begin), bytesOf(row)]
  for (let at = 0; at < length; at++) bytes[at] = (at < head.length ? head[at] : tail[(at - head.length) % tail.length]) ?? 0
  return bytes
}

/** Steps per byte to read a stream in chunks of that size. */
async function effort(name: string, bytes: Uint8Array, chunk: number): Promise<number> {
  const reader = frameReader(protocols.get(name)!)
  const steps = await countSteps(sources, () => {
    for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk), now)
  })
  return steps / bytes.length
}

const cases = Object.entries(hostile).flatMap(([name, streams]) => streams.map((stream) => ({ name, stream, what: stream.what })))

describe('reading costs the same per byte, however the stream is split and however long it is', () => {
  it('covers every protocol', () => expect(Object.keys(hostile).toSorted()).toEqual([...protocols.keys()].toSorted()))

  it.each(cases)('$name: $what', async ({ name, stream }) => {
    for (const chunk of [1, 1_460]) {
      const [short, long] = [await effort(name, streamOf(stream, 1_536), chunk), await effort(name, streamOf(stream, 4_608), chunk)]
      expect(long, `${chunk} bytes a time`).toBeLessThan(maxSteps)
      // Three times the bytes, the same cost for each of them; what a limit allows to start is small beside it.
      expect(long, `${chunk} bytes a time`).toBeLessThan(1.5 * short + 40)
    }
  })
})

/** The worst sequence: each byte is tried as a part of frames that are searched for up to 512 bytes back. */
const maxSteps = 1_500

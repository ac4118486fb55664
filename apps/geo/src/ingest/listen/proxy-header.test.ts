import fc from 'fast-check'
import {
  Command,
  INETProtocol,
  IPv4Address,
  IPv4ProxyAddress,
  IPv6Address,
  IPv6ProxyAddress,
  Peer,
  TransportProtocol,
  UnspecProxyAddress,
  V1ProxyProtocol,
  V2ProxyProtocol,
} from 'proxy-protocol-js'
import { expect, it } from 'vitest'
import { readProxyHeader } from './proxy-header.ts'

const line = (text: string) => readProxyHeader(Buffer.from(text, 'latin1'))
const four = new IPv4ProxyAddress(IPv4Address.createFrom([203, 0, 113, 9]), 51_234, IPv4Address.createFrom([192, 0, 2, 1]), 5_027)
const six = new IPv6ProxyAddress(
  IPv6Address.createFrom([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]),
  40_000,
  IPv6Address.createFrom(Array.from({ length: 16 }, () => 1) as never),
  5_027,
)
const binary = (command: Command, address: IPv4ProxyAddress | IPv6ProxyAddress | UnspecProxyAddress) =>
  Buffer.from(new V2ProxyProtocol(command, TransportProtocol.STREAM, address).build())
/** A correct header with one byte changed. */
const changed = (at: number, value: number) => {
  const bytes = binary(Command.PROXY, four)
  bytes[at] = value
  return bytes
}
/** With more behind the addresses, as balancers tell what they know of TLS. */
const withMore = (header: Buffer, more: Buffer) => {
  const whole = Buffer.concat([header, more])
  whole.writeUInt16BE(whole.length - 16, 14)
  return whole
}

const good: readonly (readonly [string, Buffer, { address: string; port: number } | null])[] = [
  [
    'v1 TCP4',
    Buffer.from(new V1ProxyProtocol(INETProtocol.TCP4, new Peer('203.0.113.9', 51_234), new Peer('192.0.2.1', 5_027)).build()),
    { address: '203.0.113.9', port: 51_234 },
  ],
  [
    'v1 TCP6',
    Buffer.from(new V1ProxyProtocol(INETProtocol.TCP6, new Peer('2001:db8::7', 1), new Peer('::1', 65_535)).build()),
    { address: '2001:db8::7', port: 1 },
  ],
  ['v1 TCP6 of a mapped address', Buffer.from('PROXY TCP6 ::ffff:203.0.113.9 ::1 5 6\r\n'), { address: '203.0.113.9', port: 5 }],
  ['v1 UNKNOWN', Buffer.from('PROXY UNKNOWN\r\n'), null],
  ['v1 UNKNOWN and more', Buffer.from('PROXY UNKNOWN ffff::1 ffff::1 65535 65535\r\n'), null],
  ['v2 TCP4', binary(Command.PROXY, four), { address: '203.0.113.9', port: 51_234 }],
  ['v2 TCP6', binary(Command.PROXY, six), { address: '2001:db8::7', port: 40_000 }],
  ['v2 and what a balancer adds', withMore(binary(Command.PROXY, four), Buffer.alloc(300, 4)), { address: '203.0.113.9', port: 51_234 }],
  ['v2 LOCAL', binary(Command.LOCAL, new UnspecProxyAddress()), null],
  ['v2 LOCAL with addresses', binary(Command.LOCAL, four), null],
  ['v2 without a family', binary(Command.PROXY, new UnspecProxyAddress()), null],
  ['v2 without a transport', changed(13, 0x10), null],
]

it.each(good)('%s is read wherever it is cut, and what follows it is left alone', (_, header, source) => {
  fc.assert(
    fc.property(fc.nat(header.length - 1), fc.uint8Array({ maxLength: 40 }), (cut, after) => {
      expect(readProxyHeader(header.subarray(0, cut))).toEqual({ kind: 'more' })
      expect(readProxyHeader(Buffer.concat([header, after]))).toEqual({ kind: 'whole', length: header.length, source })
    }),
  )
})

it.each([
  ['a tracker', Buffer.from([0, 15, 51]), 'noHeader'],
  ['a request', Buffer.from('GET / HTTP/1.1\r\n'), 'noHeader'],
  ['small letters', Buffer.from('proxy tcp4 1.2.3.4 1.2.3.4 1 1\r\n'), 'noHeader'],
  ['another family', Buffer.from('PROXY UDP4 1.2.3.4 1.2.3.4 1 1\r\n'), 'malformed'],
  ['no address', Buffer.from('PROXY TCP4 localhost 1.2.3.4 1 1\r\n'), 'malformed'],
  ['an address in octal', Buffer.from('PROXY TCP4 010.2.3.4 1.2.3.4 1 1\r\n'), 'malformed'],
  ['an address in one number', Buffer.from('PROXY TCP4 134744072 1.2.3.4 1 1\r\n'), 'malformed'],
  ['the other family’s address', Buffer.from('PROXY TCP4 ::1 ::1 1 1\r\n'), 'malformed'],
  ['an address with a zone', Buffer.from('PROXY TCP6 fe80::1%eth0 ::1 1 1\r\n'), 'malformed'],
  ['a port too large', Buffer.from('PROXY TCP4 1.2.3.4 1.2.3.4 65536 1\r\n'), 'malformed'],
  ['a port with a sign', Buffer.from('PROXY TCP4 1.2.3.4 1.2.3.4 +1 1\r\n'), 'malformed'],
  ['no ports', Buffer.from('PROXY TCP4 1.2.3.4 1.2.3.4\r\n'), 'malformed'],
  ['two spaces', Buffer.from('PROXY TCP4  1.2.3.4 1.2.3.4 1 1\r\n'), 'malformed'],
  ['one word too many', Buffer.from('PROXY TCP4 1.2.3.4 1.2.3.4 1 1 1\r\n'), 'malformed'],
  ['a line without end', Buffer.from(`PROXY UNKNOWN ${'x'.repeat(120)}`), 'tooLong'],
  ['a line that ends by LF alone', Buffer.from(`PROXY TCP4 1.2.3.4 1.2.3.4 1 1\n${'x'.repeat(120)}`), 'tooLong'],
  ['version 1 in binary', changed(12, 0x11), 'malformed'],
  ['an unknown command', changed(12, 0x22), 'malformed'],
  ['an unknown family', changed(13, 0x41), 'malformed'],
  ['an unknown transport', changed(13, 0x13), 'malformed'],
  ['fewer bytes than the addresses take', changed(15, 11), 'malformed'],
  ['a length beyond all use', changed(14, 0xff), 'tooLong'],
])('%s is refused', (_, bytes, reason) => {
  expect(readProxyHeader(bytes)).toEqual({ kind: 'bad', reason })
})

it('whatever comes, it answers, and reads the same when more has come', () => {
  const starts = [Buffer.alloc(0), Buffer.from('PROXY '), Buffer.from('PROXY TCP4 '), binary(Command.PROXY, four).subarray(0, 14)]
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 50 }), (start, bytes, after) => {
      const first = readProxyHeader(Buffer.concat([start, bytes]))
      if (first.kind === 'whole') expect(readProxyHeader(Buffer.concat([start, bytes, after]))).toEqual(first)
      if (first.kind === 'bad') expect(readProxyHeader(Buffer.concat([start, bytes, after])).kind).toBe('bad')
    }),
    { numRuns: 500 },
  )
})

it('nothing is read from an empty start', () => expect(line('')).toEqual({ kind: 'more' }))

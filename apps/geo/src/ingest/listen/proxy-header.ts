import ipaddr from 'ipaddr.js'

/** Where a connection really comes from. */
export interface Source {
  address: string
  port: number
}
/**
 * What the start of a stream says: it takes more bytes; it is no header and the connection is to be ended; or a header of `length` bytes, with
 * the address it names, or null where it names none and the connection's own counts (UNKNOWN, LOCAL, UNSPEC).
 */
export type ProxyHeader = { kind: 'more' } | { kind: 'bad'; reason: 'noHeader' | 'malformed' | 'tooLong' } | Whole
interface Whole {
  kind: 'whole'
  length: number
  source: Source | null
}

const start1 = Buffer.from('PROXY ')
const start2 = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a])
/** Longest line of version 1, its CRLF included. */
const longest1 = 107
/** Longest header of version 2 that is taken: addresses, and what a balancer adds about TLS and itself. */
const longest2 = 4_096
/** Bytes before the addresses of version 2. */
const fixed2 = 16

const malformed: ProxyHeader = { kind: 'bad', reason: 'malformed' }

/**
 * Reads a PROXY protocol header, version 1 or 2, from the first bytes of a stream. Source: HAProxy, "The PROXY protocol Versions 1 & 2"
 * (doc/proxy-protocol.txt). Written here because the packages on npm leave open what this must not: proxy-protocol-js takes any text for an
 * address and any number for a port, refuses `PROXY UNKNOWN` and does not skip what follows the addresses; findhit-proxywrap guesses whether
 * there is a header. None of them finds out where a header ends in a stream. A checksum (PP2_TYPE_CRC32C) is not verified, which the protocol allows.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (isStart(bytes, start1)) return bytes.length < start1.length ? { kind: 'more' } : readLine(bytes)
  if (isStart(bytes, start2)) return bytes.length < fixed2 ? { kind: 'more' } : readBinary(bytes)
  return { kind: 'bad', reason: 'noHeader' }
}

/** Whether the bytes so far are how this begins. */
function isStart(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length)
  return bytes.subarray(0, length).equals(start.subarray(0, length))
}

function readLine(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, longest1).indexOf('\r\n')
  if (end < 0) return bytes.length < longest1 ? { kind: 'more' } : { kind: 'bad', reason: 'tooLong' }
  const line = bytes.toString('latin1', start1.length, end)
  const length = end + 2
  if (/^UNKNOWN(?: |$)/.test(line)) return { kind: 'whole', length, source: null }
  const [family, from = '', to = '', fromPort = '', toPort = '', ...more] = line.split(' ')
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isIPv6 : undefined
  if (!isAddress || more.length > 0) return malformed
  if (!isAddress(from) || !isAddress(to) || !isPort(fromPort) || !isPort(toPort)) return malformed
  return { kind: 'whole', length, source: { address: plain(ipaddr.parse(from)), port: Number(fromPort) } }
}

const isIPv4 = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) && !/(?:^|\.)0\d/.test(text)
const isIPv6 = (text: string) => /^[\da-f:.]+$/i.test(text) && text.includes(':') && ipaddr.IPv6.isValid(text)
const isPort = (text: string) => /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535

/** By family: bytes of both addresses and ports, and of one address where it is one of the internet. */
const families: readonly { bytes: number; address: number }[] = [
  { bytes: 0, address: 0 },
  { bytes: 12, address: 4 },
  { bytes: 36, address: 16 },
  { bytes: 216, address: 0 },
]
const [isLocal, isProxied] = [0x20, 0x21]

function readBinary(bytes: Buffer): ProxyHeader {
  const [command, protocol] = [bytes.readUInt8(12), bytes.readUInt8(13)]
  const [family, transport] = [families[protocol >> 4], protocol & 0x0f]
  const following = bytes.readUInt16BE(14)
  const length = fixed2 + following
  if (command !== isLocal && command !== isProxied) return malformed
  // Of a check by the proxy itself everything behind the length is left aside, the family too.
  if (command === isProxied && (!family || transport > 2 || following < family.bytes)) return malformed
  if (length > longest2) return { kind: 'bad', reason: 'tooLong' }
  if (bytes.length < length) return { kind: 'more' }
  if (command === isLocal || !family || family.address === 0 || transport === 0) return { kind: 'whole', length, source: null }
  const address = ipaddr.fromByteArray([...bytes.subarray(fixed2, fixed2 + family.address)])
  return { kind: 'whole', length, source: { address: plain(address), port: bytes.readUInt16BE(fixed2 + 2 * family.address) } }
}

/** An IPv4 address within an IPv6 one is the IPv4 one, so that it is counted and shown once. */
const plain = (address: ipaddr.IPv4 | ipaddr.IPv6): string =>
  address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
    ? (address as ipaddr.IPv6).toIPv4Address().toString()
    : address.toString()

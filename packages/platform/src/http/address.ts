import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Ranges of our own network: those of a proxy, a health probe or a developer. */
const ownRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal'])

/** True for loopback, link-local and private addresses; false for anything that is not an address. */
export function isPrivateAddress(address: string): boolean {
  const parsed = parse(address)
  return parsed !== undefined && ownRanges.has(unmapped(parsed).range())
}

/**
 * True for an address of the public internet. An IPv6 address with an embedded IPv4 one (mapped, NAT64, 6to4, Teredo, ISATAP) leads to
 * that one, so both must be public. False for anything that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address)
  if (!parsed) return false
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast'
  const { isGlobal, carried } = unwrap(parsed as ipaddr.IPv6)
  return isGlobal && carried.every((inner) => inner.range() === 'unicast')
}

/** True for an address that is one of these, or in one of these ranges (CIDR). Whatever is no address or range fits nothing. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const parsed = parse(address)
  if (!parsed) return false
  const own = unmapped(parsed)
  return ranges.some((range) => {
    if (!range.includes('/')) return parse(range)?.toString() === own.toString()
    if (!ipaddr.isValidCIDR(range)) return false
    const [start, bits] = ipaddr.parseCIDR(range)
    return start.kind() === own.kind() && own.match(start, bits)
  })
}

/** True for an address, or a range of them (CIDR), as `isInRanges` reads it. */
export const isRange = (text: string): boolean => (text.includes('/') ? ipaddr.isValidCIDR(text) : parse(text) !== undefined)

/**
 * Accepts addresses in their usual forms only: what an old library reads as octal or as one number is refused. A zone (%eth0) names a
 * network of ours.
 */
function parse(address: string): Address | undefined {
  // ipaddr.js reads ::1.2.3.4, which leads nowhere any more, as a mapped one.
  const isUsual =
    ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && !/%|^::\d+\./.test(address) && ipaddr.IPv6.isValid(address))
  return isUsual ? ipaddr.parse(address) : undefined
}

const unmapped = (address: Address): Address =>
  address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress() ? (address as ipaddr.IPv6).toIPv4Address() : address

/** Whether an IPv6 address itself is public, and the IPv4 addresses embedded in it. */
function unwrap(address: ipaddr.IPv6): { isGlobal: boolean; carried: ipaddr.IPv4[] } {
  const bytes = address.toByteArray()
  const at = (index: number) => new ipaddr.IPv4(bytes.slice(index, index + 4))
  const last = at(12)
  switch (address.range()) {
    case 'ipv4Mapped':
      return { isGlobal: true, carried: [last] }
    // The well-known 64:ff9b::/96; 64:ff9b:1::/48 is each network's own.
    case 'rfc6052':
      return { isGlobal: bytes.slice(4, 12).every((byte) => byte === 0), carried: [last] }
    case '6to4':
      return { isGlobal: true, carried: [at(2)] }
    case 'teredo':
      return { isGlobal: true, carried: [at(4), new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff))] }
    // 2000::/3 is all that has been assigned.
    case 'unicast':
      return { isGlobal: (bytes[0]! & 0xe0) === 0x20, carried: isIsatap(bytes) ? [last] : [] }
    default:
      return { isGlobal: false, carried: [] }
  }
}

const isIsatap = (bytes: readonly number[]) => (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe

import { BlockList, isIP } from 'node:net'

const privateRanges = new BlockList()
privateRanges.addSubnet('127.0.0.0', 8)
privateRanges.addSubnet('10.0.0.0', 8)
privateRanges.addSubnet('172.16.0.0', 12)
privateRanges.addSubnet('192.168.0.0', 16)
privateRanges.addSubnet('169.254.0.0', 16)
privateRanges.addAddress('::1', 'ipv6')
privateRanges.addSubnet('fc00::', 7, 'ipv6')
privateRanges.addSubnet('fe80::', 10, 'ipv6')

/** True for loopback, link-local and private addresses; false for anything that is not an address. */
export function isPrivateAddress(address: string): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  const version = isIP(plain)
  return version !== 0 && privateRanges.check(plain, version === 6 ? 'ipv6' : 'ipv4')
}

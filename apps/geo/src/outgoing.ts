import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { isPrivateAddress } from '@outpost/platform/http/address'

/** Said to whoever names an address that only the server itself may reach. */
export const insideWords = 'The address lies inside the network of the server.'

/** True for a URL whose host is an address (not a name) inside: no look-up will stop it. */
export function isInsideHost(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 && isInside(host)
}

const isInside = (address: string) => isPrivateAddress(address) || /^(0\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|2(2[4-9]|[345]\d)\.|::$|ff)/i.test(address.replace(/^::ffff:/i, ''))

/** Finds a name's addresses and refuses those inside: asked at the moment of connecting, so that no name changes in between. */
export const lookupPublic: typeof lookup = ((host: string, options: { all?: boolean }, done: (error: Error | null, address?: unknown, family?: number) => void) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error)
    const open = addresses.filter(({ address }) => !isInside(address))
    const [first] = open
    if (!first) return done(new Error(insideWords))
    return options.all ? done(null, open) : done(null, first.address, first.family)
  })
}) as typeof lookup

import { lookup } from 'node:dns'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'
import { isPublicAddress } from './http/address.ts'

/** Said to whoever names an address that only the server itself may reach. */
export const insideWords = 'The address lies inside the network of the server.'

/** The answer to an outgoing call; its body must be read or dumped. */
export type OutgoingAnswer = Awaited<ReturnType<typeof request>>
export type OutgoingRequest = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>

export interface OutgoingOptions extends Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout' | 'maxResponseSize' | 'connections'> {
  /**
   * What may be reached. `public`: addresses that users name, on the open internet alone, and the hosts that the
   * operator adds. `operator`: an address out of the operator's settings, wherever it lies.
   */
  reach: 'public' | 'operator'
  hosts?: readonly string[]
  connectMs?: number
  /** Finds the addresses of a name; dns.lookup unless a test says otherwise. */
  resolve?: typeof lookup
}

export interface Outgoing {
  /** One call; a redirect is answered, never followed. Throws with insideWords before anything is sent to an address inside. */
  request(url: string | URL, options?: OutgoingRequest): Promise<OutgoingAnswer>
  /** Whether a URL is refused as it stands: its host is an address inside. A name is looked up when it is called. */
  refuses(url: string): boolean
  /** Waits for what is under way, or ends it. */
  close(): Promise<void>
  destroy(): Promise<void>
}

/**
 * The only way out of server and geo service. Addresses are checked at the moment of connecting, each connection for
 * itself: a name is looked up once, what it gave is checked, and the connection goes there and nowhere else.
 */
export function openOutgoing({ reach, hosts = [], connectMs = 5_000, resolve = lookup, ...limits }: OutgoingOptions): Outgoing {
  const open = buildConnector({ timeout: connectMs })
  const guarded = buildConnector({ timeout: connectMs, lookup: publicLookup(resolve) })
  const isOwn = (host: string) => reach === 'operator' || hosts.includes(host)
  const connect: buildConnector.connector = (target, done) => {
    if (isOwn(target.hostname)) return open(target, done)
    if (isInside(target.hostname)) return done(new Error(insideWords), null)
    return guarded(target, done)
  }
  const agent = new Agent({ ...limits, connect })
  const refuses = (url: string) => {
    const { hostname } = new URL(url)
    return !isOwn(hostname) && isInside(hostname)
  }
  return {
    request: async (url, options) => {
      if (refuses(String(url))) throw new Error(insideWords)
      return request(url, { ...options, dispatcher: agent })
    },
    refuses, close: () => agent.close(), destroy: () => agent.destroy(),
  }
}

/** True for a URL whose host is an address (not a name) inside: no look-up will stop it. URL has brought it into its usual form. */
export const isInsideHost = (url: string): boolean => isInside(new URL(url).hostname)

function isInside(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && !isPublicAddress(address)
}

/** One address inside is enough to refuse a name: whoever mixes them wants the other one. */
function publicLookup(resolve: typeof lookup): typeof lookup {
  return ((host: string, options: { all?: boolean }, done: (error: Error | null, address?: unknown, family?: number) => void) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error)
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) return done(new Error(insideWords))
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }) as typeof lookup
}

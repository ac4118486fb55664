import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'
import { isPublicAddress } from './http/address.ts'
import { inSpan, traceparent } from './trace.ts'

/** The message for an address that only the server itself may reach. */
export const privateAddressMessage = 'The address lies inside the network of the server.'

/** The answer to an outgoing call; its body must be read or dumped. */
export type OutgoingAnswer = Awaited<ReturnType<typeof request>>
export type OutgoingRequest = Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>

export interface OutgoingOptions extends Pick<Agent.Options, 'headersTimeout' | 'bodyTimeout' | 'maxResponseSize' | 'connections'> {
  /**
   * What may be reached. `public`: addresses given by users: only the public internet, and the hosts that the operator adds. `operator`:
   * an address from the operator's settings, anywhere.
   */
  reach: 'public' | 'operator'
  hosts?: readonly string[]
  /** Name of a program of ours: each call to it is a span and carries its trace. Never set for others: what we trace is not their business. */
  tracedAs?: string
  connectMs?: number
  /**
   * Milliseconds for the whole of a call, until its answer is read; it then stops with a TimeoutError. A signal of the call's own takes its
   * place. `headersTimeout` and `bodyTimeout` are for streams, which may take as long as they like but may not fall silent.
   */
  limitMs?: number
  /** Resolves a name; dns.lookup unless a test overrides it. */
  resolve?: typeof lookup
}

export interface Outgoing {
  readonly limitMs: number | undefined
  /**
   * Makes one call; a redirect is returned, never followed. Throws with privateAddressMessage before anything is sent to a private
   * address.
   */
  request(url: string | URL, options?: OutgoingRequest): Promise<OutgoingAnswer>
  /** Whether a URL is refused as written: its host is a private address. A name is resolved when it is called. */
  refuses(url: string): boolean
  /** Waits for running calls, or aborts them. */
  close(): Promise<void>
  destroy(): Promise<void>
}

/**
 * The only HTTP client of server and geo service for other machines. Addresses are checked when connecting, each connection separately:
 * a name is resolved once, its addresses are checked, and the connection goes exactly there.
 */
export function openOutgoing(options: OutgoingOptions): Outgoing {
  const { reach, hosts = [], tracedAs, connectMs = 5_000, limitMs, resolve = lookup, ...limits } = options
  const open = buildConnector({ timeout: connectMs })
  const guarded = buildConnector({ timeout: connectMs, lookup: publicLookup(resolve) })
  const isOwn = (host: string) => reach === 'operator' || hosts.includes(host)
  const connect: buildConnector.connector = (target, done) => {
    if (isOwn(target.hostname)) return open(target, done)
    if (isPrivateHost(target.hostname)) return done(new Error(privateAddressMessage), null)
    return guarded(target, done)
  }
  // Two limits of one call would race, and the loser's words would be lost.
  const agent = new Agent({ ...limits, ...(limitMs === undefined ? {} : { headersTimeout: 0, bodyTimeout: 0 }), connect })
  const refuses = (url: string) => {
    const { hostname } = new URL(url)
    return !isOwn(hostname) && isPrivateHost(hostname)
  }
  return {
    limitMs,
    request: async (url, call) => {
      if (refuses(String(url))) throw new Error(privateAddressMessage)
      const limit = limitMs === undefined ? {} : { signal: AbortSignal.timeout(limitMs) }
      const send = () => request(url, { ...limit, ...withTrace(call, tracedAs), dispatcher: agent })
      return tracedAs === undefined
        ? send()
        : inSpan(`${call?.method ?? 'GET'} ${tracedAs}`, { kind: 'client', attributes: { 'peer.service': tracedAs } }, send)
    },
    refuses,
    close: () => agent.close(),
    destroy: () => agent.destroy(),
  }
}

function withTrace(options: OutgoingRequest | undefined, tracedAs: string | undefined): OutgoingRequest | undefined {
  const parent = tracedAs === undefined ? undefined : traceparent()
  return parent === undefined
    ? options
    : { ...options, headers: { ...(options?.headers as Record<string, string> | undefined), traceparent: parent } }
}

/** True for a URL whose host is a private address (not a name), which no look-up would check. URL has normalised it. */
export const isInsideHost = (url: string): boolean => isPrivateHost(new URL(url).hostname)

function isPrivateHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  // Whatever node would connect to without a look-up, and whatever another library reads as an address, is none that a look-up checks.
  return (isIP(address) !== 0 || ipaddr.isValid(address)) && !isPublicAddress(address)
}

/** A single private address refuses the name: a name that mixes both wants the private one. */
function publicLookup(resolve: typeof lookup): typeof lookup {
  return ((host: string, options: { all?: boolean }, done: (error: Error | null, address?: unknown, family?: number) => void) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error)
      const [first] = addresses
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) return done(new Error(privateAddressMessage))
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }) as typeof lookup
}

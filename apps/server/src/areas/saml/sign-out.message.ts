import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { SAML } from '@node-saml/node-saml'
import { algorithms, refuse, skewMilliseconds, AssertionRefused } from './response.ts'
import { elements, maxXml, named, parseXml, xmlFault } from './xml.ts'

/** A message of signing out, as its signature covers it. */
export type SignOutMessage = { relayState?: string } & (
  | { kind: 'request'; id: string; nameId: string; /** Sessions there; none: all of the person. */ indexes: string[] }
  | { kind: 'response'; inResponseTo: string }
)

export interface MessageCheck {
  saml: SAML
  /** The query of the address as it came: the signature covers these characters, however they are escaped. */
  query: string
  /** Our address, which the message must name. */
  sloUrl: string
  now: number
}

/** A message may be this old: the browser carries it at once. */
const longestMilliseconds = 300_000
const longestRelayState = 1_000
const known = new Set(['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'])

/**
 * Reads a LogoutRequest or LogoutResponse of the HTTP-Redirect binding (SAML 2.0 bindings, 3.4). node-saml checks signature, issuer and
 * end; it takes messages without a signature, with any digest and for anybody, which is refused here. Throws AssertionRefused. Whether it
 * was taken before is the caller's to check.
 */
export async function readSignOut({ saml, query, sloUrl, now }: MessageCheck): Promise<SignOutMessage> {
  const parts = partsOf(query)
  const name = parts.has('SAMLRequest') ? 'SAMLRequest' : 'SAMLResponse'
  if (parts.has('SAMLRequest') && parts.has('SAMLResponse')) refuse('it is a request and a response at once')
  // An empty signature is none for node-saml, which takes messages without one.
  if (valueOf(parts, 'Signature') === '' || valueOf(parts, 'SigAlg') === '') refuse('the message to sign out is not signed')
  if (!algorithms.has(valueOf(parts, 'SigAlg')))
    refuse(`the message to sign out is signed with ${valueOf(parts, 'SigAlg').split('#').at(-1)?.slice(0, 40) ?? ''}`)
  const root = await rootOf(valueOf(parts, name), name === 'SAMLRequest' ? 'LogoutRequest' : 'LogoutResponse')
  checkAim(root, { sloUrl, now })
  const covered = [name, 'RelayState', 'SigAlg'].filter((one) => parts.has(one)).map((one) => `${one}=${parts.get(one)}`)
  const nameId = await verify(
    saml,
    { [name]: valueOf(parts, name), SigAlg: valueOf(parts, 'SigAlg'), Signature: valueOf(parts, 'Signature') },
    covered.join('&'),
  )
  return messageOf(root, { name, nameId, relayState: valueOf(parts, 'RelayState') })
}

/** Where and when the message is meant to be taken. Throws AssertionRefused. */
export function checkAim(root: Element, { sloUrl, now }: Pick<MessageCheck, 'sloUrl' | 'now'>): void {
  const destination = root.getAttribute('Destination') ?? ''
  if (destination !== sloUrl) refuse(`the message to sign out is meant for ${destination.slice(0, 200) || 'nobody'} (Destination)`)
  const age = now - Date.parse(root.getAttribute('IssueInstant') ?? '')
  if (!(age <= longestMilliseconds + skewMilliseconds && age >= -skewMilliseconds))
    refuse('the message to sign out is too old, or of no time (IssueInstant)')
}

export type MessageName = 'SAMLRequest' | 'SAMLResponse'

/** What a message says whose signature was checked. */
export function messageOf(
  root: Element,
  { name, nameId, relayState }: { name: MessageName; nameId: string; relayState: string },
): SignOutMessage {
  const more = relayState === '' || relayState.length > longestRelayState ? {} : { relayState }
  if (name === 'SAMLResponse') return { ...more, kind: 'response', inResponseTo: root.getAttribute('InResponseTo') ?? '' }
  const id = root.getAttribute('ID') ?? ''
  if (id === '' || nameId === '') refuse('the request to sign out names nobody (ID, NameID)')
  const indexes = elements(`./${named('SessionIndex')}`, root).map((one) => (one.textContent ?? '').trim())
  return { ...more, kind: 'request', id, nameId, indexes }
}

/** Names and values as they came, each name once: which of two would count, readers differ in. */
function partsOf(query: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const token of query.split('&')) {
    const [name = '', ...rest] = token.split('=')
    if (!known.has(name)) continue
    if (parts.has(name)) refuse(`it holds ${name} twice`)
    parts.set(name, rest.join('='))
  }
  return parts
}

/** A value of the query; base 64 that came with a bare plus is read as it was meant. */
function valueOf(parts: Map<string, string>, name: string): string {
  try {
    const text = parts.get(name) ?? ''
    return decodeURIComponent(name === 'RelayState' ? text.replaceAll('+', ' ') : text)
  } catch {
    return refuse(`its ${name} is not escaped as it must be`)
  }
}

async function rootOf(packed: string, wanted: string): Promise<Element> {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(packed)) refuse('the message to sign out is not base 64')
  const bytes = await promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)(Buffer.from(packed, 'base64'), {
    maxOutputLength: maxXml,
  }).catch(() => refuse('the message to sign out cannot be unpacked'))
  const text = bytes.toString('utf8')
  const fault = xmlFault(text)
  if (fault) refuse(`the message to sign out ${fault}`)
  const root = parseXml(text)?.documentElement
  return root?.localName === wanted ? root : refuse(`it is no ${wanted}`)
}

/** The name of the person that the message means; none of a response. */
async function verify(saml: SAML, container: Record<string, string>, covered: string): Promise<string> {
  try {
    const { profile } = await saml.validateRedirectAsync(container, covered)
    return profile?.nameID?.trim() ?? ''
  } catch (error) {
    if (error instanceof AssertionRefused) throw error
    return refuse(`the message to sign out: ${error instanceof Error ? error.message.slice(0, 200) : 'it could not be read'}`)
  }
}

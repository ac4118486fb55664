import { SAML, ValidateInResponseTo, type Profile } from '@node-saml/node-saml'
import type { SessionProvider } from '../../kernel/session/sessions.ts'
import { liveCertificates } from './certificates.ts'
import { encryptionFault, openAssertion } from './encrypted.ts'
import { elements, named, parseXml, xmlFault } from './xml.ts'

/** What a provider is checked by. */
export interface CheckedProvider {
  entityId: string
  ssoUrl: string
  certificates: string[]
  signs: string
  /** Opens assertions that are encrypted for us; PEM. */
  privateKey?: string | undefined
}

/** Addresses of ours that an assertion must name. */
export interface ServiceProvider {
  /** Audience. */
  entityId: string
  /** Destination and Recipient. */
  acsUrl: string
}

/** What a request to sign somebody out must say as the assertion said it. */
export type SubjectNames = Pick<SessionProvider, 'nameIdFormat' | 'nameQualifier' | 'spNameQualifier' | 'sessionIndex'>

/** What a signed assertion says. */
export interface Assertion {
  id: string
  nameId: string
  /** The person and the session, by the provider's words. */
  subject: SubjectNames
  /** The request that it answers. */
  inResponseTo: string
  expiresAt: Date
  /** When the person signed in there (AuthnInstant), in milliseconds; NaN where that is not said once. */
  authenticatedAt: number
  attributes: Record<string, string[]>
}

/** Why an assertion is not taken; in words for administrators. */
export class AssertionRefused extends Error {}
export const refuse = (message: string): never => {
  throw new AssertionRefused(message)
}

/** Clocks of providers differ. */
export const skewMilliseconds = 60_000
const longestName = 500

export interface ResponseCheck {
  provider: CheckedProvider
  own: ServiceProvider
  /** The SAMLResponse of the form: base 64. */
  response: string
  now: number
  /** A trial: periods are reported, not held against an assertion that was taken down some time ago. */
  isTrial?: boolean
}

/**
 * Reads a response of an identity provider and gives what its signed assertion says. Everything that node-saml leaves open is
 * checked here: SHA-1, how it is encrypted, several assertions, Destination, Recipient, InResponseTo of the subject, issuer, an end.
 * Throws AssertionRefused. Whether it was asked for and not taken before is the caller's to check.
 */
export async function readResponse(check: ResponseCheck): Promise<Assertion> {
  const { provider, own, response, now } = check
  const text = decode(response)
  const document = checkDocument(text, provider, own)
  const certificates = liveCertificates(provider.certificates, now)
  if (certificates.length === 0) refuse('the certificates of the provider have expired: upload its present metadata')
  const profile = await verify(samlOf(provider, own, { certificates, isTrial: check.isTrial ?? false }), response)
  await checkInside(document, provider)
  return assertionOf(profile, check)
}

/** The XML of a message as a form holds it. Throws AssertionRefused with what it is called. */
export function decode(packed: string, what = 'the response'): string {
  const compact = packed.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) refuse(`${what} is not base 64`)
  const bytes = Buffer.from(compact, 'base64')
  const text = bytes.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(bytes)) refuse(`${what} is not UTF-8`)
  const fault = xmlFault(text)
  return fault ? refuse(`${what} ${fault}`) : text
}

export const algorithms = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])

const encryptedOf = (document: Document): Element[] => elements(`//${named('EncryptedAssertion')}`, document)

/** What can be said before a signature is looked at. */
function checkDocument(text: string, provider: CheckedProvider, own: ServiceProvider): Document {
  const document = parseXml(text) ?? refuse('the response is no well-formed XML')
  const root = document.documentElement
  if (root.localName !== 'Response') refuse('it is no SAML response')
  const status = elements(`/${named('Response', 'Status', 'StatusCode')}`, document)[0]?.getAttribute('Value') ?? ''
  if (!status.endsWith(':Success')) refuse(`the provider refused: ${status.split(':').at(-1) ?? 'no status'}`)
  const encrypted = encryptedOf(document)
  if (elements(`//${named('Assertion')}`, document).length + encrypted.length !== 1) refuse('it holds not exactly one assertion')
  const destination = root.getAttribute('Destination') ?? ''
  if (destination !== own.acsUrl) refuse(`it is meant for ${destination.slice(0, 200) || 'nobody'} (Destination)`)
  for (const one of encrypted) {
    if (provider.privateKey === undefined)
      refuse('the assertion is encrypted, and there is no key yet: save this identity provider once, and give it our metadata')
    const fault = encryptionFault(one, { isResponseSigned: provider.signs !== 'assertion' })
    if (fault !== undefined) refuse(fault)
  }
  refuseWeak(document)
  return document
}

/** What a key is encrypted with has a digest of its own, which signs nothing. */
export function refuseWeak(document: Document): void {
  const used = elements(`//${named('SignatureMethod')} | //${named('DigestMethod')}[not(parent::${named('EncryptionMethod')})]`, document)
  const weak = used.map((one) => one.getAttribute('Algorithm') ?? '').find((one) => !algorithms.has(one))
  if (weak !== undefined) refuse(`it is signed with ${weak.split('#').at(-1) ?? ''}: SHA-256 or SHA-512 is needed`)
}

/** What is inside an encrypted assertion is held to the same as one that came open. Its signatures were checked before. */
async function checkInside(document: Document, { privateKey }: CheckedProvider): Promise<void> {
  for (const encrypted of encryptedOf(document)) {
    const inside = await openAssertion(encrypted, privateKey ?? '').catch(() => 'cannot be opened')
    if (typeof inside === 'string') refuse(`the encrypted assertion ${inside}`)
    else refuseWeak(inside)
  }
}

function samlOf(
  provider: CheckedProvider,
  own: ServiceProvider,
  { certificates, isTrial }: { certificates: string[]; isTrial: boolean },
): SAML {
  return new SAML({
    idpCert: certificates,
    issuer: own.entityId,
    audience: own.entityId,
    callbackUrl: own.acsUrl,
    entryPoint: provider.ssoUrl,
    wantAssertionsSigned: provider.signs !== 'response',
    wantAuthnResponseSigned: provider.signs !== 'assertion',
    ...(provider.privateKey === undefined ? {} : { decryptionPvk: provider.privateKey }),
    // Ours is asked of the signed subject, see assertionOf.
    validateInResponseTo: ValidateInResponseTo.never,
    acceptedClockSkewMs: isTrial ? -1 : skewMilliseconds,
  })
}

async function verify(saml: SAML, response: string): Promise<Profile> {
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response })
    return profile ?? refuse('it holds no assertion')
  } catch (error) {
    if (error instanceof AssertionRefused) throw error
    return refuse(error instanceof Error ? error.message.slice(0, 300) : 'it could not be read')
  }
}

/** One element of an assertion as xml2js gives it. */
interface Part {
  $?: Record<string, string | undefined>
  [name: string]: unknown
}
const partsOf = (part: Part | undefined, name: string): Part[] => {
  const found = part?.[name]
  return Array.isArray(found) ? found.map((one): Part => (typeof one === 'object' && one !== null ? one : {})) : []
}

/** From the signed bytes alone. */
function assertionOf(profile: Profile, { provider, own, now, isTrial = false }: ResponseCheck): Assertion {
  const assertion = (profile.getAssertion?.() as { Assertion?: Part } | undefined)?.Assertion
  const id = assertion?.$?.['ID'] ?? ''
  if (id === '') refuse('the assertion has no ID')
  if (profile.issuer !== provider.entityId)
    refuse(`it comes from ${String(profile.issuer).slice(0, 200)} and not from ${provider.entityId}`)
  const nameId = profile.nameID?.trim() ?? ''
  if (nameId === '' || nameId.length > longestName) refuse('it names nobody (NameID)')
  if ((profile.nameIDFormat ?? '').endsWith(':transient')) refuse('its NameID is transient: a lasting one is needed')
  const confirmations = partsOf(partsOf(assertion, 'Subject')[0], 'SubjectConfirmation')
  const [confirmation, other] = confirmations
  if (!confirmation || other || confirmation.$?.['Method'] !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
    refuse('it has not exactly one bearer confirmation')
  const data = partsOf(confirmation, 'SubjectConfirmationData')[0]?.$ ?? {}
  if (data['Recipient'] !== own.acsUrl) refuse(`it is meant for ${data['Recipient']?.slice(0, 200) ?? 'nobody'} (Recipient)`)
  const end = Date.parse(data['NotOnOrAfter'] ?? '')
  if (Number.isNaN(end)) refuse('it has no end (NotOnOrAfter)')
  if (!isTrial && end + skewMilliseconds <= now) refuse('it has expired')
  const inResponseTo = data['InResponseTo'] ?? ''
  if (inResponseTo === '' && !isTrial) refuse('nobody asked for it (InResponseTo)')
  return {
    id,
    nameId,
    subject: subjectOf(profile),
    inResponseTo,
    expiresAt: new Date(end + skewMilliseconds),
    authenticatedAt: instantOf(partsOf(assertion, 'AuthnStatement')),
    attributes: attributesOf(profile),
  }
}

const instantOf = (statements: Part[]): number =>
  statements.length === 1 ? Date.parse(statements[0]?.$?.['AuthnInstant'] ?? '') : Number.NaN

function subjectOf({ nameIDFormat, nameQualifier, spNameQualifier, sessionIndex }: Profile): SubjectNames {
  const short = (value: unknown): string | null => (typeof value === 'string' && value !== '' && value.length <= longestName ? value : null)
  return {
    nameIdFormat: short(nameIDFormat),
    nameQualifier: short(nameQualifier),
    spNameQualifier: short(spNameQualifier),
    sessionIndex: short(sessionIndex),
  }
}

function attributesOf({ attributes }: Profile): Record<string, string[]> {
  const entries = Object.entries((attributes ?? {}) as Record<string, unknown>).map(([name, value]) => {
    const values = (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string')
    return [name.slice(0, 200), values.map((one) => one.trim().slice(0, longestName)).filter((one) => one !== '')] as const
  })
  return Object.fromEntries(entries.slice(0, 100))
}

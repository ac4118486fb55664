import { failField } from '@outpost/contract/errors'
import { readCertificate } from './certificates.ts'
import { elements, named, parseXml, xmlFault } from './xml.ts'

/** What an identity provider says of itself. */
export interface ProviderMetadata {
  entityId: string
  ssoUrl: string
  certificates: string[]
  /** Where people who sign out are sent; null: it knows no single logout. */
  sloUrl: string | null
  /** By an address (HTTP-Redirect), or by a form (HTTP-POST) where it takes nothing else. */
  sloBinding: 'redirect' | 'post'
  /** Where answers to its own requests go, when elsewhere. */
  sloResponseUrl: string | null
  /** When the last of the certificates ends. */
  certificateEndsAt: Date
  /** It takes signed requests only. */
  wantsSigned: boolean
}

const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const postBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const maxCertificates = 5
const refuse = (message: string): never => failField('metadata', message)

/** Reads the metadata of one identity provider (SAML 2.0 metadata, 2.4.3). Stops with INVALID (metadata) that says what is missing. */
export function readMetadata(text: string): ProviderMetadata {
  const fault = xmlFault(text)
  if (fault) refuse(fault)
  const document = parseXml(text) ?? refuse('is no well-formed XML')
  const entities = elements(`//${named('EntityDescriptor')}[${named('IDPSSODescriptor')}]`, document)
  const [entity, other] = entities
  if (!entity) return refuse('describes no identity provider (EntityDescriptor with IDPSSODescriptor)')
  if (other) return refuse('describes several identity providers: give that of one')
  const entityId = entity.getAttribute('entityID')?.trim() ?? ''
  if (entityId === '' || entityId.length > 1_000) refuse('names no entityID')
  const [role] = elements(`./${named('IDPSSODescriptor')}`, entity)
  if (!role) return refuse('describes no identity provider')
  return { entityId, ssoUrl: ssoUrlOf(role), ...signOutOf(role), ...certificatesOf(role), wantsSigned: wantsSignedRequests(text) }
}

type SignOutAddresses = Pick<ProviderMetadata, 'sloUrl' | 'sloResponseUrl' | 'sloBinding'>
const noSignOut: SignOutAddresses = { sloUrl: null, sloResponseUrl: null, sloBinding: 'redirect' }

/** The same of metadata that was taken before sign-out was known here. */
export function signOutAddresses(text: string): SignOutAddresses {
  const document = parseXml(text)
  const [role] = document ? elements(`//${named('IDPSSODescriptor')}`, document) : []
  return role ? signOutOf(role) : noSignOut
}

/** SAML 2.0 metadata, 2.4.2. An address that is not safe is none: sign-in goes on without it. */
function signOutOf(role: Element): SignOutAddresses {
  const services = elements(`./${named('SingleLogoutService')}`, role)
  const addressOf = (service: Element | undefined, name: string): string | null => {
    const url = service?.getAttribute(name) ?? ''
    return isWebAddress(url) ? url : null
  }
  for (const [sloBinding, binding] of [['redirect', redirectBinding] as const, ['post', postBinding] as const]) {
    const service = services.find((one) => one.getAttribute('Binding') === binding)
    const sloUrl = addressOf(service, 'Location')
    if (sloUrl !== null) return { sloUrl, sloResponseUrl: addressOf(service, 'ResponseLocation'), sloBinding }
  }
  return noSignOut
}

/** Whether a provider says that it takes signed requests only (SAML 2.0 metadata, 2.4.3: WantAuthnRequestsSigned). */
export function wantsSignedRequests(text: string): boolean {
  const document = parseXml(text)
  const [role] = document ? elements(`//${named('IDPSSODescriptor')}`, document) : []
  return ['true', '1'].includes(role?.getAttribute('WantAuthnRequestsSigned') ?? '')
}

function ssoUrlOf(role: Element): string {
  const services = elements(`./${named('SingleSignOnService')}`, role)
  const url = services.find((one) => one.getAttribute('Binding') === redirectBinding)?.getAttribute('Location') ?? ''
  return isWebAddress(url) ? url : refuse('names no SingleSignOnService with the HTTP-Redirect binding and an https address')
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
/** People are sent there: https, or a provider on the same machine. */
const isSafeAddress = ({ protocol, hostname, username }: URL) =>
  username === '' && (protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname)))

const isWebAddress = (url: string): boolean => url.length <= 1_000 && URL.canParse(url) && isSafeAddress(new URL(url))

function certificatesOf(role: Element): Pick<ProviderMetadata, 'certificates' | 'certificateEndsAt'> {
  const keys = elements(`./${named('KeyDescriptor')}[not(@use) or @use='signing']//${named('X509Certificate')}`, role)
  const certificates = [...new Set(keys.map((one) => (one.textContent ?? '').replaceAll(/\s/g, '')))]
  if (certificates.length === 0) refuse('holds no certificate for signatures')
  if (certificates.length > maxCertificates) refuse(`holds more than ${maxCertificates} certificates`)
  const ends = certificates.map((one) => readCertificate(one)?.validUntil.getTime())
  const known = ends.filter((one) => one !== undefined)
  if (known.length < ends.length) refuse('holds a certificate that is none, or whose key is not RSA of 2048 bits or more')
  return { certificates, certificateEndsAt: new Date(Math.max(...known)) }
}

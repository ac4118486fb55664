import { createSign, randomBytes, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { encrypt } from 'xml-encryption'
import { signXml } from '@node-saml/node-saml/lib/xml.js'
import { keys } from './saml-keys.ts'

/** What a response says; everything may be said wrongly. */
export interface Said {
  issuer: string
  audience: string
  recipient: string
  destination: string
  inResponseTo: string | null
  nameId: string
  nameIdFormat: string
  attributes: Record<string, string[]>
  /** Seconds from now. */
  notBefore: number
  notOnOrAfter: number
  assertionId: string
  sessionIndex: string
  /** When the person signed in there, in seconds from now; null leaves it out. */
  authenticated: number | null
  signs: 'assertion' | 'response' | 'both' | 'nothing'
  algorithm: 'sha1' | 'sha256' | 'sha512'
  status: string
  /** Encrypts the assertion, with the certificate of our metadata (PEM). */
  encrypts: { certificate: string; data?: string; key?: string } | null
  /** Key of keys. */
  by: keyof typeof keys
  /** Changes the assertion before it is signed, the whole before and after. */
  assertion: (xml: string) => string
  before: (xml: string) => string
  after: (xml: string) => string
}

export const issuer = 'https://idp.test/metadata'
export const ssoUrl = 'https://idp.test/sso'

/** Metadata as a provider gives it. */
export const metadataXml = ({
  by = ['idp'],
  entityId = issuer,
  more = '',
  binding = 'HTTP-Redirect',
  url = ssoUrl,
  wants = 'false',
  slo = '',
}: { by?: (keyof typeof keys)[]; entityId?: string; more?: string; binding?: string; url?: string; wants?: string; slo?: string } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <md:IDPSSODescriptor WantAuthnRequestsSigned="${wants}" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    ${by
      .map(
        (
          name,
        ) => `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>
${keys[name].certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      )
      .join('\n')}
    ${slo}
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${url}"/>
  </md:IDPSSODescriptor>${more}
</md:EntityDescriptor>`

const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
const transforms = {
  xmlSignatureTransforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
}

function sign(xml: string, element: string, { by, algorithm }: Pick<Said, 'by' | 'algorithm'>): string {
  const path = `//*[local-name(.)='${element}']`
  return signXml(
    xml,
    path,
    { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
    { privateKey: keys[by].key, signatureAlgorithm: algorithm, digestAlgorithm: algorithm, ...transforms },
  )
}

/** The request in an address of sign-in. */
export function requestXml(url: string): string {
  return inflateRawSync(Buffer.from(new URL(url).searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8')
}

/** Its id. */
export const requestOf = (url: string): string => /ID="([^"]+)"/.exec(requestXml(url))?.[1] ?? 'none'

export const sloUrl = 'https://idp.test/slo'
/** What metadata says of single logout. */
export const sloOf = (url = sloUrl, more = '', binding = 'HTTP-Redirect') =>
  `<md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${url}"${more}/>`

/** What a message to sign out says; everything may be said wrongly. */
export interface SignOutSaid {
  /** LogoutRequest, or LogoutResponse to that request. */
  inResponseTo?: string
  issuer: string
  destination: string
  id: string
  nameId: string
  indexes: string[]
  /** Seconds from now. */
  issued: number
  notOnOrAfter?: number
  status: string
  algorithm: string
  by: keyof typeof keys
  relayState: string
  isSigned: boolean
  /** Changes the message before it is packed and signed. */
  before: (xml: string) => string
}

function signOutMessage(given: Pick<SignOutSaid, 'destination'> & Partial<SignOutSaid>): { said: SignOutSaid; name: string; xml: string } {
  const said: SignOutSaid = {
    issuer,
    id: `_${randomBytes(12).toString('hex')}`,
    nameId: 'asha@sunrise.test',
    indexes: [],
    issued: 0,
    status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    by: 'idp',
    relayState: '',
    isSigned: true,
    before: (xml) => xml,
    ...given,
  }
  const isAnswer = said.inResponseTo !== undefined
  const name = isAnswer ? 'LogoutResponse' : 'LogoutRequest'
  const end = said.notOnOrAfter === undefined ? '' : ` NotOnOrAfter="${at(said.notOnOrAfter)}"`
  const body = isAnswer
    ? `<samlp:Status><samlp:StatusCode Value="${said.status}"/></samlp:Status>`
    : `<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${said.nameId}</saml:NameID>${said.indexes.map((one) => `<samlp:SessionIndex>${one}</samlp:SessionIndex>`).join('')}`
  const xml = said.before(
    `<samlp:${name} xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${said.id}" Version="2.0" IssueInstant="${at(said.issued)}" Destination="${said.destination}"${end}${isAnswer ? ` InResponseTo="${said.inResponseTo}"` : ''}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${said.issuer}</saml:Issuer>${body}</samlp:${name}>`,
  )
  return { said, name: isAnswer ? 'SAMLResponse' : 'SAMLRequest', xml }
}

/** A message to sign out in the query of an address, signed as the HTTP-Redirect binding has it. */
export function signOutQuery(given: Pick<SignOutSaid, 'destination'> & Partial<SignOutSaid>): string {
  const { said, name, xml } = signOutMessage(given)
  const escaped = (text: string) => encodeURIComponent(text)
  const parts = [
    `${name}=${escaped(deflateRawSync(xml).toString('base64'))}`,
    ...(said.relayState === '' ? [] : [`RelayState=${escaped(said.relayState)}`]),
  ]
  if (!said.isSigned) return parts.join('&')
  const covered = [...parts, `SigAlg=${escaped(said.algorithm)}`].join('&')
  const digest = said.algorithm.endsWith('sha1') ? 'RSA-SHA1' : 'RSA-SHA256'
  return `${covered}&Signature=${escaped(createSign(digest).update(covered).sign(keys[said.by].key, 'base64'))}`
}

/** The same message in a form, signed as the HTTP-POST binding has it; `after` changes what was signed. */
export function signOutForm(
  given: Pick<SignOutSaid, 'destination'> & Partial<SignOutSaid>,
  after: (xml: string) => string = (xml) => xml,
): URLSearchParams {
  const { said, name, xml } = signOutMessage(given)
  const algorithm = said.algorithm.endsWith('sha1') ? 'sha1' : 'sha256'
  const root = /<samlp:(\w+)/.exec(xml)?.[1] ?? ''
  const signed = said.isSigned ? sign(xml, root, { by: said.by, algorithm }) : xml
  const packed = Buffer.from(after(signed), 'utf8').toString('base64')
  return new URLSearchParams({ [name]: packed, ...(said.relayState === '' ? {} : { RelayState: said.relayState }) })
}

/** A response of an identity provider, signed with node-saml's own signing: base 64, as the browser's form holds it. */
export function respond(given: Pick<Said, 'audience' | 'recipient'> & Partial<Omit<Said, 'encrypts'>>): string {
  return write(given, (assertion) => assertion)
}

/** The same with its assertion encrypted, which takes a moment. */
export async function respondEncrypted(given: Pick<Said, 'audience' | 'recipient' | 'encrypts'> & Partial<Said>): Promise<string> {
  const { encrypts, ...said } = given
  if (!encrypts) return respond(said)
  // The text of the assertion is known once it is signed: it is taken down first and put in encrypted afterwards.
  let open = ''
  write(said, (assertion) => (open = assertion))
  const {
    data = 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
    key = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
    certificate,
  } = encrypts
  const rsa = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' })
  const options = { rsa_pub: rsa, pem: certificate, encryptionAlgorithm: data, keyEncryptionAlgorithm: key, keyEncryptionDigest: 'sha1' }
  const sealed = await promisify<string, object, string>(encrypt as never)(open, {
    ...options,
    disallowEncryptionWithInsecureAlgorithm: false,
    warnInsecureAlgorithm: false,
  })
  return write(
    said,
    () => `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${sealed}</saml:EncryptedAssertion>`,
  )
}

function write(given: Pick<Said, 'audience' | 'recipient'> & Partial<Said>, pack: (assertion: string) => string): string {
  const same = (xml: string) => xml
  const said: Said = {
    issuer,
    destination: given.recipient,
    inResponseTo: null,
    nameId: 'asha@sunrise.test',
    nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    attributes: {},
    notBefore: -10,
    notOnOrAfter: 120,
    assertionId: `_${randomBytes(12).toString('hex')}`,
    sessionIndex: '',
    authenticated: 0,
    signs: 'assertion',
    algorithm: 'sha256',
    status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    encrypts: null,
    by: 'idp',
    assertion: same,
    before: same,
    after: same,
    ...given,
  }
  const answers = said.inResponseTo === null ? '' : ` InResponseTo="${said.inResponseTo}"`
  const instant = said.authenticated === null ? '' : ` AuthnInstant="${at(said.authenticated)}"`
  const attributes = Object.entries(said.attributes)
    .map(
      ([name, values]) =>
        `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    )
    .join('')
  const assertion = said.assertion(
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.assertionId}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${said.nameIdFormat}">${said.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${at(said.notOnOrAfter)}" Recipient="${said.recipient}"${answers}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(said.notBefore)}" NotOnOrAfter="${at(said.notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement${instant}${said.sessionIndex === '' ? '' : ` SessionIndex="${said.sessionIndex}"`}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${attributes === '' ? '' : `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>`}</saml:Assertion>`,
  )
  const signed = said.signs === 'assertion' || said.signs === 'both' ? sign(assertion, 'Assertion', said) : assertion
  const packed = pack(signed)
  const response = said.before(
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomBytes(12).toString('hex')}" Version="2.0" IssueInstant="${at(0)}" Destination="${said.destination}"${answers}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${said.status}"/></samlp:Status>${packed}</samlp:Response>`,
  )
  const whole = said.signs === 'response' || said.signs === 'both' ? sign(response, 'Response', said) : response
  return Buffer.from(said.after(whole), 'utf8').toString('base64')
}

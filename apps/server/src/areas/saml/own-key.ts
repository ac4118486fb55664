import { deriveKeys } from '@outpost/platform/keys'
import { sealText, unsealWithAny } from '@outpost/platform/seal'
import { session } from '../../kernel/session/services.ts'

export interface OwnKey {
  /** The private key, sealed; base 64. */
  ownKey: string
  /** Its certificate: base 64 of its bytes. */
  ownCertificate: string
}

const years = 10
const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2_048 }
const sealing = () => deriveKeys(session().secrets, 'saml keys')
const pem = (label: string, base64: string): string =>
  `-----BEGIN ${label}-----\n${base64.replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${label}-----\n`

/**
 * A new key pair for one provider, with a certificate that nobody signed but itself: providers compare it, they do not follow a chain.
 * `name` is the sign-in name of the provider, to which the sealed key is bound.
 */
export async function makeOwnKey(name: string): Promise<OwnKey> {
  // Fetched with the first provider; its parts find each other through the polyfill.
  await import('reflect-metadata')
  const { X509CertificateGenerator } = await import('@peculiar/x509')
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const notBefore = new Date(session().clock.now())
  const notAfter = new Date(notBefore)
  notAfter.setFullYear(notAfter.getFullYear() + years)
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=outpost ${name}`,
    notBefore,
    notAfter,
    keys,
    signingAlgorithm: algorithm,
  })
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey))
  return {
    ownKey: sealText(sealing()[0], pem('PRIVATE KEY', bytes.toString('base64')), name).toString('base64'),
    ownCertificate: Buffer.from(certificate.rawData).toString('base64'),
  }
}

/** The private key of a provider as PEM; undefined while it has none. */
export const openOwnKey = ({ key, ownKey }: { key: string; ownKey: string | null }): string | undefined =>
  ownKey === null ? undefined : unsealWithAny(sealing(), Buffer.from(ownKey, 'base64'), key)

/** A certificate as PEM. */
export const certificatePem = (base64: string): string => pem('CERTIFICATE', base64)

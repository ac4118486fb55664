import { X509Certificate } from 'node:crypto'

export interface CertificateFacts {
  subject: string
  validFrom: Date
  validUntil: Date
  /** SHA-256, as administrators compare it. */
  fingerprint: string
}

/** A certificate of metadata: base 64 of its bytes; undefined when it is none, or has a key too short to trust. */
export function readCertificate(base64: string): CertificateFacts | undefined {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < 2_048) return undefined
    return {
      subject: certificate.subject.replaceAll('\n', ', '),
      validFrom: new Date(certificate.validFrom),
      validUntil: new Date(certificate.validTo),
      fingerprint: certificate.fingerprint256,
    }
  } catch {
    return undefined
  }
}

/** Of these certificates, those that hold now. */
export const liveCertificates = (certificates: readonly string[], now: number): string[] =>
  certificates.filter((one) => {
    const facts = readCertificate(one)
    return facts !== undefined && facts.validFrom.getTime() <= now && now < facts.validUntil.getTime()
  })

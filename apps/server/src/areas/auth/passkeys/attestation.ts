import { SettingsService } from '@simplewebauthn/server'

/** Kinds of statements for which the library brings root certificates of its own. */
export const trustedByDefault = ['android-key', 'android-safetynet', 'apple', 'mds'] as const

/**
 * Takes away all certificates by which the library would trust a maker of devices. We ask for no statement of a maker and believe none. With a
 * certificate to reach, the library would ask, past our guard, whatever address a sent certificate names for its revocation list; a key in an
 * Android phone may sign such a certificate.
 */
export function trustNoMaker(): void {
  for (const identifier of trustedByDefault) SettingsService.setRootCertificates({ identifier, certificates: [] })
}

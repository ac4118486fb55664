import type { CDPSession } from 'playwright'
import type { Person } from '../../support/browser.ts'

/**
 * A phone with a fingerprint reader; `press` and `release` the finger. Chromium takes the reader away when another tool of
 * the test (axe) has been at the page, so screens are looked at before it is there and after it is needed.
 */
export async function fingerprintOf({ page, context }: Person) {
  const cdp: CDPSession = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      hasPrf: true,
      automaticPresenceSimulation: true,
    },
  })
  const setFinger = (enabled: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return {
    press: () => setFinger(true),
    release: () => setFinger(false),
    kept: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

/** For whom the browser has no list of names to fill in: the button alone signs in, and nothing before it. */
export const withoutList = ({ context }: Person) =>
  context.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

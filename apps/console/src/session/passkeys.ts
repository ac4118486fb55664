import {
  browserSupportsWebAuthnAutofill,
  bufferToBase64URLString,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { call } from '../data/calls.ts'
import { getConnection } from '../data/connection.ts'
import { enterByPasskey, finishPasskeySignIn } from './actions.ts'
import type { OauthRequest, SignedIn } from './actions.ts'
import { storeForPasskey, type PasskeyKey } from './unlock/unlock.ts'

/** What the PRF extension is asked about. The answer is another one for each passkey and host, and never leaves this device. */
const prfInput = new TextEncoder().encode('outpost data key')
const withPrf = <Options extends { extensions?: object }>(options: Options): Options => ({
  ...options,
  extensions: { ...options.extensions, prf: { eval: { first: prfInput } } },
})

interface PrfResults {
  prf?: { enabled?: boolean; results?: { first?: ArrayBuffer } }
}

/** The secret of the passkey, where the device has that extension. */
const secretOf = ({ clientExtensionResults }: { clientExtensionResults: object }): ArrayBuffer | null =>
  (clientExtensionResults as PrfResults).prf?.results?.first ?? null

/** True when the browser offers passkeys among the names that it fills in. */
export const hasAutofill = browserSupportsWebAuthnAutofill

/** Takes back what the browser asks the person at the moment. */
export const stopAsking = (): void => WebAuthnAbortService.cancelCeremony()

/** True when the person cancelled or another question replaced this one: that is no error to show. */
export const isAborted = (error: unknown): boolean => error instanceof WebAuthnError && error.code === 'ERROR_CEREMONY_ABORTED'

/**
 * Signs in by a passkey: at the server, or without it when the device's data was prepared for the passkey. `isQuiet` waits in
 * the list of names that the browser fills in. Throws what the browser or the server says.
 */
export async function signInByPasskey({ oauth, isQuiet }: { oauth?: OauthRequest | undefined; isQuiet: boolean }): Promise<SignedIn> {
  const isHere = !getConnection().isOnline && !oauth
  const options = isHere ? optionsOfDevice() : ((await call('auth.passkeyOptions')).data.options as PublicKeyCredentialRequestOptionsJSON)
  const shown = await startAuthentication({ optionsJSON: withPrf(options), useBrowserAutofill: isQuiet })
  const key: PasskeyKey = { credentialId: shown.id, secret: secretOf(shown) }
  if (isHere) return enterByPasskey(key)
  const { id, rawId, type, response } = shown
  // What the extensions answered stays here: it opens this device's data.
  const { data } = await call('auth.passkeyLogin', { body: { credential: { id, rawId, type: type as 'public-key', response }, ...oauth } })
  return finishPasskeySignIn(data, key)
}

/** Without a server nobody checks the signature: the secret that comes with it opens the data, or does not. */
function optionsOfDevice(): PublicKeyCredentialRequestOptionsJSON {
  const challenge = bufferToBase64URLString(crypto.getRandomValues(new Uint8Array(32)).buffer)
  return { challenge, rpId: location.hostname, userVerification: 'required' }
}

export interface NewPasskey {
  name: string
  /** One of the two: a password also opens the data of this device. */
  proof: { password?: string | undefined; confirmation?: string | undefined }
  code?: string | undefined
  /** Whose data on this device it opens from now on; null for people who keep none. */
  dataOf: string | null
}

/** Makes a passkey on this device and, for who works offline and gave the password, lets it open the device's data. */
export async function makePasskey({ name, proof, code, dataOf }: NewPasskey): Promise<void> {
  const { options } = (await call('auth.startPasskey', { body: { ...proof, ...(code ? { code } : {}) } })).data
  const made = await startRegistration({ optionsJSON: withPrf(options as PublicKeyCredentialCreationOptionsJSON) })
  const { id, rawId, type, response } = made
  const { clientDataJSON, attestationObject, transports } = response
  await call('auth.addPasskey', {
    body: { name, credential: { id, rawId, type: type as 'public-key', response: { clientDataJSON, attestationObject, transports } } },
  })
  if (dataOf === null || proof.password === undefined || !(made.clientExtensionResults as PrfResults).prf?.enabled) return
  const secret = secretOf(made) ?? (await askSecret(id))
  await storeForPasskey(dataOf, proof.password, { credentialId: id, secret })
}

/** Most devices give the secret only when a passkey is shown: the person is asked once more. */
async function askSecret(id: string): Promise<ArrayBuffer | null> {
  try {
    const options = { ...optionsOfDevice(), allowCredentials: [{ id, type: 'public-key' as const }] }
    return secretOf(await startAuthentication({ optionsJSON: withPrf(options) }))
  } catch (error) {
    // The passkey is made and signs in; only the data of this device asks for the password then.
    console.info('This device was not prepared for the passkey.', error)
    return null
  }
}

import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'

const time = z.iso.datetime()
/** Bytes as browsers write them, base64url; none of these comes near the limit. */
const bytes = z.string().max(20_000)
const credential = {
  id: z.string().min(1).max(1_400),
  rawId: z.string().min(1).max(1_400),
  type: z.literal('public-key'),
}

/**
 * What a browser made (PublicKeyCredential.toJSON). What else browsers say about it is left out: results of extensions may
 * be secrets of the device, and are no business of the server.
 */
export const createdCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
})
export const shownCredential = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: z.string().max(200).nullish() }),
})

const descriptor = z.strictObject({ id: z.string(), type: z.string(), transports: z.array(z.string()).optional() })

/** PublicKeyCredentialCreationOptionsJSON, for navigator.credentials.create(). */
export const creationAnswer = z.strictObject({
  options: z.strictObject({
    challenge: z.string(),
    rp: z.strictObject({ name: z.string(), id: z.string() }),
    user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.strictObject({ alg: z.int(), type: z.string() })),
    timeout: z.int(),
    attestation: z.string(),
    excludeCredentials: z.array(descriptor),
    authenticatorSelection: z.strictObject({
      residentKey: z.string(),
      requireResidentKey: z.boolean(),
      userVerification: z.string(),
    }),
    extensions: z.strictObject({ credProps: z.boolean() }),
    hints: z.array(z.string()),
  }),
})

/** PublicKeyCredentialRequestOptionsJSON, for navigator.credentials.get(). */
export const requestAnswer = z.strictObject({
  options: z.strictObject({
    rpId: z.string(),
    challenge: z.string(),
    timeout: z.int(),
    userVerification: z.string(),
  }),
})

export const passkeysAnswer = z.strictObject({
  passkeys: z.array(
    z.strictObject({
      Id: identifierSchema,
      /** By which a device knows it: what it keeps for one that is gone it throws away. */
      credentialId: z.string(),
      name: z.string(),
      /** Where it signs in. */
      host: z.string(),
      /** A password manager carries it to other devices of the person. */
      isBackedUp: z.boolean(),
      dateCreated: time,
      lastUsedAt: time.nullable(),
    }),
  ),
})
export const addedPasskeyAnswer = z.strictObject({ Id: identifierSchema, name: z.string() })

import { fail } from '@outpost/contract/errors'
import { generateRegistrationOptions, verifyRegistrationResponse, type VerifiedRegistrationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { issueOneTime, redeemOneTime } from '../../../kernel/session/tokens/one-time.ts'
import { session, type SessionServices } from '../../../kernel/session/services.ts'
import type { Answer, Ctx, RequestInfo } from '../../../kernel/types.ts'
import type { Owner } from '../accounts.ts'
import { trustNoMaker } from './attestation.ts'
import { hasOneProof, oneProof, proofFields, requireProof } from '../proof.ts'
import { describeDevice } from '../devices/new-device.ts'
import { createdCredential } from './passkey.answers.ts'
import { insertPasskey, listOf, passkeysOf, removePasskeys } from './passkeys.ts'
import { relyingParty } from './relying-party.ts'
import { factorOf, noteChange, takeCode } from '../factor/second-factor.ts'

export const startPasskeyInput = z
  .strictObject({
    ...proofFields,
    /** Of the authenticator, where the caller has one: a passkey signs in without it from now on. */
    code: z.string().trim().min(1).max(40).optional(),
  })
  .refine(hasOneProof, oneProof)
export const addPasskeyInput = z.strictObject({ name: z.string().trim().min(1).max(100).optional(), credential: createdCredential })
export const endPasskeyInput = z.strictObject({ ...proofFields, passkeyId: idSchema }).refine(hasOneProof, oneProof)

/** EdDSA, ES256, RS256: what devices have. The library's own list asks Node for algorithms that it still warns about. */
const algorithms = [-8, -7, -257]

const ownerOf = ({ user }: Ctx): Owner => ({ companyId: user.companyId, userId: user.id })
const notRight = { field: 'code', message: 'is not right, or was used before' }

/** The caller's passkeys, the oldest first. */
export async function listPasskeys(ctx: Ctx): Promise<Answer> {
  return { data: { passkeys: await listOf(session(), ownerOf(ctx)) } }
}

/**
 * What the browser needs to make a passkey. It asks for all that a sign-in asks for, since a passkey counts as both factors.
 * The challenge is good once, for five minutes and in this session.
 */
export async function startPasskey(ctx: Ctx, input: z.infer<typeof startPasskeyInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const { rpId } = relyingParty(services, facts)
  const owner = ownerOf(ctx)
  const spend = await requireProof(ctx, input, facts)
  await requireCode(services, owner, input.code)
  const known = await passkeysOf(services, owner)
  const challenge = await services.store.write(null, async (db) => {
    await spend(db)
    return issueOneTime(db, services.clock, { purpose: 'passkey', ...owner, sessionId: ctx.sessionId })
  })
  const options = await generateRegistrationOptions({
    rpName: 'Outpost',
    rpID: rpId,
    userName: ctx.user.emailAddress,
    userID: new Uint8Array(handleOf(owner.userId)),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: 300_000,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { data: { options } }
}

/** Who has an authenticator shows a code of it. Stops with INVALID (code) or TOO_MANY_REQUESTS. */
async function requireCode(services: SessionServices, owner: Owner, code: string | undefined): Promise<void> {
  if (!(await factorOf(services, owner)).isOn) return
  if (code === undefined) return fail('INVALID', { fields: [{ field: 'code', message: 'is needed: the code of your authenticator' }] })
  const verdict = await services.store.write(owner.companyId, (db) => takeCode(db, services, owner, code))
  if (verdict === 'held') fail('TOO_MANY_REQUESTS')
  if (verdict !== 'good' && verdict !== 'recovery') fail('INVALID', { fields: [notRight] })
}

/** Keeps the passkey that the browser made. Stops with TOKEN_INVALID, INVALID (credential) or CONFLICT. */
export async function addPasskey(ctx: Ctx, { name, credential }: z.infer<typeof addPasskeyInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const owner = ownerOf(ctx)
  const { rpId, origin } = relyingParty(services, facts)
  const { challenge, registrationInfo: made } = await verifyCreated(credential, { rpId, origin })
  const kept = { name: name ?? describeDevice(facts.userAgent), isBackedUp: made.credentialBackedUp, rpId }
  const id = await services.store.write(owner.companyId, async (db) => {
    const row = await redeemOneTime(db, services.clock, 'passkey', challenge)
    if (row?.userId !== owner.userId || row.sessionId !== ctx.sessionId)
      return fail('TOKEN_INVALID', { message: 'This took too long. Start again.' })
    const { id: credentialId, publicKey, counter } = made.credential
    const added = await insertPasskey(db, services, {
      ...owner,
      ...kept,
      credentialId,
      publicKey,
      counter,
      transports: credential.response.transports ?? [],
    })
    await noteChange(db, owner, { by: owner.userId, what: 'passkey-on' })
    return added
  })
  return { data: { Id: id, name: kept.name } }
}

type Verified = Extract<VerifiedRegistrationResponse, { verified: true }>

/** What the credential proves: made here, just now, by a device that made sure who holds it. Its challenge is still to be redeemed. */
async function verifyCreated(
  { response, ...rest }: z.infer<typeof createdCredential>,
  { rpId, origin }: { rpId: string; origin: string },
): Promise<{ challenge: string; registrationInfo: Verified['registrationInfo'] }> {
  let challenge = ''
  trustNoMaker()
  const verified = await verifyRegistrationResponse({
    response: { ...rest, clientExtensionResults: {}, response },
    expectedChallenge: (given) => {
      challenge = given
      return true
    },
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null)
  if (!verified?.verified)
    return fail('INVALID', { fields: [{ field: 'credential', message: 'does not prove a passkey of this address' }] })
  return { challenge, registrationInfo: verified.registrationInfo }
}

/** Removes one of the caller's passkeys. */
export async function endPasskey(ctx: Ctx, input: z.infer<typeof endPasskeyInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const owner = ownerOf(ctx)
  const spend = await requireProof(ctx, input, facts)
  await services.store.write(owner.companyId, async (db) => {
    await spend(db)
    if ((await removePasskeys(db, owner, { id: input.passkeyId })) === 0) fail('NOT_FOUND')
    await noteChange(db, owner, { by: owner.userId, what: 'passkey-off' })
  })
  return { data: {} }
}

/** The user as their devices know them: the bytes of the id, which says nothing about the person. */
export const handleOf = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex')

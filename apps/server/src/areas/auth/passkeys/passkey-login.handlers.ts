import { fail } from '@outpost/contract/errors'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import { z } from 'zod'
import { oneTimeSeconds, recordUse } from '../../../kernel/session/tokens/one-time.ts'
import { session, type SessionServices } from '../../../kernel/session/services.ts'
import type { Answer, RequestInfo } from '../../../kernel/types.ts'
import { findAccount, type Account } from '../accounts.ts'
import { forgetFailures, isHeld, recordFailures } from '../attempts.ts'
import { passkeyRefused } from '../auth.errors.ts'
import { findClients, issueCode, oauthFields, oauthProof } from '../factor/codes.ts'
import { isKnownDevice } from '../cookies.ts'
import { answerSession, openFor } from '../login.handlers.ts'
import { shownCredential } from './passkey.answers.ts'
import { isOwnChallenge, issueChallenge } from './passkey-challenge.ts'
import { handleOf } from './passkey.handlers.ts'
import { findPasskey, recordPasskeyUse, type Passkey } from './passkeys.ts'
import { relyingParty } from './relying-party.ts'

export const passkeyLoginInput = z
  .strictObject({ credential: shownCredential, ...oauthFields })
  .refine(oauthProof.holds, oauthProof.otherwise)

/** What the browser needs to show a passkey: of nobody in particular, so that no name is asked for and none is given away. */
export async function passkeyOptions(_input: object, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const { rpId } = relyingParty(services, facts)
  const { challenge, cookie } = issueChallenge(services, facts)
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge,
    timeout: oneTimeSeconds.passkey * 1_000,
    userVerification: 'required',
  })
  return {
    data: { options: { rpId, challenge: options.challenge, timeout: oneTimeSeconds.passkey * 1_000, userVerification: 'required' } },
    cookies: [cookie],
  }
}

/**
 * Signs in by a passkey. The device has made sure who holds it, so that it counts as both factors. Stops with
 * PASSKEY_REFUSED whatever is wrong with it, TOO_MANY_REQUESTS, USER_DISABLED, ADDRESS_FORBIDDEN.
 */
export async function passkeyLogin(input: z.infer<typeof passkeyLoginInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const { credential, codeChallengeMethod: _method, ...request } = input
  const { clientId, redirectUri = '', codeChallenge = '' } = request
  const clients = clientId === undefined ? undefined : await findClients(services, clientId, redirectUri)
  const account = await verifyPasskey(services, credential, facts)
  if (account.status !== 1) fail('USER_DISABLED')
  if (clients) return issueCode(services, { account, clients, request: { ...request, redirectUri, codeChallenge } })
  const opened = await openFor(services, account, facts, { kind: 'passkey' })
  return answerSession(services, { account, opened, facts })
}

type Shown = z.infer<typeof shownCredential>

/** The account whose passkey it is. */
async function verifyPasskey(services: SessionServices, shown: Shown, facts: RequestInfo): Promise<Account> {
  const passkey = await findPasskey(services, shown.id)
  const account = passkey && (await findAccount(services, passkey.companyId, passkey.userId))
  if (!account) return fail(passkeyRefused)
  // As with passwords: guesses from elsewhere wait, the owner's own browser does not.
  if (isHeld(account, services) && !isKnownDevice(services, facts, [account.id])) fail('TOO_MANY_REQUESTS')
  const proof = await prove(services, { passkey, shown, facts })
  const isTaken = proof !== undefined && (await use(services, passkey, proof))
  if (isTaken) return account
  await recordFailures(services, [account], facts, 'passkey')
  return fail(passkeyRefused)
}

interface Proof {
  challenge: string
  counter: number
  isBackedUp: boolean
}

/** What the answer of the device proves, or undefined: its signature over our challenge, for this host and person. */
async function prove(
  services: SessionServices,
  { passkey, shown, facts }: { passkey: Passkey; shown: Shown; facts: RequestInfo },
): Promise<Proof | undefined> {
  const { rpId, origin } = relyingParty(services, facts)
  const { userHandle, ...response } = shown.response
  if (rpId !== passkey.rpId || (userHandle && userHandle !== handleOf(passkey.userId).toString('base64url'))) return undefined
  let challenge = ''
  const verified = await verifyAuthenticationResponse({
    response: { ...shown, response, clientExtensionResults: {} },
    expectedChallenge: (given) => {
      challenge = given
      return isOwnChallenge(services, facts, given)
    },
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id: passkey.credentialId, publicKey: passkey.publicKey, counter: passkey.counter },
    requireUserVerification: true,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { challenge, counter: newCounter, isBackedUp: credentialBackedUp }
}

/** Uses the challenge up and counts; of five answers at once one comes through. */
async function use(services: SessionServices, passkey: Passkey, { challenge, ...counted }: Proof): Promise<boolean> {
  const { companyId, userId } = passkey
  return services.store.write(companyId, async (db) => {
    if (!(await recordUse(db, services.clock, { purpose: 'passkey', companyId, userId, secret: challenge }))) return false
    const isTaken = await recordPasskeyUse(db, services, { passkey, ...counted })
    if (isTaken) await forgetFailures(db, passkey)
    return isTaken
  })
}

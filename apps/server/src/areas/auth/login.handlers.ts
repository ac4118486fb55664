import { setTimeout as wait } from 'node:timers/promises'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { policyOf, sessionTimes } from '../../kernel/session/policy.ts'
import { requireAddress } from '../../kernel/session/addresses.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import { openSession, type NewSession, type OpenedSession } from '../../kernel/session/sessions.ts'
import type { Answer, RequestInfo } from '../../kernel/types.ts'
import { askToBeLetIn } from '../ip-addresses/index.ts'
import { findAccounts, type Account } from './accounts.ts'
import { deviceOf, isNative, signedInAnswer, type DataAnswer } from './answers.ts'
import { attemptsOf, isHeld, recordFailures } from './attempts.ts'
import { rememberDevice } from './devices/devices.ts'
import { isKnownDevice, markDevice } from './cookies.ts'
import { findClients, issueCode, oauthFields, oauthProof } from './factor/codes.ts'
import { issueStep } from './login-step.ts'
import { requestNewDeviceMail } from './devices/new-device.job.ts'
import { isNewDeviceOf } from './devices/new-device.ts'

export const loginInput = z
  .strictObject({
    /** E-mail address or user name. */
    email: z.string().trim().min(1).max(200),
    password: z.string().min(1).max(1_000),
    ...oauthFields,
  })
  .refine(oauthProof.holds, oauthProof.otherwise)

/** A refusal takes this long, so that an address which works for several companies, each with its own hash, looks like one that nobody has. */
const steadyMilliseconds = 150
const letInMessage =
  'You may not work from this address. The administrators of your group were asked by mail to let you in: try again once they did.'

/**
 * Signs a user in by password. Unknown names and wrong passwords get the same answer after the same work.
 * With clientId and redirectUri the answer is data.redirect with a one-time code instead of a session; for who has a
 * second factor, or must have one, data.step comes before either.
 */
export async function login(input: z.infer<typeof loginInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const clients = input.clientId === undefined ? undefined : await findClients(services, input.clientId, input.redirectUri ?? '')
  const account = await verifyPassword(services, input, facts)
  if (account.status !== 1) fail('USER_DISABLED')
  const { email: _email, password: _password, codeChallengeMethod: _method, ...request } = input
  const step = await issueStep(services, account, request)
  if (step) return step
  if (clients)
    return issueCode(services, {
      account,
      clients,
      request: { ...request, redirectUri: input.redirectUri ?? '', codeChallenge: input.codeChallenge ?? '' },
    })
  const opened = await openFor(services, account, facts, { kind: 'login' })
  return answerSession(services, { account, opened, facts })
}

interface Typed {
  email: string
  password: string
}

/** The account whose password it is. Stops with INVALID_CREDENTIALS, or TOO_MANY_REQUESTS while the name has to wait. */
async function verifyPassword(services: SessionServices, typed: Typed, facts: RequestInfo): Promise<Account> {
  const attempts = attemptsOf(services)
  const started = performance.now()
  const accounts = await findAccounts(services, typed.email)
  const ids = accounts.map(({ id }) => id)
  const account = isKnownDevice(services, facts, ids)
    ? await tryPassword(services, typed, { accounts, facts, isKnown: true })
    : await attempts.inTurn(typed.email, async () => {
        if (!attempts.mayTry(typed.email)) fail('TOO_MANY_REQUESTS')
        // As the tries before have left them.
        return tryPassword(services, typed, { accounts: await findAccounts(services, typed.email), facts, isKnown: false })
      })
  if (account) {
    await refreshHash(services, account, typed.password)
    return account
  }
  await wait(Math.max(0, steadyMilliseconds - (performance.now() - started)))
  return fail('INVALID_CREDENTIALS')
}

/** The account that the password opens; without one the try is counted. */
async function tryPassword(
  services: SessionServices,
  { email, password }: Typed,
  { accounts, facts, isKnown }: { accounts: readonly Account[]; facts: RequestInfo; isKnown: boolean },
): Promise<Account | undefined> {
  const good: Account[] = []
  if (accounts.length === 0) await services.passwords.verify(undefined, password)
  for (const account of accounts) {
    // Held back by failures in another process: the work is done, the answer is no.
    const hash = isKnown || !isHeld(account, services) ? (account.passwordHash ?? undefined) : undefined
    if (await services.passwords.verify(hash, password)) good.push(account)
  }
  const [account] = good.sort((one, other) => Number(other.status === 1) - Number(one.status === 1))
  if (account) attemptsOf(services).succeeded(email)
  else {
    attemptsOf(services).failed(email)
    await recordFailures(services, accounts, facts)
  }
  return account
}

async function refreshHash(services: SessionServices, { companyId, id, passwordHash }: Account, password: string): Promise<void> {
  const isOutdated = passwordHash !== null && services.passwords.isOutdated(passwordHash)
  const hash = isOutdated ? await services.passwords.hash(password) : passwordHash
  await services.store.write(null, (db) =>
    db.exec(sql`
    update credential set "passwordHash" = ${hash}, "failedCount" = 0, "nextTryAt" = null
    where "companyId" = ${companyId}::uuid and "userId" = ${id}::uuid and ("failedCount" > 0 or "passwordHash" <> ${hash})`),
  )
}

/** Opens a session by the policy of the account's roles; a program's session is bound to its device. */
export async function openFor(
  services: SessionServices,
  account: Account,
  facts: RequestInfo,
  how: Pick<NewSession, 'kind' | 'oauthClientId' | 'provider'>,
): Promise<OpenedSession> {
  const { companyId, id: userId } = account
  const identity = await services.identities.load({ companyId, userId, sessionId: null, tenantId: null })
  if (await askToBeLetIn(services, identity, facts.ip)) fail('ADDRESS_FORBIDDEN', { message: letInMessage })
  requireAddress(services, identity, facts.ip)
  const deviceId = isNative(facts) ? deviceOf(facts) : null
  const policy = policyOf(account.roles)
  const times = await sessionTimes(services.settings, companyId, policy)
  return services.store.write(companyId, async (db) => {
    const isNewDevice = await isNewDeviceOf(db, services, { companyId, userId, deviceId }, facts)
    const opened = await openSession(services, db, {
      companyId,
      userId,
      policy,
      times,
      ip: facts.ip,
      userAgent: facts.userAgent,
      deviceId,
      isNewDevice,
      ...how,
    })
    if (isNewDevice) await requestNewDeviceMail(db, { companyId, userId, eventId: opened.eventId })
    if (deviceId) await rememberDevice(db, services, { companyId, userId, deviceId, sessionId: opened.session.id, isBiometric: false })
    return opened
  })
}

/** The answer of a fresh session, with the mark of a known device for browsers. */
export function answerSession(
  services: SessionServices,
  { account, opened, facts }: { account: Account; opened: OpenedSession; facts: RequestInfo },
): Promise<DataAnswer> {
  const isProgram = isNative(facts)
  return signedInAnswer(services, {
    ...opened,
    into: isProgram ? 'json' : 'session',
    cookies: isProgram ? [] : [markDevice(services, facts, account.id)],
  })
}

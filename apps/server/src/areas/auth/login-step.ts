import { later } from '../../kernel/session/clock.ts'
import { issueOneTime, oneTimeSeconds } from '../../kernel/session/tokens/one-time.ts'
import type { SessionServices } from '../../kernel/session/services.ts'
import type { SessionProvider } from '../../kernel/session/sessions.ts'
import type { Account } from './accounts.ts'
import type { DataAnswer } from './answers.ts'
import { factorOf, startEnrolment } from './factor/second-factor.ts'

/** What a sign-in for another program asked for, kept until its second step. */
export interface AskedFor {
  clientId?: string | undefined
  redirectUri?: string | undefined
  state?: string | undefined
  codeChallenge?: string | undefined
}

/**
 * After the right password, or an identity provider's word: what comes before a session. The challenge represents it in the second step,
 * for five minutes, and keeps whose word (`provider`) it was; undefined when the person has no second factor and no role asks for one.
 */
export async function issueStep(
  services: SessionServices,
  account: Account,
  request: AskedFor,
  provider?: SessionProvider,
): Promise<DataAnswer | undefined> {
  const owner = { companyId: account.companyId, userId: account.id }
  const { isOn, isRequired } = await factorOf(services, owner)
  if (!isOn && !isRequired) return undefined
  const enrolment = isOn ? undefined : await startEnrolment(services, owner, account.emailAddress)
  const challenge = await services.store.write(null, (db) =>
    issueOneTime(db, services.clock, { purpose: 'step', ...owner, data: { request, tries: 0, ...(provider ? { provider } : {}) } }),
  )
  const expiresAt = later(services.clock, oneTimeSeconds.step).toISOString()
  return { data: { step: isOn ? 'code' : 'enrol', challenge, expiresAt, ...(enrolment ? { enrolment } : {}) } }
}

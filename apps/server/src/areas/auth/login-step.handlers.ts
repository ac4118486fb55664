import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { later } from '../../kernel/session/clock.ts'
import { redeemOneTime, type OneTimeRow } from '../../kernel/session/tokens/one-time.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import type { SessionProvider } from '../../kernel/session/sessions.ts'
import type { Answer, RequestInfo } from '../../kernel/types.ts'
import { findAccount, type Account } from './accounts.ts'
import type { DataAnswer } from './answers.ts'
import { findClients, issueCode } from './factor/codes.ts'
import { answerSession, openFor } from './login.handlers.ts'
import type { AskedFor } from './login-step.ts'
import { makeRecoveryCodes, noteChange, takeCode, type CodeVerdict } from './factor/second-factor.ts'

export const loginStepInput = z.strictObject({ challenge: z.string().max(200), code: z.string().trim().min(1).max(40) })

/** Codes that one challenge takes; then the password is asked for again. */
const triesPerChallenge = 5

/**
 * The second step of a sign-in: the challenge of the first and a code. It opens the session, or goes back to the program
 * that asked. Stops with INVALID (code), TOKEN_INVALID (the challenge is late or used up) or TOO_MANY_REQUESTS.
 */
export async function loginStep({ challenge, code }: z.infer<typeof loginStepInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  // Used up for as long as the code is looked at: guesses by one challenge come one after the other.
  const row = await services.store.write(null, (db) => redeemOneTime(db, services.clock, 'step', challenge))
  const account = row && (await findAccount(services, row.companyId, row.userId))
  if (!row || !account) return fail('TOKEN_INVALID', { message: 'This sign-in took too long. Start again.' })
  if (account.status !== 1) fail('USER_DISABLED')
  const { verdict, recoveryCodes } = await takeIn(services, account, code)
  if (verdict === 'wrong' || verdict === 'held') return refuse(services, { row, challenge, verdict, facts })
  const more = recoveryCodes ? { recoveryCodes } : {}
  const request = row.data['request'] as AskedFor
  const answer = await (request.clientId === undefined
    ? openSessionFor(services, account, { facts, provider: row.data['provider'] as SessionProvider | undefined })
    : goBack(services, account, request))
  return { ...answer, data: { ...answer.data, ...more } }
}

async function openSessionFor(
  services: SessionServices,
  account: Account,
  { facts, provider }: { facts: RequestInfo; provider: SessionProvider | undefined },
): Promise<DataAnswer> {
  const opened = await openFor(services, account, facts, { kind: provider ? 'saml' : 'login', provider })
  return answerSession(services, { account, opened, facts })
}

async function goBack(
  services: SessionServices,
  account: Account,
  { clientId = '', redirectUri = '', codeChallenge = '', ...rest }: AskedFor,
): Promise<DataAnswer> {
  const clients = await findClients(services, clientId, redirectUri)
  return issueCode(services, { account, clients, request: { ...rest, redirectUri, codeChallenge } })
}

function takeIn(services: SessionServices, account: Account, code: string): Promise<{ verdict: CodeVerdict; recoveryCodes?: string[] }> {
  const owner = { companyId: account.companyId, userId: account.id }
  return services.store.write(account.companyId, async (db) => {
    const verdict = await takeCode(db, services, owner, code)
    if (verdict === 'recovery') await noteChange(db, owner, { by: account.id, what: 'recovery-used' })
    if (verdict !== 'confirmed') return { verdict }
    await noteChange(db, owner, { by: account.id, what: 'factor-on' })
    return { verdict, recoveryCodes: await makeRecoveryCodes(db, services, owner) }
  })
}

/** Writes the wrong code into the login report and opens the challenge again, unless it has had its tries. */
async function refuse(
  services: SessionServices,
  { row, challenge, verdict, facts }: { row: OneTimeRow; challenge: string; verdict: 'wrong' | 'held'; facts: RequestInfo },
): Promise<never> {
  await services.store.write(null, async (db) => {
    await db.exec(sql`
      update one_time_token set "data" = jsonb_set("data", '{tries}', to_jsonb(("data" ->> 'tries')::int + 1)),
        "usedAt" = case when ("data" ->> 'tries')::int + 1 < ${triesPerChallenge} then null else "usedAt" end
      where "companyId" = ${row.companyId}::uuid and "tokenHash" = ${hashSecret(challenge)}`)
    await db.exec(sql`
      insert into login_event ("companyId", "id", "userId", "kind", "ip", "userAgent", "detail", "dateCreated")
      values (${row.companyId}::uuid, uuidv7(), ${row.userId}::uuid, 'refused', ${facts.ip}, ${facts.userAgent.slice(0, 300)}, 'second factor',
        ${later(services.clock)})`)
  })
  if (verdict === 'held') fail('TOO_MANY_REQUESTS')
  return fail('INVALID', { fields: [{ field: 'code', message: 'is not right, or was used before' }] })
}

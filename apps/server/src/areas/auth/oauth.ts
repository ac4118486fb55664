import { createHash } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { findOneTime, redeemOneTime, type OneTimeRow } from '../../kernel/session/tokens/one-time.ts'
import { hashSecret, isSameText } from '../../kernel/session/tokens/opaque.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import { endOneSession } from '../../kernel/session/sessions.ts'
import type { Answer, RequestInfo } from '../../kernel/types.ts'
import { findAccount } from './accounts.ts'
import { findProvenClient, recordUse } from './client-secret.ts'
import { isLive, type OauthClient } from './factor/codes.ts'
import { answerSession, openFor } from './login.handlers.ts'

export const tokenInput = z.strictObject({
  email: z.string().trim().min(1).max(200),
  token: z.string().max(200),
  codeVerifier: z.string().max(200).optional(),
  /** Of a program that can keep a secret. */
  clientId: z.string().max(200).optional(),
  clientSecret: z.string().max(200).optional(),
})

/**
 * Exchanges a one-time code and the verifier of its challenge for a session, once and within 60 seconds. A second use means that somebody else saw
 * the code, so it ends the session that the first one opened. Stops with TOKEN_INVALID, whatever was wrong.
 */
export async function exchangeToken(input: z.infer<typeof tokenInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  refuseImpersonator(services, facts)
  const row = await services.store.write(null, (db) => redeemOneTime(db, services.clock, 'code', input.token))
  if (!row) return refuseSecondUse(services, input.token)
  const account = await findAccount(services, row.companyId, row.userId)
  const isTheirs = account?.emailAddress === input.email.toLowerCase()
  const client = await findProvenClient(services, row, input)
  if (!account || !isTheirs || !client || !isVerified(row, input.codeVerifier)) return fail('TOKEN_INVALID')
  if (account.status !== 1) fail('USER_DISABLED')
  const opened = await openFor(services, account, facts, { kind: 'code', oauthClientId: client.id })
  await recordUse(services, client)
  await services.store.write(null, (db) =>
    db.exec(sql`
    update one_time_token set "sessionId" = ${opened.session.id}::uuid
    where "companyId" = ${row.companyId}::uuid and "tokenHash" = ${hashSecret(input.token)}`),
  )
  return answerSession(services, { account, opened, facts })
}

/** The call is public, yet somebody who acts in another's name must not come out of it as a third. */
function refuseImpersonator({ tokens }: SessionServices, { headers }: RequestInfo): void {
  const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined && tokens.isImpersonation(bearer)) fail('WHILE_IMPERSONATING')
}

async function refuseSecondUse(services: SessionServices, code: string): Promise<never> {
  const used = await findOneTime(services.store.sql, 'code', code)
  if (used?.sessionId) {
    await endOneSession(services, { companyId: used.companyId, id: used.sessionId, userId: used.userId }, 'code-reuse')
  }
  return fail('TOKEN_INVALID')
}

function isVerified({ data }: OneTimeRow, verifier: string | undefined): boolean {
  const { codeChallenge } = data
  return (
    typeof codeChallenge === 'string' &&
    verifier !== undefined &&
    isSameText(createHash('sha256').update(verifier).digest('base64url'), codeChallenge)
  )
}

export const authUrlInput = z.strictObject({
  x: z.string().max(200),
  /** With x = saml: the sign-in name of the identity provider. */
  provider: z.string().trim().max(100).optional(),
})
/** Gives the address of an identity provider, by its sign-in name. */
export type StartSaml = (provider: string | undefined) => Promise<Answer>

/** Where a user of a registered client starts; x is its client id, or saml for an identity provider. */
export const authUrl =
  (startSaml?: StartSaml) =>
  async ({ x, provider }: z.infer<typeof authUrlInput>): Promise<Answer> => {
    if (x.toLowerCase() !== 'saml') return clientUrl(x)
    return startSaml ? startSaml(provider) : fail('NOT_CONFIGURED', { message: 'SAML is not configured' })
  }

async function clientUrl(x: string): Promise<Answer> {
  const { store, publicUrl } = session()
  const [client] = await store.sql.query<OauthClient & { name: string }>(sql`
    select "companyId", "id", "clientId", "name", "redirectUris" from oauth_client where "clientId" = ${x} and ${isLive} limit 1`)
  const [redirectUri] = client?.redirectUris ?? []
  if (!client || redirectUri === undefined) return fail('NOT_FOUND')
  const address = new URL('/login/oauth/authorize', publicUrl)
  address.searchParams.set('clientId', client.clientId)
  address.searchParams.set('redirectUri', redirectUri)
  return { data: { url: address.href, name: client.name } }
}

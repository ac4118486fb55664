import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { issueOneTime } from '../../../kernel/session/tokens/one-time.ts'
import type { SessionServices } from '../../../kernel/session/services.ts'
import type { Account } from '../accounts.ts'
import type { DataAnswer } from '../answers.ts'
import { redirectNotRegistered } from '../auth.errors.ts'

/** What a sign-in for another program says beside who signs in. */
export const oauthFields = {
  clientId: z.string().max(200).optional(),
  redirectUri: z.string().max(2_000).optional(),
  state: z.string().max(500).optional(),
  /** PKCE: the SHA-256 of the program's verifier. */
  codeChallenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .optional(),
  codeChallengeMethod: z.literal('S256').optional(),
}

/** A code that is seen on its way back must be good for nobody but the program that asked for it. */
export const oauthProof = {
  holds: ({ clientId, codeChallenge }: { clientId?: string | undefined; codeChallenge?: string | undefined }): boolean =>
    clientId === undefined || codeChallenge !== undefined,
  otherwise: { path: ['codeChallenge'], error: 'is needed: the S256 challenge of PKCE' },
}

export interface OauthClient {
  companyId: string
  id: string
  clientId: string
  redirectUris: string[]
}
/** A program that a company has neither switched off nor deleted. */
export const isLive = sql`not "isDisabled" and "deletedAt" is null`
export interface CodeRequest {
  redirectUri: string
  state?: string
  codeChallenge: string
}

/**
 * The client that may receive users at this address. The address must be registered letter by letter: what is
 * "the same" after decoding or normalising is how codes are stolen. Stops with REDIRECT_NOT_REGISTERED.
 */
export async function findClients({ store }: SessionServices, clientId: string, redirectUri: string): Promise<OauthClient[]> {
  const clients = await store.sql.query<OauthClient>(sql`
    select "companyId", "id", "clientId", "redirectUris" from oauth_client
    where "clientId" = ${clientId} and ${isLive} and ${redirectUri} = any("redirectUris")`)
  if (clients.length === 0 || !isRedirectAddress(redirectUri)) fail(redirectNotRegistered)
  return clients
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for an address that a user may be sent to at all: https, or a program on the same machine; no user part, no fragment. */
export function isRedirectAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password, hash } = new URL(text)
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))
  return isPrivate && username === '' && password === '' && hash === '' && !text.includes('#')
}

/** Sends the user back to the client with a one-time code; no token is ever in an address. */
export async function issueCode(
  services: SessionServices,
  { account, clients, request }: { account: Account; clients: readonly OauthClient[]; request: CodeRequest },
): Promise<DataAnswer> {
  const home = await services.store.sql.query<{ id: string }>(sql`
    select "id" from tenant where "groupId" = ${account.companyId}::uuid`)
  const client = clients.find(({ companyId }) => companyId === account.companyId || home.some(({ id }) => id === companyId))
  if (!client) return fail(redirectNotRegistered)
  const code = await services.store.write(null, (db) =>
    issueOneTime(db, services.clock, {
      purpose: 'code',
      companyId: account.companyId,
      userId: account.id,
      data: { clientId: client.clientId, redirectUri: request.redirectUri, codeChallenge: request.codeChallenge },
    }),
  )
  const address = new URL(request.redirectUri)
  address.searchParams.set('success', 'true')
  address.searchParams.set('token', code)
  if (request.state !== undefined) address.searchParams.set('state', request.state)
  return { data: { redirect: address.href } }
}

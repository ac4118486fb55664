import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { oneTimeSeconds } from '../../kernel/session/tokens/one-time.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { findAccount } from '../auth/index.ts'
import { findProviders, type Provider } from './provider.ts'
import { askProvider, requestSeconds } from './start.ts'

export const confirmWaysAnswer = z.strictObject({
  /** The name of the identity provider that vouched for this session, by which its person may confirm something. */
  provider: z.string().nullable(),
  hasPassword: z.boolean(),
})
export const confirmStartAnswer = z.strictObject({ url: z.string(), name: z.string() })

/** How the caller may say who they are again, where a call asks for the password. */
export async function confirmWays(ctx: Ctx): Promise<Answer> {
  const services = session()
  const [provider, account] = [await ownProvider(services, ctx), await findAccount(services, ctx.user.companyId, ctx.user.id)]
  return { data: { provider: provider?.name ?? null, hasPassword: (account?.passwordHash ?? null) !== null } }
}

/**
 * The address at which the caller signs in anew at the provider that vouched for this session; they come back at /profile with
 * `confirmed`. Stops with NOT_CONFIGURED for a session that began in another way.
 */
export async function startConfirm(ctx: Ctx): Promise<Answer> {
  const services = session()
  const provider = await ownProvider(services, ctx)
  if (!provider) return fail('NOT_CONFIGURED', { message: 'No identity provider signed you in. Use your password.' })
  // The confirmation is good in this browser alone, until its own end.
  return askProvider(services, provider, { sessionId: ctx.sessionId, seconds: requestSeconds + oneTimeSeconds.confirm })
}

async function ownProvider(services: SessionServices, { user: { companyId }, sessionId }: Ctx): Promise<Provider | undefined> {
  const [provider] = await findProviders(
    services,
    sql`"companyId" = ${companyId}::uuid and "id" = (
      select p."providerId" from session_provider p where p."companyId" = ${companyId}::uuid and p."sessionId" = ${sessionId}::uuid)`,
  )
  return provider
}

import { sql } from '@outpost/platform/db/sql'
import { later } from '../../kernel/session/clock.ts'
import type { Moment } from '../../kernel/session/identity-query.ts'
import { makeJobCtx } from '../../kernel/session/jobs.ts'
import { issueOneTime } from '../../kernel/session/tokens/one-time.ts'
import type { SessionServices } from '../../kernel/session/services.ts'
import { findMeant } from './person.ts'
import { noteUse, type Provider } from './provider.ts'
import { refuse, skewMilliseconds, type Assertion } from './response.ts'

/** A request of ours that was answered. */
export interface Asked {
  kind: 'login' | 'confirm'
  /** The open session that a confirmation is for. */
  sessionId: string | null
  /** The browser that asked: the hash of its secret. */
  browser: string
  dateCreated: Moment
}
export interface Taken {
  assertion: Assertion
  asked: Asked
}

/**
 * A code that stands for the person's password once, in the session that asked. The assertion has to name whom the provider named when
 * it vouched for that session, and to say that they signed in anew. Nobody is made, recognised by e-mail or given roles here. Throws
 * AssertionRefused.
 */
export async function confirmationFor(services: SessionServices, provider: Provider, { assertion, asked }: Taken): Promise<string> {
  const { companyId } = provider
  refuseOld(services, { assertion, asked })
  const own = await vouchedSession(services, provider, asked.sessionId)
  if (own?.nameId !== assertion.nameId) return refuse('the session it was asked for is over, or it names somebody else')
  const ctx = await makeJobCtx(services, { companyId, userId: null })
  // What the person may has perhaps grown since: no provider speaks for who may more than whoever saved it.
  const meant = await ctx.transaction((inner) => findMeant(inner, provider, assertion))
  if (meant.by !== 'identity' || meant.userId !== own.userId) refuse('it names somebody else than whose session it is')
  return services.store.write(null, async (db) => {
    await noteUse(db, services, { provider, nameId: assertion.nameId })
    // The provider may have begun another session of its own, by whose name it signs the person out.
    await db.exec(sql`
      update session_provider set "sessionIndex" = coalesce(${assertion.subject.sessionIndex}, "sessionIndex")
      where "companyId" = ${companyId}::uuid and "sessionId" = ${asked.sessionId}::uuid`)
    const { userId } = own
    return issueOneTime(db, services.clock, {
      purpose: 'confirm',
      companyId,
      userId,
      sessionId: asked.sessionId,
      data: { browser: asked.browser },
    })
  })
}

/** A provider that ignores ForceAuthn says when the person signed in long ago. Clocks differ. */
function refuseOld({ clock }: SessionServices, { assertion: { authenticatedAt: at }, asked }: Taken): void {
  const isFresh = at + skewMilliseconds >= new Date(asked.dateCreated).getTime() && at - skewMilliseconds <= clock.now()
  if (!isFresh) refuse('the person was to sign in anew, and did not (AuthnInstant)')
}

/** Whom the provider named for a session that is still open. */
function vouchedSession(
  { store, clock }: SessionServices,
  { companyId, id }: Provider,
  sessionId: string | null,
): Promise<{ userId: string; nameId: string } | undefined> {
  return store.sql.maybe(sql`
    select s."userId", p."nameId" from session_provider p join session s on s."companyId" = p."companyId" and s."id" = p."sessionId"
    where p."companyId" = ${companyId}::uuid and p."sessionId" = ${sessionId}::uuid and p."providerId" = ${id}::uuid
      and s."endedAt" is null and s."expiresAt" > ${later(clock)}`)
}

import { stringify } from 'node:querystring'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { later } from '../../kernel/session/clock.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import { endOneSession } from '../../kernel/session/sessions.ts'
import type { Answer, RequestInfo } from '../../kernel/types.ts'
import { noteRefusal, type acsInput } from './acs.handlers.ts'
import { liveCertificates } from './certificates.ts'
import { addressesOf, findProviders, type Provider } from './provider.ts'
import { AssertionRefused, refuse } from './response.ts'
import { signOutSaml } from './sign-out.ts'
import { readSignOut, type SignOutMessage } from './sign-out.message.ts'
import { readPostedSignOut } from './sign-out.posted.ts'
import { newMessageId, rememberSent, signedForm } from './sign-out.send.ts'

const part = z.string().max(20_000).optional()
export const sloInput = z.object({
  key: z.string().max(100),
  SAMLRequest: part,
  SAMLResponse: part,
  RelayState: part,
  SigAlg: part,
  Signature: part,
})

/** Longer than a message may be old: one that is seen again is refused either way. */
const rememberSeconds = 3_600

type Read = (services: SessionServices, provider: Provider) => Promise<SignOutMessage>

/**
 * Where an identity provider has the browser come for signing out (HTTP-Redirect binding): with a request of its own, which ends the
 * sessions of that person alone and is answered, or with the answer to ours. What was wrong is kept with the provider.
 */
export const takeSignOut = ({ key }: z.infer<typeof sloInput>, info: RequestInfo): Promise<Answer> =>
  takeMessage(key, info, (services, provider) => readSignOut({ ...checkOf(services, provider), query: info.query }))

/** The same for a form (HTTP-POST binding). */
export const takePostedSignOut = ({ key }: z.infer<typeof acsInput>, info: RequestInfo): Promise<Answer> =>
  takeMessage(key, info, (services, provider) => {
    const form = new URLSearchParams((info.raw ?? Buffer.alloc(0)).toString('utf8'))
    return readPostedSignOut({ ...checkOf(services, provider), form, issuer: provider.entityId })
  })

async function takeMessage(key: string, { log }: RequestInfo, read: Read): Promise<Answer> {
  const services = session()
  const [provider] = await findProviders(services, sql`"key" = ${key}`)
  if (!provider) return { redirect: '/saml?problem=unknown' }
  try {
    return { redirect: await goOn(services, provider, await read(services, provider)) }
  } catch (error) {
    if (!(error instanceof AssertionRefused)) log.error({ err: error }, 'a SAML message to sign out could not be taken')
    await noteRefusal(services, provider, error instanceof AssertionRefused ? error.message : 'nobody could be signed out')
    return { redirect: '/saml?problem=sign-out' }
  }
}

/** What a message of the provider is checked by. Throws AssertionRefused when no certificate of it is live. */
function checkOf(services: SessionServices, provider: Provider) {
  const certificates = liveCertificates(provider.certificates, services.clock.now())
  if (certificates.length === 0) refuse('the certificates of the provider have expired: upload its present metadata')
  const saml = signOutSaml(services, provider, { certificates, logoutUrl: provider.sloUrl ?? provider.ssoUrl, id: '_none' })
  return { saml, sloUrl: addressesOf(services, provider.key).sloUrl, now: services.clock.now() }
}

async function goOn(services: SessionServices, provider: Provider, message: SignOutMessage): Promise<string> {
  if (message.kind === 'response') {
    await takeAnswer(services, provider, message.inResponseTo)
    return '/login'
  }
  await takeOnce(services, provider, message.id)
  const isKnown = await endSessions(services, provider, message)
  const logoutUrl = provider.sloResponseUrl ?? provider.sloUrl
  if (logoutUrl === null || provider.ownKey === null) return '/login'
  const id = newMessageId()
  const saml = signOutSaml(services, provider, { certificates: provider.certificates, logoutUrl, id })
  const asked = { issuer: provider.entityId, nameID: message.nameId, nameIDFormat: '', ID: message.id }
  if (provider.sloBinding === 'post') {
    const { relayState = '' } = message
    const fields = signedForm(provider, saml._generateLogoutResponse(asked, isKnown), { name: 'LogoutResponse', relayState })
    return rememberSent(services, provider, { id, kind: 'answer', message: { url: logoutUrl, fields } })
  }
  return asSigned(await saml.getLogoutResponseUrlAsync(asked, message.relayState ?? '', {}, isKnown))
}

/** node-saml signs the query as this writes it, and then writes spaces and some signs of a RelayState otherwise. */
function asSigned(address: string): string {
  const url = new URL(address)
  url.search = stringify(Object.fromEntries(url.searchParams))
  return url.href
}

/** The answer to a request of ours counts once. */
async function takeAnswer({ store, clock }: SessionServices, { companyId, id }: Provider, inResponseTo: string): Promise<void> {
  const asked = await store.write(null, (db) =>
    db.exec(sql`
    update saml_request set "usedAt" = ${later(clock)} where "companyId" = ${companyId}::uuid and "id" = ${inResponseTo}
      and "providerId" = ${id}::uuid and "kind" = 'logout' and "usedAt" is null and "expiresAt" > ${later(clock)}`),
  )
  if (asked === 0) refuse('nobody asked to sign out, or it was answered before (InResponseTo)')
}

async function takeOnce({ store, clock }: SessionServices, { companyId, id }: Provider, messageId: string): Promise<void> {
  const isNew = await store.write(null, async (db) => {
    await db.exec(sql`delete from saml_assertion where "companyId" = ${companyId}::uuid and "expiresAt" < ${later(clock)}`)
    return db.maybe(sql`
      insert into saml_assertion ("companyId", "providerId", "assertionHash", "expiresAt")
      values (${companyId}::uuid, ${id}::uuid, ${hashSecret(`sign-out ${messageId}`)}, ${later(clock, rememberSeconds)})
      on conflict do nothing returning 1 as one`)
  })
  if (!isNew) refuse('the request to sign out was used before')
}

/**
 * Ends the sessions that this provider vouched for, of that person: those it names, and those it never named. False when nobody here is
 * known to it by that name.
 */
async function endSessions(
  services: SessionServices,
  { companyId, id }: Provider,
  { nameId, indexes }: Extract<SignOutMessage, { kind: 'request' }>,
): Promise<boolean> {
  const rows = await services.store.sql.query<{ id: string; userId: string }>(sql`
    select s."id", s."userId" from session_provider p join session s on s."companyId" = p."companyId" and s."id" = p."sessionId"
    where p."companyId" = ${companyId}::uuid and p."providerId" = ${id}::uuid and p."nameId" = ${nameId} and s."endedAt" is null
      and (${indexes.length === 0} or p."sessionIndex" is null or p."sessionIndex" = any(${indexes}::text[]))`)
  for (const row of rows) await endOneSession(services, { companyId, ...row }, 'logout')
  const known = await services.store.sql.maybe(sql`
    select 1 as one from saml_identity where "companyId" = ${companyId}::uuid and "providerId" = ${id}::uuid and "nameId" = ${nameId}`)
  return known !== undefined
}

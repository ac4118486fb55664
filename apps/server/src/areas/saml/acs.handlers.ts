import { fail } from '@outpost/contract/errors'
import { generateServiceProviderMetadata } from '@node-saml/node-saml'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { later } from '../../kernel/session/clock.ts'
import { makeJobCtx } from '../../kernel/session/jobs.ts'
import { issueOneTime } from '../../kernel/session/tokens/one-time.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import type { SessionProvider } from '../../kernel/session/sessions.ts'
import type { Answer, RequestInfo } from '../../kernel/types.ts'
import { admitMeant, findMeant } from './person.ts'
import { confirmationFor, type Asked, type Taken } from './confirm.ts'
import { certificatePem, openOwnKey } from './own-key.ts'
import { addressesOf, checkedOf, findProviders, noteUse, type Provider } from './provider.ts'
import { AssertionRefused, readResponse, type Assertion } from './response.ts'

export const acsInput = z.strictObject({ key: z.string().max(100) })
/** A response with its form around it. */
export const acsBodyLimit = 400_000

/**
 * Takes the form that an identity provider has the browser send (HTTP-POST binding). Whatever comes of it, the person goes on at
 * /saml: with a code for the browser that asked, or with a problem. What was wrong is kept with the provider.
 */
export async function takeResponse({ key }: z.infer<typeof acsInput>, { raw = Buffer.alloc(0), log }: RequestInfo): Promise<Answer> {
  const services = session()
  const [provider] = await findProviders(services, sql`"key" = ${key}`)
  if (!provider) return goOn({ problem: 'unknown' })
  try {
    const response = new URLSearchParams(raw.toString('utf8')).get('SAMLResponse') ?? ''
    return await take(services, provider, response)
  } catch (error) {
    if (!(error instanceof AssertionRefused)) log.error({ err: error }, 'a SAML response could not be taken')
    await noteRefusal(services, provider, error instanceof AssertionRefused ? error.message : 'the user could not be signed in')
    return goOn({ problem: 'refused', provider: provider.key })
  }
}

/** Never to another host: a code that somebody else asked for must not reach them. */
const goOn = (more: Record<string, string>, page = '/saml'): Answer => ({ redirect: `${page}?${new URLSearchParams(more).toString()}` })

async function take(services: SessionServices, provider: Provider, response: string): Promise<Answer> {
  const assertion = await readResponse({
    provider: checkedOf(provider),
    own: addressesOf(services, provider.key),
    response,
    now: services.clock.now(),
  })
  const asked = await takeOnce(services, provider, assertion)
  return asked.kind === 'confirm'
    ? goOn({ confirmed: await confirmationFor(services, provider, { assertion, asked }) }, '/profile')
    : goOn({ code: await codeFor(services, provider, { assertion, asked }) })
}

async function codeFor(services: SessionServices, provider: Provider, { assertion, asked }: Taken): Promise<string> {
  const { companyId } = provider
  const vouchedBy: SessionProvider = { providerId: provider.id, nameId: assertion.nameId, ...assertion.subject }
  const ctx = await makeJobCtx(services, { companyId, userId: null })
  const userId = await ctx.transaction(async (inner) => admitMeant(inner, provider, await findMeant(inner, provider, assertion)))
  return services.store.write(null, async (db) => {
    await noteUse(db, services, { provider, nameId: assertion.nameId })
    return issueOneTime(db, services.clock, { purpose: 'saml', companyId, userId, data: { browser: asked.browser, provider: vouchedBy } })
  })
}

/** Uses the request and the assertion up: of the same response twice, or of two to one request, the first counts. */
function takeOnce(services: SessionServices, { companyId, id }: Provider, assertion: Assertion): Promise<Asked> {
  const now = later(services.clock)
  return services.store.write(null, async (db) => {
    const asked = await db.maybe<Asked>(sql`
      update saml_request set "usedAt" = ${now} where "companyId" = ${companyId}::uuid and "id" = ${assertion.inResponseTo}
        and "providerId" = ${id}::uuid and "kind" in ('login', 'confirm') and "usedAt" is null and "expiresAt" > ${now}
      returning "kind", "sessionId", encode("browserHash", 'hex') as browser, "dateCreated"`)
    await db.exec(sql`delete from saml_assertion where "companyId" = ${companyId}::uuid and "expiresAt" < ${now}`)
    const isNew = await db.maybe(sql`
      insert into saml_assertion ("companyId", "providerId", "assertionHash", "expiresAt")
      values (${companyId}::uuid, ${id}::uuid, ${hashSecret(assertion.id)}, ${assertion.expiresAt}) on conflict do nothing returning 1 as one`)
    if (!isNew) throw new AssertionRefused('the assertion was used before')
    if (!asked) throw new AssertionRefused('nobody asked for it, it was answered already, or it took too long (InResponseTo)')
    return asked
  })
}

/** For the administration, with the provider. */
export async function noteRefusal(services: SessionServices, { companyId, id }: Provider, why: string): Promise<void> {
  await services.store.write(null, (db) =>
    db.exec(sql`
    update saml_provider set "lastRefusedAt" = ${later(services.clock)}, "lastRefusal" = ${why.slice(0, 500)}
    where "companyId" = ${companyId}::uuid and "id" = ${id}::uuid`),
  )
}

/** What we are for an identity provider: SAML metadata of ours, with the addresses for this provider alone. */
export async function ownMetadata({ key }: z.infer<typeof acsInput>): Promise<Answer> {
  const services = session()
  const [provider] = await findProviders(services, sql`"key" = ${key}`)
  if (!provider) return fail('NOT_FOUND')
  const headers = { 'content-disposition': `attachment; filename="outpost-${provider.key}.xml"` }
  return { text: { type: 'application/samlmetadata+xml; charset=utf-8', text: metadataOf(services, provider), headers } }
}

function metadataOf(services: SessionServices, provider: Provider): string {
  const { key, signs, signsRequests, ownCertificate } = provider
  const { entityId: issuer, acsUrl: callbackUrl, sloUrl: logoutCallbackUrl } = addressesOf(services, key)
  const [privateKey, certificate] = [openOwnKey(provider), ownCertificate]
  const metadata = generateServiceProviderMetadata({
    issuer,
    callbackUrl,
    logoutCallbackUrl,
    wantAssertionsSigned: signs !== 'response',
    identifierFormat: null,
    ...(privateKey && certificate ? { decryptionPvk: privateKey, decryptionCert: certificatePem(certificate) } : {}),
    // Messages of signing out are signed always.
    ...(privateKey && certificate && (signsRequests || provider.sloUrl !== null)
      ? { privateKey, publicCerts: certificatePem(certificate) }
      : {}),
  })
  // Messages of signing out are taken in addresses and in forms, at one door; node-saml names the form alone.
  const ours = metadata
    .replace(/ AuthnRequestsSigned="\w+"/, ` AuthnRequestsSigned="${signsRequests}"`)
    .replace(/<SingleLogoutService Binding="([^"]*:)HTTP-POST"([^>]*)>/, '<SingleLogoutService Binding="$1HTTP-Redirect"$2>$&')
  // What is not taken from this provider is not offered to it.
  return signs === 'assertion' ? ours.replaceAll(/\s*<EncryptionMethod Algorithm="[^"]*-cbc"\/>/g, '') : ours
}

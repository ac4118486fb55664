import { sql } from '@outpost/platform/db/sql'
import { SAML, type Profile } from '@node-saml/node-saml'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import type { SessionProvider } from '../../kernel/session/sessions.ts'
import { openOwnKey } from './own-key.ts'
import { addressesOf, findProviders, type Provider } from './provider.ts'
import { skewMilliseconds } from './response.ts'
import { newMessageId, rememberSent, signedForm } from './sign-out.send.ts'

/**
 * The address at which the identity provider of a session signs its person out, with a signed request of ours (SAML 2.0 core, 3.7), or
 * a page of ours that takes it there by a form; undefined for sessions of other kinds, and where the provider knows no single logout.
 */
export async function providerSignOut({ companyId, sessionId }: { companyId: string; sessionId: string }): Promise<string | undefined> {
  const services = session()
  const said = await services.store.sql.maybe<SessionProvider>(sql`
    select "providerId", "nameId", "nameIdFormat", "nameQualifier", "spNameQualifier", "sessionIndex" from session_provider
    where "companyId" = ${companyId}::uuid and "sessionId" = ${sessionId}::uuid`)
  if (!said) return undefined
  const [provider] = await findProviders(services, sql`"companyId" = ${companyId}::uuid and "id" = ${said.providerId}::uuid`)
  if (!provider || provider.sloUrl === null || provider.ownKey === null) return undefined
  const id = newMessageId()
  const saml = signOutSaml(services, provider, { certificates: provider.certificates, logoutUrl: provider.sloUrl, id })
  if (provider.sloBinding === 'post') {
    const fields = signedForm(provider, await saml._generateLogoutRequest(subjectOf(provider, said)), { name: 'LogoutRequest' })
    return rememberSent(services, provider, { id, kind: 'logout', message: { url: provider.sloUrl, fields } })
  }
  const url = await saml.getLogoutUrlAsync(subjectOf(provider, said), '', {})
  await rememberSent(services, provider, { id, kind: 'logout', message: null })
  return url
}

/** Who is meant, as the provider said it. */
const subjectOf = (provider: Provider, said: SessionProvider): Profile => ({
  issuer: provider.entityId,
  nameID: said.nameId,
  // Left out where it was not said: null would be written down.
  ...(said.nameIdFormat === null ? ({} as { nameIDFormat: string }) : { nameIDFormat: said.nameIdFormat }),
  ...(said.nameQualifier === null ? {} : { nameQualifier: said.nameQualifier }),
  ...(said.spNameQualifier === null ? {} : { spNameQualifier: said.spNameQualifier }),
  ...(said.sessionIndex === null ? {} : { sessionIndex: said.sessionIndex }),
})

/** node-saml for messages of signing out: they are signed by our key, and checked by the provider's certificates. */
export function signOutSaml(
  services: SessionServices,
  provider: Provider,
  { certificates, logoutUrl, id }: { certificates: string[]; logoutUrl: string; id: string },
): SAML {
  const { entityId, acsUrl } = addressesOf(services, provider.key)
  const privateKey = openOwnKey(provider)
  return new SAML({
    idpCert: certificates,
    idpIssuer: provider.entityId,
    issuer: entityId,
    callbackUrl: acsUrl,
    entryPoint: provider.ssoUrl,
    logoutUrl,
    generateUniqueId: () => id,
    acceptedClockSkewMs: skewMilliseconds,
    ...(privateKey === undefined ? {} : { privateKey, decryptionPvk: privateKey, signatureAlgorithm: 'sha256' as const }),
  })
}

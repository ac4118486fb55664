import { randomBytes } from 'node:crypto'
import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { SAML } from '@node-saml/node-saml'
import { later } from '../../kernel/session/clock.ts'
import { hashSecret, makeSecret } from '../../kernel/session/tokens/opaque.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import type { Answer } from '../../kernel/types.ts'
import { setCookie } from '../auth/index.ts'
import { openOwnKey } from './own-key.ts'
import { addressesOf, findProviders, type Provider } from './provider.ts'

/** Somebody signs in elsewhere: with a code from a phone, a password that was forgotten. */
export const requestSeconds = 600
/** Answers to unknown names take no hint from how many providers there are. */
const unknown = 'No identity provider has this sign-in name.'

/**
 * The address of the identity provider with a request of ours, for this browser. Without a name the only provider there is. Stops with
 * NOT_CONFIGURED when there is none at all, or INVALID (provider).
 */
export async function startSaml(name: string | undefined): Promise<Answer> {
  const services = session()
  const provider = await providerOf(services, name)
  const own = addressesOf(services, provider.key)
  const privateKey = openOwnKey(provider)
  const id = `_${randomBytes(20).toString('hex')}`
  const saml = new SAML({
    idpCert: provider.certificates,
    issuer: own.entityId,
    callbackUrl: own.acsUrl,
    entryPoint: provider.ssoUrl,
    generateUniqueId: () => id,
    // Whatever the provider asks for, and however it names people: it knows them.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    ...(provider.signsRequests && privateKey !== undefined ? { privateKey, signatureAlgorithm: 'sha256' as const } : {}),
  })
  const url = await saml.getAuthorizeUrlAsync('', undefined, {})
  const browser = makeSecret()
  await services.store.write(null, async (db) => {
    await db.exec(sql`
      delete from saml_request where "companyId" = ${provider.companyId}::uuid and "providerId" = ${provider.id}::uuid and "expiresAt" < ${later(services.clock)}`)
    await db.exec(sql`
      insert into saml_request ("companyId", "id", "providerId", "browserHash", "dateCreated", "expiresAt")
      values (${provider.companyId}::uuid, ${id}, ${provider.id}::uuid, ${hashSecret(browser)}, ${later(services.clock)}, ${later(services.clock, requestSeconds)})`)
  })
  return { data: { url, name: provider.name }, cookies: [setCookie(services, 'saml', browser, requestSeconds)] }
}

async function providerOf(services: SessionServices, name: string | undefined): Promise<Provider> {
  const wanted = name?.trim().toLowerCase()
  const [provider, other] = await findProviders(services, wanted === undefined ? sql`true` : sql`"key" = ${wanted}`)
  if (provider && !other) return provider
  if (wanted !== undefined) return failField('provider', unknown)
  if (!provider) return fail('NOT_CONFIGURED', { message: 'SAML is not configured' })
  return failField('provider', 'Enter the sign-in name of your company.')
}

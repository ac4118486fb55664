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
  return askProvider(services, await providerOf(services, name), { seconds: requestSeconds })
}

interface Asking {
  /** The open session whose person confirms something by signing in anew; none: somebody comes in. */
  sessionId?: string
  /** How long the browser is remembered. */
  seconds: number
}

/** Writes a request of ours down and gives the address that takes it to the provider. */
export async function askProvider(services: SessionServices, provider: Provider, { sessionId, seconds }: Asking): Promise<Answer> {
  const isConfirming = sessionId !== undefined
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
    forceAuthn: isConfirming,
    ...(provider.signsRequests && privateKey !== undefined ? { privateKey, signatureAlgorithm: 'sha256' as const } : {}),
  })
  const url = await saml.getAuthorizeUrlAsync('', undefined, {})
  const browser = makeSecret()
  await services.store.write(null, async (db) => {
    await db.exec(sql`
      delete from saml_request where "companyId" = ${provider.companyId}::uuid and "providerId" = ${provider.id}::uuid and "expiresAt" < ${later(services.clock)}`)
    await db.exec(sql`
      insert into saml_request ("companyId", "id", "providerId", "kind", "sessionId", "browserHash", "dateCreated", "expiresAt")
      values (${provider.companyId}::uuid, ${id}, ${provider.id}::uuid, ${isConfirming ? 'confirm' : 'login'}, ${sessionId ?? null}::uuid, ${hashSecret(browser)}, ${later(services.clock)}, ${later(services.clock, requestSeconds)})`)
  })
  return { data: { url, name: provider.name }, cookies: [setCookie(services, 'saml', browser, seconds)] }
}

async function providerOf(services: SessionServices, name: string | undefined): Promise<Provider> {
  const wanted = name?.trim().toLowerCase()
  const [provider, other] = await findProviders(services, wanted === undefined ? sql`true` : sql`"key" = ${wanted}`)
  if (provider && !other) return provider
  if (wanted !== undefined) return failField('provider', unknown)
  if (!provider) return fail('NOT_CONFIGURED', { message: 'SAML is not configured' })
  return failField('provider', 'Enter the sign-in name of your company.')
}

import { randomBytes } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import { signSamlPost } from '@node-saml/node-saml/lib/saml-post-signing.js'
import { z } from 'zod'
import { pageAnswer } from '../../kernel/public/html.ts'
import { later } from '../../kernel/session/clock.ts'
import { session, type SessionServices } from '../../kernel/session/services.ts'
import type { Answer, RequestInfo } from '../../kernel/types.ts'
import { openOwnKey } from './own-key.ts'
import { addressesOf, findProviders, type Provider } from './provider.ts'

/** A person's browser goes on at once; the provider's answer to a request of ours comes as fast. */
export const answerSeconds = 600
export const newMessageId = (): string => `_${randomBytes(20).toString('hex')}`

/** A message to a provider that takes it by a form: where it goes, and what the form holds. */
const outgoing = z.object({ url: z.string(), fields: z.record(z.string(), z.string()) })
export type Outgoing = z.infer<typeof outgoing>

/** The fields of a form for a message that our key signs (SAML 2.0 bindings, 3.5.4). */
export function signedForm(
  provider: Provider,
  xml: string,
  { name, relayState = '' }: { name: 'LogoutRequest' | 'LogoutResponse'; relayState?: string },
): Outgoing['fields'] {
  const privateKey = openOwnKey(provider) ?? ''
  const signed = signSamlPost(xml, `/*[local-name(.)="${name}"]`, {
    privateKey,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    xmlSignatureTransforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  })
  const field = name === 'LogoutRequest' ? 'SAMLRequest' : 'SAMLResponse'
  return { [field]: Buffer.from(signed, 'utf8').toString('base64'), ...(relayState === '' ? {} : { RelayState: relayState }) }
}

export interface Sent {
  id: string
  kind: 'logout' | 'answer'
  /** What the browser carries by a form; null where the address holds it. */
  message: Outgoing | null
}

/** Remembers a message of ours until it is answered, and what of it the browser has still to fetch. Gives the page that hands it on. */
export async function rememberSent(services: SessionServices, provider: Provider, { id, kind, message }: Sent): Promise<string> {
  const { companyId, key, id: providerId } = provider
  const now = later(services.clock)
  await services.store.write(null, async (db) => {
    await db.exec(sql`
      delete from saml_request where "companyId" = ${companyId}::uuid and "providerId" = ${providerId}::uuid and "expiresAt" < ${now}`)
    await db.exec(sql`
      insert into saml_request ("companyId", "id", "providerId", "kind", "message", "dateCreated", "expiresAt")
      values (${companyId}::uuid, ${id}, ${providerId}::uuid, ${kind}, ${message === null ? null : JSON.stringify(message)}::jsonb, ${now},
        ${later(services.clock, answerSeconds)})`)
  })
  return `${addressesOf(services, key).sendUrl}?id=${id}`
}

export const sendInput = z.object({ key: z.string().max(100), id: z.string().max(100) })

/** The page whose form takes a message of ours to the identity provider. It is given out once, and to nobody who does not know its id. */
export async function handOn({ key, id }: z.infer<typeof sendInput>, { host }: RequestInfo): Promise<Answer> {
  const services = session()
  const [provider] = await findProviders(services, sql`"key" = ${key}`)
  const found = provider && (await takeMessage(services, provider, id))
  const title = 'Signing out'
  if (!provider || !found) {
    const paragraphs = ['You are signed out here. This page was opened before, or too late, to sign you out where you signed in.']
    return pageAnswer({ status: 404, host, view: { title, paragraphs, links: [{ label: 'Sign in', href: '/login' }] } })
  }
  const handsOn = { ...outgoing.parse(found), label: 'Go on' }
  return pageAnswer({
    status: 200,
    host,
    view: { title, paragraphs: [`You go on to ${provider.name}, where you signed in.`], handOn: handsOn },
  })
}

async function takeMessage({ store, clock }: SessionServices, { companyId, id: providerId }: Provider, id: string): Promise<unknown> {
  const row = await store.write(null, (db) =>
    db.maybe<{ message: unknown }>(sql`
      with held as (
        select "message" from saml_request where "companyId" = ${companyId}::uuid and "id" = ${id} and "providerId" = ${providerId}::uuid
          and "message" is not null and "expiresAt" > ${later(clock)} for update
      )
      update saml_request r set "message" = null from held where r."companyId" = ${companyId}::uuid and r."id" = ${id} returning held."message"`),
  )
  return row?.message
}

import { verify, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'
import { metadataXml, signOutForm, signOutQuery, sloOf, type SignOutSaid } from '../../support/identity-provider.ts'
import { samlSignIn } from '../../support/saml-sign-in.ts'
import type { Client } from '../../support/app.ts'
import type { MadeUser } from '../../support/make.ts'
import type { World } from '../world.ts'

export const path = '/api/saml-providers'
export const publicUrl = 'http://outpost.test'
export const base = (key: string) => `${publicUrl}/api/auth/saml/${key}`
export interface Provider {
  Id: string
  key: string
  sloUrl: string | null
  lastRefusal: string | null
}
export const nameOf = ({ emailAddress }: MadeUser) => `n-${emailAddress}`
export const isIn = async (client: Client) => (await client.get('/api/auth/sessions')).status === 200
export const signOut = async (client: Client) => (await client.get<{ signOutUrl?: string }>('/api/auth/logout')).body.data.signOutUrl
export const ask = ({ key }: Provider, said: Partial<SignOutSaid>) => signOutQuery({ destination: `${base(key)}/slo`, ...said })
export const post = ({ key }: Provider, said: Partial<SignOutSaid>, after?: (xml: string) => string) =>
  signOutForm({ destination: `${base(key)}/slo`, ...said }, after)
export const isRefused = (to: URL) => to.pathname === '/saml' && to.searchParams.get('problem') === 'sign-out'
export const messageIn = (url: URL, name: 'SAMLRequest' | 'SAMLResponse') =>
  inflateRawSync(Buffer.from(url.searchParams.get(name) ?? '', 'base64')).toString('utf8')

/** What the tests of signing out by an identity provider do in a world. */
export function signingOut(world: World) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' }
  const made = async (more: object = {}, by: Client = world.as.admin) => {
    const answer = await by.post<{ samlProvider: Provider }>(path, {
      name: 'Sunrise SSO',
      metadata: metadataXml({ slo: sloOf() }),
      ...more,
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.samlProvider
  }
  const refusalOf = async ({ Id }: Provider, by: Client = world.as.admin) =>
    (await by.get<{ samlProvider: Provider }>(`${path}/${Id}`)).body.data.samlProvider.lastRefusal
  const person = (company = world.company) => world.app.make.user({ company, role: 'officer' })

  /** A session that the provider vouched for; a client with it. */
  const signIn = ({ key }: Provider, user: MadeUser, sessionIndex = ''): Promise<Client> =>
    samlSignIn(world.app, key, { sessionIndex, nameId: nameOf(user), attributes: { email: [user.emailAddress] } })

  /** Brings a message to our door as a browser does, in the address or by a form; where it is sent on. */
  async function bring({ key }: { key: string }, message: string | URLSearchParams): Promise<URL> {
    const url = `/api/auth/saml/${key}/slo`
    const { statusCode, headers, body } = await world.app.http.inject(
      typeof message === 'string'
        ? { method: 'GET', url: `${url}?${message}` }
        : { method: 'POST', url, headers: form, payload: message.toString() },
    )
    expect(statusCode, body).toBe(302)
    return new URL(String(headers.location), publicUrl)
  }

  /** The certificate that our metadata names for a provider (PEM). */
  async function ownCertificate({ key }: Provider): Promise<string> {
    const metadata = (await world.app.nobody.get(`/api/auth/saml/${key}/metadata`)).text
    const base64 = /use="signing">.*?<ds:X509Certificate>([^<]+)</s.exec(metadata)?.[1] ?? ''
    return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/\s/g, '')}\n-----END CERTIFICATE-----\n`
  }
  async function isSignedByUs(url: string, provider: Provider): Promise<boolean> {
    const { publicKey } = new X509Certificate(await ownCertificate(provider))
    const [covered = '', signature = ''] = url.slice(url.indexOf('?') + 1).split('&Signature=')
    return verify('sha256', Buffer.from(covered), publicKey, Buffer.from(decodeURIComponent(signature), 'base64'))
  }
  return { made, refusalOf, person, signIn, bring, ownCertificate, isSignedByUs }
}

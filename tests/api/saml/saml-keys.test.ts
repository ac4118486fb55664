import { verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { metadataXml, requestOf, respond, respondEncrypted, type Said } from '../../support/identity-provider.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())
// A company has twenty at most.
beforeEach(() => world.app.database.admin.query('update saml_provider set "deletedAt" = now()'))

const path = '/api/saml-providers'
const publicUrl = 'http://outpost.test'
interface Provider {
  Id: string
  key: string
  version: number
  signsRequests: boolean
  lastRefusal: string | null
}
const made = async (more: object = {}, by = world.as.admin) => {
  const answer = await by.post<{ samlProvider: Provider }>(path, { name: 'Sunrise SSO', metadata: metadataXml(), ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.samlProvider
}
const refusalOf = async ({ Id }: Provider) =>
  (await world.as.admin.get<{ samlProvider: Provider }>(`${path}/${Id}`)).body.data.samlProvider.lastRefusal
const ownMetadata = async ({ key }: Provider) => (await world.app.nobody.get(`/api/auth/saml/${key}/metadata`)).text
const pem = (base64: string) => `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/\s/g, '')}\n-----END CERTIFICATE-----\n`
/** Our certificate for a use, as the provider reads it in our metadata. */
const certificateFor = async (provider: Provider, use: 'signing' | 'encryption') =>
  pem(new RegExp(`use="${use}">.*?<ds:X509Certificate>([^<]+)<`, 's').exec(await ownMetadata(provider))?.[1] ?? '')

async function begin({ key }: Provider) {
  const { body, cookies } = await world.app.nobody.get<{ url: string }>(`/api/auth/auth-url/saml?provider=${key}`)
  return { url: body.data.url, inResponseTo: requestOf(body.data.url), cookie: `outpost-saml=${cookies['outpost-saml']}` }
}
const aim = ({ key }: Provider) => ({
  audience: `${publicUrl}/api/auth/saml/${key}/metadata`,
  recipient: `${publicUrl}/api/auth/saml/${key}/acs`,
})

async function send({ key }: Provider, response: string): Promise<URLSearchParams> {
  const { headers } = await world.app.http.inject({
    method: 'POST',
    url: `/api/auth/saml/${key}/acs`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' },
    payload: new URLSearchParams({ SAMLResponse: response }).toString(),
  })
  return new URL(String(headers.location), publicUrl).searchParams
}

describe('our requests', () => {
  it('are signed where the provider asks for it or the administrator wants it, with the key of our metadata', async () => {
    const plain = await made()
    expect((await begin(plain)).url).not.toContain('Signature')
    expect(await ownMetadata(plain)).toContain('AuthnRequestsSigned="false"')
    const wanted = await made({ name: 'Wanted', signsRequests: true })
    const asked = await made({ name: 'Asked', metadata: metadataXml({ wants: 'true' }), signsRequests: false })
    const kept = await world.as.admin.put<{ samlProvider: Provider }>(`${path}/${asked.Id}`, {
      signsRequests: false,
      version: asked.version,
    })
    expect([asked.signsRequests, kept.body.data.samlProvider.signsRequests]).toEqual([true, true])
    for (const provider of [wanted, asked]) {
      expect(await ownMetadata(provider)).toContain('AuthnRequestsSigned="true"')
      const { url } = await begin(provider)
      const query = new URL(url).searchParams
      expect(query.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
      // Signed is the text of the address itself (SAML 2.0 bindings, 3.4.4.1).
      const signed = url.slice(url.indexOf('SAMLRequest='), url.indexOf('&Signature='))
      const key = new X509Certificate(await certificateFor(provider, 'signing')).publicKey
      const signature = Buffer.from(query.get('Signature') ?? '', 'base64')
      expect([verify('sha256', Buffer.from(signed), key, signature), verify('sha256', Buffer.from(`${signed}x`), key, signature)]).toEqual([
        true,
        false,
      ])
    }
    expect(await certificateFor(wanted, 'signing')).not.toBe(await certificateFor(asked, 'signing'))
  })

  it('leave the private key nowhere but sealed in its row', async () => {
    const provider = await made({ signsRequests: true })
    await world.as.admin.put(`${path}/${provider.Id}`, { name: 'Renamed', version: provider.version })
    const certificate = await certificateFor(provider, 'signing')
    const told = [
      await world.as.admin.get(`${path}/${provider.Id}`),
      await world.as.admin.get(path),
      await world.as.admin.get(`${path}/${provider.Id}/timeline`),
      await world.as.admin.get(`${path}/${provider.Id}/setup`),
    ]
    const { rows } = await world.app.database.admin.query<{ ownKey: string; audit: string }>(
      `select p."ownKey", (select string_agg(concat(a."before", a."after"), '') from audit_log a where a."objectId" = p."id"::text) as audit from saml_provider p where p."id" = $1`,
      [provider.Id],
    )
    const [row] = rows
    expect(Buffer.from(row?.ownKey ?? '', 'base64').toString('latin1')).not.toContain('PRIVATE KEY')
    for (const text of [...told.map((one) => one.text), row?.audit ?? ''])
      expect([text.includes(row?.ownKey ?? '?'), text.includes('ownKey')]).toEqual([false, false])
    // Saving it anew keeps the key, or the provider would not know us any more.
    expect(await certificateFor(provider, 'signing')).toBe(certificate)
  })
})

describe('encrypted assertions', () => {
  const cbc = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'
  /** Sends one that is encrypted for the provider; who was signed in, or why not. */
  async function enter(
    provider: Provider,
    said: Partial<Omit<Said, 'encrypts'>> & { data?: string; key?: string; certificate?: string } = {},
  ) {
    const { data, key, certificate = await certificateFor(provider, 'encryption'), ...more } = said
    const user = await world.app.make.user({ company: world.company, role: 'officer' })
    const { inResponseTo, cookie } = await begin(provider)
    const encrypts = { certificate, ...(data ? { data } : {}), ...(key ? { key } : {}) }
    const of = { ...aim(provider), inResponseTo, nameId: `n-${user.emailAddress}`, attributes: { email: [user.emailAddress] } }
    const response = await respondEncrypted({ ...of, ...more, encrypts })
    const to = await send(provider, response)
    if (!to.has('code')) return { outcome: (await refusalOf(provider)) ?? 'none', response }
    const answer = await world.app.nobody.post<{ user: { Id: string } }>('/api/auth/saml/login', { code: to.get('code') }, { cookie })
    return { outcome: answer.body.data.user.Id === user.id ? 'signed in' : 'somebody else', response }
  }

  it('are opened with our key, whatever is signed, and count once', async () => {
    const provider = await made()
    const { outcome, response } = await enter(provider)
    expect(outcome).toBe('signed in')
    await send(provider, response)
    expect(await refusalOf(provider)).toBe('the assertion was used before')
    for (const signs of ['response', 'both'] as const) {
      const other = await made({ name: signs, signs })
      expect((await enter(other, { signs })).outcome).toBe('signed in')
      expect((await enter(other, { signs, data: cbc })).outcome).toBe('signed in')
      expect((await enter(other, { signs: 'assertion', data: cbc })).outcome).toMatch(/signature/i)
    }
  })

  it('are refused when they are weakly encrypted, or a failure to open them could reveal something', async () => {
    const provider = await made()
    expect((await enter(provider, { data: cbc })).outcome).toMatch(/aes256-cbc, which needs a signed response/)
    expect((await enter(provider, { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' })).outcome).toMatch(/rsa-1_5: RSA-OAEP/)
    expect((await enter(provider, { data: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' })).outcome).toMatch(/tripledes-cbc: AES-GCM/)
    // With what precedes it: an id may hold "-cbc".
    expect(await ownMetadata(provider)).not.toMatch(/#\w+-cbc/)
    expect(await ownMetadata(await made({ name: 'Both', signs: 'both' }))).toMatch(/#aes256-cbc/)
  })

  it('are held to what open ones are: signature, signer, algorithm, company', async () => {
    const provider = await made()
    expect((await enter(provider, { signs: 'nothing' })).outcome).toMatch(/signature/i)
    expect((await enter(provider, { by: 'other' })).outcome).toMatch(/signature/i)
    expect((await enter(provider, { algorithm: 'sha1' })).outcome).toMatch(/SHA-256 or SHA-512 is needed/)
    expect(
      (await enter(provider, { recipient: `${publicUrl}/api/auth/saml/x/acs`, destination: aim(provider).recipient })).outcome,
    ).toMatch(/Recipient/)
    expect((await enter(provider, { issuer: 'https://evil.test' })).outcome).toMatch(/evil\.test/)
    expect((await enter(provider, { notOnOrAfter: -600 })).outcome).toMatch(/expired/)
    // Encrypted for another company's key: it is not ours to open.
    const theirs = await made({}, world.as.foreign)
    expect((await enter(provider, { certificate: await certificateFor(theirs, 'encryption') })).outcome).not.toBe('signed in')
    // One that is open beside the encrypted one: which of them counts is not for us to guess.
    const extra = Buffer.from(respond({ ...aim(provider), inResponseTo: '_x' }), 'base64').toString()
    const open = /<saml:Assertion.*<\/saml:Assertion>/s.exec(extra)?.[0] ?? ''
    const beside = (xml: string) => xml.replace('</samlp:Response>', `${open}</samlp:Response>`)
    expect((await enter(provider, { before: beside })).outcome).toBe('it holds not exactly one assertion')
  })

  it('need a key: a provider of before says so until it is saved', async () => {
    const provider = await made()
    const certificate = await certificateFor(provider, 'encryption')
    await world.app.database.admin.query('update saml_provider set "ownKey" = null, "ownCertificate" = null where id = $1', [provider.Id])
    expect((await enter(provider, { certificate })).outcome).toMatch(/there is no key yet/)
    const saved = await world.as.admin.put<{ samlProvider: Provider }>(`${path}/${provider.Id}`, {
      name: 'Again',
      version: provider.version,
    })
    expect(saved.status, saved.text).toBe(200)
    expect((await enter(provider)).outcome).toBe('signed in')
  })
})

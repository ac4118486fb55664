import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Answer, Client } from '../../support/app.ts'
import { makeAuthenticator } from '../../support/authenticator.ts'
import { requestOf, requestXml, respond, type Said } from '../../support/identity-provider.ts'
import type { MadeUser } from '../../support/make.ts'
import { makeWorld, type World } from '../world.ts'
import { base, isIn, nameOf, path, publicUrl, signingOut, type Provider } from './signing-out.ts'

let world: World
let saml: ReturnType<typeof signingOut>
beforeAll(async () => {
  world = await makeWorld()
  saml = signingOut(world)
})
afterAll(() => world.app.close())
// A company has twenty at most.
beforeEach(() => world.app.database.admin.query('update saml_provider set "deletedAt" = now()'))

const door = '/api/auth/saml/confirm'
const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' }
const own = { origin: publicUrl }
const refusal = ({ status, body }: Answer<unknown>) => [status, body.code, body.fields?.[0]?.field]
const late = [400, 'TOKEN_INVALID', undefined]

/** Goes to the provider from an open session: what it is asked, and the cookie that the browser kept. */
async function begin(client: Client) {
  const { status, body, cookies, text } = await client.post<{ url: string; name: string }>(door, {})
  expect(status, text).toBe(200)
  return { url: body.data.url, inResponseTo: requestOf(body.data.url), cookie: `outpost-saml=${cookies['outpost-saml']}` }
}

/** Brings a response to our door as a browser does; where it is sent on. */
async function send({ key }: Provider, said: Partial<Said>, relayState = ''): Promise<URL> {
  // The clock of the server goes ahead here, the provider's does not.
  const authenticated = Math.round((world.app.clock.now() - Date.now()) / 1_000)
  const response = respond({ audience: `${base(key)}/metadata`, recipient: `${base(key)}/acs`, authenticated, ...said })
  const payload = new URLSearchParams({ SAMLResponse: response, RelayState: relayState }).toString()
  const { statusCode, headers } = await world.app.http.inject({ method: 'POST', url: `/api/auth/saml/${key}/acs`, headers: form, payload })
  expect(statusCode).toBe(302)
  expect(String(headers.location)).toMatch(/^\/[a-z]/)
  return new URL(String(headers.location), publicUrl)
}
const said = (user: MadeUser) => ({ nameId: nameOf(user), attributes: { email: [user.emailAddress] } })

/** Somebody whom a provider of the company signed in. */
async function visitor(provider?: Provider) {
  const by = provider ?? (await saml.made())
  const user = await saml.person()
  await world.app.database.admin.query('delete from credential where "userId" = $1', [user.id])
  return { provider: by, user, client: await saml.signIn(by, user) }
}
type Visitor = Awaited<ReturnType<typeof visitor>>

/** The whole way there and back: a confirmation, and the headers of the browser that it is good in. */
async function confirm({ provider, user, client }: Visitor, more: Partial<Said> = {}) {
  const { inResponseTo, cookie } = await begin(client)
  const to = await send(provider, { ...said(user), inResponseTo, ...more })
  return { to, confirmation: to.searchParams.get('confirmed') ?? '', headers: { ...own, cookie } }
}
const startFactor = (client: Client, confirmation: string, headers: Record<string, string>) =>
  client.post<{ secret: string }>('/api/auth/second-factor', { confirmation }, headers)
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: world.app.clock.now() })

/** With an authenticator of their own. */
async function withFactor(someone: Visitor): Promise<string> {
  const { confirmation, headers } = await confirm(someone)
  const { secret } = (await startFactor(someone.client, confirmation, headers)).body.data
  expect((await someone.client.post('/api/auth/second-factor/confirm', { code: codeOf(secret) })).status).toBe(200)
  world.app.clock.move(30)
  return secret
}

describe('a person whom an identity provider signed in', () => {
  it('is told where to confirm, and a person with a password is not', async () => {
    const { client } = await visitor()
    expect((await client.get(door)).body.data).toEqual({ provider: 'Sunrise SSO', hasPassword: false })
    expect((await world.as.officer.get(door)).body.data).toEqual({ provider: null, hasPassword: true })
    await world.app.database.admin.query('update saml_provider set "isDisabled" = true')
    expect((await client.get(door)).body.data).toEqual({ provider: null, hasPassword: false })
    expect((await client.post(door, {})).status).toBe(501)
  })

  it('signs in anew there and then makes a passkey, a second factor and a registered device, once each time', async () => {
    const someone = await visitor()
    const { client } = someone
    expect(requestXml((await begin(client)).url)).toContain('ForceAuthn="true"')

    const first = await confirm(someone)
    expect(first.to.pathname).toBe('/profile')
    const options = await client.post<{ options: { challenge: string; user: { id: string } } }>(
      '/api/auth/passkeys/options',
      { confirmation: first.confirmation },
      first.headers,
    )
    expect(options.status, options.text).toBe(200)
    const credential = makeAuthenticator().create(options.body.data.options)
    const added = await client.post<{ Id: string }>('/api/auth/passkeys', { name: 'My phone', credential }, own)
    expect(added.status, added.text).toBe(200)
    expect(refusal(await startFactor(client, first.confirmation, first.headers))).toEqual(late)

    const secret = await withFactor(someone)
    const device = { deviceId: '01890000-0000-7000-8000-000000000001', name: 'Phone' }
    const second = await confirm(someone)
    const registered = await client.post<{ refreshToken: string }>(
      '/api/auth/device',
      { ...device, confirmation: second.confirmation },
      second.headers,
    )
    expect(registered.body.data.refreshToken).toBeTypeOf('string')
    expect(refusal(await client.post('/api/auth/device', { ...device, confirmation: second.confirmation }, second.headers))).toEqual(late)

    const third = await confirm(someone)
    const gone = { passkeyId: added.body.data.Id, confirmation: third.confirmation }
    expect((await client.post('/api/auth/passkeys/end', gone, third.headers)).status).toBe(200)
    expect(refusal(await client.post('/api/auth/passkeys/end', gone, third.headers))).toEqual(late)

    const fourth = await confirm(someone)
    const proof = { confirmation: fourth.confirmation, code: codeOf(secret) }
    expect((await client.post('/api/auth/second-factor/end', proof, fourth.headers)).status).toBe(200)
    expect((await client.get('/api/auth/second-factor')).body.data).toMatchObject({ isOn: false })
  })

  it('keeps the confirmation after a wrong code, which is counted, and needs one before any code is looked at', async () => {
    const someone = await visitor()
    const { client, user } = someone
    const secret = await withFactor(someone)
    const renew = (body: object, headers: Record<string, string>) => client.post('/api/auth/second-factor/recovery-codes', body, headers)
    const { confirmation, headers } = await confirm(someone)
    const failed = async () =>
      (await world.app.database.admin.query<{ n: number }>('select "failedCount" as n from second_factor where "userId" = $1', [user.id]))
        .rows[0]?.n
    expect(refusal(await renew({ confirmation: `${confirmation}x`, code: codeOf(secret) }, headers))).toEqual(late)
    expect(await failed()).toBe(0)
    expect(refusal(await renew({ confirmation, code: '000000' }, headers))).toEqual([422, 'INVALID', 'code'])
    expect(await failed()).toBe(1)
    const passkey = await client.post('/api/auth/passkeys/options', { confirmation }, headers)
    expect(refusal(passkey)).toEqual([422, 'INVALID', 'code'])
    expect((await renew({ confirmation, code: codeOf(secret) }, headers)).status).toBe(200)
  })

  it('says one of the two: a password, or a confirmation', async () => {
    const { client } = await visitor()
    for (const body of [{}, { password: 'x', confirmation: 'y' }])
      expect(refusal(await client.post('/api/auth/second-factor', body))).toEqual([422, 'INVALID', 'password'])
    expect(refusal(await client.post('/api/auth/second-factor', { password: 'x' }))).toEqual([422, 'INVALID', 'password'])
  })

  it('stays known to the provider by the session that it names now', async () => {
    const someone = await visitor()
    await confirm(someone, { sessionIndex: 'now' })
    const { rows } = await world.app.database.admin.query(
      `select p."sessionIndex" from session_provider p join session s on s."id" = p."sessionId" where s."userId" = $1`,
      [someone.user.id],
    )
    expect(rows).toEqual([{ sessionIndex: 'now' }])
  })
})

describe('a confirmation', () => {
  const problem = ({ pathname, searchParams }: URL) => [pathname, searchParams.get('problem'), searchParams.get('confirmed')]
  const refused = ['/saml', 'refused', null]
  const why = async ({ Id }: Provider) =>
    (await world.as.admin.get<{ samlProvider: Provider }>(`${path}/${Id}`)).body.data.samlProvider.lastRefusal

  it('comes from the same person, now, and from nobody else', async () => {
    const someone = await visitor()
    const { provider, user } = someone
    const another = (await visitor(provider)).user
    const wrong: [Partial<Said>, RegExp][] = [
      [said(another), /somebody else/],
      // The same account by another name of the provider.
      [{ ...said(user), nameId: 'n-new' }, /somebody else/],
      [{ authenticated: -3_600 }, /AuthnInstant/],
      [{ authenticated: 3_600 }, /AuthnInstant/],
      [{ authenticated: null }, /AuthnInstant/],
      [{ by: 'other' }, /./],
      [{ signs: 'nothing' }, /./],
      [{ issuer: 'https://else.test/metadata' }, /./],
      [{ audience: 'https://else.test' }, /./],
      [{ status: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed' }, /./],
      [{ inResponseTo: null }, /./],
    ]
    for (const [more, words] of wrong) {
      expect(problem((await confirm(someone, more)).to), JSON.stringify(more)).toEqual(refused)
      expect(await why(provider)).toMatch(words)
    }
    expect((await world.app.database.admin.query('select 1 from saml_identity where "nameId" = $1', ['n-new'])).rows).toEqual([])
  })

  it('is neither a sign-in nor made by one', async () => {
    const someone = await visitor()
    const { provider, user, client } = someone
    const { confirmation, headers } = await confirm(someone)
    const handed = await world.app.nobody.post('/api/auth/saml/login', { code: confirmation }, headers)
    expect(refusal(handed)).toEqual(late)

    const asked = await world.app.nobody.get<{ url: string }>(`/api/auth/auth-url/saml?provider=${provider.key}`)
    const to = await send(provider, { ...said(user), inResponseTo: requestOf(asked.body.data.url) })
    const cookie = `outpost-saml=${asked.cookies['outpost-saml']}`
    expect(to.pathname).toBe('/saml')
    expect(refusal(await startFactor(client, to.searchParams.get('code') ?? '', { cookie }))).toEqual(late)
  })

  it('counts for the session and the browser that asked, and for no other', async () => {
    const someone = await visitor()
    const { provider, user, client } = someone
    const elsewhere = await saml.signIn(provider, user)
    const { client: colleague } = await visitor(provider)
    const { confirmation, headers } = await confirm(someone)
    const other = await begin(client)
    expect(refusal(await startFactor(client, confirmation, { cookie: other.cookie }))).toEqual(late)
    expect(refusal(await startFactor(client, confirmation, own))).toEqual(late)
    for (const stranger of [elsewhere, colleague, world.as.officer, world.as.foreign])
      expect(refusal(await startFactor(stranger, confirmation, headers))).toEqual(late)
    expect((await world.app.nobody.post('/api/auth/second-factor', { confirmation }, headers)).status).toBe(401)
    // None of them used it up.
    expect((await startFactor(client, confirmation, headers)).status).toBe(200)
  })

  it('is no way for who signed in by a password, whatever provider their company has', async () => {
    await saml.made()
    const officer = await world.app.as(world.people.officer)
    expect((await officer.post(door, {})).status).toBe(501)
    expect((await world.app.nobody.post(door, {})).status).toBe(401)
    expect((await world.app.nobody.get(door)).status).toBe(401)
  })

  it('of another company’s provider is none', async () => {
    const someone = await visitor()
    const theirs = await saml.made({ name: 'Copper SSO' }, world.as.foreign)
    const { inResponseTo } = await begin(someone.client)
    expect(problem(await send(theirs, { ...said(someone.user), inResponseTo }))).toEqual(refused)
    // A second provider of the company does not vouch for a session of the first.
    const second = await saml.made({ name: 'Second' })
    const again = await begin(someone.client)
    expect(problem(await send(second, { ...said(someone.user), inResponseTo: again.inResponseTo }))).toEqual(refused)
  })

  it('is given once for a response, and taken once: five times at the same moment is one', async () => {
    const someone = await visitor()
    const { provider, user, client } = someone
    const { inResponseTo, cookie } = await begin(client)
    const response = { ...said(user), inResponseTo, assertionId: '_the-same' }
    const came = await Promise.all(Array.from({ length: 5 }, () => send(provider, response)))
    const codes = came.map(({ searchParams }) => searchParams.get('confirmed')).filter((one) => one !== null)
    expect(codes).toHaveLength(1)
    expect(problem(await send(provider, response))).toEqual(refused)
    const started = await Promise.all(Array.from({ length: 5 }, () => startFactor(client, codes[0] ?? '', { cookie })))
    expect(started.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
  })

  it('leads to our own profile alone, whatever RelayState asks for', async () => {
    const { provider, user, client } = await visitor()
    for (const relay of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)']) {
      const { inResponseTo } = await begin(client)
      const to = await send(provider, { ...said(user), inResponseTo }, relay)
      expect([to.origin, to.pathname, [...to.searchParams.keys()]]).toEqual([publicUrl, '/profile', ['confirmed']])
    }
  })

  it('is not given to a session that ended meanwhile, nor to who may more than whoever saved the provider', async () => {
    const someone = await visitor()
    const { provider, user } = someone
    const begun = await begin(someone.client)
    await someone.client.get('/api/auth/logout')
    expect(await isIn(someone.client)).toBe(false)
    expect(problem(await send(provider, { ...said(user), inResponseTo: begun.inResponseTo }))).toEqual(refused)

    const grown = await visitor()
    await world.app.database.admin.query('update saml_provider set "allowedPermissions" = $1 where id = $2', [[], grown.provider.Id])
    expect(problem((await confirm(grown)).to)).toEqual(refused)
    expect(await why(grown.provider)).toMatch(/may more than/)
  })

  it('holds five minutes, and not beyond a change of the account', async () => {
    const someone = await visitor()
    const changed = await confirm(someone)
    await world.app.database.admin.query('update app_user set "emailAddress" = $1 where id = $2', ['moved@sunrise.test', someone.user.id])
    expect(refusal(await startFactor(someone.client, changed.confirmation, changed.headers))).toEqual(late)
    const { confirmation, headers } = await confirm(someone)
    world.app.clock.move(301)
    expect(refusal(await startFactor(someone.client, confirmation, headers))).toEqual(late)
  })
})

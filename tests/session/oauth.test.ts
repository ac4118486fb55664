import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { testApp, type SignedInData, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
let user: MadeUser
const registered = 'https://partner.example/callback?app=1'
const clientId = 'partner-portal'
const codeVerifier = randomBytes(32).toString('base64url')
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine)] })
  company = await app.make.company()
  user = await app.make.user({ company, role: 'md' })
  await app.make.row('oauth_client', {
    companyId: company.id,
    id: crypto.randomUUID(),
    clientId,
    name: 'Partner',
    redirectUris: [registered, 'http://localhost:3000/cb'],
  })
})
afterAll(() => app.close())

const ask = (more: Record<string, unknown>, who = user) =>
  app.nobody.post<SignedInData>(
    '/api/auth/login',
    {
      email: who.emailAddress,
      password: who.password,
      clientId,
      redirectUri: registered,
      codeChallenge: challengeOf(codeVerifier),
      ...more,
    },
    { 'x-native': '1' },
  )
const exchange = (token: string, more: Record<string, unknown> = {}) =>
  app.nobody.post<SignedInData>('/api/auth/token', { email: user.emailAddress, token, codeVerifier, ...more }, { 'x-native': '1' })
const codeOf = (redirect: string | undefined) => new URL(redirect ?? 'http://none').searchParams.get('token') ?? ''

describe('signing in for a client', () => {
  it('sends the user back with success=true and a one-time code, which is no access token', async () => {
    const { status, body, headers } = await ask({ state: 'a b&c' })
    expect(status).toBe(200)
    const address = new URL(body.data.redirect ?? '')
    expect(address.origin + address.pathname).toBe('https://partner.example/callback')
    expect(Object.fromEntries(address.searchParams)).toMatchObject({ app: '1', success: 'true', state: 'a b&c' })
    expect(body.data.token).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
    const asBearer = await app.client({ authorization: `Bearer ${codeOf(body.data.redirect)}` }).get('/api/console')
    expect(asBearer.status).toBe(401)
  })

  it('the code is good once; a second use ends the session it opened', async () => {
    const code = codeOf((await ask({})).body.data.redirect)
    const first = await exchange(code)
    expect(first.body.data.user.Id).toBe(user.id)
    const client = app.client({ authorization: `Bearer ${first.body.data.token}` })
    expect((await client.get('/api/auth/sessions')).status).toBe(200)
    const second = await exchange(code)
    expect([second.status, second.body.code]).toEqual([400, 'TOKEN_INVALID'])
    expect((await client.get('/api/auth/sessions')).status).toBe(401)
    expect((await app.nobody.post('/api/auth/refresh', { refreshToken: first.body.data.refreshToken })).status).toBe(401)
  })

  it('is good for one of 20 callers at once', async () => {
    const code = codeOf((await ask({})).body.data.redirect)
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(code)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('not after 60 seconds, not for another address, not made up', async () => {
    const late = codeOf((await ask({})).body.data.redirect)
    app.clock.move(61)
    expect((await exchange(late)).status).toBe(400)
    const foreign = codeOf((await ask({})).body.data.redirect)
    expect((await exchange(foreign, { email: 'somebody@else.test' })).status).toBe(400)
    expect((await exchange(foreign)).status).toBe(400)
    expect((await exchange(randomBytes(32).toString('base64url'))).status).toBe(400)
  })

  it('only the holder of the verifier can exchange it (PKCE, S256)', async () => {
    const codes = await Promise.all([1, 2, 3, 4].map(async () => codeOf((await ask({})).body.data.redirect)))
    const [one = '', two = '', three = '', four = ''] = codes
    expect((await exchange(one, { codeVerifier: undefined })).body.code).toBe('TOKEN_INVALID')
    expect((await exchange(two, { codeVerifier: 'x'.repeat(43) })).body.code).toBe('TOKEN_INVALID')
    // What "plain" would take.
    expect((await exchange(three, { codeVerifier: challengeOf(codeVerifier) })).body.code).toBe('TOKEN_INVALID')
    expect((await exchange(four)).status).toBe(200)
    // A wrong verifier used each of them up.
    for (const code of [one, two, three]) expect((await exchange(code)).body.code).toBe('TOKEN_INVALID')
  })

  it('no code is given without a challenge, nor for a plain one, with a second factor neither', async () => {
    const without = await ask({ codeChallenge: undefined })
    expect([without.status, without.body.fields?.[0]?.field]).toEqual([422, 'codeChallenge'])
    expect((await ask({ codeChallenge: null })).status).toBe(422)
    expect((await ask({ codeChallenge: '' })).status).toBe(422)
    expect((await ask({ codeChallenge: 'short' })).status).toBe(422)
    const plain = await ask({ codeChallengeMethod: 'plain' })
    expect([plain.status, plain.body.fields?.[0]?.field]).toEqual([422, 'codeChallengeMethod'])
    expect((await ask({ codeChallengeMethod: 's256' })).status).toBe(422)
    expect((await ask({ codeChallengeMethod: 'S256' })).status).toBe(200)
    // Without a client it is an ordinary sign-in.
    expect((await app.login(user)).body.data.token).toBeTypeOf('string')
  })

  it('a code without a challenge, from before they were asked for, opens nothing', async () => {
    const code = codeOf((await ask({})).body.data.redirect)
    await app.database.admin.query(`update one_time_token set data = data - 'codeChallenge' where purpose = 'code' and "usedAt" is null`)
    expect((await exchange(code)).body.code).toBe('TOKEN_INVALID')
  })

  it('is for users of the client’s company', async () => {
    const stranger = await app.make.user({ role: 'md' })
    expect((await ask({}, stranger)).body.code).toBe('REDIRECT_NOT_REGISTERED')
  })
})

describe('redirect addresses', () => {
  const host = 'partner.example'
  const wrong = [
    `https://${host}/callback`,
    `https://${host}/callback?app=2`,
    `https://${host}/callback?app=1&x=1`,
    `https://${host}/callback/?app=1`,
    `https://${host}/callback?app=1#`,
    `https://${host}/callback?app=1#frag`,
    `https://${host}:443/callback?app=1`,
    `https://${host}:8443/callback?app=1`,
    `http://${host}/callback?app=1`,
    `HTTPS://${host}/callback?app=1`,
    `https://PARTNER.example/callback?app=1`,
    `https://${host}./callback?app=1`,
    `https://user@${host}/callback?app=1`,
    `https://user:pass@${host}/callback?app=1`,
    `https://${host}@evil.test/callback?app=1`,
    `https://evil.test/callback?app=1`,
    `https://evil.test/${host}/callback?app=1`,
    `https://${host}.evil.test/callback?app=1`,
    `https://evil-${host}/callback?app=1`,
    `https://sub.${host}/callback?app=1`,
    `https://${host}/callback?app=1 `,
    ` https://${host}/callback?app=1`,
    `https://${host}/callback?app=1%20`,
    `https://${host}/callback%3Fapp=1`,
    `https://${host}/call%62ack?app=1`,
    `https://${host}/x/../callback?app=1`,
    `https://${host}/./callback?app=1`,
    `https://${host}//callback?app=1`,
    `https://${host}/callback/..;/callback?app=1`,
    `https://${host}/callback;x?app=1`,
    `https://${host}\\callback?app=1`,
    `https:\\\\${host}/callback?app=1`,
    `https:/${host}/callback?app=1`,
    `https:${host}/callback?app=1`,
    `//${host}/callback?app=1`,
    `/callback?app=1`,
    `callback?app=1`,
    `${host}/callback?app=1`,
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'about:blank',
    'blob:https://partner.example/x',
    '',
    ' ',
    'null',
    'undefined',
    '*',
    'https://*',
    'https://',
    'https://%',
    `https://${host}%00.evil.test/callback?app=1`,
    `https://${host}%2eevil.test/callback?app=1`,
    `https://${host}\n/callback?app=1`,
    `https://${host}/callback?app=1\r\nx: y`,
    `https://${host}/callback?app=1&redirect=https://evil.test`,
    `https://[::1]/callback?app=1`,
    'https://0x7f.1/callback?app=1',
    'http://localhost:3001/cb',
    `http://localhost:3000/cb/`,
    'http://127.0.0.1:3000/cb',
    `https://xn--partner-9ua.example/callback?app=1`,
    `https://partner。example/callback?app=1`,
    `ftp://${host}/callback?app=1`,
  ]

  it(`${wrong.length} that are not letter by letter registered: none accepted, and no hint about the password`, async () => {
    expect(wrong.length).toBeGreaterThanOrEqual(60)
    for (const redirectUri of wrong) {
      const { status, text } = await ask({ redirectUri })
      expect(status, redirectUri).toBe(400)
      expect(text, redirectUri).toContain('REDIRECT_NOT_REGISTERED')
    }
    expect((await ask({ clientId: 'unknown' })).status).toBe(400)
    expect((await ask({ redirectUri: 'http://localhost:3000/cb' })).status).toBe(200)
  })

  it('a registered script or address with a user is refused all the same', async () => {
    const bad = ['javascript:alert(1)//', 'https://a@partner.example/', 'https://partner.example/#x']
    await app.make.row('oauth_client', {
      companyId: company.id,
      id: crypto.randomUUID(),
      clientId: 'careless',
      name: 'Careless',
      redirectUris: bad,
    })
    for (const redirectUri of bad) expect((await ask({ clientId: 'careless', redirectUri })).status).toBe(400)
  })
})

describe('GET /api/auth/auth-url/{x}', () => {
  it('gives the sign-in address of a client; SAML says that it is not configured', async () => {
    const { body } = await app.nobody.get<{ url: string; name: string }>(`/api/auth/auth-url/${clientId}`)
    expect(body.data.name).toBe('Partner')
    const address = new URL(body.data.url)
    expect(address.origin + address.pathname).toBe('http://outpost.test/login/oauth/authorize')
    expect(address.searchParams.get('redirectUri')).toBe(registered)
    expect((await app.nobody.get('/api/auth/auth-url/nobody')).status).toBe(404)
    const saml = await app.nobody.get('/api/auth/auth-url/saml')
    expect([saml.status, saml.body.code, saml.body.message]).toEqual([501, 'NOT_CONFIGURED', 'SAML is not configured'])
  })
})

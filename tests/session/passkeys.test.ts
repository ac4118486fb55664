import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type Answer, type SignedInData, type TestApp } from '../support/app.ts'
import { makeAuthenticator, type Authenticator, type Faults } from '../support/authenticator.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant

interface Options {
  challenge: string
  rpId: string
  user: { id: string; name: string }
  excludeCredentials: { id: string }[]
}
interface Listed {
  Id: string
  name: string
  host: string
  lastUsedAt: string | null
}

beforeAll(async () => {
  app = await testApp()
  company = await app.make.company({ name: 'Sunrise Credit' })
})
afterAll(() => app.close())

const person = (of: MadeTenant = company) => app.make.user({ company: of, role: 'md' })
const refusal = ({ status, body }: Answer<unknown>) => [status, body.code, body.fields?.[0]?.field]
const own = { origin: 'http://outpost.test' }

async function startPasskey(user: MadeUser, more: object = {}) {
  const client = await app.as(user)
  const answer = await client.post<{ options: Options }>('/api/auth/passkeys/options', { password: user.password, ...more }, own)
  return { client, answer, options: answer.body.data?.options }
}

/** Makes a passkey as the profile does. */
async function enrol(user: MadeUser, device: Authenticator = makeAuthenticator(), name = 'My phone'): Promise<Authenticator> {
  const { client, options } = await startPasskey(user)
  const { status, text } = await client.post('/api/auth/passkeys', { name, credential: device.create(options) }, own)
  expect(status, text).toBe(200)
  return device
}

/** A sign-in page: its challenge and the cookie that belongs to it. */
async function openPage() {
  const { body, cookies } = await app.nobody.post<{ options: Options }>('/api/auth/login/passkey/options', {}, own)
  return { options: body.data.options, cookie: { ...own, cookie: `outpost-passkey=${cookies['outpost-passkey']}` } }
}
type Page = Awaited<ReturnType<typeof openPage>>

const show = (page: Page, device: Authenticator, { faults = {}, more = {} }: { faults?: Faults; more?: object } = {}) =>
  app.nobody.post<SignedInData & { redirect?: string }>(
    '/api/auth/login/passkey',
    { credential: device.get(page.options, faults), ...more },
    page.cookie,
  )
const signIn = async (device: Authenticator, faults: Faults = {}) => show(await openPage(), device, { faults })

const listed = async (user: MadeUser) => (await (await app.as(user)).get<{ passkeys: Listed[] }>('/api/auth/passkeys')).body.data.passkeys
const notices = async (user: MadeUser): Promise<string[]> => {
  const { rows } = await app.database.admin.query<{ what: string }>(
    `select payload ->> 'what' as what from outbox where type = 'auth.notice' and payload ->> 'userId' = $1 order by "dateCreated", id`,
    [user.id],
  )
  return rows.map(({ what }) => what)
}
const history = async (user: MadeUser) => {
  const { rows } = await app.database.admin.query<{ kind: string; detail: string }>(
    `select kind, detail from login_event where "userId" = $1 and detail = 'passkey' order by "dateCreated", id`,
    [user.id],
  )
  return rows.map(({ kind }) => kind)
}
const refused = [401, 'PASSKEY_REFUSED', undefined]

describe('a passkey', () => {
  it('is made in the profile with the password, signs in without a name, and is listed with its last use', async () => {
    const user = await person()
    expect(refusal((await startPasskey(user, { password: 'not the password at all' })).answer)).toEqual([422, 'INVALID', 'password'])
    const { client, options } = await startPasskey(user)
    expect(options).toMatchObject({ rp: { id: 'outpost.test' }, user: { name: user.emailAddress }, excludeCredentials: [] })
    expect(options).toMatchObject({ authenticatorSelection: { residentKey: 'required', userVerification: 'required' } })
    const device = makeAuthenticator()
    expect((await client.post('/api/auth/passkeys', { name: 'My phone', credential: device.create(options) }, own)).status).toBe(200)
    expect(await listed(user)).toMatchObject([{ name: 'My phone', host: 'outpost.test', lastUsedAt: null }])
    expect(await notices(user)).toEqual(['passkey-on'])
    const page = await openPage()
    expect(page.options).toEqual({
      rpId: 'outpost.test',
      challenge: page.options.challenge,
      timeout: 300_000,
      userVerification: 'required',
    })
    const { status, body, cookies } = await show(page, device)
    expect(status).toBe(200)
    expect(body.data.user).toMatchObject({ Id: user.id })
    expect(cookies).toHaveProperty('outpost')
    expect(cookies).toHaveProperty('outpost-device')
    expect((await app.client({ authorization: `Bearer ${body.data.token}` }).get('/api/console')).status).toBe(200)
    expect((await listed(user))[0]?.lastUsedAt).toBeTypeOf('string')
    expect((await startPasskey(user)).options.excludeCredentials).toMatchObject([{ id: device.credentialId }])
    expect((await signIn(device)).status).toBe(200)
  })

  it('without a name is called by its device, and one that does not count signs in as often as one likes', async () => {
    const user = await person()
    const { client, options } = await startPasskey(user)
    const device = makeAuthenticator({ isCounting: false })
    const phone = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36'
    await client.post('/api/auth/passkeys', { credential: device.create(options) }, { ...own, 'user-agent': phone })
    expect((await listed(user))[0]?.name).toBe('Chrome on Android')
    for (let turn = 0; turn < 2; turn += 1) expect((await signIn(device)).status).toBe(200)
  })

  it('of who has an authenticator asks for a code once, and then counts as both factors', async () => {
    const user = await person()
    const client = await app.as(user)
    const { secret } = (await client.post<{ secret: string }>('/api/auth/second-factor', { password: user.password })).body.data
    const codeOf = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now() })
    await client.post('/api/auth/second-factor/confirm', { code: codeOf() })
    app.clock.move(30)
    expect(refusal((await startPasskey(user)).answer)).toEqual([422, 'INVALID', 'code'])
    expect(refusal((await startPasskey(user, { code: '000000' })).answer)).toEqual([422, 'INVALID', 'code'])
    const { client: same, options } = await startPasskey(user, { code: codeOf() })
    const device = makeAuthenticator()
    expect((await same.post('/api/auth/passkeys', { credential: device.create(options) }, own)).status).toBe(200)
    expect((await signIn(device)).body.data).toHaveProperty('token')
  })

  it('goes back to another program with a code', async () => {
    const device = await enrol(await person())
    await app.database.admin.query(
      `insert into oauth_client ("companyId", id, "clientId", name, "redirectUris") values ($1, gen_random_uuid(), 'partner', 'Partner', '{https://partner.test/back}')`,
      [company.id],
    )
    const more = { clientId: 'partner', redirectUri: 'https://partner.test/back', state: 'xyz', codeChallenge: 'A'.repeat(43) }
    const { body } = await show(await openPage(), device, { more })
    expect(body.data.redirect).toMatch(/^https:\/\/partner\.test\/back\?success=true&token=.*&state=xyz$/)
    expect(body.data).not.toHaveProperty('token')
    expect((await show(await openPage(), device, { more: { ...more, codeChallenge: undefined } })).status).toBe(422)
    expect((await show(await openPage(), device, { more: { ...more, redirectUri: 'https://evil.test/back' } })).status).toBe(400)
  })

  it('is removed with the password, by its owner alone, and is then good for nothing', async () => {
    const [user, other] = [await person(), await person()]
    const device = await enrol(user)
    const Id = (await listed(user))[0]?.Id
    const end = async (by: MadeUser, password = by.password) =>
      (await app.as(by)).post('/api/auth/passkeys/end', { passkeyId: Id, password })
    expect((await end(other)).status).toBe(404)
    expect((await end(await app.make.user({ role: 'admin' }))).status).toBe(404)
    expect(refusal(await end(user, 'not the password at all'))).toEqual([422, 'INVALID', 'password'])
    const page = await openPage()
    expect((await end(user)).status).toBe(200)
    expect(refusal(await show(page, device))).toEqual(refused)
    expect(await listed(user)).toEqual([])
    expect(await notices(user)).toEqual(['passkey-on', 'passkey-off'])
  })
})

describe('making one', () => {
  it('takes a challenge once, in the session that asked, within five minutes', async () => {
    const user = await person()
    const { client, options } = await startPasskey(user)
    const add = (by: typeof client, device = makeAuthenticator()) =>
      by.post('/api/auth/passkeys', { credential: device.create(options) }, own)
    expect(refusal(await add(await app.as(user)))).toEqual([400, 'TOKEN_INVALID', undefined])
    const again = await startPasskey(user)
    const device = makeAuthenticator()
    const credential = device.create(again.options)
    const answers = await Promise.all([0, 1, 2, 3, 4].map(() => again.client.post('/api/auth/passkeys', { credential }, own)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    const late = await startPasskey(user)
    app.clock.move(301)
    expect((await late.client.post('/api/auth/passkeys', { credential: makeAuthenticator().create(late.options) }, own)).status).toBe(400)
    expect(await listed(user)).toHaveLength(1)
  })

  it('refuses what was made elsewhere, without a finger, for another challenge, or is somebody’s already', async () => {
    const [user, other] = [await person(), await person()]
    const device = await enrol(other)
    const add = async (faults: Faults, by = makeAuthenticator()) => {
      const { client, options } = await startPasskey(user)
      return client.post('/api/auth/passkeys', { credential: by.create(options, faults) }, own)
    }
    for (const faults of [{ origin: 'https://evil.test' }, { rpId: 'evil.test' }, { isVerified: false }, { type: 'webauthn.get' }])
      expect(refusal(await add(faults)), JSON.stringify(faults)).toEqual([422, 'INVALID', 'credential'])
    expect((await add({ challenge: (await startPasskey(other)).options.challenge })).status).toBe(400)
    expect((await add({}, device)).status).toBe(409)
    expect(await listed(user)).toEqual([])
    expect(await listed(other)).toHaveLength(1)
    const userHandle = Buffer.from(other.id.replaceAll('-', ''), 'hex').toString('base64url')
    expect((await signIn(device, { userHandle })).body.data.user).toMatchObject({ Id: other.id })
  })

  it('is no business of another page, of who works as somebody else, or of a program', async () => {
    const user = await person()
    const client = await app.as(user)
    const body = { password: user.password }
    expect((await client.post('/api/auth/passkeys/options', body, { origin: 'https://evil.test' })).status).toBe(403)
    expect(
      (await client.post('/api/auth/passkeys/options', body, { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080' })).body.code,
    ).toBe('NOT_CONFIGURED')
    const admin = await app.as(await app.make.user({ company, role: 'admin' }))
    const { token } = (await admin.post<SignedInData>('/api/auth/impersonate', { userName: user.userName, reason: 'checking a report' }))
      .body.data
    expect((await app.client({ authorization: `Bearer ${token}` }).post('/api/auth/passkeys/options', body, own)).status).toBe(403)
  })
})

describe('a sign-in by passkey', () => {
  it('takes a challenge once, also of five at once, in the browser that asked, within five minutes', async () => {
    const user = await person()
    const device = await enrol(user)
    const page = await openPage()
    const credential = device.get(page.options)
    const send = (headers: Record<string, string> = page.cookie) => app.nobody.post('/api/auth/login/passkey', { credential }, headers)
    expect(refusal(await send(own))).toEqual(refused)
    expect(refusal(await send((await openPage()).cookie))).toEqual(refused)
    const answers = await Promise.all([0, 1, 2, 3, 4].map(() => send()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    app.clock.move(60)
    expect(refusal(await send())).toEqual(refused)
    const late = await openPage()
    app.clock.move(301)
    expect(refusal(await show(late, device))).toEqual(refused)
    app.clock.move(60)
    expect((await signIn(device)).status).toBe(200)
  })

  it('has one of two uses at once when the device counts, and refuses a count that goes back', async () => {
    const user = await person()
    const device = await enrol(user)
    const pages = await Promise.all([0, 1, 2, 3, 4].map(openPage))
    const answers = await Promise.all(pages.map((page) => show(page, device, { faults: { counter: 7 } })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    app.clock.move(60)
    for (const counter of [7, 6, 0]) {
      expect(refusal(await signIn(device, { counter }))).toEqual(refused)
      app.clock.move(60)
    }
    expect((await signIn(device, { counter: 8 })).status).toBe(200)
  })

  it('refuses another page, another host, nobody’s finger, another person, a challenge of its own or of the profile', async () => {
    const [user, other] = [await person(), await person(await app.make.company())]
    const device = await enrol(user)
    const foreign = await enrol(other)
    const theirs = Buffer.from(other.id.replaceAll('-', ''), 'hex').toString('base64url')
    const ofProfile = (await startPasskey(user)).options.challenge
    const bad: Faults[] = [
      { origin: 'https://evil.test' },
      { rpId: 'evil.test' },
      { isVerified: false },
      { userHandle: theirs },
      { challenge: 'A'.repeat(83) },
      { challenge: ofProfile },
      { type: 'webauthn.create' },
    ]
    for (const faults of bad) {
      expect(refusal(await signIn(device, faults)), JSON.stringify(faults)).toEqual(refused)
      app.clock.move(60)
    }
    // The signature of one with the name of the other.
    const page = await openPage()
    const credential = { ...foreign.get(page.options), id: device.credentialId, rawId: device.credentialId }
    expect(refusal(await app.nobody.post('/api/auth/login/passkey', { credential }, page.cookie))).toEqual(refused)
    expect(refusal(await signIn(makeAuthenticator()))).toEqual(refused)
    app.clock.move(60)
    const evil = { ...page.cookie, origin: 'https://evil.test' }
    expect((await app.nobody.post('/api/auth/login/passkey', { credential }, evil)).body.code).toBe('ORIGIN_FORBIDDEN')
    // A page under another name of ours has passkeys of its own.
    const host = { host: 'other.test', origin: 'https://other.test' }
    const there = await app.nobody.post<{ options: Options }>('/api/auth/login/passkey/options', {}, host)
    expect(there.body.data.options.rpId).toBe('other.test')
    const crossed = device.get(there.body.data.options, { origin: 'https://other.test', rpId: 'other.test' })
    const cookie = `outpost-passkey=${there.cookies['outpost-passkey']}`
    expect(refusal(await app.nobody.post('/api/auth/login/passkey', { credential: crossed }, { ...host, cookie }))).toEqual(refused)
    app.clock.move(60)
    expect((await signIn(device)).body.data.user).toMatchObject({ Id: user.id })
    expect((await signIn(foreign)).body.data.user).toMatchObject({ Id: other.id })
  })

  it('passes the guards of every sign-in: the person, the address, the wait after failures, the mail about a new device', async () => {
    app.clock.stand()
    const home = await app.make.company()
    const user = await person(home)
    const device = await enrol(user)
    for (let turn = 0; turn < 5; turn += 1) expect(refusal(await signIn(device, { isVerified: false }))).toEqual(refused)
    expect((await signIn(device)).status).toBe(429)
    app.clock.move(60)
    expect((await signIn(device)).status).toBe(200)
    // The history holds what failed too. The wait itself is no attempt.
    expect(await history(user)).toEqual([...Array.from({ length: 5 }, () => 'refused'), 'login'])
    const shown = (
      await (await app.as(user)).get<{ signIns: { outcome: string; way: string; isNewDevice: boolean }[] }>('/api/auth/sign-ins')
    ).body.data.signIns
    expect(shown.find(({ way, outcome }) => way === 'passkey' && outcome === 'login')).toMatchObject({ isNewDevice: true })
    const rule = { companyId: home.id, name: 'Office', range: '10.0.0.0/8', appliesTo: 'company' }
    await app.make.row('ip_rule', { ...rule, id: crypto.randomUUID() })
    app.services.changed({ companyId: home.id })
    expect((await signIn(device)).body.code).toBe('ADDRESS_FORBIDDEN')
    await app.database.admin.query('delete from ip_rule where "companyId" = $1', [home.id])
    app.services.changed({ companyId: home.id })
    await app.database.admin.query('update app_user set status = 0 where id = $1', [user.id])
    expect(refusal(await signIn(device))).toEqual([401, 'USER_DISABLED', undefined])
    await app.database.admin.query('update app_user set "deletedAt" = now() where id = $1', [user.id])
    expect(refusal(await signIn(device))).toEqual(refused)
  })
})

describe('an administrator', () => {
  it('who resets the second factor of a lost phone removes its passkeys too', async () => {
    const user = await person()
    const device = await enrol(user)
    const admin = await app.as(await app.make.user({ company, role: 'admin' }))
    expect((await admin.post('/api/users/second-factor/reset', { userIds: [user.id] })).status).toBe(200)
    expect(refusal(await signIn(device))).toEqual(refused)
    expect(await notices(user)).toEqual(['passkey-on', 'passkeys-reset'])
  })
})

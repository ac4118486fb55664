import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeJobCtx } from '../../apps/server/src/kernel/session/jobs.ts'
import { testApp, type SignedInData, type TestApp } from '../support/app.ts'
import { makeAuthenticator } from '../support/authenticator.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
let admin: MadeUser
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
const phone = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36'

interface SignIn {
  Id: string
  outcome: string
  way: string | null
  ip: string | null
  place: string | null
  device: string | null
  isNewDevice: boolean
}

beforeAll(async () => {
  app = await testApp()
  company = await app.make.company({ name: 'Sunrise Credit' })
  admin = await app.make.user({ company, role: 'admin' })
})
afterAll(() => app.close())

const person = () => app.make.user({ company, role: 'md' })
const browse = ({ emailAddress, password }: MadeUser, headers: Record<string, string> = {}) =>
  app.nobody.post<SignedInData>('/api/auth/login', { email: emailAddress, password }, { 'user-agent': chrome, ...headers })
const markOf = (headers: Record<string, unknown>) =>
  [headers['set-cookie']]
    .flat()
    .find((cookie) => String(cookie).startsWith('outpost-device='))
    ?.toString()
    .split(';')[0] ?? ''
const notMe = (token: string) => app.nobody.post<{ resetToken: string }>('/api/auth/not-me', { token })

/** Runs the jobs that wait for the user, as the worker would, and gives the letters they wrote. */
async function lettersTo(user: MadeUser): Promise<string[]> {
  const { rows } = await app.database.admin.query(
    `update outbox set status = 'done' where status = 'new' and type = 'auth.newDevice' and payload ->> 'userId' = $1 returning *`,
    [user.id],
  )
  const job = app.areas.flatMap(({ jobs }) => jobs).find(({ name }) => name === 'auth.newDevice')
  const before = new Set((await app.machine.mail.written()).map(({ file }) => file))
  for (const row of rows) {
    const ctx = await makeJobCtx(app.services, { companyId: row.companyId, userId: row.userId })
    await job?.run(ctx, row.payload, { id: row.id, attempt: 1, signal: new AbortController().signal })
  }
  const fresh = (await app.machine.mail.written()).filter(({ file }) => !before.has(file))
  return Promise.all(
    fresh.map(async ({ file }) => ((await app.machine.mail.read(file)) ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')),
  )
}
const secretOf = (letter = '') => /\/not-me\/([A-Za-z0-9_-]{43})\s/.exec(letter)?.[1] ?? 'none'

/** Somebody who signed in twice, the second time from elsewhere, and the secret of the letter about it. */
async function warned(): Promise<{ user: MadeUser; secret: string }> {
  const user = await person()
  await browse(user)
  await browse(user)
  return { user, secret: secretOf((await lettersTo(user))[0]) }
}

describe('a sign-in from a new device', () => {
  it('is announced by mail: when, how, on what, from where; the first of all and a known browser are not', async () => {
    const user = await person()
    const first = await browse(user)
    expect((await browse(user, { cookie: markOf(first.headers) })).status).toBe(200)
    expect(await lettersTo(user)).toEqual([])
    await browse(user, { 'user-agent': phone })
    const [letter, ...more] = await lettersTo(user)
    expect(more).toEqual([])
    expect(letter).toContain(user.emailAddress)
    expect(letter).toContain('Subject: You signed in from a new device')
    expect(letter).toMatch(/How: With the password\s+Device: Chrome on Android\s+Address: 127\.0\.0\.1/)
    expect(letter).toMatch(/When: \w+day/)
    expect(letter).toMatch(/http:\/\/outpost\.test\/not-me\/[A-Za-z0-9_-]{43}\s/)
  })

  it('the mark of another person’s browser, or one made up, makes nothing known', async () => {
    const [user, other] = [await person(), await person()]
    await browse(user)
    const foreign = markOf((await browse(other)).headers)
    await browse(user, { cookie: foreign })
    await browse(user, { cookie: `outpost-device=${'A'.repeat(24)}` })
    expect(await lettersTo(user)).toHaveLength(2)
  })

  it('a program is known by its device, each person on it by themselves', async () => {
    const [user, other] = [await person(), await person()]
    const device = { 'x-native': '1', 'x-device-id': crypto.randomUUID() }
    await browse(user, device)
    await browse(user, device)
    expect(await lettersTo(user)).toEqual([])
    await browse(other)
    await browse(other, device)
    expect(await lettersTo(other)).toHaveLength(1)
    await browse(user, { ...device, 'x-device-id': crypto.randomUUID() })
    expect(await lettersTo(user)).toHaveLength(1)
  })

  it('no wrong password is announced, and no queue holds the secret of a letter', async () => {
    const user = await person()
    await browse(user)
    expect((await browse({ ...user, password: 'wrong as can be here' })).status).toBe(401)
    expect(await lettersTo(user)).toEqual([])
    await browse(user)
    const secret = secretOf((await lettersTo(user))[0])
    const { rows } = await app.database.admin.query(`select payload::text as text from outbox where type = 'auth.newDevice'`)
    expect(rows.map(({ text }) => text).join('')).not.toContain(secret)
  })
})

describe('“this was not me”', () => {
  it('ends every session and the password at once; the person chooses another one', async () => {
    const { user, secret } = await warned()
    const thief = await app.as(user)
    const refreshToken = (await app.login(user)).body.data.refreshToken
    const device = await thief.post<{ refreshToken: string }>('/api/auth/device', {
      deviceId: crypto.randomUUID(),
      password: user.password,
    })
    expect(device.status).toBe(200)
    const { status, body } = await notMe(secret)
    expect(status).toBe(200)
    expect((await thief.get('/api/auth/sessions')).status).toBe(401)
    expect((await app.nobody.post('/api/auth/refresh', { refreshToken })).status).toBe(401)
    expect(
      (await app.nobody.post('/api/auth/biometric', { refreshToken: device.body.data.refreshToken }, { 'x-native': '1' })).status,
    ).toBe(401)
    expect((await browse(user)).status).toBe(401)
    const reset = (password: string) => app.nobody.post('/api/auth/reset-password', { token: body.data.resetToken, password })
    expect((await reset(user.password)).body.code).toBe('WEAK_PASSWORD')
    expect((await reset('another long phrase 9')).status).toBe(200)
    expect((await browse({ ...user, password: 'another long phrase 9' })).status).toBe(200)
    const { rows } = await app.database.admin.query(`select action from audit_log where "objectId" = $1 and action = 'user.notMe'`, [
      user.id,
    ])
    expect(rows).toHaveLength(1)
  })

  it('is good once, for one of five at once, and for seven days', async () => {
    const { secret } = await warned()
    const answers = await Promise.all(Array.from({ length: 5 }, () => notMe(secret)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    expect((await notMe(secret)).body.code).toBe('TOKEN_INVALID')
    const late = await warned()
    app.clock.move(7 * 86_400 + 1)
    expect((await notMe(late.secret)).status).toBe(400)
    expect((await browse(late.user)).status).toBe(200)
  })

  it('holds although the thief has changed the password; not for a mailbox that is theirs no more', async () => {
    const { user, secret } = await warned()
    const thief = await app.as(user)
    const changed = { oldPassword: user.password, password: 'chosen by a thief 123' }
    expect((await thief.put(`/api/users/change-password/${user.id}`, changed)).status).toBe(200)
    expect((await notMe(secret)).status).toBe(200)
    expect((await browse({ ...user, password: changed.password })).status).toBe(401)
    const moved = await warned()
    await app.database.admin.query(`update app_user set "emailAddress" = $1 where id = $2`, [
      `new-${moved.user.emailAddress}`,
      moved.user.id,
    ])
    expect((await notMe(moved.secret)).status).toBe(400)
  })

  it('takes away the second factor and the passkeys that were set up since, and leaves those of before', async () => {
    const own = { origin: 'http://outpost.test' }
    const enrol = async (user: MadeUser, name: string): Promise<void> => {
      const client = await app.as(user)
      const { body } = await client.post<{ options: { challenge: string; user: { id: string } } }>(
        '/api/auth/passkeys/options',
        { password: user.password },
        own,
      )
      const credential = makeAuthenticator().create(body.data.options)
      expect((await client.post('/api/auth/passkeys', { name, credential }, own)).status).toBe(200)
    }
    const setUpFactor = async (user: MadeUser): Promise<void> => {
      const client = await app.as(user)
      const { body } = await client.post<{ secret: string }>('/api/auth/second-factor', { password: user.password })
      const code = new TOTP({ secret: Secret.fromBase32(body.data.secret) }).generate({ timestamp: app.clock.now() })
      expect((await client.post('/api/auth/second-factor/confirm', { code })).status).toBe(200)
    }
    const left = async (user: MadeUser) => {
      const { rows } = await app.database.admin.query(
        `select (select coalesce(array_agg(name), '{}') from passkey where "userId" = $1) as passkeys,
          (select count(*)::int from second_factor where "userId" = $1) as factors,
          (select count(*)::int from recovery_code where "userId" = $1) as codes`,
        [user.id],
      )
      return rows[0]
    }
    const robbed = await person()
    await browse(robbed)
    await enrol(robbed, 'mine')
    app.clock.move(1)
    await browse(robbed)
    const secret = secretOf((await lettersTo(robbed))[0])
    await enrol(robbed, 'of the thief')
    await setUpFactor(robbed)
    expect(await left(robbed)).toEqual({ passkeys: ['mine', 'of the thief'], factors: 1, codes: 10 })
    expect((await notMe(secret)).status).toBe(200)
    expect(await left(robbed)).toEqual({ passkeys: ['mine'], factors: 0, codes: 0 })

    const careful = await person()
    await browse(careful)
    await browse(careful)
    const { rows } = await app.database.admin.query(`select max("dateCreated") as at from login_event where "userId" = $1`, [careful.id])
    const later = secretOf((await lettersTo(careful))[0])
    await setUpFactor(careful)
    await app.database.admin.query(
      `update second_factor set "dateCreated" = $2::timestamptz - interval '1 day', "confirmedAt" = $2::timestamptz - interval '1 day' where "userId" = $1`,
      [careful.id, rows[0].at],
    )
    // The codes are newer than the sign-in: made anew by who may not have been the owner.
    expect((await notMe(later)).status).toBe(200)
    expect(await left(careful)).toEqual({ passkeys: [], factors: 1, codes: 0 })
  })

  it('other secrets do not open it, nor does it open other doors', async () => {
    const { user, secret } = await warned()
    expect((await app.nobody.post('/api/auth/reset-password', { token: secret, password: 'another long phrase 9' })).status).toBe(400)
    expect((await app.nobody.post('/api/auth/verify', { token: secret })).status).toBe(400)
    expect((await notMe('A'.repeat(43))).status).toBe(400)
    await app.database.admin.query('update app_user set status = 0 where id = $1', [user.id])
    expect((await notMe(secret)).status).toBe(400)
  })
})

describe('the history of sign-ins', () => {
  const own = async (user: MadeUser) => (await (await app.as(user)).get<{ signIns: SignIn[] }>('/api/auth/sign-ins')).body.data.signIns
  const of = async (viewer: MadeUser, id: string) => (await app.as(viewer)).get<{ signIns: SignIn[] }>(`/api/users/${id}/sign-ins`)

  it('shows each attempt with its way, device and address, the newest first', async () => {
    const user = await person()
    await browse(user)
    await browse({ ...user, password: 'wrong as can be here' }, { 'user-agent': phone })
    app.clock.move(60)
    await browse(user, { 'user-agent': phone })
    const rows = (await of(admin, user.id)).body.data.signIns
    expect(rows.map(({ outcome, way, device, ip, isNewDevice }) => [outcome, way, device, ip, isNewDevice])).toEqual([
      ['login', 'password', 'Chrome on Android', '127.0.0.1', true],
      ['refused', 'password', 'Chrome on Android', '127.0.0.1', false],
      ['login', 'password', 'Chrome on Linux', '127.0.0.1', false],
    ])
    // Looking oneself takes a sign-in too.
    expect((await own(user)).slice(1)).toMatchObject(rows)
  })

  it('names the place where the company has given the address a name: its own, the narrowest, one that is there', async () => {
    const place = await app.make.company()
    const [user, head] = [await app.make.user({ company: place, role: 'md' }), await app.make.user({ company: place, role: 'admin' })]
    const rule = (companyId: string, name: string, range: string, deletedAt: Date | null = null) =>
      app.make.row('ip_rule', { companyId, id: crypto.randomUUID(), name, range, appliesTo: 'company', deletedAt })
    await rule(place.id, 'Anywhere', '0.0.0.0/0')
    await rule(place.id, 'Head office', '127.0.0.0/8')
    await rule(place.id, 'Closed', '127.0.0.1', new Date())
    await rule((await app.make.company()).id, 'Not ours', '127.0.0.1')
    expect((await own(user))[0]?.place).toBe('Head office')
    expect((await of(head, user.id)).body.data.signIns[0]?.place).toBe('Head office')
  })

  it('is one’s own, and for administrators that of users in reach', async () => {
    const user = await person()
    await browse(user)
    const stranger = await app.make.user({ role: 'admin' })
    expect((await of(stranger, user.id)).status).toBe(404)
    expect((await of(await app.make.user({ company, role: 'officer' }), user.id)).status).toBe(403)
    expect((await of(user, stranger.id)).status).not.toBe(200)
    const ids = new Set((await own(user)).map(({ Id }) => Id))
    expect((await own(await person())).filter(({ Id }) => ids.has(Id))).toEqual([])
    expect((await app.nobody.get('/api/auth/sign-ins')).status).toBe(401)
  })
})

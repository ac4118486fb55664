import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authArea, requestAuthMail, setPassword } from '../../apps/server/src/areas/auth/index.ts'
import { makeJobCtx } from '../../apps/server/src/kernel/session/jobs.ts'
import { testApp, type SignedInData, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
const newPassword = 'a brand new phrase 7'

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine)] })
  company = await app.make.company({ name: 'Sunrise Credit' })
})
afterAll(() => app.close())

/** Runs the mail jobs that wait, as the worker would, and gives the letters they wrote. */
async function runMails(): Promise<string[]> {
  const { admin } = app.database
  const { rows } = await admin.query(`update outbox set status = 'done' where status = 'new' and type = 'auth.mail' returning *`)
  const job = app.areas.flatMap(({ jobs }) => jobs).find(({ name }) => name === 'auth.mail')
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

const forgot = (email: string, headers = {}) => app.nobody.post('/api/auth/forgot-password/', { email }, headers)
const reset = (token: string, password = newPassword) => app.nobody.post('/api/auth/reset-password/', { token, password })
const secretOf = (letter: string | undefined) => /\/([A-Za-z0-9_-]{43})\s/.exec(letter ?? '')?.[1] ?? 'none'

async function resetToken(user: MadeUser): Promise<string> {
  await forgot(user.emailAddress)
  return secretOf((await runMails()).find((letter) => letter.includes(user.emailAddress)))
}

describe('a forgotten password', () => {
  it('sends a link that sets a new one, once, and ends every session', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const [session, { body }] = [await app.as(user), await app.login(user)]
    const token = await resetToken(user)
    expect((await reset(token)).status).toBe(200)
    expect((await session.get('/api/auth/sessions')).status).toBe(401)
    expect((await app.nobody.post('/api/auth/refresh', { refreshToken: body.data.refreshToken })).status).toBe(401)
    expect((await app.login(user)).status).toBe(401)
    expect((await app.login({ ...user, password: newPassword })).status).toBe(200)
    expect((await reset(token, 'yet another phrase 8')).body.code).toBe('TOKEN_INVALID')
  })

  it('is answered alike whether or not there is such a user, in about the same time', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => app.make.user({ company, role: 'md' })))
    const off = await app.make.user({ company, role: 'md', status: 0 })
    const emails = [...users.map(({ emailAddress }) => emailAddress), 'nobody@outpost.test', off.emailAddress, '%']
    const answers = await Promise.all(emails.map((email) => forgot(email)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    const letters = await runMails()
    expect(letters).toHaveLength(users.length)
  })

  it('links only to the configured address, whatever the request says', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const variants = [
      { host: 'evil.test' },
      { 'x-forwarded-host': 'evil.test' },
      { forwarded: 'host=evil.test' },
      { origin: 'https://evil.test' },
      { referer: 'https://evil.test/' },
      { 'x-original-url': 'https://evil.test/' },
    ]
    const letters: string[] = []
    for (const headers of variants) {
      await forgot(user.emailAddress, headers)
      letters.push(...(await runMails()))
      app.clock.move(1_300)
    }
    expect(letters.length).toBeGreaterThanOrEqual(3)
    for (const letter of letters) {
      expect(letter).toContain('http://outpost.test/reset-password/')
      expect(letter).not.toContain('evil.test')
    }
  })

  it('sends three mails an hour at most', async () => {
    const user = await app.make.user({ company, role: 'md' })
    for (let turn = 0; turn < 6; turn += 1) await forgot(user.emailAddress)
    expect(await runMails()).toHaveLength(3)
    app.clock.move(3_601)
    await forgot(user.emailAddress)
    expect(await runMails()).toHaveLength(1)
  })

  it('puts no secret into the outbox or the database', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const token = await resetToken(user)
    const { rows } = await app.database.admin.query<{ text: string }>(`
      select row_to_json(o)::text as text from outbox o union all select row_to_json(t)::text from one_time_token t union all select row_to_json(a)::text from audit_log a`)
    const stored = rows.map(({ text }) => text).join()
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  it('the link is good for an hour, for one purpose', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const token = await resetToken(user)
    expect((await app.nobody.post('/api/auth/verify', { token })).body.code).toBe('TOKEN_INVALID')
    expect((await app.nobody.post('/api/auth/token', { email: user.emailAddress, token })).body.code).toBe('TOKEN_INVALID')
    app.clock.move(3_601)
    expect((await reset(token)).body.code).toBe('TOKEN_INVALID')
    for (const made of ['x', 'A'.repeat(43), '../..']) expect((await reset(made)).body.code).toBe('TOKEN_INVALID')
  })

  it('a weak password is refused with a reason, and the link stays good', async () => {
    const user = await app.make.user({ company, role: 'md', firstName: 'Wambui' })
    const token = await resetToken(user)
    for (const weak of ['short', 'aaaaaaaaaaaaaaaaaa', 'WambuiSunriseCredit', user.password]) {
      const { status, body } = await reset(token, weak)
      expect([status, body.code, body.fields?.[0]?.field]).toEqual([422, 'WEAK_PASSWORD', 'password'])
    }
    expect((await reset(token)).status).toBe(200)
  })

  it('one of 10 parallel uses wins', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const token = await resetToken(user)
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => reset(token, `parallel phrase number ${index}`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('setPassword', () => {
  it('refuses the last five and takes the sixth', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const set = (password: string) => setPassword({ companyId: company.id, userId: user.id, password, changedBy: user.id }, app.services)
    for (let turn = 1; turn <= 4; turn += 1) {
      await set(`phrase of the day ${turn}`)
      app.clock.move(1)
    }
    for (const used of [user.password, 'phrase of the day 1', 'phrase of the day 4'])
      await expect(set(used)).rejects.toMatchObject({ failure: 'WEAK_PASSWORD' })
    await set('phrase of the day 5')
    app.clock.move(1)
    await set(user.password)
  })

  it('keeps the session that changes its own password', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const [own, other] = [await app.as(user), await app.as(user)]
    await setPassword(
      { companyId: company.id, userId: user.id, password: newPassword, changedBy: user.id, exceptSessionId: own.sessionId },
      app.services,
    )
    expect([(await own.get('/api/auth/sessions')).status, (await other.get('/api/auth/sessions')).status]).toEqual([200, 401])
  })

  it('the application role can read neither hashes nor sessions nor tokens', async () => {
    for (const table of ['credential', 'session', 'refresh_token', 'one_time_token']) {
      await expect(app.database.pools.app.query(`select * from ${table}`)).rejects.toMatchObject({ code: '42501' })
    }
    await expect(app.database.pools.app.query('select "passwordHash" from password_history')).rejects.toMatchObject({ code: '42501' })
  })
})

describe('a mailed verification', () => {
  const ask = (user: MadeUser, kind: 'verify' | 'invite') =>
    app.services.store.write(user.companyId, (db) => requestAuthMail(db, { companyId: user.companyId, userId: user.id, kind }))

  it('confirms the address, once', async () => {
    const user = await app.make.user({ company, role: 'md' })
    await ask(user, 'verify')
    const [letter] = await runMails()
    expect(letter).toContain('http://outpost.test/verify/')
    const token = secretOf(letter)
    expect((await app.nobody.post('/api/auth/verify', { token })).status).toBe(200)
    expect((await app.nobody.post('/api/auth/verify', { token })).body.code).toBe('TOKEN_INVALID')
    const { rows } = await app.database.admin.query('select "emailVerifiedAt" from app_user where id = $1', [user.id])
    expect(rows[0].emailVerifiedAt).not.toBeNull()
  })

  it('an invited user confirms and goes on to choose a password', async () => {
    const user = await app.make.user({ company, role: 'md', password: null })
    // Somebody who was not invited, or whose invitation was taken back meanwhile, gets no letter.
    await ask(user, 'invite')
    expect(await runMails()).toEqual([])
    await app.database.admin.query(`update app_user set "invitation" = 'sent' where id = $1`, [user.id])
    await ask(user, 'invite')
    const [letter] = await runMails()
    const token = secretOf(letter)
    expect(letter).toContain(`http://outpost.test/account/verification/${user.id}/${token}`)
    const other = await app.make.user({ company, role: 'md' })
    expect((await app.nobody.post('/api/auth/verification/', { userId: other.id, token })).body.code).toBe('TOKEN_INVALID')
    const { body } = await app.nobody.post<{ resetToken: string }>('/api/auth/verification/', { userId: user.id, token })
    expect((await reset(body.data.resetToken)).status).toBe(200)
    expect((await app.login({ ...user, password: newPassword })).status).toBe(200)
  })
})

describe('a device that signs in by biometrics', () => {
  const device = '0b9f5e0a-3f4e-4f6e-9d6a-0123456789ab'
  const biometric = (refreshToken: string, deviceId?: string) =>
    app.nobody.post<SignedInData>('/api/auth/biometric', { refreshToken }, deviceId ? { 'x-device-id': deviceId } : {})

  async function register() {
    const user = await app.make.user({ company, role: 'officer' })
    const client = await app.as(user)
    const { body } = await client.post<{ refreshToken: string }>('/api/auth/device', {
      deviceId: device,
      name: 'Tablet',
      password: user.password,
    })
    return { user, client, refreshToken: body.data.refreshToken }
  }

  it('signs in, with a new token each time', async () => {
    const { user, refreshToken } = await register()
    const first = await biometric(refreshToken, device)
    expect(first.body.data).toMatchObject({ user: { Id: user.id }, landing: '/agents/landingpage' })
    const second = await biometric(first.body.data.refreshToken, device.toUpperCase())
    expect(second.status).toBe(200)
  })

  it('a stolen token is refused on any other device, and by the ordinary refresh', async () => {
    const { refreshToken } = await register()
    expect((await biometric(refreshToken)).status).toBe(401)
    expect((await biometric(refreshToken, '0b9f5e0a-3f4e-4f6e-9d6a-ba9876543210')).status).toBe(401)
    expect((await app.nobody.post('/api/auth/refresh', { refreshToken })).status).toBe(401)
    expect((await biometric(refreshToken, device)).status).toBe(200)
  })

  it('a revoked device is refused', async () => {
    const { client, refreshToken } = await register()
    const { body } = await client.get<{ sessions: { Id: string; deviceName: string | null }[] }>('/api/auth/sessions')
    const session = body.data.sessions.find(({ deviceName }) => deviceName === 'Tablet')
    expect((await client.post('/api/auth/sessions/end', { sessionId: session?.Id })).body.data).toEqual({ ended: 1 })
    expect((await biometric(refreshToken, device)).status).toBe(401)
    const { rows } = await app.database.admin.query('select "revokedAt" from user_device where "userId" = $1', [client.user.id])
    expect(rows[0].revokedAt).not.toBeNull()
    expect((await client.get('/api/auth/sessions')).status).toBe(200)
  })

  it('an ordinary refresh token is no biometric one', async () => {
    const user = await app.make.user({ company, role: 'officer' })
    const { body } = await app.login(user)
    expect((await biometric(body.data.refreshToken, device)).status).toBe(401)
  })

  it('two people on one device do not take each other’s place', async () => {
    const [one, two] = [await register(), await register()]
    expect((await biometric(one.refreshToken, device)).body.data.user.Id).toBe(one.user.id)
    expect((await biometric(two.refreshToken, device)).body.data.user.Id).toBe(two.user.id)
  })
})

describe('the own sessions', () => {
  it('are listed and ended, nobody else’s', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const [one, two, three] = [await app.as(user), await app.as(user), await app.as(user)]
    const stranger = await app.as(await app.make.user({ company, role: 'md' }))
    const { body } = await one.get<{ sessions: { Id: string; isCurrent: boolean }[] }>('/api/auth/sessions')
    expect(body.data.sessions.map(({ Id }) => Id).sort()).toEqual([one.sessionId, two.sessionId, three.sessionId].sort())
    expect(body.data.sessions.find(({ isCurrent }) => isCurrent)?.Id).toBe(one.sessionId)
    expect((await stranger.post('/api/auth/sessions/end', { sessionId: two.sessionId })).status).toBe(404)
    expect((await one.post('/api/auth/sessions/end', {})).body.fields?.[0]?.field).toBe('sessionId')
    expect((await one.post('/api/auth/sessions/end', { others: true })).body.data).toEqual({ ended: 2 })
    expect([(await one.get('/api/auth/sessions')).status, (await two.get('/api/auth/sessions')).status]).toEqual([200, 401])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { testApp, type Answer, type SignedInData, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
const day = 86_400

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine)] })
  company = await app.make.company()
})
afterAll(() => app.close())

const refresh = (refreshToken: string) => app.nobody.post<SignedInData>('/api/auth/refresh', { refreshToken })
const isAlive = async (token: string) => (await app.client({ authorization: `Bearer ${token}` }).get('/api/auth/sessions')).status === 200

async function signIn(role: 'officer' | 'md' | 'admin'): Promise<SignedInData & { user: MadeUser }> {
  const user = await app.make.user({ company, role })
  const { body } = await app.login(user)
  return { ...body.data, user } as never
}

async function tokensOf(userId: string): Promise<number> {
  const { rows } = await app.database.admin.query(
    'select count(*)::int as count from refresh_token r join session s on s.id = r."sessionId" where s."userId" = $1',
    [userId],
  )
  return rows[0].count
}

describe('rotation', () => {
  it('gives 50 callers at once the same, single successor', async () => {
    const { refreshToken, user } = await signIn('officer')
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(new Set(answers.map(({ body }) => body.data.refreshToken)).size).toBe(1)
    expect(await tokensOf(user.id)).toBe(2)
  })

  it('repeats the successor of the direct parent for ten seconds only, then ends the family', async () => {
    app.clock.stand()
    const { refreshToken } = await signIn('officer')
    const first = await refresh(refreshToken)
    app.clock.move(9)
    expect((await refresh(refreshToken)).body.data.refreshToken).toBe(first.body.data.refreshToken)
    app.clock.move(2)
    expect((await refresh(refreshToken)).status).toBe(401)
    // The thief's attempt costs the owner the session too: nobody knows who is who.
    expect((await refresh(first.body.data.refreshToken)).status).toBe(401)
    expect(await isAlive(first.body.data.token)).toBe(false)
  })

  it('ends the family at once when a grandparent is shown', async () => {
    const { refreshToken } = await signIn('officer')
    const child = (await refresh(refreshToken)).body.data
    const grandchild = (await refresh(child.refreshToken)).body.data
    expect(await isAlive(grandchild.token)).toBe(true)
    expect((await refresh(refreshToken)).status).toBe(401)
    expect(await isAlive(grandchild.token)).toBe(false)
    expect((await refresh(grandchild.refreshToken)).status).toBe(401)
  })

  it('gives nothing for the token of a session that is over', async () => {
    const { refreshToken, token, user } = await signIn('officer')
    expect((await app.client({ authorization: `Bearer ${token}` }).get('/api/auth/logout')).status).toBe(200)
    expect((await refresh(refreshToken)).status).toBe(401)
    expect(await tokensOf(user.id)).toBe(1)
  })

  it('keeps no token in the database that would work', async () => {
    const { refreshToken, user } = await signIn('officer')
    const { body } = await refresh(refreshToken)
    const { rows } = await app.database.admin.query<{ text: string }>(
      'select row_to_json(r)::text as text from refresh_token r join session s on s.id = r."sessionId" where s."userId" = $1',
      [user.id],
    )
    const stored = rows.map(({ text }) => text).join()
    const forms = (token: string) => [token, Buffer.from(token, 'base64url').toString('hex'), Buffer.from(token).toString('hex')]
    for (const form of [...forms(refreshToken), ...forms(body.data.refreshToken)]) expect(stored).not.toContain(form)
  })

  it('refuses what is no token with the same answer', async () => {
    for (const token of ['x', 'a'.repeat(43), '../../etc', 'a'.repeat(200)]) expect((await refresh(token)).status).toBe(401)
    expect((await app.nobody.post('/api/auth/refresh', { refreshToken: 7 })).body.fields?.[0]?.field).toBe('refreshToken')
  })
})

describe('a program on its device', () => {
  it('whose answers are lost goes on within a minute, and nobody else does', async () => {
    app.clock.stand()
    const device = { 'x-device-id': '0b9f5e0a-3f4e-4f6e-9d6a-0123456789ab' }
    const user = await app.make.user({ company, role: 'officer' })
    const { refreshToken } = (await app.login(user, device)).body.data
    const ask = (headers: Record<string, string>) => app.nobody.post<SignedInData>('/api/auth/refresh', { refreshToken }, headers)
    const first = await ask(device)
    app.clock.move(59)
    expect((await ask({})).status).toBe(401)
    expect((await ask(device)).body.data.refreshToken).toBe(first.body.data.refreshToken)
    app.clock.move(2)
    expect((await ask(device)).status).toBe(401)
  })
})

describe('limits of a session', () => {
  const keepAlive = async (token: string, everySeconds: number, times: number) => {
    let current = token
    for (let turn = 0; turn < times; turn += 1) {
      app.clock.move(everySeconds)
      const { status, body } = await refresh(current)
      if (status !== 200) return turn
      current = body.data.refreshToken
    }
    return times
  }

  it('ends an administrator after 30 minutes without use and 12 hours with', async () => {
    const idle = await signIn('admin')
    app.clock.move(31 * 60)
    expect((await refresh(idle.refreshToken)).status).toBe(401)
    const busy = await signIn('admin')
    expect(await keepAlive(busy.refreshToken, 25 * 60, 40)).toBe(28)
  })

  it('ends an office session after an hour without use and 24 hours with', async () => {
    const idle = await signIn('md')
    app.clock.move(61 * 60)
    expect((await refresh(idle.refreshToken)).status).toBe(401)
    expect(await keepAlive((await signIn('md')).refreshToken, 50 * 60, 100)).toBe(28)
  })

  it('ends a field session after seven days without use and 30 days with, however often it was rotated', async () => {
    const idle = await signIn('officer')
    app.clock.move(7 * day + 1)
    expect((await refresh(idle.refreshToken)).status).toBe(401)
    expect(await keepAlive((await signIn('officer')).refreshToken, day / 4, 200)).toBe(119)
  })

  it('no access token outlives its session', async () => {
    const { refreshToken } = await signIn('md')
    let last = refreshToken
    for (let turn = 0; turn < 28; turn += 1) {
      app.clock.move(51 * 60)
      last = (await refresh(last)).body.data.refreshToken
    }
    app.clock.move(8 * 60)
    const { body } = await refresh(last)
    const left = new Date(body.data.expiresAt).getTime() - app.clock.now()
    expect(left).toBeLessThanOrEqual(4 * 60_000)
    app.clock.move(4 * 60 + 1)
    expect(await isAlive(body.data.token)).toBe(false)
  })
})

describe('browsers', () => {
  const page = { 'x-ui-version': '0.9.9', origin: 'http://outpost.test', 'sec-fetch-site': 'same-origin' }
  const cookieOf = ({ cookies }: Answer<unknown>) => `outpost=${cookies.outpost}`

  async function signInPage() {
    const user = await app.make.user({ company, role: 'officer' })
    const answer = await app.nobody.post<SignedInData>(
      '/api/auth/login',
      { email: user.emailAddress, password: user.password },
      { ...page, 'x-native': '1' },
    )
    return { user, answer }
  }

  it('get the refresh token as a cookie only, whatever they ask for', async () => {
    const { answer } = await signInPage()
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('refreshToken')
    const [cookie = ''] = [answer.headers['set-cookie']]
      .flat()
      .map(String)
      .filter((one) => one.startsWith('outpost='))
    expect(cookie).toMatch(/; Path=\/api\/auth; HttpOnly; SameSite=Strict/)
  })

  it('refresh by cookie and are given the next one', async () => {
    const { answer } = await signInPage()
    const again = await app.nobody.post<SignedInData>('/api/auth/refresh', undefined, { ...page, cookie: cookieOf(answer) })
    expect(again.status).toBe(200)
    expect(again.text).not.toContain('refreshToken')
    expect(again.cookies.outpost).not.toBe(answer.cookies.outpost)
    expect(await isAlive(again.body.data.token)).toBe(true)
  })

  it('whose answers are lost ask again after the longest wait of the client, and go on', async () => {
    app.clock.stand()
    const { answer } = await signInPage()
    const jar = `${cookieOf(answer)}; outpost-device=${answer.cookies['outpost-device']}`
    const ask = (cookie: string) => app.nobody.post<SignedInData>('/api/auth/refresh', undefined, { ...page, cookie })
    const first = await ask(jar)
    // Four answers in a row get lost, 15 seconds of waiting each: the browser still holds the old cookie.
    for (const seconds of [15, 15, 15, 14]) {
      app.clock.move(seconds)
      const again = await ask(jar)
      expect([again.status, again.cookies.outpost]).toEqual([200, first.cookies.outpost])
    }
    // Elsewhere the copy of a cookie is worth ten seconds.
    app.clock.move(-30)
    expect((await ask(cookieOf(answer))).status).toBe(401)
    expect((await ask(`outpost=${first.cookies.outpost}`)).status).toBe(401)
  })

  it('get no more than a minute', async () => {
    const { answer } = await signInPage()
    const jar = `${cookieOf(answer)}; outpost-device=${answer.cookies['outpost-device']}`
    const ask = () => app.nobody.post<SignedInData>('/api/auth/refresh', undefined, { ...page, cookie: jar })
    expect((await ask()).status).toBe(200)
    app.clock.move(61)
    expect((await ask()).status).toBe(401)
  })

  it('are refused when another site makes them do it', async () => {
    const { answer } = await signInPage()
    const cookie = cookieOf(answer)
    const foreign: Record<string, string>[] = [
      { cookie },
      { cookie, origin: 'http://outpost.test' },
      { ...page, cookie, origin: 'https://evil.test' },
      { ...page, cookie, origin: 'null' },
      { ...page, cookie, 'sec-fetch-site': 'cross-site' },
      { ...page, cookie, 'sec-fetch-site': 'same-site' },
      { ...page, cookie, origin: 'http://outpost.test.evil.test' },
      { ...page, cookie, origin: 'http://evil.test/outpost.test' },
    ]
    for (const headers of foreign) {
      expect((await app.nobody.post('/api/auth/refresh', undefined, headers)).body.code, JSON.stringify(headers)).toBe('ORIGIN_FORBIDDEN')
    }
    expect((await app.nobody.post('/api/auth/refresh', undefined, { ...page, cookie })).status).toBe(200)
  })

  it('without a cookie there is no session', async () => {
    expect((await app.nobody.post('/api/auth/refresh', undefined, page)).body.code).toBe('NO_SESSION')
  })
})

describe('GET /api/auth/refresh/{refreshToken}', () => {
  it('works for programs, is not stored, and is refused as a page', async () => {
    const { refreshToken } = await signIn('officer')
    const page = await app.nobody.get(`/api/auth/refresh/${refreshToken}`, { 'sec-fetch-mode': 'navigate' })
    expect(page.body.code).toBe('ORIGIN_FORBIDDEN')
    const answer = await app.nobody.get<SignedInData>(`/api/auth/refresh/${refreshToken}`)
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await isAlive(answer.body.data.token)).toBe(true)
  })

  it('does not exist when it is switched off', async () => {
    const strict = await testApp({ areas: (machine) => [authArea(machine)], env: { LEGACY_REFRESH: 'off' } })
    const user = await strict.make.user({ role: 'officer' })
    const { body } = await strict.login(user)
    expect((await strict.nobody.get(`/api/auth/refresh/${body.data.refreshToken}`)).status).toBe(404)
    await strict.close()
  })
})

describe('over https', () => {
  it('the cookie carries __Host- and is Secure', async () => {
    const secure = await testApp({ areas: (machine) => [authArea(machine)], env: { PUBLIC_URL: 'https://outpost.test' } })
    const user = await secure.make.user({ role: 'officer' })
    const { headers } = await secure.nobody.post('/api/auth/login', { email: user.emailAddress, password: user.password })
    const [cookie = ''] = [headers['set-cookie']]
      .flat()
      .map(String)
      .filter((one) => one.startsWith('__Host-outpost='))
    expect(cookie).toMatch(/Path=\/; HttpOnly; Secure; SameSite=Strict/)
    expect(headers['strict-transport-security']).toContain('max-age=31536000')
    await secure.close()
  })
})

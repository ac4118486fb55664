import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { createPasswords } from '../../apps/server/src/kernel/session/passwords.ts'
import { testApp, type SignedInData, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
let branch: MadeTenant
let officer: MadeUser

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine)] })
  company = await app.make.company({ name: 'Sunrise Credit' })
  branch = await app.make.tenant({ company })
  officer = await app.make.user({ role: 'officer', tenant: branch })
})
afterAll(() => app.close())

const signIn = (email: string, password: string, headers = {}) =>
  app.nobody.post<SignedInData>('/api/auth/login', { email, password }, headers)
const events = async ({ id }: MadeUser) =>
  (
    await app.database.admin.query<{ kind: string }>('select kind from login_event where "userId" = $1 order by "dateCreated", id', [id])
  ).rows.map(({ kind }) => kind)

describe('signing in', () => {
  it('answers with the user, a token, and where to go', async () => {
    const { status, body } = await app.login(officer)
    expect(status).toBe(200)
    expect(body.data.user).toMatchObject({
      Id: officer.id,
      userName: officer.userName,
      roles: [{ name: 'Loan Officer' }],
      tenants: [{ Id: officer.tenantId }],
    })
    expect(body.data.user.rolepermissions).toContainEqual({ hierarchy: 'SALES/LEADS' })
    expect(body.data).toMatchObject({ landing: '/agents/landingpage', policy: 'field' })
    const me = await app.client({ authorization: `Bearer ${body.data.token}` }).get<{ user: { Id: string } }>('/api/console')
    expect(me.body.data.user.Id).toBe(officer.id)
  })

  it('takes the user name in place of the address, in any case', async () => {
    expect((await app.login({ ...officer, emailAddress: officer.userName })).status).toBe(200)
    expect((await app.login({ ...officer, emailAddress: ` ${officer.emailAddress.toUpperCase()} ` })).status).toBe(200)
  })

  it('sends everyone but officers and leaders to the dashboard', async () => {
    const landings = await Promise.all(
      (['leader', 'branch', 'credit', 'md', 'admin'] as const).map(async (role) => {
        const { body } = await app.login(await app.make.user({ company, role }))
        return [role, body.data.landing, body.data.policy]
      }),
    )
    expect(landings).toEqual([
      ['leader', '/agents/landingpage', 'field'],
      ['branch', '/', 'field'],
      ['credit', '/', 'office'],
      ['md', '/', 'office'],
      ['admin', '/', 'admin'],
    ])
  })

  it('finds the right company when an address works for several', async () => {
    const elsewhere = await app.make.user({ role: 'md', emailAddress: 'twice@outpost.test', password: 'another-long-password' })
    const here = await app.make.user({ company, role: 'md', emailAddress: 'twice@outpost.test' })
    expect((await app.login(here)).body.data.user.Id).toBe(here.id)
    expect((await app.login(elsewhere)).body.data.user.Id).toBe(elsewhere.id)
  })

  it('makes a new hash when the old one is of a lower cost', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const { hash } = await import('@node-rs/argon2')
    const { deriveKey } = await import('@outpost/platform/keys')
    const { createHmac } = await import('node:crypto')
    const peppered = createHmac('sha256', deriveKey(app.database.secret, 'password-pepper')).update(user.password).digest('base64')
    const cheap = await hash(peppered, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await app.database.admin.query('update credential set "passwordHash" = $1 where "userId" = $2', [cheap, user.id])
    expect((await app.login(user)).status).toBe(200)
    const { rows } = await app.database.admin.query('select "passwordHash" from credential where "userId" = $1', [user.id])
    expect(rows[0].passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1,keyid=\w{8}\$/)
    expect((await app.login(user)).status).toBe(200)
  })

  it('says so to a deactivated user, but only with the right password', async () => {
    const gone = await app.make.user({ company, role: 'md', status: 0 })
    expect((await signIn(gone.emailAddress, gone.password)).body.code).toBe('USER_DISABLED')
    expect((await signIn(gone.emailAddress, 'wrong-but-long-enough')).body.code).toBe('INVALID_CREDENTIALS')
  })

  it('names the fields of a bad request', async () => {
    const { status, body } = await app.nobody.post('/api/auth/login', { email: '', password: 7, admin: true })
    expect(status).toBe(422)
    expect(body.fields?.map(({ field }) => field)).toEqual(expect.arrayContaining(['email', 'password', 'admin']))
  })
})

describe('guessing', () => {
  const plain = (text: string) => text.replace(/"requestId":"[^"]+"/, '')

  it('an unknown user and a wrong password get the same answer', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const unset = await app.make.user({ company, role: 'md', password: null })
    const answers = await Promise.all([
      signIn(user.emailAddress, 'wrong-but-long-enough'),
      signIn('nobody@outpost.test', 'wrong-but-long-enough'),
      signIn(unset.emailAddress, 'wrong-but-long-enough'),
      signIn("' or 1=1 --", 'x'),
      signIn('%', '%'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(new Set(answers.map(({ text }) => plain(text))).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ success: false, code: 'INVALID_CREDENTIALS', message: 'Invalid credentials' })
  })

  it('takes about the same time for both', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const timed = async (email: string) => {
      const start = performance.now()
      await signIn(email, 'wrong-but-long-enough')
      return performance.now() - start
    }
    const median = (times: number[]) => times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < 9; turn += 1) {
      app.clock.move(61)
      known.push(await timed(user.emailAddress))
      unknown.push(await timed(`nobody-${turn}@outpost.test`))
    }
    const ratio = median(known) / median(unknown)
    // Without the dummy hash it is beyond 5.
    expect(ratio).toBeGreaterThan(0.3)
    expect(ratio).toBeLessThan(3.3)
  })

  it('waits longer after each failure, for names that do not exist just the same', async () => {
    app.clock.stand()
    const user = await app.make.user({ company, role: 'md' })
    const guess = async (email: string) => {
      const statuses = []
      for (let turn = 0; turn < 7; turn += 1) statuses.push((await signIn(email, `guess-number-${turn}-xx`)).status)
      return statuses
    }
    const known = await guess(user.emailAddress)
    expect(known).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect(await guess('no-such-user@outpost.test')).toEqual(known)
    expect((await signIn(user.emailAddress, user.password)).status).toBe(429)
    app.clock.move(61)
    expect((await signIn(user.emailAddress, user.password)).status).toBe(200)
  })

  it('tries no more of 40 guesses at once than one by one, of names that do not exist neither, and lets the owner in', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const own = await signIn(user.emailAddress, user.password)
    const cookie = `outpost-device=${own.cookies['outpost-device']}`
    const storm = (email: string) => Promise.all(Array.from({ length: 40 }, (_, turn) => signIn(email, `guess-number-${turn}-xx`)))
    const guesses = await storm(user.emailAddress)
    const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses(guesses)).toEqual([...Array.from({ length: 5 }, () => 401), ...Array.from({ length: 35 }, () => 429)])
    expect((await signIn(user.emailAddress, user.password, { cookie })).status).toBe(200)
    expect(statuses(await storm('no-such-storm@outpost.test'))).toEqual(statuses(guesses))
    // The right one, as often at once as somebody likes, is no guess.
    const other = await app.make.user({ company, role: 'md' })
    const right = await Promise.all(Array.from({ length: 12 }, () => signIn(other.emailAddress, other.password)))
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('verifies at most 100 of 1,000 guesses an hour, and never locks the owner out of a known device', async () => {
    const user = await app.make.user({ company, role: 'md' })
    const own = await signIn(user.emailAddress, user.password)
    const cookie = `outpost-device=${own.cookies['outpost-device']}`
    for (let turn = 0; turn < 1_000; turn += 1) {
      app.clock.move(3.6)
      await signIn(user.emailAddress, `guess-number-${turn}-xx`)
    }
    const verified = (await events(user)).filter((kind) => kind === 'refused').length
    expect(verified).toBeLessThanOrEqual(100)
    expect((await signIn(user.emailAddress, 'one more guess at least')).status).toBe(429)
    expect((await signIn(user.emailAddress, user.password, { cookie: 'outpost-device=AAAAAAAAAAAAAAAAAAAAAAAA' })).status).toBe(429)
    expect((await signIn(user.emailAddress, user.password, { cookie })).status).toBe(200)
  })

  it('a count in the database holds guesses spread over several processes', async () => {
    const user = await app.make.user({ company, role: 'md' })
    await app.database.admin.query(
      `update credential set "failedCount" = 12, "nextTryAt" = now() + interval '7 days' where "userId" = $1`,
      [user.id],
    )
    expect((await signIn(user.emailAddress, user.password)).body.code).toBe('INVALID_CREDENTIALS')
  })

  it('writes down good and bad attempts', async () => {
    const user = await app.make.user({ company, role: 'md' })
    await signIn(user.emailAddress, 'wrong-but-long-enough')
    await app.login(user)
    expect(await events(user)).toEqual(['refused', 'login'])
  })
})

describe('hashing', () => {
  it('runs two at once, lets 50 wait and refuses the rest', async () => {
    const passwords = createPasswords(['a secret for this test only, of 32'])
    const tries = await Promise.allSettled(Array.from({ length: 70 }, () => passwords.verify(undefined, 'guess')))
    const refused = tries.filter((one) => one.status === 'rejected')
    expect(refused.length).toBeGreaterThanOrEqual(16)
    expect(tries.length - refused.length).toBeGreaterThanOrEqual(52)
    expect(await passwords.verify(await passwords.hash('after the storm'), 'after the storm')).toBe(true)
  })
})

describe('the limit by address', () => {
  it('lets ten tries a minute through', async () => {
    const limited = await testApp({ areas: (machine) => [authArea(machine)], env: { RATE_LIMITS: 'on' } })
    const statuses = []
    for (let turn = 0; turn < 12; turn += 1) {
      statuses.push(
        (
          await limited.nobody.post(
            '/api/auth/login',
            { email: `a${turn}@outpost.test`, password: 'x' },
            { 'x-forwarded-for': `10.0.0.${turn}` },
          )
        ).status,
      )
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    await limited.close()
  })
})

import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type Answer, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
let admin: MadeUser

interface Step {
  step: string
  challenge: string
  enrolment?: { secret: string; uri: string }
  token?: string
  recoveryCodes?: string[]
  redirect?: string
}

beforeAll(async () => {
  app = await testApp()
  company = await app.make.company({ name: 'Sunrise Credit' })
  admin = await app.make.user({ company, role: 'admin' })
})
afterAll(() => app.close())

const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now() + seconds * 1_000 })
const login = (user: MadeUser, more = {}) =>
  app.nobody.post<Step>('/api/auth/login', { email: user.emailAddress, password: user.password, ...more })
const step = (challenge: string, code: string) => app.nobody.post<Step>('/api/auth/login/step', { challenge, code })
const person = () => app.make.user({ company, role: 'md' })

/** Sets an authenticator up as the profile does. */
async function enrol(user: MadeUser): Promise<{ secret: string; codes: string[] }> {
  const client = await app.as(user)
  const { secret } = (await client.post<{ secret: string }>('/api/auth/second-factor', { password: user.password })).body.data
  const { body } = await client.post<{ recoveryCodes: string[] }>('/api/auth/second-factor/confirm', { code: codeOf(secret) })
  app.clock.move(30)
  return { secret, codes: body.data.recoveryCodes }
}

const notices = async (user: MadeUser): Promise<string[]> => {
  const { rows } = await app.database.admin.query<{ what: string }>(
    `select payload ->> 'what' as what from outbox where type = 'auth.notice' and payload ->> 'userId' = $1 order by "dateCreated", id`,
    [user.id],
  )
  return rows.map(({ what }) => what)
}
const refusal = ({ status, body }: Answer<unknown>) => [status, body.code, body.fields?.[0]?.field]

describe('a second factor', () => {
  it('is set up in the profile with the password and a first code', async () => {
    const user = await person()
    const client = await app.as(user)
    expect((await client.get('/api/auth/second-factor')).body.data).toEqual({
      isOn: false,
      isRequired: false,
      since: null,
      recoveryCodesLeft: 0,
    })
    expect(refusal(await client.post('/api/auth/second-factor', { password: 'not the password at all' }))).toEqual([
      422,
      'INVALID',
      'password',
    ])
    const { body } = await client.post<{ secret: string; uri: string }>('/api/auth/second-factor', { password: user.password })
    expect(body.data.uri).toMatch(/^otpauth:\/\/totp\/Outpost:.*secret=[A-Z2-7]{32}/)
    expect((await login(user)).body.data.token).toBeTypeOf('string')
    const { secret } = body.data
    expect(refusal(await client.post('/api/auth/second-factor/confirm', { code: codeOf(secret, 300) }))).toEqual([422, 'INVALID', 'code'])
    const { recoveryCodes } = (await client.post<Step>('/api/auth/second-factor/confirm', { code: codeOf(secret) })).body.data
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await client.get('/api/auth/second-factor')).body.data).toMatchObject({ isOn: true, recoveryCodesLeft: 10 })
    expect((await client.post('/api/auth/second-factor', { password: user.password })).status).toBe(409)
    expect(await notices(user)).toEqual(['factor-on'])
    const { rows } = await app.database.admin.query(
      'select f::text || (select string_agg(c::text, $2) from recovery_code c where c."userId" = f."userId") as all from second_factor f where "userId" = $1',
      [user.id, ' '],
    )
    for (const told of [secret, ...(recoveryCodes ?? [])]) expect(rows[0].all).not.toContain(told)
  })

  it('is asked for after the password, and takes each code once', async () => {
    const user = await person()
    const { secret } = await enrol(user)
    const first = (await login(user)).body.data
    expect(first).toMatchObject({ step: 'code' })
    expect(first).not.toHaveProperty('token')
    expect(first).not.toHaveProperty('enrolment')
    const code = codeOf(secret)
    const { status, body } = await step(first.challenge, code)
    expect(status).toBe(200)
    expect((await app.client({ authorization: `Bearer ${body.data.token}` }).get('/api/console')).status).toBe(200)
    expect(refusal(await step(first.challenge, codeOf(secret, 30)))).toEqual([400, 'TOKEN_INVALID', undefined])
    const second = (await login(user)).body.data
    expect(refusal(await step(second.challenge, code))).toEqual([422, 'INVALID', 'code'])
    expect((await step(second.challenge, codeOf(secret, 30))).status).toBe(200)
  })

  it('counts five answers at once as one', async () => {
    const user = await person()
    const { secret } = await enrol(user)
    const challenges = await Promise.all([0, 1, 2, 3, 4].map(async () => (await login(user)).body.data.challenge))
    const code = codeOf(secret)
    const answers = await Promise.all(challenges.map((challenge) => step(challenge, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    app.clock.move(30)
    const { challenge } = (await login(user)).body.data
    const same = await Promise.all([0, 1, 2, 3, 4].map(() => step(challenge, codeOf(secret))))
    expect(same.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('lets nobody guess: a challenge takes five codes, and the account waits longer and longer', async () => {
    app.clock.stand()
    const user = await person()
    const { secret } = await enrol(user)
    const { challenge } = (await login(user)).body.data
    for (let turn = 0; turn < 5; turn += 1) expect(refusal(await step(challenge, 'wrong-wrong'))).toEqual([422, 'INVALID', 'code'])
    expect(refusal(await step(challenge, codeOf(secret)))).toEqual([400, 'TOKEN_INVALID', undefined])
    const next = (await login(user)).body.data.challenge
    expect((await step(next, codeOf(secret))).status).toBe(429)
    app.clock.move(3)
    expect((await step(next, codeOf(secret))).status).toBe(200)
    const { rows } = await app.database.admin.query(
      `select count(*)::int as count from login_event where "userId" = $1 and kind = 'refused'`,
      [user.id],
    )
    expect(rows[0].count).toBe(6)
  })

  it('ends a challenge after five minutes, with another password, and with the user', async () => {
    const user = await person()
    const { secret } = await enrol(user)
    const { challenge } = (await login(user)).body.data
    app.clock.move(301)
    expect(refusal(await step(challenge, codeOf(secret)))[1]).toBe('TOKEN_INVALID')
    const second = (await login(user)).body.data.challenge
    await app.database.admin.query('update credential set "changedAt" = now() + interval \'1 day\' where "userId" = $1', [user.id])
    expect(refusal(await step(second, codeOf(secret)))[1]).toBe('TOKEN_INVALID')
    const third = (await login(user)).body.data.challenge
    await app.database.admin.query('update app_user set status = 0 where id = $1', [user.id])
    expect(refusal(await step(third, codeOf(secret)))[1]).toBe('USER_DISABLED')
  })

  it('is replaced by a recovery code, once, and its owner is notified', async () => {
    const user = await person()
    const { secret, codes } = await enrol(user)
    const [code = ''] = codes
    expect((await step((await login(user)).body.data.challenge, ` ${code.toUpperCase()} `)).status).toBe(200)
    expect(refusal(await step((await login(user)).body.data.challenge, code))).toEqual([422, 'INVALID', 'code'])
    expect(await notices(user)).toEqual(['factor-on', 'recovery-used'])
    const client = await app.as(user)
    const renewed = await client.post<Step>('/api/auth/second-factor/recovery-codes', { password: user.password, code: codeOf(secret) })
    expect(renewed.body.data.recoveryCodes).toHaveLength(10)
    expect((await step((await login(user)).body.data.challenge, codes[1] ?? '')).status).toBe(422)
    const { body } = await client.get<{ recoveryCodesLeft: number }>('/api/auth/second-factor')
    expect(body.data.recoveryCodesLeft).toBe(10)
  })

  it('of one person is no good for another', async () => {
    const [one, other] = [await person(), await app.make.user({ role: 'md' })]
    const mine = await enrol(one)
    const theirs = await enrol(other)
    const { challenge } = (await login(one)).body.data
    expect((await step(challenge, codeOf(theirs.secret))).status).toBe(422)
    expect((await step(challenge, theirs.codes[0] ?? '')).status).toBe(422)
    expect((await step(challenge, codeOf(mine.secret))).status).toBe(200)
  })

  it('comes before the way back to another program', async () => {
    const user = await person()
    const { secret } = await enrol(user)
    await app.database.admin.query(
      `insert into oauth_client ("companyId", id, "clientId", name, "redirectUris") values ($1, gen_random_uuid(), 'partner', 'Partner', '{https://partner.test/back}')`,
      [company.id],
    )
    const asked = { clientId: 'partner', redirectUri: 'https://partner.test/back', state: 'xyz', codeChallenge: 'A'.repeat(43) }
    const first = (await login(user, asked)).body.data
    expect(first).not.toHaveProperty('redirect')
    const { redirect = '' } = (await step(first.challenge, codeOf(secret))).body.data
    expect(redirect).toMatch(/^https:\/\/partner\.test\/back\?success=true&token=.*&state=xyz$/)
  })

  it('is switched off with password and code', async () => {
    const user = await person()
    const { secret } = await enrol(user)
    const client = await app.as(user)
    const end = (body: object) => client.post('/api/auth/second-factor/end', body)
    expect(refusal(await end({ password: 'not the password at all', code: codeOf(secret) }))).toEqual([422, 'INVALID', 'password'])
    expect(refusal(await end({ password: user.password, code: 'wrong' }))).toEqual([422, 'INVALID', 'code'])
    expect((await end({ password: user.password, code: codeOf(secret) })).status).toBe(200)
    expect((await login(user)).body.data.token).toBeTypeOf('string')
    expect(await notices(user)).toEqual(['factor-on', 'factor-off'])
  })
})

describe('a role that asks for a second factor', () => {
  it('has its people enrol at the next sign-in, and keep it', async () => {
    const office = await app.as(admin)
    const user = await app.make.user({ company, role: 'credit' })
    const { rows } = await app.database.admin.query(`select "roleId" as id from user_role where "userId" = $1`, [user.id])
    const saved = await office.put(`/api/roles/${rows[0].id}`, { asksSecondFactor: true })
    expect(saved.body.data).toMatchObject({ role: { asksSecondFactor: true } })
    const first = (await login(user)).body.data
    expect(first).toMatchObject({ step: 'enrol' })
    const again = (await login(user)).body.data
    // Who saw the first secret must not share the one that counts.
    expect((await step(first.challenge, codeOf(first.enrolment?.secret ?? ''))).status).toBe(422)
    const { body } = await step(again.challenge, codeOf(again.enrolment?.secret ?? ''))
    expect(body.data.recoveryCodes).toHaveLength(10)
    expect(body.data.token).toBeTypeOf('string')
    app.clock.move(30)
    expect((await login(user)).body.data).toMatchObject({ step: 'code' })
    const client = await app.as(user)
    const code = codeOf(again.enrolment?.secret ?? '')
    expect((await client.post('/api/auth/second-factor/end', { password: user.password, code })).status).toBe(403)
    await office.put(`/api/roles/${rows[0].id}`, { asksSecondFactor: false })
  })
})

describe('an administrator', () => {
  const reset = async (by: MadeUser, ...users: MadeUser[]) =>
    (await app.as(by)).post('/api/users/second-factor/reset', { userIds: users.map(({ id }) => id) })

  it('takes the factor of who lost the phone away, in the log and with a mail', async () => {
    const user = await person()
    await enrol(user)
    expect((await reset(admin, user)).status).toBe(200)
    expect((await login(user)).body.data.token).toBeTypeOf('string')
    expect(await notices(user)).toEqual(['factor-on', 'factor-reset'])
    const { rows } = await app.database.admin.query(
      `select "userId" from audit_log where action = 'user.factor-reset' and "objectId" = $1`,
      [user.id],
    )
    expect(rows).toEqual([{ userId: admin.id }])
  })

  it('does so to nobody elsewhere, to nobody who may more, and not to himself', async () => {
    const [stranger, higher] = [await app.make.user({ role: 'md' }), await app.make.user({ company, role: 'admin' })]
    await enrol(stranger)
    await enrol(higher)
    const lower = await app.make.user({ company, role: 'officer' })
    expect((await reset(admin, stranger)).status).toBe(404)
    expect((await reset(admin, higher, stranger)).status).toBe(404)
    expect((await reset(admin, admin)).status).toBe(403)
    expect((await reset(lower, higher)).status).toBe(403)
    expect((await login(stranger)).body.data).toMatchObject({ step: 'code' })
    expect((await login(higher)).body.data).toMatchObject({ step: 'code' })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestAuthMail, setPassword } from '../../apps/server/src/areas/auth/index.ts'
import { issueOneTime } from '../../apps/server/src/kernel/session/tokens/one-time.ts'
import type { SignedInData } from '../support/app.ts'
import type { MadeUser } from '../support/make.ts'
import { inputFor, send } from '../security/support/requests.ts'
import { makeWorld, fieldsOf, type World } from '../api/world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const newPassword = 'a brand new phrase 7'
const makeUser = (): Promise<MadeUser> => world.app.make.user({ tenant: world.team, role: 'officer' })

/** Open links of every kind, as they lie in the user's mailbox. */
async function openLinks({ companyId, id: userId, emailAddress }: MadeUser) {
  const { services, nobody } = world.app
  const issue = (purpose: 'reset' | 'verify' | 'code') =>
    services.store.write(null, (db) =>
      issueOneTime(db, services.clock, { purpose, companyId, userId, data: purpose === 'code' ? { clientId: 'x' } : {} }),
    )
  const [reset, verify, code] = [await issue('reset'), await issue('verify'), await issue('code')]
  return async () =>
    [
      await nobody.post('/api/auth/reset-password', { token: reset, password: 'somebody else’s phrase 9' }),
      await nobody.post('/api/auth/verify', { token: verify }),
      await nobody.post('/api/auth/token', { email: emailAddress, token: code }),
    ].map(({ body: { code: name } }) => name)
}

/** Every way in which a password is set or an address changed. */
const ways: Record<string, (user: MadeUser) => Promise<unknown>> = {
  'another link': async (user) => {
    const { services, nobody } = world.app
    const token = await services.store.write(null, (db) =>
      issueOneTime(db, services.clock, { purpose: 'reset', companyId: user.companyId, userId: user.id }),
    )
    return nobody.post('/api/auth/reset-password', { token, password: newPassword })
  },
  'the user': async (user) =>
    (await world.app.as(user)).put(`/api/users/change-password/${user.id}`, { password: newPassword, oldPassword: user.password }),
  'an administrator': (user) => world.as.admin.put(`/api/users/change-password/${user.id}`, { password: newPassword }),
  'the program': (user) =>
    setPassword({ companyId: user.companyId, userId: user.id, password: newPassword, changedBy: null }, world.app.services),
  'another address': (user) => world.as.admin.put(`/api/users/${user.id}`, { emailAddress: `moved.${user.emailAddress}` }),
  'another address behind our back': (user) =>
    world.app.database.admin.query('update app_user set "emailAddress" = $2 where id = $1', [user.id, `aside.${user.emailAddress}`]),
}

describe('links that lie in a mailbox', () => {
  it.each(Object.keys(ways))('are dead once a password or address was set by %s', async (way) => {
    const user = await makeUser()
    const use = await openLinks(user)
    await ways[way]?.(user)
    expect(await use()).toEqual(['TOKEN_INVALID', 'TOKEN_INVALID', 'TOKEN_INVALID'])
  })

  it('an address that changes ends the user’s sessions, and its new owner is asked to confirm', async () => {
    const user = await makeUser()
    const session = await world.app.as(user)
    await ways['another address']?.(user)
    expect((await session.get('/api/auth/sessions')).status).toBe(401)
    const { rows } = await world.app.database.admin.query(
      `select payload from outbox where type = 'auth.mail' and payload ->> 'userId' = $1`,
      [user.id],
    )
    expect(rows.map(({ payload }) => payload.kind)).toEqual(['verify'])
  })

  it('a link that was asked for afterwards works', async () => {
    const user = await makeUser()
    await ways['an administrator']?.(user)
    const { services, nobody } = world.app
    await services.store.write(user.companyId, (db) => requestAuthMail(db, { companyId: user.companyId, userId: user.id, kind: 'reset' }))
    const token = await services.store.write(null, (db) =>
      issueOneTime(db, services.clock, { purpose: 'reset', companyId: user.companyId, userId: user.id }),
    )
    expect((await nobody.post('/api/auth/reset-password', { token, password: 'the phrase after that 8' })).status).toBe(200)
  })
})

describe('a device that signs in by biometrics', () => {
  const deviceId = '0b9f5e0a-3f4e-4f6e-9d6a-0123456789ab'
  const register = async (user: MadeUser, more: object) =>
    (await world.app.as(user)).post<{ refreshToken: string }>('/api/auth/device', { deviceId, name: 'Tablet', ...more })
  const signIn = (refreshToken: string) =>
    world.app.nobody.post<SignedInData>('/api/auth/biometric', { refreshToken }, { 'x-device-id': deviceId })

  it('is not made by a token alone: the password is asked for, and wrong ones count', async () => {
    world.app.clock.stand()
    const user = await makeUser()
    expect(fieldsOf(await register(user, {}))).toEqual(['password'])
    for (let turn = 0; turn < 5; turn += 1) expect(fieldsOf(await register(user, { password: 'not the password' }))).toEqual(['password'])
    expect((await register(user, { password: user.password })).body.code).toBe('TOO_MANY_REQUESTS')
    world.app.clock.move(61)
    expect((await register(user, { password: user.password })).status).toBe(200)
  })

  it('ends by the profile’s list of sessions, and with the password', async () => {
    for (const end of [
      async (user: MadeUser) => {
        const client = await world.app.as(user)
        const { body } = await client.get<{ sessions: { Id: string; deviceName: string | null }[] }>('/api/auth/sessions')
        await client.post('/api/auth/sessions/end', { sessionId: body.data.sessions.find(({ deviceName }) => deviceName === 'Tablet')?.Id })
      },
      ways['the user'],
      ways['an administrator'],
      ways['another address'],
    ]) {
      const user = await makeUser()
      const { refreshToken } = (await register(user, { password: user.password })).body.data
      await end?.(user)
      expect((await signIn(refreshToken)).status).toBe(401)
    }
  })
})

describe('a password that somebody else set', () => {
  it('opens nothing but the way to another one', async () => {
    const user = await makeUser()
    await ways['an administrator']?.(user)
    const { body } = await world.app.login({ ...user, password: newPassword })
    expect(body.data).toMatchObject({ mustChangePassword: true })
    const client = world.app.client({ authorization: `Bearer ${body.data.token}` })
    const target = { side: { team: world.team } as never, filled: {}, userId: world.people.officer.id, tenantId: world.team.id }
    const routes = world.app.areas
      .flatMap((area) => area.routes)
      .filter(({ access, name }) => access.kind !== 'public' && name !== 'auth.logout')
    const answered: string[] = []
    for (const route of routes)
      if ((await send(client, route, inputFor(route, target))).body.code !== 'MUST_CHANGE_PASSWORD') answered.push(route.name)
    // Who one is and one's own password, below; those of others not.
    expect(answered).toEqual(['console.layout'])
    expect((await client.get<{ mustChangePassword: boolean }>('/api/console')).body.data.mustChangePassword).toBe(true)
    expect((await client.get(`/api/users/me/${user.id}`)).status).toBe(200)
    expect(
      (await client.put(`/api/users/change-password/${user.id}`, { password: 'my own phrase of the day', oldPassword: newPassword }))
        .status,
    ).toBe(200)
    expect((await client.get('/api/auth/sessions')).status).toBe(200)
    expect((await client.get<object>('/api/console')).body.data).not.toHaveProperty('mustChangePassword')
  })
})

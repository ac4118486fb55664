import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client, SignedInData } from '../../support/app.ts'
import type { MadeUser } from '../../support/make.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())
// The clock goes forward in some tests: sessions begin anew in each.
beforeEach(async () => {
  for (const name of ['admin', 'manager', 'foreign'] as const) world.as[name] = await world.app.as(world.people[name])
})

interface OauthClient {
  Id: string
  clientId: string
  clientType: string
  isDisabled: boolean
  version: number
  lastUsedAt: string | null
  secretToldAt: string | null
}
const path = '/api/oauth-clients'
const back = 'https://partner.example/back'
const body = (more: object = {}) => ({ name: 'Partner', clientType: 'public', redirectUris: [back], ...more })
const made = async (more: object = {}, by: Client = world.as.admin) => {
  const answer = await by.post<{ oauthClient: OauthClient }>(path, body(more))
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.oauthClient
}
const of = async ({ Id }: { Id: string }) => (await world.as.admin.get<{ oauthClient: OauthClient }>(`${path}/${Id}`)).body.data.oauthClient
const secretOf = async ({ Id }: { Id: string }, more: object = {}) => {
  const answer = await world.as.admin.post<{ secret: string }>(`${path}/${Id}/secret`, more)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.secret
}

const codeVerifier = randomBytes(32).toString('base64url')
const ask = ({ clientId }: { clientId: string }, who: MadeUser = world.people.admin, redirectUri = back) =>
  world.app.nobody.post<SignedInData>('/api/auth/login', {
    email: who.emailAddress,
    password: who.password,
    clientId,
    redirectUri,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  })
const codeFor = async (client: { clientId: string }, who: MadeUser = world.people.admin) => {
  const { body: answer, text } = await ask(client, who)
  const code = new URL(answer.data?.redirect ?? 'http://none').searchParams.get('token')
  return code ?? expect.fail(text)
}
const exchange = (token: string, more: object = {}, who: MadeUser = world.people.admin) =>
  world.app.nobody.post<SignedInData>('/api/auth/token', { email: who.emailAddress, token, codeVerifier, ...more }, { 'x-native': '1' })
const enter = async (client: { clientId: string }, more: object = {}, who: MadeUser = world.people.admin) => {
  const answer = await exchange(await codeFor(client, who), more, who)
  expect(answer.status, answer.text).toBe(200)
  return { ...answer.body.data, client: world.app.client({ authorization: `Bearer ${answer.body.data.token}` }) }
}

describe('an OAuth client', () => {
  it('signs people of its company in, has an id that nobody chose, and shows when it was used', async () => {
    const partner = await made({ clientId: 'mine' })
    expect(partner.clientId).toMatch(/^oc_[0-9a-f]{24}$/)
    const { client } = await enter(partner)
    expect((await client.get('/api/auth/sessions')).status).toBe(200)
    expect((await of(partner)).lastUsedAt).not.toBeNull()
    expect((await ask(partner, world.people.foreign)).body.code).toBe('REDIRECT_NOT_REGISTERED')
    expect((await ask(partner, world.people.admin, `${back}/`)).body.code).toBe('REDIRECT_NOT_REGISTERED')
  })

  it('has addresses over https, or on the same machine, and at least one', async () => {
    const good = ['https://a.example/cb?x=1', 'http://localhost:3000/cb', 'http://127.0.0.1/cb', 'http://[::1]:9/cb']
    const partner = await made({ redirectUris: good })
    for (const address of good)
      expect((await ask(partner, world.people.admin, address)).body.data.redirect).toContain(address.split('?')[0])
    const bad = [
      'http://a.example/',
      'http://localhost.a.example/',
      'https://u@a.example/',
      'https://a.example/#',
      'javascript:alert(1)',
      'app://x',
      'a',
    ]
    for (const address of bad)
      expect(fieldsOf(await world.as.admin.post(path, body({ redirectUris: [back, address] }))), address).toEqual(['redirectUris'])
    expect(fieldsOf(await world.as.admin.put(`${path}/${partner.Id}`, { redirectUris: [] }))).toEqual(['redirectUris'])
    expect(fieldsOf(await world.as.admin.put(`${path}/${partner.Id}`, { redirectUris: ['ftp://x'] }))).toEqual(['redirectUris'])
  })

  it('that can keep a secret exchanges codes with it only; the one before goes on for the overlap', async () => {
    const server = await made({ clientType: 'confidential' })
    const with_ = async (clientSecret?: string, more: object = {}) =>
      (await exchange(await codeFor(server), { clientSecret, ...more })).status
    expect(await with_()).toBe(400)
    const first = await secretOf(server)
    expect(first).toMatch(/^ocs_[A-Za-z0-9_-]{43}$/)
    expect([await with_(), await with_('ocs_wrong'), await with_('')]).toEqual([400, 400, 400])
    expect(await with_(first, { clientId: server.clientId })).toBe(200)
    expect(await with_(first, { clientId: 'oc_other' })).toBe(400)
    const second = await secretOf(server, { overlapHours: 2 })
    expect([await with_(first), await with_(second)]).toEqual([200, 200])
    world.app.clock.move(2 * 3_600 + 1)
    expect([await with_(first), await with_(second)]).toEqual([400, 200])
    world.as.admin = await world.app.as(world.people.admin)
    const third = await secretOf(server, { overlapHours: 0 })
    expect([await with_(second), await with_(third)]).toEqual([400, 200])
    const { rows } = await world.app.database.admin.query('select * from oauth_client where id = $1', [server.Id])
    expect(JSON.stringify(rows)).not.toContain(third)
    expect((await world.as.admin.get(`${path}/${server.Id}`)).text).not.toContain('ocs_')
    expect((await world.as.admin.get(`${path}/${server.Id}/timeline`)).text).toContain('Secret made')
  })

  it('that cannot keep one has none', async () => {
    const { Id } = await made()
    expect((await world.as.admin.post(`${path}/${Id}/secret`, {})).status).toBe(409)
  })

  it('acts in a person’s name as far as its scopes and the person’s rights go both', async () => {
    const partner = await made({ scopes: ['sales/leads'] })
    const { client } = await enter(partner)
    expect((await client.get('/api/leads')).status).toBe(200)
    expect((await client.get('/api/api-users')).status).toBe(403)
    expect((await client.get(path)).status).toBe(403)
    const wider = await made({ scopes: ['ADMIN/API', 'SALES/LEADS'] })
    const officer = await enter(wider, {}, world.people.officer)
    expect((await officer.client.get('/api/leads')).status).toBe(200)
    expect((await officer.client.get(path)).status).toBe(403)
    // The person in person keeps all.
    expect((await world.as.admin.get('/api/api-users')).status).toBe(200)
    expect(fieldsOf(await world.as.admin.post(path, body({ scopes: ['NO/SUCH'] })))).toEqual(['scopes'])
    // Chosen later, they hold for what is open already.
    const open = await made()
    const before = await enter(open)
    expect((await before.client.get('/api/api-users')).status).toBe(200)
    expect((await world.as.admin.put(`${path}/${open.Id}`, { scopes: ['SALES/LEADS'] })).status).toBe(200)
    expect((await before.client.get('/api/api-users')).status).toBe(403)
  })

  it.each(['disabled', 'deleted'])('%s: signs nobody in, opens nothing with a code from before, and its sessions end', async (how) => {
    const partner = await made()
    const { client, refreshToken } = await enter(partner)
    const waiting = await codeFor(partner)
    const off = how === 'disabled' ? { isDisabled: true } : { ids: [partner.Id] }
    const answer = await (how === 'disabled'
      ? world.as.admin.put(`${path}/${partner.Id}`, off)
      : world.as.admin.post(`${path}/delete`, off))
    expect(answer.status, answer.text).toBe(200)
    expect((await client.get('/api/auth/sessions')).body.code).toBe('SESSION_EXPIRED')
    expect((await world.app.nobody.post('/api/auth/refresh', { refreshToken }, { 'x-native': '1' })).status).toBe(401)
    expect((await exchange(waiting)).body.code).toBe('TOKEN_INVALID')
    expect((await ask(partner)).body.code).toBe('REDIRECT_NOT_REGISTERED')
    expect((await world.app.nobody.get(`/api/auth/auth-url/${partner.clientId}`)).status).toBe(404)
    const on = await (how === 'disabled'
      ? world.as.admin.put(`${path}/${partner.Id}`, { isDisabled: false })
      : world.as.admin.post(`${path}/restore`, off))
    expect(on.status, on.text).toBe(200)
    expect((await enter(partner)).token).toBeTypeOf('string')
  })
})

describe('the walls around it', () => {
  it('another company neither sees nor changes it, nor makes a secret of it', async () => {
    const { Id } = await made({ clientType: 'confidential' })
    const { foreign } = world.as
    const answers = await Promise.all([
      foreign.get(`${path}/${Id}`),
      foreign.get(`${path}/${Id}/timeline`),
      foreign.put(`${path}/${Id}`, { name: 'Mine' }),
      foreign.post(`${path}/${Id}/secret`, {}),
      foreign.post(`${path}/delete`, { ids: [Id] }),
      foreign.post(`${path}/restore`, { ids: [Id] }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect((await foreign.get<{ oauthClients: OauthClient[] }>(path)).body.data.oauthClients).toEqual([])
    expect((await foreign.post(path, body({ Id: randomUUID() }))).status).toBe(422)
    expect((await world.as.manager.get(path)).status).toBe(403)
  })

  it('is kept by an administrator in person: not while acting as somebody, not by a body read and sent back', async () => {
    const partner = await made({ clientType: 'confidential' })
    await secretOf(partner)
    const read = await of(partner)
    const sentBack = await world.as.admin.put<{ oauthClient: OauthClient }>(`${path}/${partner.Id}`, { ...read, name: 'Renamed' })
    expect(sentBack.status, sentBack.text).toBe(200)
    expect(sentBack.body.data.oauthClient).toMatchObject({ clientId: partner.clientId, secretToldAt: read.secretToldAt })
    const stale = await world.as.admin.put(`${path}/${partner.Id}`, { name: 'Late', version: partner.version })
    expect(stale.status).toBe(409)
  })

  it('has at most fifty in a company, whoever takes the last place of five at once', async () => {
    const { rows } = await world.app.database.admin.query<{ n: number }>(
      'select count(*)::int n from oauth_client where "companyId" = $1 and "deletedAt" is null',
      [world.company.id],
    )
    for (let n = rows[0]?.n ?? 0; n < 49; n += 1) await made({ name: `Partner ${n}` })
    const last = await Promise.all(Array.from({ length: 5 }, () => world.as.admin.post(path, body())))
    expect(last.map(({ status, body: said }) => said.code ?? status).toSorted()).toEqual([200, ...Array<string>(4).fill('QUOTA_REACHED')])
    expect((await world.as.admin.post(path, body())).body.code).toBe('QUOTA_REACHED')
  })
})

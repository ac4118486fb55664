import { createHmac, generateKeyPairSync, randomUUID, sign as signBytes, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { deriveTokenKeys } from '@outpost/platform/keys'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'

let app: TestApp
let good: SignedInClient
let other: SignedInClient

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine)] })
  const company = await app.make.company()
  good = await app.as(await app.make.user({ company }))
  other = await app.as(await app.make.user({ company }))
})
afterAll(() => app.close())

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
const now = () => Math.floor(Date.now() / 1_000)
const keys = () => deriveTokenKeys(app.database.secret, 1)

function claims(change: Record<string, unknown> = {}): Record<string, unknown> {
  const { user, sessionId } = good
  const all = {
    sub: user.id,
    sid: sessionId,
    cid: user.companyId,
    ver: 1,
    typ: 'access',
    iss: 'outpost',
    aud: 'outpost-api',
    iat: now(),
    exp: now() + 600,
    jti: randomUUID(),
    ...change,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

interface Forgery {
  change?: Record<string, unknown>
  header?: Record<string, unknown>
  key?: KeyObject
}
function forge({ change, header, key = keys().current.privateKey }: Forgery = {}): string {
  const body = `${encode({ alg: 'EdDSA', typ: 'JWT', kid: keys().current.kid, ...header })}.${encode(claims(change))}`
  return `${body}.${signBytes(null, Buffer.from(body), key).toString('base64url')}`
}

function hmac(secret: string | Buffer): string {
  const body = `${encode({ alg: 'HS256', typ: 'JWT', kid: keys().current.kid })}.${encode(claims())}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}

const publicPem = () => keys().current.publicKey.export({ format: 'pem', type: 'spki' })
const stranger = generateKeyPairSync('ed25519').privateKey

const forgeries: Record<string, () => string> = {
  'no token': () => '',
  garbage: () => 'Bearer garbage',
  'two parts': () => `Bearer ${forge().split('.').slice(0, 2).join('.')}`,
  'no signature': () => `Bearer ${forge().split('.').slice(0, 2).join('.')}.`,
  'alg none': () => `Bearer ${encode({ alg: 'none', typ: 'JWT', kid: 'g1' })}.${encode(claims())}.`,
  'HMAC with the public key': () => `Bearer ${hmac(publicPem())}`,
  'HMAC with the master secret': () => `Bearer ${hmac(app.database.secret)}`,
  'another key': () => `Bearer ${forge({ key: stranger })}`,
  'unknown key id': () => `Bearer ${forge({ header: { kid: 'g9' } })}`,
  'no key id': () => `Bearer ${forge({ header: { kid: undefined } })}`,
  'key id that is a path': () => `Bearer ${forge({ header: { kid: '../../dev/null' } })}`,
  'wrong issuer': () => `Bearer ${forge({ change: { iss: 'evil' } })}`,
  'wrong audience': () => `Bearer ${forge({ change: { aud: 'outpost-geo' } })}`,
  'audience list': () => `Bearer ${forge({ change: { aud: ['outpost-api', 'x'] } })}`,
  'no expiry': () => `Bearer ${forge({ change: { exp: undefined } })}`,
  'expiry as text': () => `Bearer ${forge({ change: { exp: '9999999999' } })}`,
  'no issue time': () => `Bearer ${forge({ change: { iat: undefined } })}`,
  'issued in the future': () => `Bearer ${forge({ change: { iat: now() + 3_600 } })}`,
  expired: () => `Bearer ${forge({ change: { iat: now() - 700, exp: now() - 100 } })}`,
  'no session': () => `Bearer ${forge({ change: { sid: undefined } })}`,
  'refresh type': () => `Bearer ${forge({ change: { typ: 'refresh' } })}`,
  'service token': () => `Bearer ${app.services.tokens.signService('outpost-geo', { ...claims() }, 60)}`,
  'subject that is no id': () => `Bearer ${forge({ change: { sub: "' or 1=1 --" } })}`,
  'session of another user': () => `Bearer ${forge({ change: { sid: other.sessionId } })}`,
  'unknown session': () => `Bearer ${forge({ change: { sid: randomUUID() } })}`,
  'older rights': () => `Bearer ${forge({ change: { ver: 0 } })}`,
  'changed body': () => {
    const [header, , signature] = forge().split('.')
    return `Bearer ${header}.${encode(claims({ sub: other.user.id, sid: other.sessionId }))}.${signature}`
  },
  'basic scheme': () => `Basic ${forge()}`,
  'two tokens': () => `Bearer ${forge()} ${forge()}`,
  'very long': () => `Bearer ${'a'.repeat(9_000)}.b.c`,
}

const routes = [
  ['GET', '/api/console'],
  ['GET', '/api/auth/sessions'],
  ['POST', '/api/auth/sessions/end'],
  ['POST', '/api/auth/ticket'],
  ['POST', '/api/auth/device'],
  ['POST', '/api/auth/select-tenant'],
  ['POST', '/api/auth/end-impersonation'],
  ['POST', '/api/auth/impersonate'],
  ['POST', '/api/auth/logImpersonation'],
  ['GET', '/api/auth/logout'],
] as const

describe('forged tokens', () => {
  it('lets the honest one in (or the rest would prove nothing)', async () => {
    const honest = app.client({ authorization: `Bearer ${forge()}` })
    expect((await honest.get('/api/auth/sessions')).status).toBe(200)
    expect((await app.client({ authorization: `bearer ${forge()}` }).get('/api/auth/sessions')).status).toBe(200)
  })

  it.each(Object.entries(forgeries))('%s: 401 on every route', async (_name, make) => {
    const authorization = make()
    const client = app.client(authorization === '' ? {} : { authorization })
    for (const [method, path] of routes) {
      const { status, body } = await (method === 'GET' ? client.get(path) : client.post(path, {}))
      expect(status, `${method} ${path}`).toBe(401)
      expect(['NO_SESSION', 'SESSION_EXPIRED']).toContain(body.code)
    }
  })

  it('a refresh token is no access token', async () => {
    const { body } = await app.login(good.user)
    expect((await app.client({ authorization: `Bearer ${body.data.refreshToken}` }).get('/api/console')).status).toBe(401)
  })

  it('the session still works after all that', async () => {
    expect((await good.get('/api/console')).status).toBe(200)
  })
})

describe('key rotation', () => {
  it('accepts the key of the generation before and the next, not older ones', async () => {
    const status = async (generation: number) => {
      const { kid, privateKey } = deriveTokenKeys(app.database.secret, generation).current
      return (await app.client({ authorization: `Bearer ${forge({ key: privateKey, header: { kid } })}` }).get('/api/auth/sessions')).status
    }
    expect([await status(0), await status(1), await status(2), await status(3)]).toEqual([200, 200, 200, 401])
  })
})

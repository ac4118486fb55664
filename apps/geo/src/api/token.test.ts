import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { Failure } from '@outpost/contract/errors'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { deriveTokenKeys } from '@outpost/platform/keys'
import { createSigner } from 'fast-jwt'
import { expect, test } from 'vitest'
import { createTokenReader } from './token.ts'

const secret = 'a master secret of more than 32 characters'
const now = Date.parse('2026-11-22T10:00:00Z')
const read = await createTokenReader({ keys: geoKeysOf({ secret, generation: 2 }).tokenKeys, now: () => now })
const claims = () => ({
  sub: randomUUID(),
  act: randomUUID(),
  cid: randomUUID(),
  tid: randomUUID(),
  scope: '*',
  tz: 'Africa/Nairobi',
  permissions: ['ADMIN/LOCATIONS'],
  typ: 'service',
  iss: 'outpost',
  aud: 'outpost-geo',
  iat: now / 1_000,
  exp: now / 1_000 + 60,
  jti: randomUUID(),
})

function sign(change: Record<string, unknown> = {}, { generation = 2, from = secret } = {}): string {
  const { kid, privateKey } = deriveTokenKeys(from, generation).current
  const given = Object.fromEntries(Object.entries({ ...claims(), ...change }).filter(([, value]) => value !== undefined))
  return `Bearer ${createSigner({ key: privateKey.export({ format: 'pem', type: 'pkcs8' }), algorithm: 'EdDSA', kid })(given)}`
}

const refusal = (header: string | undefined): string => {
  try {
    read(header)
  } catch (error) {
    return error instanceof Failure ? error.failure : String(error)
  }
  return 'let in'
}

test('a token of the server gives caller, company and reach', () => {
  const scope = [randomUUID(), randomUUID()]
  const given = { ...claims(), scope }
  expect(read(sign(given))).toEqual({
    user: given.sub,
    realUser: given.act,
    company: given.cid,
    tenant: given.tid,
    scope,
    timeZone: 'Africa/Nairobi',
    permissions: new Set(['ADMIN/LOCATIONS']),
    isGlobalAdministrator: false,
  })
  expect(read(sign({ permissions: ['*'] })).isGlobalAdministrator).toBe(true)
})

test('keys of neighbouring generations are valid, so that a rotation interrupts nobody', () => {
  for (const generation of [1, 2, 3]) expect(refusal(sign({}, { generation }))).toBe('let in')
  expect(refusal(sign({}, { generation: 4 }))).toBe('NO_SESSION')
})

test('forged, malformed, foreign and long-lived tokens are refused', () => {
  const [header, payload, signature] = sign().replace('Bearer ', '').split('.') as [string, string, string]
  const other = Buffer.from(JSON.stringify({ ...claims(), cid: randomUUID() })).toString('base64url')
  const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'g2' })).toString('base64url')
  const hmac = createSigner({ key: 'g2', algorithm: 'HS256', kid: 'g2' })(claims())
  const stranger = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  const attacks: Record<string, string | undefined> = {
    nothing: undefined,
    'an empty header': '',
    'no bearer': `Basic ${payload}`,
    'no token': 'Bearer ',
    'half a token': `Bearer ${header}.${payload}`,
    'another payload': `Bearer ${header}.${other}.${signature}`,
    'no signature': `Bearer ${none}.${payload}.`,
    'another algorithm': `Bearer ${hmac}`,
    "a stranger's key": `Bearer ${createSigner({ key: stranger, algorithm: 'EdDSA', kid: 'g2' })(claims())}`,
    'another secret': sign({}, { from: 'another master secret of 32 characters' }),
    'an access token': sign({ typ: 'access' }),
    'another audience': sign({ aud: 'outpost-api' }),
    'another issuer': sign({ iss: 'evil' }),
    'no company': sign({ cid: undefined }),
    'a company that is no uuid': sign({ cid: "'; drop table" }),
    'no reach': sign({ scope: undefined }),
    'a reach of text': sign({ scope: 'all' }),
    'from the future': sign({ iat: now / 1_000 + 120, exp: now / 1_000 + 180 }),
    'good for a day': sign({ exp: now / 1_000 + 86_400 }),
  }
  for (const [attack, value] of Object.entries(attacks)) expect([attack, refusal(value)]).toEqual([attack, 'NO_SESSION'])
  expect(refusal(sign({ iat: now / 1_000 - 61, exp: now / 1_000 - 1 }))).toBe('SESSION_EXPIRED')
})

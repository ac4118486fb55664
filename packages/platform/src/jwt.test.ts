import { createSigner } from 'fast-jwt'
import { expect, test } from 'vitest'
import { openJwtRing } from './jwt.ts'
import { deriveTokenKeys } from './keys.ts'

const secret = 'a master secret of more than 32 characters'
const pair = (generation: number, from = secret) => {
  const { kid, privateKey, publicKey } = deriveTokenKeys(from, generation).current
  return {
    kid,
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }) as string,
  }
}
const [first, second] = [pair(1), pair(2)]
const claims = { sub: 'a', iss: 'us', aud: 'them', iat: 1_000, exp: 1_060 }
const ring = openJwtRing({ keys: [second, { kid: first.kid, publicKey: first.publicKey }], issuer: 'us', audience: 'them' })
const signed = (change: object = {}, { kid = second.kid, key = second.privateKey } = {}) =>
  createSigner({ key, algorithm: 'EdDSA', kid })({ ...claims, ...change })

test('signs by the key that can, under its id, and reads what each of the keys signed', async () => {
  const token = (await ring).sign(claims)
  expect(JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString())).toMatchObject({ alg: 'EdDSA', kid: second.kid })
  expect((await ring).verify(token)).toEqual(claims)
  expect((await ring).verify(signed({}, { kid: first.kid, key: first.privateKey }))).toEqual(claims)
})

test('a ring of public keys reads and does not sign', async () => {
  const reader = await openJwtRing({ keys: [{ kid: second.kid, publicKey: second.publicKey }], issuer: 'us', audience: 'them' })
  expect(reader.verify(signed())).toEqual(claims)
  expect(() => reader.sign(claims)).toThrow('No key of this id')
})

test.each([
  ['another issuer', signed({ iss: 'others' })],
  ['another audience', signed({ aud: 'us' })],
  ['no issuer', signed({ iss: undefined })],
  ['a key that nobody knows', signed({}, { kid: 'g9' })],
  ['another key under a known id', signed({}, { key: first.privateKey })],
  ['the key of another secret', signed({}, { key: pair(2, 'another secret of more than 32 characters').privateKey })],
  ['names of every object as the id', signed({}, { kid: 'constructor' })],
  ['the plugin’s own names as the id', signed({}, { kid: 'verify' })],
  ['no signature', `${Buffer.from(JSON.stringify({ alg: 'none', kid: second.kid })).toString('base64url')}.e30.`],
  ['the public key as a shared secret', createSigner({ key: Buffer.from('x'.repeat(40)), algorithm: 'HS256', kid: second.kid })(claims)],
  ['a signature of another token', `${signed().split('.').slice(0, 2).join('.')}.${signed({ sub: 'b' }).split('.')[2]}`],
  ['no token', 'x'],
  ['nothing', ''],
])('refuses %s', async (_, token) => {
  const { verify } = await ring
  expect(() => verify(token)).toThrow()
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { deriveTokenKeys } from '@outpost/platform/keys'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readGeoEnv } from './env.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outpost-geo-env-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const secret = '5f0c1d7e9ab84263ce17d0f4b29a6e835f0c1d7e9ab84263ce17d0f4b29a6e83'
const keys = geoKeysOf({ secret, hasRedis: true })
const production = () => ({
  DATABASE_URL: 'postgres://db.test/outpost',
  REDIS_URL: 'redis://redis.test',
  DATA_DIR: dir,
  NODE_ENV: 'production',
  GEO_KEYS: JSON.stringify(keys),
})

it('accepts correct production settings, the keys from a file too', async () => {
  expect((await readGeoEnv(production())).GEO_KEYS).toEqual(keys)
  const file = join(dir, 'geo.json')
  await writeFile(file, `${JSON.stringify(keys)}\n`)
  expect((await readGeoEnv({ ...production(), GEO_KEYS: '', GEO_KEYS_FILE: file })).GEO_KEYS).toEqual(keys)
})

const privatePem = deriveTokenKeys(secret, 1).current.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
it.each([
  ['no keys', ''],
  ['text', 'short'],
  ['the master secret', secret],
  ['no passwords', JSON.stringify({ ...keys, passwords: {} })],
  ['the password of another role', JSON.stringify({ ...keys, passwords: { ...keys.passwords, fx_app: 'x'.repeat(64) } })],
  ['a private key', JSON.stringify({ ...keys, tokenKeys: [{ kid: 'g1', publicKey: privatePem }] })],
  ['a broken key', JSON.stringify({ ...keys, tokenKeys: [{ kid: 'g1', publicKey: 'no key' }] })],
  ['half a feed key', JSON.stringify({ ...keys, feedKey: 'c2hvcnQ=' })],
])('production does not start with %s', async (_, GEO_KEYS) => {
  await expect(readGeoEnv({ ...production(), GEO_KEYS })).rejects.toThrow(/^GEO_KEYS: /m)
})

it('keys made for Redis do not do without it', async () => {
  await expect(readGeoEnv({ ...production(), REDIS_URL: '' })).rejects.toThrow('GEO_KEYS: was made for Redis')
  const GEO_KEYS = JSON.stringify(geoKeysOf({ secret }))
  expect((await readGeoEnv({ ...production(), REDIS_URL: '', GEO_KEYS })).GEO_KEYS.passwords.fx_queue).toHaveLength(64)
})

it('knows no setting for the master secret', async () => {
  expect(JSON.stringify(await readGeoEnv({ ...production(), SECRET: secret }))).not.toContain(secret)
})

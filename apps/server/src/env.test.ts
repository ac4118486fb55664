import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readServerEnv, tileHosts, tileSource } from './env.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outpost-env-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const least = () => ({ DATABASE_URL: 'postgres://db.test/outpost', DATA_DIR: dir })
const secret = '5f0c1d7e9ab84263ce17d0f4b29a6e835f0c1d7e9ab84263ce17d0f4b29a6e83'
const production = () => ({ ...least(), NODE_ENV: 'production', SECRET: secret, PUBLIC_URL: 'https://outpost.test' })

it('fills in what is not said, with a secret kept in the data folder', async () => {
  const env = await readServerEnv(least())
  expect(env).toMatchObject({
    PORT: 8080,
    HOST: '127.0.0.1',
    ROLE: 'all',
    PUBLIC_URL: 'http://127.0.0.1:8080',
    RATE_LIMITS: true,
    LEGACY_REFRESH: true,
    HOSTS: [],
    DATA_DIR: dir,
  })
  expect(env.SECRET.length).toBeGreaterThanOrEqual(32)
  expect((await readServerEnv(least())).SECRET).toBe(env.SECRET)
})

it('tells all wrong settings at once, one line each', async () => {
  const wrong = readServerEnv({
    DATA_DIR: dir,
    PORT: 'x',
    ROLE: 'boss',
    DATABASE_URL: 'mysql://x',
    REDIS_URL: 'http://x',
    SECRET: 'short',
    SMTP_URL: 'x',
  })
  const error = await wrong.catch((reason: Error) => reason)
  expect(error).toBeInstanceOf(Error)
  const text = (error as Error).message
  for (const name of ['PORT', 'ROLE', 'DATABASE_URL', 'REDIS_URL', 'SECRET', 'SMTP_URL'])
    expect(text).toMatch(new RegExp(`^${name}: `, 'm'))
})

it('takes a proper production', async () => {
  expect(await readServerEnv(production())).toMatchObject({ SECRET: secret, LEGACY_REFRESH: false })
  expect(await readServerEnv({ ...production(), LEGACY_REFRESH: 'on' })).toMatchObject({ LEGACY_REFRESH: true })
})

it.each([
  ['no secret', { SECRET: '' }, /SECRET/],
  ['a demo secret', { SECRET: 'demo-secret-demo-secret-demo-secret-1' }, /SECRET/],
  ['a repeated one', { SECRET: 'ab'.repeat(20) }, /SECRET/],
  ['a well-known one', { SECRET: `changeme-${secret}` }, /SECRET/],
  ['no public address', { PUBLIC_URL: '' }, /PUBLIC_URL/],
  ['no limits', { RATE_LIMITS: 'off' }, /RATE_LIMITS/],
])('production does not start with %s', async (_name, change, reason) => {
  await expect(readServerEnv({ ...production(), ...change })).rejects.toThrow(reason)
})

it('asks for the keys of the bucket', async () => {
  await expect(readServerEnv({ ...least(), S3_BUCKET: 'files' })).rejects.toThrow(/S3_ACCESS_KEY[^]*S3_SECRET_KEY/)
})

it('names the tiles of maps, and lets pages load from their origin', async () => {
  const plain = await readServerEnv(least())
  expect([tileSource(plain), tileHosts(plain)]).toEqual([undefined, []])
  const set = await readServerEnv({
    ...least(),
    TILE_URL: 'https://tiles.test:8443/osm/{z}/{x}/{y}.png',
    TILE_ATTRIBUTION: '© somebody',
    TILE_HOSTS: 'https://other.test',
  })
  expect([tileSource(set), tileHosts(set)]).toEqual([
    { url: 'https://tiles.test:8443/osm/{z}/{x}/{y}.png', attribution: '© somebody' },
    ['https://other.test', 'https://tiles.test:8443'],
  ])
  const own = await readServerEnv({ ...least(), TILE_URL: '/tiles/{z}/{x}/{y}.png' })
  expect(tileHosts(own)).toEqual([])
  await expect(readServerEnv({ ...least(), TILE_URL: 'https://tiles.test/map.png' })).rejects.toThrow(/^TILE_URL: /m)
})

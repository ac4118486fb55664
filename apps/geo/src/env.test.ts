import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readGeoEnv } from './env.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outpost-geo-env-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const secret = '5f0c1d7e9ab84263ce17d0f4b29a6e835f0c1d7e9ab84263ce17d0f4b29a6e83'
const production = () => ({ DATABASE_URL: 'postgres://db.test/outpost', DATA_DIR: dir, NODE_ENV: 'production', SECRET: secret })

it('accepts correct production settings', async () => expect((await readGeoEnv(production())).SECRET).toBe(secret))

it.each([
  ['no secret', ''],
  ['a short one', 'short'],
  ['a demo secret', 'demo-secret-demo-secret-demo-secret-1'],
  ['a repeated one', 'ab'.repeat(20)],
  ['a well-known one', `changeme-${secret}`],
])('production does not start with %s', async (_, SECRET) => {
  await expect(readGeoEnv({ ...production(), SECRET })).rejects.toThrow(/^SECRET: /m)
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { readEnv } from './env.ts'

const schema = z.object({
  PORT: z.coerce.number().int().max(65_535).default(8080),
  DATABASE_URL: z.url({ error: 'must be an address like postgres://user:password@host/name' }),
  SECRET: z.string().min(32),
})

test('reports all invalid settings at once, each by its name', () => {
  const read = () => readEnv(schema, { PORT: '99999', SECRET: 'short' })
  expect(read).toThrow(/PORT: .*\nDATABASE_URL: must be an address.*\nSECRET: /)
})

test('treats an empty setting as missing', () => {
  const source = { PORT: '', DATABASE_URL: 'postgres://a@b/c', SECRET: 'x'.repeat(32) }
  expect(readEnv(schema, source).PORT).toBe(8080)
})

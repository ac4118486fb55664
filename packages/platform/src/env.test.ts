import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

test('reads a value from the file that NAME_FILE names, without its last line break', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, `${'s'.repeat(32)}\n`)
  const given = { DATABASE_URL: 'postgres://a@b/c', SSL_CERT_FILE: '/nowhere/at/all' }
  expect(readEnv(schema, { ...given, SECRET_FILE: file }).SECRET).toBe('s'.repeat(32))
  expect(() => readEnv(schema, { ...given, SECRET_FILE: file, SECRET: 'x'.repeat(32) })).toThrow('SECRET_FILE: SECRET is set too')
  expect(() => readEnv(schema, { ...given, SECRET_FILE: join(folder, 'gone') })).toThrow(/^Wrong settings:\nSECRET_FILE: ENOENT[^\n]*$/)
})

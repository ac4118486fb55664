import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Lines that take an id of their own kind: RFC ids alone, or any without putting it in lower case. */
function strictIds(text: string): string[] {
  return text.split('\n').filter((line) => /\bz\.(uuid|uuidv\d|guid)\(/.test(line))
}

/** Who reads ids of our own making (tokens), and the one place that says what an identifier is. */
const allowed = ['packages/contract/src/input.ts', 'apps/server/src/kernel/session/tokens/tokens.ts', 'apps/geo/src/api/token.ts']

test('an identifier is the same at every door: any 8-4-4-4-12, in lower case', () => {
  const paths = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !path.includes('.test.') && !allowed.includes(path),
  )
  expect(paths.length).toBeGreaterThan(500)
  expect(paths.flatMap((path) => strictIds(readFileSync(resolve(root, path), 'utf8')).map((line) => `${path}: ${line.trim()}`))).toEqual([])
})

test('the rule sees what it is for', () => {
  expect(strictIds('const a = z.strictObject({ id: z.uuid() })\nconst b = z.guid()')).toHaveLength(2)
  expect(strictIds('const a = idSchema')).toEqual([])
})

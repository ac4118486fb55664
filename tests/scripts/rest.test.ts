import { existsSync, globSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { journeyParts, filesOf } from '../../scripts/test/journeys.ts'
import { inSpan, leftOut, restFiles } from '../../scripts/test/rest.ts'

const root = resolve(import.meta.dirname, '../..')
const found = (patterns: { include: string[]; exclude: string[] }): string[] =>
  globSync(patterns.include, { cwd: root, exclude: patterns.exclude }).toSorted()

it('names files that are there, each once', () => {
  expect(restFiles.filter((file) => !existsSync(resolve(root, file)))).toEqual([])
  expect(new Set(restFiles).size).toBe(restFiles.length)
  expect(leftOut.every(({ reason }) => reason.length > 20)).toBe(true)
})

it.each([
  { what: 'doors', include: ['tests/**/*.test.ts'], exclude: ['tests/e2e/**', 'tests/console/**', 'tests/kernel/**'] },
  { what: 'browser', include: ['tests/console/**/*.test.ts'], exclude: [] },
  ...journeyParts.map((part) => ({ what: part, ...filesOf(part) })),
])('$what: the run of every day and the rest are all files, none of them twice', ({ include, exclude }) => {
  const [all, daily, rest] = (['all', 'daily', 'rest'] as const).map((span) => found(inSpan({ include, exclude }, span)))
  expect([...daily!, ...rest!].toSorted()).toEqual(all)
})

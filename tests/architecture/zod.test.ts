import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url).pathname
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')

/** Modules of contract that a source imports for more than their types. */
const used = (source: string) =>
  [...source.matchAll(/^import (?!type )[^'\n]*(?:\n[^'\n]*)*? from '@outpost\/contract\/([\w-]+)'/gm)].map(([, name = '']) => name)

it('comes to the console with no module of contract: a schema tries eval, which our policy reports, and weighs 20 kB', () => {
  const files = globSync('apps/console/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))
  const found = files.flatMap((file) => used(read(file)).map((name) => ({ file, name })))
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter(({ name }) => /from 'zod'/.test(read(`packages/contract/src/${name}.ts`)))).toEqual([])
})

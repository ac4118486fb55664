import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const lines = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join('\n')

/** What the linter must stop, each planted once. */
const planted: Record<string, string> = {
  'max-lines': lines(320, (index) => `export const value${index} = ${index}`),
  'max-lines-per-function': `export function long(): number {\n${lines(70, (index) => `  console.log(${index})`)}\n  return 1\n}`,
  'max-params': 'export const many = (a: number, b: number, c: number, d: number, e: number, f: number) => a + b + c + d + e + f',
  'no-explicit-any': 'export const loose = (value: any) => String(value)',
  'ban-ts-comment': '// @ts-ignore\nexport const wrong: number = 1',
  'no-empty': 'export function quiet(run: () => void) {\n  try {\n    run()\n  } catch {}\n}',
  'no-warning-comments': '// TODO later\nexport const unfinished = 1',
  'no-default-export': 'export default 1',
  eqeqeq: 'export const same = (a: number, b: number) => a == b',
}

let folder = ''
let output = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-lint-'))
  for (const [rule, text] of Object.entries(planted)) await writeFile(join(folder, `${rule}.ts`), `${text}\n`)
  await writeFile(join(folder, 'clean.ts'), 'export const clean = (value: number): number => value + 1\n')
  const run = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '-c', join(root, '.oxlintrc.json'), '--quiet', '-f', 'unix', folder],
    { cwd: folder, encoding: 'utf8' },
  )
  output = run.stdout
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(Object.keys(planted))('%s is held', (rule) => {
  expect(
    output
      .split('\n')
      .filter((line) => line.includes(`${rule}.ts:`))
      .join('\n'),
  ).toContain(`(${rule})`)
})

test('clean code passes', () => {
  expect(output).not.toContain('clean.ts')
})

import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { longFormLines } from '../../scripts/test/nightly.ts'

test('the nightly run names every test that has a long form, and kills the server 500 times', async () => {
  const said = (await longFormLines()).join('\n')
  const sized: string[] = []
  const root = resolve(import.meta.dirname, '../..')
  for await (const file of glob('tests/**/*.test.ts', { cwd: root })) {
    if (!file.includes('architecture') && /isNightly|TEST_SIZE/.test(await readFile(resolve(root, file), 'utf8'))) sized.push(file)
  }
  expect(sized.length).toBeGreaterThan(5)
  expect(sized.filter((file) => !said.includes(file))).toEqual([])
  // At the beginning of a line: this test is among those that are named.
  const after = (what: string) => said.split(`\n  tests/faults/kill.test.ts: const ${what} = isNightly ? `)[1] ?? ''
  const number = (what: string) => Number(/\d+/.exec(after(what))?.[0])
  const [rounds, kills] = [number('rounds'), number('[kills, changes]')]
  expect(rounds * kills).toBe(500)
})

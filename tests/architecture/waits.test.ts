import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** Playwright takes the promise that such a function gives for a yes, and waits for nothing. */
const waitsForNothing = /waitForFunction\(\s*async\b/

test('no test waits with an async function for what it would not wait for', () => {
  const paths = globSync('**/*.ts', { cwd: root }).filter((path) => !path.endsWith('waits.test.ts'))
  expect(paths.length).toBeGreaterThan(200)
  expect(paths.filter((path) => waitsForNothing.test(readFileSync(resolve(root, path), 'utf8')))).toEqual([])
  expect(waitsForNothing.test('await page.waitForFunction(async () => true)')).toBe(true)
})

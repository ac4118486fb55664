import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

it('the pages on how to add something name files and folders that are there', () => {
  const pages = globSync('docs/adding/*.md', { cwd: root })
  expect(pages.length).toBeGreaterThanOrEqual(4)
  const gone = pages.flatMap((page) => {
    const named = [...readFileSync(join(root, page), 'utf8').matchAll(/`((?:apps|packages|scripts|tests)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    )
    expect(named.length, page).toBeGreaterThan(1)
    return named.filter((path) => !existsSync(join(root, path))).map((path) => `${page}: ${path}`)
  })
  expect(gone).toEqual([])
})

it('the signposts of the four folders are there and no longer than a screen', () => {
  for (const folder of ['apps/server/src/areas', 'apps/server/src/kernel', 'packages/contract', 'packages/platform']) {
    const lines = readFileSync(join(root, folder, 'README.md'), 'utf8')
      .trim()
      .split('\n').length
    expect([folder, lines > 4 && lines <= 40]).toEqual([folder, true])
  }
})

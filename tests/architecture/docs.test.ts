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

/** Files and folders that a page names in backticks, by a part of their path; examples and patterns are left out. */
function namedPaths(text: string, folders: ReadonlySet<string>): string[] {
  const named = [...text.replace(/```[^]*?```/g, '').matchAll(/`([\w.-]+(?:\/[\w.-]+)*)\/?`/g)].map(([, path = '']) => path)
  return named.filter((path) => {
    if (/survey/.test(path)) return false
    const [first = '', ...more] = path.split('/')
    return /[\w-]\.(ts|tsx|mjs|cjs|md|sql)$/.test(path) || (more.length > 0 && folders.has(first))
  })
}

it('the README and CONTRIBUTING name files and folders that are there', () => {
  const all = globSync('{apps,packages,scripts,tests,prisma,docs,deploy}/**', {
    cwd: root,
    exclude: (path) => /node_modules|(^|\/)dist$/.test(path),
  }).concat(globSync('{*,.*.cjs}', { cwd: root }))
  // packages/rules/src/routes is called rules/routes.
  const short = (path: string) => path.replaceAll('/src/', '/')
  const known = new Set(
    all.flatMap((path) => {
      const parts = short(path)
        .replace(/\.tsx?$/, '')
        .split('/')
      return parts.map((_, index) => parts.slice(index).join('/'))
    }),
  )
  const folders = new Set([...known].filter((path) => !path.includes('/')))
  const goneOf = (text: string) => namedPaths(text, folders).filter((path) => !known.has(short(path).replace(/\.tsx?$/, '')))
  expect(namedPaths(readFileSync(join(root, 'README.md'), 'utf8'), folders).length).toBeGreaterThan(60)
  for (const page of ['README.md', 'CONTRIBUTING.md']) expect(goneOf(readFileSync(join(root, page), 'utf8')), page).toEqual([])
  expect(goneOf('`kernel/mount.ts`, `rules/routes`, `kernel/nowhere.ts`, `areas/nothing`')).toEqual(['kernel/nowhere.ts', 'areas/nothing'])
})

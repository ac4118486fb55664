import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const most = 25

/** Folders of sources with more files than one sees at a glance, as "<folder>: <files>". Tests beside the code and what is generated do not count. */
async function crowded(under: string, limit: number): Promise<string[]> {
  const entries = await readdir(join(root, under), { recursive: true, withFileTypes: true })
  const files = entries.filter(
    ({ name, parentPath }) =>
      /(?<!\.test|\.test-d|\.generated)\.tsx?$/.test(name) && !/node_modules|\/dist\b|\/generated\b/.test(parentPath),
  )
  return [...Map.groupBy(files, ({ parentPath, name }) => dirname(join(parentPath, name)))].flatMap(([folder, own]) =>
    own.length > limit ? [`${folder.slice(root.length + 1)}: ${own.length}`] : [],
  )
}

test(`no folder of apps or packages holds more than ${most} sources`, async () => {
  expect([...(await crowded('apps', most)), ...(await crowded('packages', most))]).toEqual([])
})

test('the rule sees what it is for', async () => {
  expect((await crowded('apps', 20)).length).toBeGreaterThan(0)
})

test('what a resource is stays small enough to be read in an hour, and its README in five minutes', async () => {
  const folder = join(root, 'apps/server/src/kernel/resource')
  const files = (await readdir(folder, { recursive: true })).filter((path) => /\.(ts|md)$/.test(path) && !path.includes('.test'))
  const sizes = await Promise.all(
    files.map(async (path) => ({ path, lines: (await readFile(join(folder, path), 'utf8')).split('\n').length - 1 })),
  )
  const sources = sizes.filter(({ path }) => path.endsWith('.ts'))
  expect(sources.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThan(2_500)
  expect(sources.filter(({ lines }) => lines > 250)).toEqual([])
  expect(sizes.find(({ path }) => path === 'README.md')?.lines).toBeLessThanOrEqual(60)
})

import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

/** `npm run docs` builds the site and refuses dead links too; it takes too long for every run of the tests, so these look at the pages as they lie there. */
const docs = resolve(import.meta.dirname, '../../docs')
const pages = (await readdir(docs, { recursive: true })).filter((name) => name.endsWith('.md') && !name.includes('node_modules')).toSorted()

it('no link of a page leads nowhere, as the page lies on GitHub', async () => {
  const dead: string[] = []
  for (const page of pages) {
    const text = await readFile(join(docs, page), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g))
      if (!/^https?:/.test(target) && !existsSync(join(docs, dirname(page), target))) dead.push(`${page}: ${target}`)
  }
  expect(dead).toEqual([])
})

it('every page is in the site’s list, and every entry of it is a page', async () => {
  const config = await readFile(join(docs, '.vitepress/config.ts'), 'utf8')
  const listed = [...config.matchAll(/page\('[^']+', '\/([^']+)'\)/g)].map(([, link]) => `${link}.md`)
  expect([...new Set([...listed, 'index.md'])].toSorted()).toEqual(pages)
})

it('country packs, providers, protocols and themes each have a page that names files which are there', async () => {
  for (const name of ['country-pack', 'provider', 'protocol', 'theme']) {
    const text = await readFile(join(docs, 'adding', `${name}.md`), 'utf8')
    const files = [...text.matchAll(/`((?:apps|packages|tests|scripts)\/[\w./-]+)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => !file.endsWith('/'))
    expect(files.length).toBeGreaterThan(2)
    expect(files.filter((file) => !existsSync(resolve(docs, '..', file)))).toEqual([])
  }
})

it('pictures are the ones the script takes, all used, each smaller than 150 kB', async () => {
  const script = await readFile(resolve(docs, '../tests/docs/pictures.ts'), 'utf8')
  const taken = [...script.matchAll(/name: '(\w+)', as:/g)].map(([, name]) => `${name}.png`)
  const folder = join(docs, 'public/pictures')
  const there = await readdir(folder)
  expect(there.toSorted()).toEqual(taken.toSorted())
  const text = (await Promise.all(pages.map((page) => readFile(join(docs, page), 'utf8')))).join('\n')
  for (const name of there) {
    expect((await stat(join(folder, name))).size).toBeLessThan(150_000)
    expect(text).toContain(`pictures/${name}`)
  }
})

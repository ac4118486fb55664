import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

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

/** The name of a heading in an address, as VitePress makes it. */
const slug = (heading: string) =>
  heading
    .replaceAll(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replaceAll(/^-|-$/g, '')

it('every heading that a link names is there', async () => {
  const headings = new Map<string, string[]>()
  for (const page of pages)
    headings.set(
      page,
      [...(await readFile(join(docs, page), 'utf8')).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading)),
    )
  const dead: string[] = []
  for (const page of pages)
    for (const [, target = '', heading = ''] of (await readFile(join(docs, page), 'utf8')).matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g)) {
      const to = target === '' ? page : join(dirname(page), target)
      if (!/^https?:/.test(target) && headings.get(to)?.includes(heading) !== true) dead.push(`${page}: ${target}#${heading}`)
    }
  expect(dead).toEqual([])
})

it('the workflow takes the pictures, builds the site, checks its links, and publishes it from main alone', async () => {
  const { jobs } = parse(await readFile(resolve(docs, '../.github/workflows/docs.yml'), 'utf8')) as {
    jobs: Record<string, { if?: string; steps: { run?: string; with?: { path?: string } }[] }>
  }
  const runs = jobs['build']?.steps.map(({ run }) => run)
  expect(runs).toEqual(expect.arrayContaining(['npm run docs', 'npx vitest run --project doors tests/scripts/docs.test.ts']))
  // Before the site is built of them.
  expect(runs?.indexOf('npm run docs:pictures')).toBeGreaterThan(0)
  expect(runs?.indexOf('npm run docs:pictures')).toBeLessThan(runs?.indexOf('npm run docs') ?? 0)
  expect(jobs['build']?.steps.map((step) => step.with?.path)).toContain('docs/.vitepress/dist')
  expect(jobs['publish']?.if).toBe(`github.event_name != 'pull_request'`)
  expect(await readFile(join(docs, '.vitepress/config.ts'), 'utf8')).toContain('ignoreDeadLinks: false')
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

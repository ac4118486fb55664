import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { declaredAreas } from '../../scripts/areas.ts'

const folder = resolve(import.meta.dirname, '../../apps/server/src')

/** Addresses of the console in lines that speak of links, each part that is filled in as "x". */
function linksOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => /\blinks?\b/.test(line))
  const literals = lines.flatMap((line) =>
    [...line.matchAll(/'(\/[^'\s]*)'|`(\/[^`\s]*)`/g)].map(([, plain, filled]) => plain ?? filled ?? ''),
  )
  return literals.filter((path) => !/^\/(api|geo)\//.test(path)).map((path) => path.replace(/\$\{[^}]*\}/g, 'x').replace(/[?#].*$/, ''))
}

/** Screens that the console has of itself, whatever the server describes. */
const own = [/^\/profile$/]

test('what a notification leads to is a screen', async () => {
  const screens = (await declaredAreas())
    .flatMap((area) => area.screens)
    .map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`))
  const senders = globSync('**/*.ts', { cwd: folder })
    .filter((path) => !path.includes('.test'))
    .map((path) => ({ path, text: readFileSync(resolve(folder, path), 'utf8') }))
    .filter(({ text }) => /\bnotify(Managers)?\(/.test(text))
  expect(senders.length).toBeGreaterThan(5)
  const found = senders.flatMap(({ path, text }) => linksOf(text).map((link) => ({ path, link })))
  expect(found.length).toBeGreaterThan(5)
  expect(found.filter(({ link }) => ![...screens, ...own].some((screen) => screen.test(link)))).toEqual([])
})

test('the rule sees what it is for', () => {
  expect(linksOf("await notify(ctx, { link: `/sales/leads/${id}/view` })\nconst link = one ? '/a/b?view=1' : null")).toEqual([
    '/sales/leads/x/view',
    '/a/b',
  ])
})

import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
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
const own = [/^\/profile$/, /^\/profile\/sign-ins$/]

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

const bare = (node: ts.Expression): ts.Expression => (ts.isParenthesizedExpression(node) ? bare(node.expression) : node)

/** Notifications that are sent without saying what they lead to; and the reasons of those that lead nowhere. */
function newsOf(path: string, text: string): { without: string[]; reasons: string[] } {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const [without, reasons]: [string[], string[]] = [[], []]
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && /^notify(Managers)?$/.test(node.expression.getText(file))) {
      const news = node.arguments[1] && bare(node.arguments[1])
      const isPassedOn = !news || !ts.isObjectLiteralExpression(news) || news.properties.every(ts.isSpreadAssignment)
      const says = isPassedOn || /\blink\b/.test(news.properties.map((one) => one.getText(file)).join('\n'))
      if (!says && path !== 'kernel/realtime/notify.ts')
        without.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`)
      for (const [, reason = ''] of node.getText(file).matchAll(/\bnone: ['"`]([^'"`]*)/g)) reasons.push(reason)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { without, reasons }
}

test('all news lead to what they are of, or say why they cannot', () => {
  const found = globSync('**/*.ts', { cwd: folder })
    .filter((path) => !path.includes('.test'))
    .map((path) => newsOf(path, readFileSync(resolve(folder, path), 'utf8')))
  expect(found.flatMap(({ without }) => without)).toEqual([])
  const reasons = found.flatMap(({ reasons: those }) => those)
  expect(reasons.length).toBeGreaterThan(0)
  expect(reasons.filter((reason) => reason.split(' ').length < 5)).toEqual([])
  expect(newsOf('a.ts', "await notify(ctx, { userId, kind, message: 'x' })").without).toEqual(['a.ts:1'])
  expect(newsOf('a.ts', "await notify(ctx, { userId, link: { none: 'why' } })").reasons).toEqual(['why'])
})

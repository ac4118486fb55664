import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
/** Areas whose calls people make in the field. */
const field = [
  'activities',
  'agents',
  'applications',
  'cases',
  'clients',
  'collection-sheets',
  'leads',
  'plans',
  'sync',
  'targets',
  'tasks',
  'web-forms',
]

/** Both branches of a choice, and what stands by itself; sentences with values in them are put together at the server. */
function constants(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...constants(node.whenTrue), ...constants(node.whenFalse)]
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) ? constants(node.expression) : []
}

/** What the answers, refusals and news of a file say, word for word. */
export function toldBy(text: string): string[] {
  const file = ts.createSourceFile('told.ts', text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'message') found.push(...constants(node.initializer))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found.filter((told) => /\p{L}{2}/u.test(told))
}

const told = globSync(`apps/server/src/areas/{${field.join()}}/**/*.ts`, { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .flatMap((path) => toldBy(readFileSync(resolve(root, path), 'utf8')))

test.each(['fr', 'pt', 'sw'])('what the server says to people in the field is there in %s, where it says it word for word', (code) => {
  const bundle = JSON.parse(readFileSync(resolve(root, `apps/console/src/languages/${code}.json`), 'utf8')) as object
  expect(told.length).toBeGreaterThan(100)
  expect([...new Set(told)].filter((text) => !Object.hasOwn(bundle, text))).toEqual([])
})

test('the rule sees what it is for', () => {
  expect(toldBy("fail('INVALID', { message: one ? 'Given back' : `Gone` }); notify(ctx, { message: `${n} leads` })")).toEqual([
    'Given back',
    'Gone',
  ])
})

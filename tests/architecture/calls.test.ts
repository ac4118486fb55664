import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
/** The files that hold the text, tests left out. */
function filesWith(text: string, pattern: string): ts.SourceFile[] {
  const paths = globSync(pattern, { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .toSorted()
  return paths
    .map((path) => [path, readFileSync(resolve(root, path), 'utf8')] as const)
    .filter(([, held]) => held.includes(text))
    .map(([path, held]) => parse(path, held))
}

/** The expression inside `as const` and the like. */
const bare = (node: ts.Expression): ts.Expression =>
  ts.isAsExpression(node) || ts.isParenthesizedExpression(node) || ts.isSatisfiesExpression(node) ? bare(node.expression) : node

/** Objects that say the method and the path of a call themselves, instead of naming its route. */
function typedCalls(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isObjectLiteralExpression(node)) {
      const method = node.properties.find((one) => one.name?.getText(file) === 'method')
      const hasPath = node.properties.some((one) => one.name?.getText(file) === 'path')
      const isTyped = method !== undefined && ts.isPropertyAssignment(method) && ts.isStringLiteral(bare(method.initializer))
      if (isTyped && hasPath) found.push(`${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

test('a call is named by its route; method and path are written in route tables alone', () => {
  const files = filesWith('method:', 'apps/server/src/**/*.ts')
  expect(files.length).toBeGreaterThan(3)
  expect(files.flatMap(typedCalls)).toEqual([])
})

/** Texts that spell the address of a call. */
function addresses(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node)
    if (isText && /^\/(api|geo)\//.test(node.text))
      found.push(`${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1} ${node.text}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Why these spell an address: no route answers at the socket, and what is asked of any path is no call. */
const spelled: Readonly<Record<string, string>> = {
  'apps/console/src/data/api.ts': 'calls that sign in need no token',
  'apps/console/src/data/live.ts': 'the socket is no route',
  'apps/console/src/data/references.ts': 'what a reference is chosen from is a list whose address came with its field',
}

test('the console makes its calls by name: no address is written in a hand-made screen or anywhere else', () => {
  const files = [...filesWith('/api/', 'apps/console/src/**/*.{ts,tsx}'), ...filesWith('/geo/', 'apps/console/src/**/*.{ts,tsx}')].filter(
    ({ fileName }) => !/fake-|\.generated\./.test(fileName),
  )
  const found = files.filter(({ fileName }) => !Object.hasOwn(spelled, fileName)).flatMap(addresses)
  expect(found).toEqual([])
  const typed = filesWith('method:', 'apps/console/src/**/*.{ts,tsx}').filter(
    ({ fileName }) => !/fake-|\.generated\./.test(fileName) && !Object.hasOwn(spelled, fileName),
  )
  expect(typed.length).toBeGreaterThan(3)
  expect(typed.flatMap(typedCalls)).toEqual([])
})

test('the rule sees what it is for', () => {
  const text = `const a = { method: 'GET', path: '/api/leads' } as const
    const b = { submit: { method: 'PUT' as const, path } }
    const c = { path: '/', method: given }, d = { method: 'even', name: 1 }, e = { cookie: 'x', path: '/api/auth' }`
  expect(typedCalls(parse('a.ts', text))).toEqual(['a.ts:1', 'a.ts:2'])
  expect(addresses(parse('b.tsx', 'const a = `/api/leads/${id}`, b = "/geo/devices", c = "/apiary", d = <i title="/api/x" />'))).toEqual([
    'b.tsx:1 /api/leads/',
    'b.tsx:1 /geo/devices',
    'b.tsx:1 /api/x',
  ])
})

import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** Tables of a module that take any text as a key: without such a type the compiler refuses a text as a key. */
function openTables(file: ts.SourceFile): string[] {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .filter(({ type, initializer }) => {
      const made = initializer?.getText(file) ?? ''
      return /^(Readonly<)?Record<string,|^\{ \[\w+: string\]/.test(type?.getText(file) ?? '') || made.startsWith('Object.fromEntries(')
    })
    .map(({ name }) => name.getText(file))
}

/** Reads of such a table, and `key in object` of any, by a key that is not written in the code: `constructor` and `__proto__` are found in every object. */
function openReads(file: ts.SourceFile, tables: ReadonlySet<string>): string[] {
  const found: string[] = []
  const add = (node: ts.Node) =>
    found.push(`${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1} ${node.getText(file)}`)
  const visit = (node: ts.Node) => {
    if (ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression)) {
      if (tables.has(node.expression.text) && !ts.isStringLiteral(node.argumentExpression) && !isGuarded(node, file)) add(node)
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword && !ts.isStringLiteral(node.left))
      add(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** The function around it asks Object.hasOwn of the same table. */
function isGuarded(node: ts.ElementAccessExpression, file: ts.SourceFile): boolean {
  for (let around: ts.Node = node; around.parent; around = around.parent) {
    if (ts.isStatement(around) || ts.isFunctionLike(around)) {
      if (around.getText(file).includes(`hasOwn(${node.expression.getText(file)}, `)) return true
    }
  }
  return false
}

const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
const files = globSync('{apps/server,apps/geo,packages/*}/src/**/*.ts', { cwd: root })
  .filter((path) => !path.includes('.test.'))
  .toSorted()
const parsed = () => files.map((path) => parse(path, readFileSync(resolve(root, path), 'utf8')))

test('a table is read by a key from outside through Object.hasOwn or as a Map', () => {
  const sources = parsed()
  const own = sources.map((file) => new Set(openTables(file)))
  const found = sources.flatMap((file, index) => {
    const imported = [...file.text.matchAll(/import \{([^}]+)\} from/g)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    )
    const tables = new Set([...(own[index] ?? []), ...imported.filter((name) => own.some((other) => other.has(name)))])
    return openReads(file, tables)
  })
  expect(found).toEqual([])
})

test('sees an open read, and none behind Object.hasOwn', () => {
  const text = `const table: Record<string, number> = {}
    export const open = (key: string) => table[key]
    export const safe = (key: string) => Object.hasOwn(table, key) ? table[key] : 0
    export const known = (key: string) => key in table && 'a' in table`
  const file = parse('a.ts', text)
  expect(openReads(file, new Set(openTables(file)))).toEqual(['a.ts:2 table[key]', 'a.ts:4 key in table'])
})

import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** What reaches another machine without an import that `outgoing-by-platform` would see. */
const globals: ReadonlySet<string> = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
/** Listens to devices, and answers them over the same socket. */
const listener = 'apps/geo/src/ingest/listen/udp.ts'
const ofNet: ReadonlySet<string> = new Set(['connect', 'createConnection', 'Socket', 'createSocket'])

/** Calls by global functions, and imports of what opens a connection from node:net or node:dgram. */
function openCalls(file: ts.SourceFile): string[] {
  const found: string[] = []
  const add = (node: ts.Node) =>
    found.push(`${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1} ${node.getText(file).slice(0, 60)}`)
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const name = node.expression.getText(file).replace(/^globalThis\./, '')
      if (globals.has(name) && !isImported(file, name)) add(node)
    }
    if (ts.isImportDeclaration(node) && /['"](node:)?(net|dgram)['"]/.test(node.moduleSpecifier.getText(file))) {
      const names = node.importClause?.namedBindings
      if (!names || !ts.isNamedImports(names)) add(node)
      else if (
        names.elements.some((one) => !one.isTypeOnly && !node.importClause?.isTypeOnly && ofNet.has((one.propertyName ?? one.name).text))
      )
        add(node)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const isImported = (file: ts.SourceFile, name: string) => new RegExp(`import [^\\n]*\\b${name}\\b[^\\n]* from`).test(file.text)
const parse = (path: string, text: string) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

test('server, geo service and platform reach other machines through platform/outgoing alone', () => {
  const files = globSync('{apps/server,apps/geo,packages/platform,packages/rules,packages/contract}/src/**/*.ts', { cwd: root })
  expect(files.length).toBeGreaterThan(500)
  expect(
    files
      .filter((path) => !path.includes('.test.') && path !== listener)
      .flatMap((path) => openCalls(parse(path, readFileSync(resolve(root, path), 'utf8')))),
  ).toEqual([])
})

test('such a call is found, however it is written', () => {
  const wrong = [
    `await fetch(url)`,
    `globalThis.fetch(url)`,
    `new WebSocket(url)`,
    `import { connect as open } from 'node:net'`,
    `import net from 'node:net'`,
    `import * as udp from 'dgram'`,
  ]
  for (const text of wrong) expect([text, openCalls(parse('x.ts', text)).length]).toEqual([text, 1])
  for (const text of [`import { createServer, isIP } from 'node:net'`, `import type { Socket } from 'node:net'`, `cache.fetch(key)`])
    expect([text, openCalls(parse('x.ts', text)).length]).toEqual([text, 0])
})

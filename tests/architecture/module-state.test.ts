import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const folders = [
  'apps/server/src',
  'apps/geo/src',
  'packages/contract/src',
  'packages/rules/src',
  'packages/platform/src',
  'packages/client/src',
]

/** What the house keeps beside its parameters, and why none of them serves. */
const kept: Readonly<Record<string, readonly string[]>> = {
  'the process itself: what main starts, once': [
    'apps/server/src/kernel/session/services.ts: started',
    'apps/server/src/kernel/realtime/announce.ts: local',
    'apps/server/src/kernel/realtime/announce.ts: relay',
    'apps/server/src/kernel/realtime/bus.ts: relay',
    'packages/platform/src/db/prisma.ts: client',
    'packages/platform/src/http/metrics.ts: isCollecting',
    'packages/platform/src/http/metrics.ts: pools',
  ],
  // A reference says its target by name, because areas import each other one way only. SQL, schemas and answers are made of a resource
  // alone, many as modules load and in some 70 files that have no ctx: fieldSql, selectionOf, writeSchemas, recordAnswer.
  'declarations, complete once the areas are made and only read from then on': ['apps/server/src/kernel/resource/define.ts: resources'],
  'a file or program that is read at its first use': [
    'apps/server/src/areas/agents/places.ts: gazetteer',
    'apps/server/src/areas/auth/password/password-rules.ts: common',
    'apps/server/src/kernel/pdf.ts: maker',
    'apps/geo/src/geocoding/places.ts: gazetteer',
    'packages/platform/src/db/cluster/engine.ts: loading',
  ],
  'answers of pure functions, remembered': [
    'apps/geo/src/processing/prepared.ts: names',
    'apps/server/src/kernel/reports/writer/sheet-xml.ts: known',
    'packages/rules/src/currency.ts: known',
    'packages/rules/src/time-zone.ts: formats',
  ],
  'answers of the database, remembered until they may have changed': [
    'apps/geo/src/api/mapzoom.ts: indexes',
    'apps/server/src/kernel/resource/read/counts.ts: generations',
    'apps/server/src/kernel/resource/read/counts.ts: totals',
  ],
  'a thread of its own, which lives for one file': ['apps/server/src/kernel/uploads/sheet.thread.ts: rows'],
}

const containers = new Set(['Map', 'Set', 'LRUCache', 'EventEmitter'])

/** True for what begins empty, to be filled later: `new Map()`, `[]`, `{}`. What is remembered of an object as long as it lives (WeakMap) is the object's. */
function beginsEmpty(node: ts.Expression | undefined): boolean {
  if (!node) return true
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) return beginsEmpty(node.expression)
  // new EventEmitter().setMaxListeners(50)
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) return isFilledLater(node.expression.expression)
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0
  if (ts.isObjectLiteralExpression(node)) return node.properties.length === 0
  return isFilledLater(node)
}

const isFilledLater = (node: ts.Expression) =>
  ts.isNewExpression(node) &&
  containers.has(node.expression.getText()) &&
  (['LRUCache', 'EventEmitter'].includes(node.expression.getText()) || (node.arguments ?? []).length === 0)

/** Most files have no line that could be one: reading them as text first saves their parsing. */
const maybeState = /^(?:export )?(?:let|var) |^(?:export )?const [^=]*= *(?:new (?:Map|Set|LRUCache|EventEmitter)\b|\[\]|\{\})/m

/** Variables of a module that change while the program runs. */
function stateOf(name: string, source: string): string[] {
  if (!maybeState.test(source)) return []
  return ts
    .createSourceFile(name, source, ts.ScriptTarget.Latest, true)
    .statements.filter(ts.isVariableStatement)
    .filter(({ modifiers }) => !modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword))
    .flatMap(({ declarationList }) => {
      const mayChange = (declarationList.flags & ts.NodeFlags.Const) === 0
      return declarationList.declarations
        .filter(({ initializer, type }) => mayChange || (beginsEmpty(initializer) && !type?.getText().startsWith('readonly ')))
        .map((declaration) => `${name}: ${declaration.name.getText()}`)
    })
}

test('a module keeps nothing that a parameter could carry', () => {
  const files = folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .filter((path) => !/\.test(-d)?\.|\.generated\.|\/testing\/|\/generated\//.test(path))
  expect(files.length).toBeGreaterThan(800)
  const found = files.flatMap((path) => stateOf(path, readFileSync(resolve(root, path), 'utf8')))
  expect(found.toSorted()).toEqual(Object.values(kept).flat().toSorted())
})

test('the rule sees what it is for', () => {
  const source = `let a = 1
let b: string | undefined
const c = new Map<string, number>()
const d: string[] = []
const e = new Map([['x', 1]])
const f: readonly string[] = []
const g = new WeakMap<object, number>()
export const h = new LRUCache({ max: 5 })
const i = new EventEmitter().setMaxListeners(50)
const j = { x: 1 }
function k() { let l = 1; return l }
declare let n: number`
  expect(stateOf('m', source)).toEqual(['m: a', 'm: b', 'm: c', 'm: d', 'm: h', 'm: i'])
})

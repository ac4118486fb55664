import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const config = join(root, '.dependency-cruiser.cjs')
const ruleNames = (createRequire(import.meta.url)(config) as { forbidden: { name: string }[] }).forbidden.map(({ name }) => name)

/** One forbidden import a wall: who imports what. Paths without a slash are packages or Node's modules. */
const planted: Record<string, readonly [from: string, to: string]> = {
  'no-circle': ['packages/contract/src/a.ts', 'packages/contract/src/b.ts'],
  'no-unresolved': ['packages/rules/src/lost.ts', './nowhere.ts'],
  'contract-alone': ['packages/contract/src/bad.ts', 'packages/rules/src/good.ts'],
  'rules-contract-only': ['packages/rules/src/bad.ts', 'packages/platform/src/good.ts'],
  'client-contract-only': ['packages/client/src/bad.ts', 'packages/rules/src/good.ts'],
  'rules-do-no-io': ['packages/rules/src/io.ts', 'node:fs'],
  'platform-knows-no-business': ['packages/platform/src/bad.ts', 'apps/server/src/kernel/good.ts'],
  'server-alone': ['apps/server/src/kernel/bad.ts', 'apps/geo/src/good.ts'],
  'geo-alone': ['apps/geo/src/bad.ts', 'apps/server/src/kernel/good.ts'],
  'console-alone': ['apps/console/src/data/bad.ts', 'packages/platform/src/good.ts'],
  'kernel-below-areas': ['apps/server/src/kernel/upward.ts', 'apps/server/src/areas/leads/index.ts'],
  'areas-below-app': ['apps/server/src/areas/leads/upward.ts', 'apps/server/src/app.ts'],
  'area-by-its-index': ['apps/server/src/areas/users/bad.ts', 'apps/server/src/areas/leads/lead.handlers.ts'],
  'home-by-declarations': ['apps/server/src/areas/home/bad.ts', 'apps/server/src/areas/teams/index.ts'],
  'area-order': ['apps/server/src/areas/leads/lead.rules.ts', 'apps/server/src/areas/leads/lead.resource.ts'],
  'resource-below-handlers': ['apps/server/src/areas/leads/lead.resource.ts', 'apps/server/src/areas/leads/lead.handlers.ts'],
  'handlers-below-area': ['apps/server/src/areas/leads/lead.handlers.ts', 'apps/server/src/areas/leads/leads.area.ts'],
  'database-by-platform': ['packages/platform/src/http/bad.ts', 'pg'],
  'outgoing-by-platform': ['apps/geo/src/calls.ts', 'node:https'],
  'prisma-client-by-platform': ['apps/server/src/areas/users/prisma.ts', 'packages/platform/generated/tables.ts'],
  'custom-screens-are-strangers': ['apps/console/src/custom/wizard/bad.tsx', 'apps/console/src/custom/map/good.tsx'],
  'console-data-offline-below': ['apps/console/src/offline/bad.ts', 'apps/console/src/view/good.tsx'],
  'console-map-below': ['apps/console/src/map/bad.tsx', 'apps/console/src/view/good.tsx'],
  'console-view-below': ['apps/console/src/view/bad.tsx', 'apps/console/src/custom/map/good.tsx'],
  'console-custom-below': ['apps/console/src/custom/wizard/upward.tsx', 'apps/console/src/shell/good.tsx'],
  'geo-sql-below': ['apps/geo/src/positions/bad.ts', 'apps/geo/src/ingest/good.ts'],
  'geo-rules-below': ['apps/geo/src/commands/bad.ts', 'apps/geo/src/ingest/good.ts'],
  'geo-ingest-below': ['apps/geo/src/ingest/bad.ts', 'apps/geo/src/processing/good.ts'],
  'geo-processing-below': ['apps/geo/src/processing/bad.ts', 'apps/geo/src/live/good.ts'],
  'geo-live-below': ['apps/geo/src/live/bad.ts', 'apps/geo/src/api/good.ts'],
  'geo-api-below': ['apps/geo/src/api/bad.ts', 'apps/geo/src/reports/good.ts'],
  'geo-reports-below': ['apps/geo/src/reports/bad.ts', 'apps/geo/src/calls.ts'],
  'shell-below-app': ['apps/console/src/shell/bad.tsx', 'apps/console/src/app.tsx'],
  'no-tests-in-code': ['apps/server/src/kernel/tested.ts', 'tests/support/make.ts'],
  'scripts-are-last': ['apps/server/src/areas/users/seeded.ts', 'prisma/seed/seed.ts'],
}

/** Imports that must stay possible. */
const allowed: readonly (readonly [from: string, to: string])[] = [
  ['packages/rules/src/good.ts', 'packages/contract/src/good.ts'],
  ['packages/platform/src/db/pool.ts', 'pg'],
  ['packages/platform/src/db/models.ts', 'packages/platform/generated/tables.ts'],
  ['apps/server/src/areas/users/users.area.ts', 'apps/server/src/areas/leads/index.ts'],
  ['apps/server/src/areas/leads/leads.area.ts', 'apps/server/src/kernel/good.ts'],
  ['apps/console/src/view/uses-data.tsx', 'apps/console/src/data/good.ts'],
  ['apps/console/src/shell/uses-custom.tsx', 'apps/console/src/custom/map/good.tsx'],
]

let folder = ''
let violations: { rule: { name: string }; from: string }[] = []
let modules = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-walls-'))
  await plantPackage('pg')
  const wanted = [...Object.values(planted), ...allowed]
  for (const path of new Set(wanted.map(([, to]) => to).filter(isOurs))) await write(path, '')
  for (const [from, to] of wanted) await write(from, importOf(from, to))
  await write('packages/contract/src/b.ts', importOf('packages/contract/src/b.ts', 'packages/contract/src/a.ts'))
  for (const [one, other] of [
    ['a-type', 'b-type'],
    ['b-type', 'a-type'],
  ])
    await write(
      `apps/console/src/custom/wizard/${one}.ts`,
      `import type { Shape as Other } from './${other}.ts'\nexport interface Shape { other?: Other }\n`,
    )
  const cli = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [cli, '--config', config, '--no-cache', '--output-type', 'json', 'packages', 'apps', 'prisma', 'tests']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 32 << 20 })
  const { summary } = JSON.parse(stdout) as { summary: { violations: typeof violations; totalCruised: number } }
  violations = summary.violations
  modules = summary.totalCruised
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('every wall of the configuration is tried here', () => {
  expect(Object.keys(planted).toSorted()).toEqual(ruleNames.toSorted())
  expect(modules).toBeGreaterThan(30)
})

test.each(Object.entries(planted))('%s stops a planted violation', (rule, [from]) => {
  expect(violations.filter((violation) => violation.rule.name === rule).map((violation) => violation.from)).toContain(from)
})

test('two types that need each other are a circle too', () => {
  const circles = violations.filter(({ rule }) => rule.name === 'no-circle').map(({ from }) => from)
  expect(circles).toContain('apps/console/src/custom/wizard/a-type.ts')
})

test('what is allowed stays allowed', () => {
  const good = allowed.map(([from]) => from)
  expect(violations.filter(({ from }) => good.includes(from))).toEqual([])
})

const isOurs = (path: string) => path.includes('/') && !path.startsWith('.')

function importOf(from: string, to: string): string {
  const way = relative(dirname(from), to)
  const target = !isOurs(to) ? to : way.startsWith('.') ? way : `./${way}`
  return `import * as other from '${target}'\nexport const used = other\n`
}

async function write(path: string, text: string): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text || 'export const used = 1\n')
}

async function plantPackage(name: string): Promise<void> {
  await write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
  await write(`node_modules/${name}/index.js`, 'module.exports = {}\n')
}

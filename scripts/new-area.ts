import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { permissionHierarchies } from '@outpost/contract/permissions'

const usage = 'npm run new:area -- <area> <record> [PERMISSION], e.g. npm run new:area -- complaints complaint SALES/CASES'

export interface AreaWords {
  /** Folder and first word of the routes' names: complaints. */
  area: string
  /** The resource's one: complaint. */
  one: string
  /** Asked of readers; writers need its /CREATE, /EDIT or /DELETE where those exist. */
  permission: string
}

const hierarchies = new Set<string>(permissionHierarchies)

/** The words of an area, checked; throws with the usage. */
export function readWords([area = '', one = '', permission = 'ADMIN/SETTINGS']: readonly string[]): AreaWords {
  if (!/^[a-z][a-z-]*$/.test(area) || !/^[a-z][A-Za-z]*$/.test(one)) throw new Error(`Usage: ${usage}`)
  if (!hierarchies.has(permission.toUpperCase())) throw new Error(`${permission} is not a permission: see packages/contract/src/permissions.ts`)
  return { area, one, permission: permission.toUpperCase() }
}

/** Files of a new area by path: all that an area has, with one text field to begin with. */
export function areaFiles(words: AreaWords): Record<string, string> {
  const names = spell(words)
  const { area, one } = words
  const folder = `apps/server/src/areas/${area}`
  return {
    [`prisma/models/${area}.prisma`]: modelSource(names),
    [`${folder}/${one}.resource.ts`]: resourceSource(names),
    [`${folder}/${one}.rules.ts`]: rulesSource(names),
    [`${folder}/${one}.handlers.ts`]: handlersSource(names),
    [`${folder}/${area}.area.ts`]: areaSource(names),
    [`${folder}/index.ts`]: indexSource(names),
    [`tests/api/${area}.test.ts`]: testSource(names),
  }
}

/** The words of an area in each spelling that its files need. */
interface Names extends AreaWords { model: string, many: string, table: string, name: string, label: string, to: (action: string) => string }

function spell(words: AreaWords): Names {
  const { area, one, permission } = words
  const model = one.charAt(0).toUpperCase() + one.slice(1)
  return {
    ...words, model,
    many: one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`,
    table: one.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name: camel(area),
    label: model.replace(/(.)([A-Z])/g, (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`),
    to: (action) => hierarchies.has(`${permission}/${action}`) ? `${permission}/${action}` : permission,
  }
}

const modelSource = ({ model, table }: Names) => `model ${model} {
  companyId    String    @db.Uuid
  id           String    @default(uuid(7)) @db.Uuid
  tenantId     String    @db.Uuid
  name         String
  version      BigInt    @default(1)
  dateCreated  DateTime  @default(now()) @db.Timestamptz(3)
  dateModified DateTime  @default(now()) @db.Timestamptz(3)
  deletedAt    DateTime? @db.Timestamptz(3)

  @@id([companyId, id])
  @@index([companyId, dateCreated(sort: Desc), id])
  @@map("${table}")
}
`

const resourceSource = ({ one, model, many, name, label }: Names) => `import { defineResource } from '../../kernel/resource/define.ts'
import { prepare${model} } from './${one}.rules.ts'

/** ${label}: what it is, who sees it, how it is listed and filled in. */
export const ${one} = defineResource({
  model: '${one}', one: '${one}', many: '${many}', label: '${label}', labelMany: '${label}s', title: 'name', isScoped: true, isSoftDeleted: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
  },
  list: { columns: ['name'], search: ['name'], sort: ['dateCreated', 'DESC'], size: 10_000 },
  form: [['name']],
  actions: [
    { route: '${name}.remove', label: 'Delete', scope: 'bulk', idField: 'ids', many: true, danger: true, confirm: { title: 'Delete the chosen ones?' } },
  ],
  prepare: prepare${model},
})
`

const rulesSource = ({ one, model }: Names) => `import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type Row = ModelRow<'${one}'>

/** Last look before a write: refuse with fail(), derive columns, check a transition. */
export function prepare${model}(_: Ctx, { input }: PrepareWrite<Row>): Partial<Row> {
  return input.name === undefined ? {} : { name: input.name }
}
`

const handlersSource = ({ one, model }: Names) => `import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { ${one} } from './${one}.resource.ts'

/** Only what is special about it: everything else is an operation on the route's line. */
export async function show${model}Name(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const { name } = await getRecord(ctx, ${one}, id)
  return { data: { name } }
}
`

const areaSource = ({ area, one, permission, model, name, label, to }: Names) => `import { defineArea, may, route } from '../../kernel/area.ts'
import { create, get, list, query, remove, update } from '../../kernel/resource/operations.ts'
import { idInput } from '../../kernel/resource/schema.ts'
import { formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { show${model}Name } from './${one}.handlers.ts'
import { ${one} } from './${one}.resource.ts'

/** ${label}s: one line a call. */
export const ${name}Area = defineArea({
  name: '${area}',
  resources: [${one}],
  routes: [
    route('${name}.list',   'GET',  '/api/${area}',          may('${permission}'), list(${one})),
    route('${name}.get',    'GET',  '/api/${area}/:id',      may('${permission}'), get(${one})),
    route('${name}.name',   'GET',  '/api/${area}/:id/name', may('${permission}'), query(idInput, show${model}Name)),
    route('${name}.create', 'POST', '/api/${area}',          may('${to('CREATE')}'), create(${one})),
    route('${name}.update', 'PUT',  '/api/${area}/:id',      may('${to('EDIT')}'), update(${one})),
    route('${name}.remove', 'POST', '/api/${area}/delete',   may('${to('DELETE')}'), remove(${one})),
  ],
  screens: [
    screen('/${area}/list',     may('${permission}'), listOf(${one})),
    screen('/${area}/create',   may('${to('CREATE')}'), formOf(${one})),
    screen('/${area}/edit/:id', may('${to('EDIT')}'), formOf(${one})),
  ],
})
`

const indexSource = ({ area, name }: Names) => `/** What other areas may call. */
export { ${name}Area } from './${area}.area.ts'
`

const testSource = ({ area, one, label }: Names) => `import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'

let app: TestApp
let admin: SignedInClient

beforeAll(async () => {
  app = await testApp()
  const company = await app.make.company()
  admin = await app.as(await app.make.user({ tenant: company, role: 'admin' }))
})
afterAll(() => app.close())

it('creates, lists and removes a ${label.toLowerCase()}', async () => {
  const made = await admin.post<{ ${one}: { Id: string } }>('/api/${area}', { name: 'First' })
  expect(made.body).toMatchObject({ success: true, data: { ${one}: { name: 'First', version: 1 } } })
  expect((await admin.get('/api/${area}')).body).toMatchObject({ meta: { total: 1 } })
  expect((await admin.post('/api/${area}/delete', { id: made.body.data.${one}.Id })).status).toBe(200)
  expect((await admin.get('/api/${area}')).body).toMatchObject({ meta: { total: 0 } })
})

it('names a wrong field', async () => {
  expect((await admin.post('/api/${area}', {})).body).toMatchObject({ success: false, code: 'INVALID', fields: [{ field: 'name' }] })
})
`

/** What remains to be done by hand, in order. */
export function nextSteps({ area, one }: AreaWords): string {
  const table = one.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return `Next:
  1. columns in prisma/models/${area}.prisma, then: npm run generate && npm run migrate -- new ${area.replaceAll('-', '_')}
  2. at the end of that migration: call ctx.protect('${table}', 'tenant');
  3. a line for ${camel(area)}Area in apps/server/src/areas/index.ts
  4. fields, list and form in ${one}.resource.ts; calls in ${area}.area.ts (npm run routes, npm run screens)
  5. tests/api/${area}.test.ts, then: npm test`
}

function camel(area: string): string {
  return area.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

async function main(args: readonly string[]): Promise<void> {
  const words = readWords(args)
  const root = resolve(import.meta.dirname, '..')
  const files = Object.entries(areaFiles(words)).map(([path, text]) => ({ path: join(root, path), text }))
  for (const { path } of files) {
    const isThere = await access(path).then(() => true, () => false)
    if (isThere) throw new Error(`${path} exists already: nothing was written`)
  }
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    console.log(`made ${path.slice(root.length + 1)}`)
  }
  console.log(nextSteps(words))
}

if (process.argv[1] === import.meta.filename) {
  await main(process.argv.slice(2)).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}

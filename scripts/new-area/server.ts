import type { AreaNames } from './names.ts'

/** The record's declaration: fields, list, form, actions. */
export const resourceSource = ({
  one,
  model,
  many,
  name,
  label,
  labelMany,
}: AreaNames) => `import { commentAction } from '../../kernel/keeps/comments.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'
import { prepare${model} } from './${one}.rules.ts'

/** ${label}: say here what one is. */
export const ${one} = defineResource({
  model: '${one}', one: '${one}', many: '${many}', label: '${label}', labelMany: '${labelMany}', title: 'name',
  isScoped: true, isSoftDeleted: true, keeps: ['comments'],
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 120 },
    note: { kind: 'longText', label: 'Note', maxLength: 2_000 },
    createdByUserId: { kind: 'reference', label: 'Made by', to: 'user', readOnly: true },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
  },
  list: {
    columns: ['name', 'createdByUserId', 'tenantId', 'dateCreated'], search: ['name'], sort: ['dateCreated', 'DESC'], size: 10_000,
    filters: ['createdByUserId', 'tenantId', 'dateCreated'], empty: { title: 'No ${labelMany.toLowerCase()} yet', body: 'Make the first one.' },
  },
  form: [['name'], ['note']],
  actions: [
    commentAction('${name}.comment'),
    bulkDeleteAction('${name}.remove', { title: 'Delete the chosen ones?' }, '${name}.restore'),
  ],
  prepare: prepare${model},
})
`

/** The file of its first rule. */
export const rulesSource = ({ one, model }: AreaNames) => `import type { ModelRow } from '@outpost/platform/db/models'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'

type Row = ModelRow<'${one}'>

/** The last look before a write: refuse with fail(), derive columns. */
export function prepare${model}(ctx: Ctx, { kind }: PrepareWrite<Row>): Partial<Row> {
  return kind === 'create' ? { createdByUserId: ctx.user.id } : {}
}
`

/** Its calls, one line each, and its screens. */
export const areaSource = ({
  area,
  one,
  permission,
  name,
  labelMany,
  to,
}: AreaNames) => `import { defineArea, may, route } from '../../kernel/area.ts'
import { comment } from '../../kernel/keeps/comments.ts'
import { history } from '../../kernel/keeps/history.ts'
import { create, get, list, remove, restore, update } from '../../kernel/resource/operations.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { ${one} } from './${one}.resource.ts'

const own = { own: true }

/** ${labelMany}: one line a call. */
export const ${name}Area = defineArea({
  name: '${area}',
  resources: [${one}],
  routes: [
    route('${name}.list', 'GET', '/api/${area}', may('${permission}'), list(${one}), own),
    route('${name}.get', 'GET', '/api/${area}/:id', may('${permission}'), get(${one}), own),
    route('${name}.timeline', 'GET', '/api/${area}/:id/timeline', may('${permission}'), history(${one}), own),
    route('${name}.comment', 'POST', '/api/${area}/:id/comments', may('${permission}'), comment(${one}, { open: '/${area}/view/:id' }), own),
    route('${name}.create', 'POST', '/api/${area}', may('${to('CREATE')}'), create(${one}), own),
    route('${name}.remove', 'POST', '/api/${area}/delete', may('${to('DELETE')}'), remove(${one}), own),
    route('${name}.restore', 'POST', '/api/${area}/restore', may('${to('DELETE')}'), restore(${one}), own),
    route('${name}.update', 'PUT', '/api/${area}/:id', may('${to('EDIT')}'), update(${one}), own),
  ],
  screens: [
    screen('/${area}', may('${permission}'), listOf(${one}, { overrides: { exportReport: 'exportList' } }), { menu: { under: null, label: '${labelMany}', icon: 'file', order: 85 } }),
    screen('/${area}/add', may('${to('CREATE')}'), formOf(${one})),
    screen('/${area}/edit/:id', may('${to('EDIT')}'), formOf(${one})),
    screen('/${area}/view/:id', may('${permission}'), detailOf(${one}, { overrides: { sections: [{ rows: [['name', 'tenantId'], ['createdByUserId', 'dateCreated'], ['note']] }] } })),
  ],
})
`

export const indexSource = ({ area, name }: AreaNames) => `/** What other areas may call. */
export { ${name}Area } from './${area}.area.ts'
`

/** Its test: all calls of the area, and one that fails until there is a rule. */
export const testSource = ({ area, one, many, label }: AreaNames) => `import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => { world = await makeWorld() })
afterAll(() => world.app.close())

/** An input with all that is required. */
const good = { name: 'First' }
const make = async () => (await world.as.admin.post<{ ${one}: { Id: string } }>('/api/${area}', good)).body.data.${one}.Id
const count = async (by: keyof World['as'] = 'admin') => (await world.as[by].get<{ ${many}: unknown[] }>('/api/${area}')).body.meta?.total

describe('a ${label.toLowerCase()}', () => {
  it('is made, changed, deleted and brought back, and its history says so', async () => {
    const id = await make()
    expect((await world.as.admin.put<object>(\`/api/${area}/\${id}\`, { name: 'Second' })).body).toMatchObject({ data: { ${one}: { name: 'Second', version: 2 } } })
    const before = await count()
    await world.as.admin.post('/api/${area}/delete', { id })
    expect(await count()).toBe(Number(before) - 1)
    await world.as.admin.post('/api/${area}/restore', { ids: [id] })
    expect(await count()).toBe(before)
    const { body } = await world.as.admin.get<{ timeline: { what: string, detail: string | null }[] }>(\`/api/${area}/\${id}/timeline\`)
    expect(body.data.timeline.map(({ what, detail }) => [what, detail])).toEqual([['Restored', null], ['Deleted', null], ['Changed', 'Name: First → Second'], ['Created', null]])
  })

  it('names a wrong field', async () => {
    expect(fieldsOf(await world.as.admin.post('/api/${area}', { ...good, name: '' }))).toEqual(['name'])
  })

  it('is out of sight of another company', async () => {
    const id = await make()
    expect((await world.as.foreign.get(\`/api/${area}/\${id}\`)).status).toBe(404)
    expect(await count('foreign')).toBe(0)
  })

  it('has a rule of its own: write it in ${one}.rules.ts, and here an input that it refuses', async () => {
    const answer = await world.as.admin.post('/api/${area}', { ...good, name: 'An input that the first rule refuses' })
    expect(answer.status).toBe(422)
  })
})
`

import { geoAnswers } from '@outpost/contract/geo/answers'
import { geoCalls, type GeoCallName } from '@outpost/contract/geo/calls'
import { z } from 'zod'
import type { AreaNames } from './names.ts'

/** What a new area is with `--kind remote`: records that the geo service keeps, by its calls `<calls>.list`, `.get`, `.create`, `.update` and `.remove`. */
export const remoteVerbs = ['list', 'get', 'create', 'update', 'remove'] as const
export type RemoteVerb = (typeof remoteVerbs)[number]

/** Permissions of a call of the service; throws where the contract has none of the name. */
export function permissionsOf(calls: string, verb: RemoteVerb): readonly string[] {
  const name = `${calls}.${verb}`
  if (!Object.hasOwn(geoCalls, name))
    throw new Error(`The geo service has no call ${name}: add it to packages/contract/src/geo/calls.ts first`)
  return geoCalls[name as GeoCallName].anyOf
}

interface Property {
  type?: string | string[]
  format?: string
  const?: unknown
  anyOf?: Property[]
}

/** The name under which the service answers with one or many of them, and the record's properties. */
function answerOf(calls: string, verb: 'get' | 'list'): { key: string; properties: Record<string, Property> } {
  permissionsOf(calls, verb)
  const schema = z.toJSONSchema(geoAnswers[`${calls}.${verb}` as keyof typeof geoAnswers]) as { properties: Record<string, object> }
  const [[key, found] = ['', {}]] = Object.entries(schema.properties)
  const { properties = {} } = ('items' in found ? found.items : found) as { properties?: Record<string, Property> }
  return { key, properties }
}

const label = (key: string) => {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

const wellKnown: Readonly<Record<string, string>> = {
  name: "{ kind: 'text', label: 'Name', required: true, maxLength: 120 }",
  tenantId: "{ kind: 'reference', label: 'Branch', to: 'tenant' }",
  userId: "{ kind: 'reference', label: 'Person', to: 'user' }",
  dateCreated: "{ kind: 'dateTime', label: 'Added', readOnly: true }",
  dateModified: "{ kind: 'dateTime', label: 'Changed', readOnly: true }",
}

/** A field as the contract's answer suggests it; undefined for what no field shows: lists, objects, fixed words. */
function fieldSource(key: string, property: Property): string | undefined {
  if (Object.hasOwn(wellKnown, key)) return wellKnown[key]
  const plain = property.anyOf?.find(({ type }) => type !== 'null') ?? property
  const [type = ''] = [plain.type ?? ''].flat().filter((one) => one !== 'null')
  if (plain.const !== undefined) return undefined
  const kind = { boolean: 'boolean', integer: 'number', number: 'number', string: 'text' }[type]
  if (kind === undefined || plain.format === 'uuid') return undefined
  if (plain.format === 'date-time') return `{ kind: 'dateTime', label: '${label(key)}', readOnly: true }`
  if (plain.format === 'date') return `{ kind: 'date', label: '${label(key)}' }`
  return `{ kind: '${kind}', label: '${label(key)}'${kind === 'text' ? ', maxLength: 120' : ''} }`
}

const list = (keys: readonly string[]) => `[${keys.map((key) => `'${key}'`).join(', ')}]`

/** Its declaration, with the fields that the contract has. */
export function remoteResourceSource({ one, many, name, label: own, labelMany, area, calls }: AreaNames): string {
  const { key: answerOne, properties } = answerOf(calls, 'get')
  const entries = Object.entries(properties)
    .filter(([key]) => !['id', 'version'].includes(key))
    .toSorted(([a], [b]) => Number(b === 'name') - Number(a === 'name'))
  const fields = entries.flatMap(([key, property]) => {
    const source = fieldSource(key, property)
    return source === undefined ? [] : [{ key, source }]
  })
  const shown = fields.map(({ key }) => key)
  const ignored = entries.map(([key]) => key).filter((key) => !shown.includes(key))
  const set = fields.filter(({ source }) => !source.includes('readOnly')).map(({ key }) => key)
  const sorts = ['name', 'dateCreated', 'dateModified'].filter((key) => shown.includes(key))
  return `import { remoteResource } from '../../kernel/remote/remote.ts'

/** ${own}: say here what one is. The geo service keeps it. */
export const ${one} = remoteResource({
  one: '${one}', many: '${many}', label: '${own}', labelMany: '${labelMany}', title: 'name',
  calls: 'geo.${calls}', answers: { one: '${answerOne}', many: '${answerOf(calls, 'list').key}' },
  sorts: ${list(sorts)},${ignored.length === 0 ? '' : ` ignores: ${list(ignored)},`}
  fields: {
${fields.map(({ key, source }) => `    ${key}: ${source},`).join('\n')}
  },
  palette: { subtitle: [], open: '/${area}/view/', tail: '', branch: 'tenantId', order: 85 },
  list: {
    columns: ${list(shown.filter((key) => key !== 'dateModified'))}, search: ['name'], sort: ['name', 'ASC'], size: 100,
    filters: ${list(['name', 'userId', 'tenantId', 'dateCreated'].filter((key) => shown.includes(key)))}, empty: { title: 'No ${labelMany.toLowerCase()} yet', body: 'Make the first one.' },
  },
  form: [${set.map((key) => `['${key}']`).join(', ')}],
  actions: [{ route: '${name}.remove', label: 'Delete', scope: 'row', danger: true, confirm: { title: 'Delete this ${own.toLowerCase()}?' } }],
})
`
}

/** Its calls and screens, under the permissions of the service's own calls. */
export const remoteAreaSource = ({
  area,
  one,
  name,
  labelMany,
  calls,
}: AreaNames) => `import { geoCalls } from '@outpost/contract/geo/calls'
import { defineArea, may } from '../../kernel/area.ts'
import { createGeoClient, type GeoClient } from '../../kernel/geo-client/client.ts'
import { remoteRoutes } from '../../kernel/remote/remote.ts'
import { detailOf, formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { ${one} } from './${one}.resource.ts'

interface Parts { env: { GEO_URL?: string | undefined } }

/** ${labelMany}: rows of the geo service as our own. */
export const ${name}Area = ({ env }: Parts, client: GeoClient = createGeoClient({ url: env.GEO_URL })) => defineArea({
  name: '${area}',
  resources: [${one}],
  routes: remoteRoutes(client, ${one}, { area: '${name}', path: '/api/${area}' }),
  screens: [
    screen('/${area}', may(...geoCalls['${calls}.list'].anyOf), listOf(${one}, { overrides: { exportReport: 'exportList' } }), { menu: { under: 'tracking', label: '${labelMany}', icon: 'file', order: 85 } }),
    screen('/${area}/add', may(...geoCalls['${calls}.create'].anyOf), formOf(${one})),
    screen('/${area}/edit/:id', may(...geoCalls['${calls}.update'].anyOf), formOf(${one})),
    screen('/${area}/view/:id', may(...geoCalls['${calls}.get'].anyOf), detailOf(${one})),
  ],
})
`

/** Its test, with server and geo service speaking to each other; the last one fails until it says what the service refuses. */
export const remoteTestSource = (words: AreaNames): string => testHead(words) + testCases(words)

function testHead({ area, one, many, name, calls }: AreaNames): string {
  const key = Object.hasOwn(answerOf(calls, 'get').properties, 'uniqueId') ? ', uniqueId: randomUUID()' : ''
  return `import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentsArea } from '../../apps/server/src/areas/agents/index.ts'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { ${name}Area } from '../../apps/server/src/areas/${area}/index.ts'
import type { SignedInClient } from '../support/app.ts'
import { geoStack, type GeoStack } from '../geo/support/stack.ts'
import { fieldsOf } from './world.ts'

let stack: GeoStack
let admin: SignedInClient, foreign: SignedInClient
beforeAll(async () => {
  stack = await geoStack({}, {}, (machine, geo, client) => [authArea(machine), agentsArea, geo, ${name}Area(machine, client)])
  const administrator = async () => stack.app.as(await stack.app.make.user({ company: await stack.app.make.company(), role: 'admin' }))
  ;[admin, foreign] = [await administrator(), await administrator()]
})
afterAll(() => stack.close())

/** An input with all that is required. */
const good = () => ({ name: 'First'${key} })
const make = async () => {
  const answer = await admin.post<{ ${one}: Record<string, unknown> & { Id: string; version: number } }>('/api/${area}', good())
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.${one}
}
const count = async (who = admin, query = '') => (await who.get<{ ${many}: unknown[] }>(\`/api/${area}\${query}\`)).body.meta?.total
`
}

const testCases = ({ area, one, label: own }: AreaNames) => `
describe('a ${own.toLowerCase()}', () => {
  it('is made, read, changed, sent back and removed', async () => {
    const made = await make()
    const { body } = await admin.get<{ ${one}: object }>(\`/api/${area}/\${made.Id}\`)
    expect(body.data.${one}).toEqual(made)
    expect((await admin.put<object>(\`/api/${area}/\${made.Id}\`, { ...made, name: 'Second' })).body).toMatchObject({ data: { ${one}: { name: 'Second' } } })
    expect((await admin.put(\`/api/${area}/\${made.Id}\`, { name: 'Late', version: made.version })).status).toBe(409)
    const before = await count()
    expect((await admin.del(\`/api/${area}/\${made.Id}\`)).status).toBe(200)
    expect(await count()).toBe(Number(before) - 1)
  })

  it('is found by its name, and a wrong field is named', async () => {
    await make()
    expect(await count(admin, '?search=first')).toBeGreaterThan(0)
    expect(await count(admin, '?search=nobody-is-called-so')).toBe(0)
    expect(fieldsOf(await admin.post('/api/${area}', { ...good(), name: '' }))).toEqual(['name'])
    expect(fieldsOf(await admin.get('/api/${area}?colour=red'))).toEqual(['colour'])
  })

  it('has list, form and detail', async () => {
    for (const [screen, kind] of [['${area}', 'list'], ['${area}-add', 'form'], ['${area}-view-id', 'detail']]) {
      const { body } = await admin.get<{ view: { kind: string } }>(\`/api/console/screens/\${screen}\`)
      expect([screen, body.data.view.kind]).toEqual([screen, kind])
    }
  })

  it('is out of sight of another company', async () => {
    const { Id } = await make()
    expect((await foreign.get(\`/api/${area}/\${Id}\`)).status).toBe(404)
    expect((await foreign.put(\`/api/${area}/\${Id}\`, { name: 'Taken' })).status).toBe(404)
    expect((await foreign.del(\`/api/${area}/\${Id}\`)).status).toBe(404)
    expect(await count(foreign)).toBe(0)
  })

  it('has a rule of its own: write here an input that the service refuses', async () => {
    expect((await admin.post('/api/${area}', { ...good(), name: 'An input that the service refuses' })).status).toBe(422)
  })
})
`

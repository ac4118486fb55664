import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { areaFiles } from '../../scripts/new-area.ts'
import { places } from '../../scripts/new-area/places.ts'
import { readNames } from '../../scripts/new-area/names.ts'
import { declaredAreas, readContract } from '../../scripts/areas.ts'
import { addressOf, routeFor } from '../../scripts/routes.ts'
import { openapiDocument } from '../../apps/server/src/kernel/openapi.ts'
import type { Route } from '../../apps/server/src/kernel/types.ts'

const aliases: Record<string, string[]> = { paging: ['page', 'size', 'sortField', 'sortOrder', 'search'], window: ['startDate', 'endDate'] }
let routes: Route[]
beforeAll(async () => {
  routes = (await declaredAreas()).flatMap((area) => area.routes)
})

describe('the calls of the specification', () => {
  it('are listed once each', async () => {
    const calls = (await readContract<'method' | 'path'>('api.tsv')).map(({ method, path }) => addressOf(method, path))
    expect(calls.filter((call, index) => calls.indexOf(call) !== index)).toEqual([])
    expect(calls.length).toBeGreaterThan(330)
  })
  it('take every query parameter that it names, where they are mounted', async () => {
    const refused = (await readContract<'method' | 'path' | 'query'>('api.tsv')).flatMap(({ method, path, query }) => {
      const route = routeFor(routes, method, path)
      // What goes on to the geo service is checked there.
      if (!route || query === '' || route.operation.kind === 'pass') return []
      const schema = z.toJSONSchema(route.operation.input, { io: 'input', unrepresentable: 'any' }) as {
        properties?: object
        additionalProperties?: unknown
      }
      const names = query.split(',').flatMap((name) => aliases[name.trim()] ?? [name.trim()])
      return schema.additionalProperties === false
        ? names.filter((name) => !(name in (schema.properties ?? {}))).map((name) => `${method} ${path}: ${name}`)
        : []
    })
    expect(refused).toEqual([])
  })
  it('meet their routes whatever the parameters are called', () => {
    expect(addressOf('GET', '/api/x/{a}/y/')).toBe(addressOf('GET', '/api/x/:b/y'))
    expect(routeFor(routes, 'GET', '/api/leads/{id}')?.name).toBe('leads.get')
    expect(routeFor(routes, 'GET', '/api/storage/{path}')).toBeDefined()
    expect(routeFor(routes, 'GET', '/api/nothing')).toBeUndefined()
  })
})

/** Calls whose answer is JSON without the common envelope, and who reads it. */
const bareJson: Readonly<Record<string, string>> = {
  'money.signed': 'providers that sign',
  'mpesa.confirmation': 'M-Pesa',
  'mpesa.payoutResult': 'M-Pesa',
  'mpesa.payoutTimeout': 'M-Pesa',
  'mpesa.validation': 'M-Pesa',
  'openapi.document': 'whoever reads API documents',
  'sync.pull': 'devices: a page of changes',
  'sync.push': 'devices: verdicts on changes',
}

it('every call declares what it answers, for the API document, the typed client and the tests', () => {
  expect(routes.length).toBeGreaterThan(850)
  // What answers JSON of a form of its own says what that is, but where others fix it.
  const wrong = routes.filter(
    ({ name, operation, options }) =>
      (operation.answer === undefined) === (options.sends === undefined || name === 'sync.push' || name === 'sync.pull'),
  )
  expect(wrong.map(({ name }) => name)).toEqual([])
  const bare = routes.filter(({ options }) => options.sends === 'application/json').map(({ name }) => name)
  expect(bare.toSorted()).toEqual(Object.keys(bareJson).toSorted())
})

it('the API document says what devices send and hear, by the fields of each kind', async () => {
  const { paths } = openapiDocument(await declaredAreas(), '1') as unknown as {
    paths: Record<string, Record<string, { requestBody?: { content: Bodies }; responses: { 200: { content: Bodies } } }>>
  }
  const [push, pull] = [paths['/api/sync/push']?.['post'], paths['/api/sync/pull']?.['get']]
  const sent = JSON.stringify(push?.requestBody?.content['application/json'].schema)
  const told = JSON.stringify(push?.responses[200].content['application/json'].schema)
  const page = JSON.stringify(pull?.responses[200].content['application/json'].schema)
  for (const kind of ['lead', 'activity', 'client']) expect(sent).toContain(`"const":"${kind}"`)
  for (const field of ['trimmedPhonenumber', 'activityTypeId']) expect(told).toContain(`"${field}"`)
  for (const field of ['trimmedPhonenumber', 'activityTypeId']) expect(page).toContain(`"${field}"`)
})

type Bodies = Record<'application/json', { schema: object }>

it('the API document says of every call what it answers', async () => {
  const { paths } = openapiDocument(await declaredAreas(), '1') as { paths: Record<string, Record<string, DocumentedCall>> }
  const calls = Object.values(paths).flatMap((path) => Object.values(path))
  expect(calls).toHaveLength(routes.length)
  const sends = new Map(routes.map(({ name, options }) => [name, options.sends]))
  const vague = calls.filter(({ operationId, responses: { 200: good, 302: onward } }) => {
    const said = sends.get(operationId)
    if (said === 'redirect') return onward === undefined || good !== undefined
    if (said !== undefined) return [said].flat().some((type) => good?.content[type] === undefined)
    // The envelope alone allows any data.
    return good?.content['application/json']?.schema?.properties?.data === undefined
  })
  expect(vague.map(({ operationId }) => operationId)).toEqual([])
})

interface DocumentedCall {
  operationId: string
  responses: Record<string, { content: Record<string, { schema?: { properties?: { data?: unknown } } }> } | undefined>
}

describe('npm run new:area', () => {
  const words = readNames(['field-visits', 'fieldVisit', 'sales/cases'])
  it('makes all that an area has, with permissions that exist', () => {
    const files = areaFiles(words, '20990101000000_field_visit')
    expect(Object.keys(files).map((path) => path.split('/').at(-1))).toEqual([
      'field-visits.prisma',
      'migration.sql',
      'field-visits.ts',
      'fieldVisit.resource.ts',
      'fieldVisit.rules.ts',
      'field-visits.area.ts',
      'index.ts',
      'field-visits.test.ts',
    ])
    expect(files['apps/server/src/areas/field-visits/field-visits.area.ts']).toContain(
      `route('fieldVisits.remove', 'POST', '/api/field-visits/delete', may('SALES/CASES/DELETE'), remove(fieldVisit), own)`,
    )
    expect(files['prisma/models/field-visits.prisma']).toContain('@@map("field_visit")')
  })
  it('names it wherever areas are named: the program, the demo, who may what', async () => {
    const changed = await Promise.all(
      Object.entries(places).map(async ([path, change]) => [path, change(await readFile(path, 'utf8'), words)] as const),
    )
    const of = (name: string) => changed.find(([path]) => path.endsWith(name))?.[1] ?? ''
    expect(of('areas/index.ts').match(/fieldVisitsArea/g)).toHaveLength(2)
    expect(of('seed/company.ts').match(/companyFieldVisits/g)).toHaveLength(2)
    expect((JSON.parse(of('matrix.json')) as Record<string, string>)['POST /api/field-visits/delete']).toMatch(/^admin company-admin/)
  })
  it.each([[[]], [['../evil', 'x']], [['a', 'B']], [['a', 'b', 'NO/SUCH']]])('refuses %j', (args) => {
    expect(() => readNames(args)).toThrow(/Usage|not a permission/)
  })
})

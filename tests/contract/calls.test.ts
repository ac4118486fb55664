import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { areaFiles } from '../../scripts/new-area.ts'
import { places } from '../../scripts/new-area/places.ts'
import { readNames } from '../../scripts/new-area/names.ts'
import { declaredAreas, readContract } from '../../scripts/areas.ts'
import { addressOf, routeFor } from '../../scripts/routes.ts'
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

/** Calls whose answer is no JSON of the common envelope, and what it is. */
const withoutAnswer: Readonly<Record<string, string>> = {
  'complaints.acknowledgement': 'a PDF',
  'complaints.statusLetter': 'a PDF',
  'calculators.pdf': 'a file',
  'config.logo': 'a picture',
  'ledger.export': 'a file',
  'loans.restructureLetter': 'a file',
  'loans.settlementLetter': 'a file',
  'loans.statement': 'a file',
  'payments.receipt': 'a file',
  'ussd.hop': 'what a phone shows',
  'ussd.ended': 'what the gateway reads',
  'mpesa.confirmation': 'what M-Pesa reads',
  'mpesa.payoutResult': 'what M-Pesa reads',
  'mpesa.payoutTimeout': 'what M-Pesa reads',
  'mpesa.validation': 'what M-Pesa reads',
  'calendarFeed.read': 'a calendar (iCalendar)',
  'mail.read': 'a letter as it was sent, in development only',
  'mail.written': 'a page of letters, in development only',
  'phoneBook.vcards': 'a file of vCards',
  'reports.file': 'a file',
  'sync.push': 'verdicts on changes without the envelope, as devices read them',
  'leads.generatePdf': 'a file',
  'openapi.document': 'the API document itself',
  'saml.acs': 'on to the console, as a browser follows it',
  'saml.slo': 'on to the identity provider, or to the console',
  'saml.metadata': 'SAML metadata (XML)',
  'storage.get': 'a file',
  'sync.pull': 'a page of changes without the envelope, as devices read it',
  'users.picture': 'a file',
}

it('every call declares what it answers, for the API document, the typed client and the tests', () => {
  // A page for people outside says in its own format why it refuses.
  const isPage = ({ operation }: Route) => operation.kind === 'public' && operation.refuse !== undefined
  const all = routes.filter((route) => route.operation.kind !== 'download' && !isPage(route))
  expect(all.length).toBeGreaterThan(370)
  const silent = all.filter(({ operation }) => !operation.answer).map(({ name }) => name)
  expect(silent.toSorted()).toEqual(Object.keys(withoutAnswer).toSorted())
})

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

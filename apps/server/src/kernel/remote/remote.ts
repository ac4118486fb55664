import { termsOf, type FilterPart } from '@outpost/contract/envelope'
import { fail } from '@outpost/contract/errors'
import { geoAnswers } from '@outpost/contract/geo/answers'
import { geoCalls, type GeoCallDefinition } from '@outpost/contract/geo/calls'
import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { may, route } from '../area.ts'
import type { GeoClient } from '../geo-client/client.ts'
import { announce } from '../realtime/announce.ts'
import type { AnyResource, Answer, Ctx, Operation, RemoteSource, ResourceDefinition, Route } from '../types.ts'
import { recordSchema, removedAnswer } from '../resource/answers.ts'
import { fieldSql } from '../resource/read/columns.ts'
import { addResource, resourceNamed } from '../resource/define.ts'
import { refuseUnknownTerm } from '../resource/read/filter.ts'
import { refuseUnknownSort } from '../resource/read/sorting.ts'
import type { WireRecord } from '../resource/records.ts'
import { findReferenceFailures } from '../resource/references.ts'
import { idInput, listSchema, writeSchemas, type ListInput, type RecordInput } from '../resource/schema.ts'
import type { Writing } from '../resource/writing.ts'
import { inSentence } from '../in-sentence.ts'

type RemoteDefinition = Pick<
  ResourceDefinition<never, AnyResource['fields']>,
  'one' | 'many' | 'label' | 'labelMany' | 'fields' | 'actions'
> & {
  title: string
  list: AnyResource['list']
  form?: AnyResource['form']
  ignores?: readonly string[]
} & RemoteSource

/**
 * A resource whose records another service keeps: list, form, detail, filters and exports are described as for our own. Its calls
 * are remoteRoutes(); the service itself holds the walls, for every call carries company, reach and person.
 */
export function remoteResource({ calls, answers, sorts, palette, ...definition }: RemoteDefinition): AnyResource {
  // No model and no table: whatever would read them is asked about a remote resource first (define.ts).
  return addResource({
    ...definition,
    isIdentity: true,
    isScoped: true,
    model: 'remote' as never,
    table: 'remote',
    remote: { calls, answers, sorts, ...(palette ? { palette } : {}) },
  } as unknown as AnyResource)
}

interface Remote {
  client: GeoClient
  resource: AnyResource
  source: RemoteSource
}
type Verb = 'list' | 'get' | 'create' | 'update' | 'remove'

/** The calls of a remote resource below a path: list, get, create, update and remove, each under the permission of the service's own call. */
export function remoteRoutes(client: GeoClient, resource: AnyResource, { area, path }: { area: string; path: string }): Route[] {
  const { remote: source } = resource
  if (!source) throw new Error(`${resource.one} is not remote`)
  const remote = { client, resource, source }
  const answer = () => z.strictObject({ [resource.one]: rowSchema(resource, 'detail') })
  const { create, update } = writeSchemas(resource)
  const of = <Input>(
    kind: Verb,
    method: Route['method'],
    operation: Pick<Operation<Input>, 'input' | 'run'> & Partial<Operation<Input>>,
  ): Route =>
    route(
      `${area}.${kind}`,
      method,
      ['list', 'create'].includes(kind) ? path : `${path}/:id`,
      may(...(callOf(remote, kind).anyOf as [never])),
      // Writes nothing here: no transaction is held while the other side works.
      { kind, resource, isReadOnly: true, ...operation },
      { own: true },
    )
  return [
    of('list', 'GET', {
      input: listSchema({}),
      answer: () => z.strictObject({ [resource.many]: z.array(rowSchema(resource, 'list')) }),
      run: (ctx, input) => listRemote(remote, ctx, input),
      exportRows: (ctx, input) => exportRemote(remote, ctx, input),
      find: (ctx, search, size) => findRemote(remote, ctx, { search, size }),
    }),
    of('get', 'GET', { input: idInput, answer, run: async (ctx, { id }) => one(remote, await getRemote(remote, ctx, id)) }),
    of('create', 'POST', { input: create, answer, run: (ctx, input) => writeRemote(remote, ctx, { verb: 'create', input }) }),
    of('update', 'PUT', {
      input: update,
      answer,
      run: (ctx, { id, Id: _, ...input }) => writeRemote(remote, ctx, { verb: 'update', id: String(id), input }),
    }),
    of('remove', 'DELETE', { input: idInput, answer: removedAnswer, run: (ctx, { id }) => removeRemote(remote, ctx, id) }),
  ]
}

/** Its records as the wire shows them. The service says what its fields hold, and counts their versions. */
function rowSchema(resource: AnyResource, use: 'list' | 'detail'): z.ZodObject {
  const said = saidByService(resource.remote)
  const fields = Object.entries(recordSchema(resource, use).shape).map(([key, schema]) => [key, said[key] ?? schema])
  return z.strictObject({ ...(Object.fromEntries(fields) as z.ZodRawShape), version: z.int().optional() })
}

function saidByService(source: RemoteSource | undefined): Readonly<Record<string, z.ZodType | undefined>> {
  const answer = source && geoAnswers[nameOf(source, 'get')]
  const record = answer instanceof z.ZodObject ? (answer.shape as z.ZodRawShape)[source?.answers.one ?? ''] : undefined
  return record instanceof z.ZodObject ? (record.shape as Readonly<Record<string, z.ZodType>>) : {}
}

const nameOf = ({ calls }: RemoteSource, verb: Verb) => `${calls.replace(/^geo\./, '')}.${verb}` as keyof typeof geoCalls
const callOf = ({ source }: Pick<Remote, 'source'>, verb: Verb): GeoCallDefinition => geoCalls[nameOf(source, verb)]

interface Asking {
  id?: string
  query?: Record<string, string | undefined>
  body?: RecordInput
}

/** What the service answers with, of the company in ctx; GEO_UNAVAILABLE when it does not answer. */
async function ask({ client, ...remote }: Remote, ctx: Ctx, verb: Verb, { id, query, body }: Asking): Promise<z.infer<typeof answerShape>> {
  const { method, path } = callOf(remote, verb)
  const segments = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part === ':id' ? (id ?? '') : part))
  const text = await client.call(ctx, { method, segments, ...(query ? { query } : {}), ...(body ? { body } : {}) })
  return readAnswer(text) ?? fail('GEO_UNAVAILABLE')
}

const row = z.record(z.string(), z.unknown())
const answerShape = z.object({ data: row.default({}), meta: z.object({ total: z.number() }).optional() })

/** Undefined for what is no answer of the service. */
function readAnswer(text: string): z.infer<typeof answerShape> | undefined {
  try {
    return answerShape.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Rows that the service gives at once. */
const largestPage = 1_000
/** Rows of an export, which is put together in memory. */
const largestExport = 50_000

async function listRemote(remote: Remote, ctx: Ctx, input: ListInput): Promise<Answer> {
  const { resource } = remote
  const size = Math.min(input.size ?? resource.list.size, largestPage)
  const { rows, total } = await pageOf(remote, ctx, input, { page: input.page, size })
  return { data: { [resource.many]: rows }, meta: { page: input.page, size, total } }
}

const findRemote = async (remote: Remote, ctx: Ctx, { search, size }: { search: string; size: number }): Promise<WireRecord[]> =>
  (await pageOf(remote, ctx, { search }, { page: 1, size })).rows

async function pageOf(
  remote: Remote,
  ctx: Ctx,
  { sortField, sortOrder, search, filter }: Partial<ListInput>,
  { page, size }: { page: number; size: number },
): Promise<{ rows: WireRecord[]; total: number }> {
  const { resource, source } = remote
  refuseUnknown(resource, { sortField, filter })
  const [field, order] = resource.list.sort
  const query = {
    page: String(page),
    size: String(size),
    search,
    filter: filter?.length ? JSON.stringify(filter) : undefined,
    sortField: (sortField ?? [field]).join(','),
    sortOrder: (sortField ?? [field]).map((_, index) => sortOrder?.[index] ?? (sortField ? 'DESC' : order)).join(','),
  }
  const { data, meta } = await ask(remote, ctx, 'list', { query })
  const rows = z.array(row).safeParse(data[source.answers.many]).data ?? fail('GEO_UNAVAILABLE')
  return {
    rows: await labelled(
      ctx,
      resource,
      rows.map((one) => recordOf(resource, one)),
    ),
    total: meta?.total ?? rows.length,
  }
}

/** Fields and operators are ours to refuse; what the values mean is the service's. */
function refuseUnknown(
  resource: AnyResource,
  { sortField, filter }: { sortField?: string[] | undefined; filter?: FilterPart[] | undefined },
): void {
  if (sortField) refuseUnknownSort(resource, sortField)
  for (const term of termsOf(filter ?? [])) refuseUnknownTerm(resource, term)
}

async function getRemote(remote: Remote, ctx: Ctx, id: string): Promise<WireRecord> {
  const { data } = await ask(remote, ctx, 'get', { id })
  return labelledOne(ctx, remote, data)
}

async function writeRemote(
  remote: Remote,
  ctx: Ctx,
  { verb, id, input }: { verb: 'create' | 'update'; id?: string; input: RecordInput },
): Promise<Answer> {
  const { resource } = remote
  await refuseReferences(remote, ctx, id, input)
  const { data } = await ask(remote, ctx, verb, { ...(id === undefined ? {} : { id }), body: input })
  const record = await labelledOne(ctx, remote, data)
  announceWrite(ctx, resource, record.Id, verb === 'create' ? 'created' : 'updated')
  return { ...one(remote, record), message: `${resource.label} ${verb === 'create' ? 'created' : 'updated'} successfully` }
}

/** The service knows companies, not who reaches whom: what a record newly refers to is looked at here, as for our own. */
async function refuseReferences(remote: Remote, ctx: Ctx, id: string | undefined, input: RecordInput): Promise<void> {
  const { resource } = remote
  if (!Object.keys(input).some((key) => resource.fields[key]?.to !== undefined && input[key] !== null)) return
  const before = id === undefined ? undefined : await getRemote(remote, ctx, id)
  const writing: Writing = { id: id ?? '', change: { kind: 'create', input }, given: input, values: input, ...(before ? { before } : {}) }
  const failures = await findReferenceFailures({ ctx, resource, stream: undefined, isSync: false, mayReport: false, writings: [writing] }, [
    writing,
  ])
  for (const failure of failures.values()) throw failure
}

async function removeRemote(remote: Remote, ctx: Ctx, id: string): Promise<Answer> {
  await ask(remote, ctx, 'remove', { id })
  announceWrite(ctx, remote.resource, id, 'removed')
  return { data: { ids: [id] }, message: `${remote.resource.label} deleted successfully` }
}

/** The service has committed already. Screens ask it again, and it shows each only what is theirs. */
function announceWrite(ctx: Ctx, resource: AnyResource, id: string, op: 'created' | 'updated' | 'removed'): void {
  announce({ company: ctx.company, afterCommit: (run) => void run(ctx) }, resource, [id], op, [])
}

const one = ({ resource }: Remote, record: WireRecord) => ({ data: { [resource.one]: record } })

const labelledOne = async (ctx: Ctx, { resource, source }: Remote, data: Record<string, unknown>): Promise<WireRecord> => {
  const found = row.safeParse(data[source.answers.one]).data ?? fail('GEO_UNAVAILABLE')
  const [record] = await labelled(ctx, resource, [recordOf(resource, found)])
  return record ?? fail('NOT_FOUND')
}

/** Of the service's row what the resource declares, under the names of our own records. */
function recordOf({ fields }: AnyResource, row: Record<string, unknown>): WireRecord {
  const { id, version } = row
  return {
    Id: String(id),
    ...(version === undefined ? {} : { version }),
    ...Object.fromEntries(Object.keys(fields).map((key) => [key, row[key] ?? null])),
  }
}

/** Beside each reference the title of what it names, as our own lists have it. */
async function labelled(ctx: Ctx, resource: AnyResource, records: WireRecord[]): Promise<WireRecord[]> {
  for (const [key, { kind, to }] of Object.entries(resource.fields)) {
    const target = kind === 'reference' && to !== undefined ? resourceNamed(to) : undefined
    if (!target || target.remote) continue
    const ids = [...new Set(records.flatMap((record) => (typeof record[key] === 'string' ? [record[key]] : [])))]
    const titles =
      ids.length === 0
        ? []
        : await ctx.sql.query<{ id: string; title: string }>(sql`
      select t."id", ${fieldSql(target, target.title)}::text as title from ${identifier(target.table)} t where t."companyId" = ${ctx.company.id}::uuid and t."id" = any(${ids}::uuid[])`)
    const byId = new Map(titles.map(({ id, title }) => [id, title]))
    for (const record of records) record[`${key}Label`] = byId.get(String(record[key])) ?? null
  }
  return records
}

/** The whole list as a statement that reports can write, whoever kept the rows. */
async function exportRemote(remote: Remote, ctx: Ctx, input: ListInput): Promise<Statement> {
  const rows: WireRecord[] = []
  for (let page = 1; ; page += 1) {
    const { rows: more, total } = await pageOf(remote, ctx, input, { page, size: largestPage })
    if (total > largestExport)
      fail('TOO_LARGE', {
        message: `A file may hold ${largestExport} ${inSentence(remote.resource.labelMany)} at most. Narrow the list first.`,
      })
    rows.push(...more)
    if (more.length < largestPage) break
  }
  return sql`select v.row::text as row from json_array_elements(${JSON.stringify(rows)}::json) with ordinality v(row, place) order by v.place`
}

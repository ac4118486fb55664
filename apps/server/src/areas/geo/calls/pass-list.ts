import { geoCalls, geoShapes, type GeoCallDefinition, type GeoCallName } from '@outpost/contract/geo/calls'
import { geoAnswers } from '@outpost/contract/geo/answers'
import { z } from 'zod'
import { may, route } from '../../../kernel/area.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { pass } from '../../../kernel/geo-client/pass.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Operation, Route } from '../../../kernel/types.ts'
import { askGeo } from './ask-geo.ts'
import { pageOf, paging, window } from './paging.ts'

interface ListTold {
  sort?: readonly [field: string, order: 'ASC' | 'DESC']
  /** Asked of the service whatever the caller asks. */
  fixed?: Readonly<Record<string, string>>
  /** Further names of the query that are handed on. */
  query?: readonly string[]
  /** Names of path parts that say nothing here, or what query name each becomes. */
  path?: Readonly<Record<string, string | null>>
  /** The call that reads the record that `path` names: of one that is out of sight there are no rows but NOT_FOUND. */
  owner?: GeoCallName
  /** Rows where the caller names no size. */
  size?: number
}

const counted = z.object({ meta: z.object({ total: z.number() }) })

/** A list of the geo service under an address of the specification, with that call's own sort and size. */
export function passList(client: GeoClient, name: GeoCallName, told: ListTold = {}): Operation<Record<string, unknown>> {
  const { sort, fixed = {}, query = [], path = {}, size, owner } = told
  const names = Object.keys(path)
  const input = z.strictObject({
    ...paging,
    ...window,
    ...Object.fromEntries(query.map((key) => [key, z.string().max(200).optional()])),
    ...Object.fromEntries(names.map((key) => [key, path[key] === null ? z.string().max(200) : idSchema])),
  })
  const { path: target } = geoCalls[name]
  return {
    kind: 'pass',
    input: input as unknown as z.ZodType<Record<string, unknown>>,
    answer: geoAnswers[name],
    isReadOnly: true,
    run: async (ctx, given) => {
      const { page, size: rows, sortField, sortOrder } = pageOf(input.parse(given), sort, size)
      const asked = {
        page: String(page),
        size: String(rows),
        sortField,
        sortOrder,
        search: given.search as string | undefined,
        ...Object.fromEntries(query.map((key) => [key, given[key] as string | undefined])),
        ...Object.fromEntries(names.flatMap((key) => (path[key] ? [[path[key], String(given[key])]] : []))),
        ...fixed,
      }
      const json = await client.call(ctx, { method: 'GET', segments: target.split('/').filter((part) => part !== ''), query: asked })
      const [id] = names.map((key) => String(given[key]))
      if (owner && id !== undefined && counted.parse(JSON.parse(json)).meta.total === 0)
        await askGeo(client, ctx, owner, { params: { id }, shape: z.looseObject({}) })
      return { json }
    },
  }
}

/** A call of the geo service under an address of the specification; its permission is the service's. */
export function passRoute(
  client: GeoClient,
  name: GeoCallName,
  { route: called, path, fixed }: { route: string; path: string; fixed?: Readonly<Record<string, string>> },
): Route {
  const call: GeoCallDefinition = geoCalls[name]
  const operation = pass(client, { ...call, ...(fixed ? { fixed } : {}), shapes: geoShapes, answer: geoAnswers[name] })
  return route(called, call.method, path, may(...call.anyOf), operation, { inPerson: call.inPerson === true })
}

export function listRoute(
  client: GeoClient,
  name: GeoCallName,
  { route: called, path, ...told }: { route: string; path: string } & Omit<ListTold, 'path'> & { parts?: ListTold['path'] },
): Route {
  const { parts, ...rest } = told
  const { anyOf }: GeoCallDefinition = geoCalls[name]
  return route(called, 'GET', path, may(...anyOf), passList(client, name, { ...rest, ...(parts ? { path: parts } : {}) }))
}

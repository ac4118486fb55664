import type { KeptKind } from '@outpost/contract/sync/kept-kinds'
import { ApiError } from '../data/api.ts'
import type { Row } from '../data/records.ts'
import { pageOf, type ListSight, type Sight } from './filter.ts'
import type { LocalEntity } from './local-shape.ts'
import { cached, putCached } from './store/views-cache.ts'

/** Rows of such a list that are kept; the specification's cap for the stores of vehicles. */
export const mostListed = 1_000

const placeOf = (type: string) => `rows:${type}`
/** Keeps the rows of a list, in place of those kept before: who may see them no longer has them no longer. */
export const keepRows = (type: string, rows: readonly Row[]): Promise<void> => putCached(placeOf(type), rows.slice(0, mostListed))
const keptRows = async (type: string): Promise<Row[]> => (await cached<Row[]>(placeOf(type))) ?? []

interface Means {
  kind: KeptKind
  sightOf: (view?: ListSight) => Sight
  needsConnection: () => ApiError
}

/** A kind of which the device keeps the newest list, to be read: nothing of it is changed here. */
export function makeListed({ kind, sightOf, needsConnection }: Means): LocalEntity {
  return {
    mayKeep: (what) => what === 'read',
    list: async (query, view) => {
      const { rows, ...meta } = pageOf(await keptRows(kind.type), query, sightOf(view))
      return { rows, meta, source: 'device' }
    },
    overlay: async (page) => page,
    get: async (id) => {
      const row = (await keptRows(kind.type)).find(({ Id }) => Id === id)
      if (!row) throw new ApiError(kind.errors.notFound)
      return row
    },
    pendingRecord: async () => null,
    hasPending: async () => false,
    save: async () => Promise.reject(needsConnection()),
    remove: async () => Promise.reject(needsConnection()),
    keepServerCopy: async () => undefined,
  }
}

import { pick } from 'es-toolkit/object/pick'
import type { KeptKind } from '@outpost/contract/sync/kept-kinds'
import { idsIn } from '@outpost/rules/sync/merge'
import type { Row } from '../data/records.ts'
import { cardOf, keptKind } from './kinds.ts'
import { keptOptions } from './options.ts'
import { shown } from './store/log.ts'
import type { OfflineStore } from './store/store.ts'

/** The values with each set of other records as rows that have a name, so that the screen shows it before the office has the record. */
export async function namedSets(kind: KeptKind, store: OfflineStore, values: Row, before?: Row): Promise<Row> {
  const named = kind.sets
    .filter((field) => Array.isArray(values[field]))
    .map(async (field) => {
      const known = rowsIn(before?.[field])
      const rows = idsIn(values[field]).map(async (id) => known.get(id) ?? (await cardFor(store, kind.links[field] ?? '', id)))
      return [field, await Promise.all(rows)] as const
    })
  return { ...values, ...Object.fromEntries(await Promise.all(named)) }
}

/**
 * The values of a new record with lines for those of a record they name: a sheet's members of its group. Of a record that this device does not
 * hold, the office's lines come with the next sync.
 */
export async function begunLines({ begins = {}, links }: KeptKind, store: OfflineStore, values: Row): Promise<Row> {
  const named = Object.entries(begins).filter(([key]) => rowsOf(values[key]).length === 0)
  const begun = named.map(async ([key, { field, lines, take, values: fresh }]) => {
    const entity = await store.find(links[field] ?? '', String(values[field]))
    const names = take.flatMap((one) => [one, `${one}Label`])
    const held = rowsOf(entity && shown(entity)?.[lines])
    return held.length === 0 ? [] : [[key, held.map((line) => ({ ...fresh, ...pick(line, names) }))] as const]
  })
  return { ...values, ...Object.fromEntries((await Promise.all(begun)).flat()) }
}

const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : [])

/** Ids of the records among the values that the office does not have yet: the change is sent after theirs. */
export async function unsentLinks({ links, sets }: KeptKind, store: OfflineStore, values: Row): Promise<string[]> {
  const named = Object.entries(links).flatMap(([field, type]) =>
    (sets.includes(field) ? idsIn(values[field]) : [values[field]]).map((id) => ({ type, id })),
  )
  return unsentOf(store, named)
}

/** Of these records the ids of those that the office does not have yet. */
export async function unsentOf(store: OfflineStore, named: readonly { type: string; id: unknown }[]): Promise<string[]> {
  const unsent = await Promise.all(
    named.map(async ({ type, id }) => {
      if (typeof id !== 'string' || id === '' || !keptKind(type)) return []
      const entity = await store.find(type, id)
      return entity && entity.server === null ? [id] : []
    }),
  )
  return [...new Set(unsent.flat())]
}

const rowsIn = (value: unknown): Map<string, Row> =>
  new Map(
    (Array.isArray(value) ? (value as unknown[]) : []).flatMap((one) =>
      typeof one === 'object' && one !== null && 'Id' in one ? [[String(one.Id), one as Row] as const] : [],
    ),
  )

/** A record of a kind kept here by what this device holds of it, any other one by the names kept for choosing. */
async function cardFor(store: OfflineStore, type: string, id: string): Promise<Row> {
  const kind = keptKind(type)
  const entity = kind && (await store.find(type, id))
  const row = entity && shown(entity)
  if (kind && row) return cardOf(kind, { ...row, Id: id })
  const label = (await keptOptions(type)).find(({ value }) => value === id)?.label
  return { Id: id, ...(label ? { label } : {}) }
}

import { errorTable } from '@outpost/contract/errors'
import type { ListQuery } from '@outpost/contract/envelope'
import type { KeptKind } from '@outpost/contract/sync/kept-kinds'
import { isIdentifier, isNoIdentifier } from '@outpost/rules/validation'
import { ApiError } from '../data/api.ts'
import type { KeptLater, SaveRequest } from '../data/saving.ts'
import { rowStateKey, type RecordsPage, type Row } from '../data/records.ts'
import { weekStart } from '../session/formats.ts'
import { getSession } from '../session/store.ts'
import { currentOffline, type Offline } from './current.ts'
import { matches, pageOf, type ListSight, type Sight } from './filter.ts'
import { keptKind, missingFields, newRecord, uniqueValues, unkept, withJoined, type KindAdditions } from './kinds.ts'
import { makeListed } from './listed.ts'
import type { LocalEntity } from './local-shape.ts'
import { begunLines, namedSets, unsentLinks, unsentOf } from './links.ts'
import { shown } from './store/log.ts'
import type { Entity } from './store/shapes.ts'
import type { OfflineStore } from './store/store.ts'

/** The kind on this device; null when it is not kept here or the store is not open. */
export function localEntity(type: string): LocalEntity | null {
  const kind = keptKind(type)
  const offline = currentOffline()
  if (!kind || !offline) return null
  if (kind.isListed) return makeListed({ kind, sightOf: (view) => sightOf(kind, view), needsConnection: () => needsConnection(kind) })
  return makeLocal(kind, offline)
}

const needsConnection = (kind: KeptKind) =>
  new ApiError({ status: 0, code: 'NETWORK', message: `${kind.label}: this change needs a connection.` })

/** A row of the screen: values the server would derive are worked out, and its state towards the server is named. */
function makeToRow(kind: KeptKind, additions: KindAdditions = {}): (entity: Entity) => Row | null {
  const show = additions[kind.type]?.show
  return (entity) => {
    const row = shown(entity)
    if (!row || entity.state === 'clean') return row
    const joined = withJoined(kind, { ...row, ...shownCalls(kind, row) })
    return { ...(show ? show(joined) : joined), [rowStateKey]: entity.state }
  }
}

/** What unsent calls say that the record will be. */
const shownCalls = ({ calls }: KeptKind, row: Row): Row =>
  Object.assign({}, ...calls.map((field) => (row[field] as { shows?: Row } | undefined)?.shows)) as Row

function makeLocal(kind: KeptKind, offline: Offline): LocalEntity {
  const { store, loop } = offline
  const toRow = makeToRow(kind, offline.additions)
  const rowOf = (entity: Entity | undefined) => (entity ? toRow(entity) : null)
  return {
    mayKeep: (what) => what === 'read' || !kind.isReadOnly,
    list: async (query, view) => {
      const rows = (await store.all(kind.type)).map(rowOf).filter((row) => row !== null)
      const { rows: shownRows, ...meta } = pageOf(rows, query, sightOf(kind, view))
      return { rows: shownRows, meta, source: 'device' }
    },
    overlay: async (page, query, view) => overlay(toRow, await store.unsettled(kind.type), { page, query, sight: sightOf(kind, view) }),
    get: async (id) => {
      const row = rowOf(await store.find(kind.type, id))
      if (!row) throw new ApiError(kind.errors.notFound)
      return row
    },
    pendingRecord: async (id) => {
      const entity = await store.find(kind.type, id)
      return entity && entity.state !== 'clean' ? rowOf(entity) : null
    },
    hasPending: async (id) => ((await store.find(kind.type, id))?.state ?? 'clean') !== 'clean',
    save: async (request) => {
      if (kind.isReadOnly && !request.later) throw needsConnection(kind)
      const record = await saveHere(kind, offline, request)
      void loop.trigger('write')
      return {
        queued: true,
        record: withJoined(kind, record),
        message: `${kind.label} saved on this device. It is sent when there is a connection.`,
      }
    },
    remove: async (id) => {
      if (kind.isReadOnly) throw needsConnection(kind)
      if ((await store.find(kind.type, id))?.state === 'attention') return giveUp(store, kind.type, id)
      await store.append({ type: kind.type, id, kind: 'remove' })
      void loop.trigger('write')
    },
    keepServerCopy: async (record) => {
      if (record.Id) await store.keepServerCopy(kind.type, { ...record, Id: record.Id })
    },
  }
}

async function saveHere(kind: KeptKind, offline: Offline, { later, also = [], ...request }: SaveRequest): Promise<Row> {
  if (later) return saveCall(kind, offline, request, later)
  let record = request.id || request.base ? await saveEdit(kind, offline, request) : await saveNew(kind, offline, request)
  const id = request.id ?? String(record.Id ?? request.base?.Id)
  for (const call of also) record = await saveCall(kind, offline, { ...request, id }, call)
  return record
}

/** What the list says of itself, with the company's clock and the tenants in reach as the layout knows them. */
function sightOf({ search, title, dates }: KeptKind, view: ListSight = {}): Sight {
  const { layout } = getSession()
  return {
    ...view,
    search: [...search, title],
    dates,
    now: Date.now(),
    timeZone: layout?.company.timeZone,
    weekStart: weekStart(),
    reach: layout?.reach,
  }
}

function overlay(
  toRow: (entity: Entity) => Row | null,
  unsettled: readonly Entity[],
  { page, query, sight }: { page: RecordsPage; query: ListQuery; sight: Sight },
): RecordsPage {
  if (unsettled.length === 0) return page
  const byId = new Map(unsettled.map((entity) => [entity.id, entity]))
  const rows = page.rows.flatMap((row) => {
    const entity = byId.get(String(row.Id))
    const mine = entity && toRow(entity)
    return entity ? (mine ? [{ ...row, ...mine }] : []) : [row]
  })
  const known = new Set(page.rows.map((row) => String(row.Id)))
  const fresh = unsettled
    .filter((entity) => entity.server === null && !known.has(entity.id))
    .map(toRow)
    .filter((row) => row !== null && matches(row, query, sight)) as Row[]
  const isFirst = page.meta.page === 1
  return { ...page, rows: isFirst ? [...fresh, ...rows] : rows, meta: { ...page.meta, total: page.meta.total + fresh.length } }
}

function assertKeepable(kind: KeptKind, values: Row, before?: Row): void {
  const fields = [...missingFields(kind, values), ...unkept(kind, values, before)]
  if (fields.length > 0) throw new ApiError({ ...errorTable.INVALID, code: 'INVALID', fields })
}

/** The duplicate rule against what this device holds, in any case of letters. */
async function refuseDuplicate(kind: KeptKind, { store }: Offline, { id, values }: { id: string; values: Row }): Promise<void> {
  const words = await uniqueValues(kind, values, { isLocal: true, country: store.owner.country() })
  const same = (await store.findSame(kind.type, words)).find((entity) => entity.id !== id && shown(entity) !== null)
  if (same && kind.errors.same) throw new ApiError({ ...kind.errors.same, details: { existingId: same.id, id: same.id } })
}

async function saveNew(kind: KeptKind, offline: Offline, { values, files }: SaveRequest): Promise<Row> {
  assertKeepable(kind, { ...Object.fromEntries(kind.required.map((field) => [field, null])), ...values })
  const given = String(values.Id ?? '')
  const id = isIdentifier(given) && !isNoIdentifier(given) ? given.toLowerCase() : crypto.randomUUID()
  await refuseDuplicate(kind, offline, { id, values })
  const { layout } = getSession()
  const record = newRecord(kind, await namedSets(kind, offline.store, await begunLines(kind, offline.store, values)), {
    id: offline.store.owner.userId,
    name: [layout?.user.firstName, layout?.user.lastName].filter(Boolean).join(' '),
    place: layout?.place,
  })
  const deps = await unsentLinks(kind, offline.store, record)
  await offline.store.append({ type: kind.type, id, kind: 'create', values: record, deps, files })
  return { ...record, Id: id }
}

async function saveEdit(kind: KeptKind, offline: Offline, request: SaveRequest): Promise<Row> {
  const { store } = offline
  const id = request.id ?? String(request.base?.Id)
  const held = await store.find(kind.type, id)
  assertKeepable(kind, request.values, (held && shown(held)) ?? request.base)
  if (!held && request.base) await store.keepServerCopy(kind.type, { ...request.base, Id: id })
  const before = (held && shown(held)) ?? request.base
  if (!before) throw new ApiError(kind.errors.notFound)
  const values = await namedSets(kind, store, request.values, before)
  await refuseDuplicate(kind, offline, { id, values: { ...before, ...values } })
  if (held?.state === 'attention') return retryRefused(offline, { ...request, id, type: kind.type, values: { ...before, ...values } })
  const deps = await unsentLinks(kind, store, values)
  return (await store.append({ type: kind.type, id, kind: 'update', values, deps, files: request.files })) ?? before
}

/** Keeps a call on a record, in place of values. */
async function saveCall(
  kind: KeptKind,
  { store }: Offline,
  { id: given, base }: Pick<SaveRequest, 'id' | 'base'>,
  { field, value, names = [] }: KeptLater,
): Promise<Row> {
  const id = given ?? String(base?.Id)
  const held = await store.find(kind.type, id)
  if (!held && base) await store.keepServerCopy(kind.type, { ...base, Id: id })
  const before = (held && shown(held)) ?? base
  if (!before) throw new ApiError(kind.errors.notFound)
  const deps = await unsentOf(store, names)
  const record = (await store.append({ type: kind.type, id, kind: 'update', values: { [field]: value }, deps })) ?? before
  return { ...record, ...value.shows }
}

/** Removing a refused new record gives up what was refused. */
async function giveUp(store: OfflineStore, type: string, id: string): Promise<void> {
  for (const refused of await store.attention.list()) {
    if (refused.entityType === type && refused.entityId === id) await store.attention.discard(refused.changeId)
  }
}

interface Retried extends Pick<SaveRequest, 'files'> {
  id: string
  type: string
  values: Row
}

/** Editing a refused new record is how it is sent again. */
async function retryRefused({ store }: Offline, { id, type, values, files }: Retried): Promise<Row> {
  const refused = (await store.attention.list()).find((one) => one.entityType === type && one.entityId === id)
  if (!refused) return (await store.append({ type, id, kind: 'update', values, files })) ?? values
  return { ...values, Id: await store.attention.retry(refused.changeId, values, files) }
}

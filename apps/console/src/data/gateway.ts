import type { ListQuery } from '@outpost/contract/envelope'
import type { CallView } from '@outpost/contract/views'
import { api, ApiError, isNetworkError, notKept } from './api.ts'
import { isOnline } from './connection.ts'
import { fillPath, type Values } from './paths.ts'
import { refreshRecords } from './refresh.ts'
import type { RecordsPage, Row } from './records.ts'
import { localEntity } from '../offline/local-entity.ts'
import type { LocalEntity } from '../offline/local-shape.ts'
import type { Saved, SaveRequest } from './saving.ts'
import type { ListSight } from '../offline/filter.ts'
import { withLineIds } from '../offline/kinds.ts'

export interface ListRequest {
  source: CallView
  resource: string
  many: string
  query: ListQuery
  params?: Values
  signal?: AbortSignal
  /** What the device must know of the list to answer as the server does: its periods and kinds of fields. */
  view?: ListSight
}
export interface GetRequest {
  load: CallView
  one: string
  id: string
  entityType?: string
  params?: Values
  signal?: AbortSignal
}
export interface RemoveRequest {
  call: CallView
  entityType: string
  resource?: string
  ids: string[]
  body?: Values
  params?: Values
}

/** A save that the server has not answered by then is kept on this device; a list is shown from it. Milliseconds. */
const patience = { save: 3_000, read: 10_000 } as const

/** The local entity when the store holds its kind, is open and the way to the server is closed (or just failed). */
function localWhen(isNeeded: boolean, entityType: string | undefined): LocalEntity | null {
  return isNeeded && entityType ? localEntity(entityType) : null
}

interface Ways<Result> {
  what: keyof typeof patience
  entityType: string | undefined
  /** Asks the server; waits as long as `options` say, or as long as calls do. */
  online: (timeoutMs: number | undefined) => Promise<Result>
  local: (entity: LocalEntity) => Promise<Result>
}

/**
 * Tries the server; when it gives no verdict (in time) and the kind is kept on the device, the device answers. A save that
 * arrived all the same is no second one: new records bear the same Id, and edits the version that they were made on.
 */
async function onlineOrLocal<Result>({ what, entityType, online, local }: Ways<Result>): Promise<Result> {
  const atOnce = localWhen(!isOnline(), entityType)
  if (atOnce) return local(atOnce)
  try {
    return await online(localWhen(true, entityType)?.mayKeep(what) ? patience[what] : undefined)
  } catch (error) {
    if (!isNetworkError(error)) throw error
    const entity = localWhen(true, entityType)
    if (!entity) throw what === 'save' && entityType ? notKept(error) : error
    return local(entity)
  }
}

/** Rows of a list: the server's with this device's unsent changes laid over them, or the device's own. */
export function listRecords(request: ListRequest): Promise<RecordsPage> {
  const { source, resource, many, query, params = {}, signal, view } = request
  return onlineOrLocal<RecordsPage>({
    what: 'read',
    entityType: resource,
    local: (entity) => entity.list(query, view),
    online: async (timeoutMs) => {
      const answer = await api.call<Record<string, unknown>>(source.method, fillPath(source.path, params), {
        query: { ...query },
        signal,
        timeoutMs,
      })
      const rows = (answer.data[many] ?? []) as Row[]
      const meta = answer.meta ?? { page: query.page ?? 1, size: rows.length, total: rows.length }
      const page: RecordsPage = { rows, meta, source: 'server' }
      return (await localEntity(resource)?.overlay(page, query, view)) ?? page
    },
  })
}

/** One record; throws ApiError NOT_FOUND when neither side has it. */
export function getRecord({ load, one, id, entityType, params = {}, signal }: GetRequest): Promise<Row> {
  return onlineOrLocal<Row>({
    what: 'read',
    entityType,
    local: (entity) => entity.get(id),
    online: async (timeoutMs) => {
      const local = entityType ? localEntity(entityType) : null
      const mine = await local?.pendingRecord(id)
      if (mine) return mine
      const answer = await api.call<Record<string, unknown>>(load.method, fillPath(load.path, { ...params, id }), { signal, timeoutMs })
      const record = answer.data[one]
      if (!record) throw new ApiError({ status: 404, code: 'NOT_FOUND', message: 'Not found.' })
      return record as Row
    },
  })
}

async function saveOnline(request: SaveRequest, timeoutMs: number | undefined): Promise<Saved> {
  const { call, values, body, base, id, params = {}, one, entityType } = request
  const version = base?.version === undefined ? {} : { version: base.version }
  const answer = await api.call<Record<string, unknown>>(call.method, fillPath(call.path, { ...params, id }), {
    body: body ?? { ...values, ...version },
    timeoutMs,
  })
  const record = (one ? answer.data[one] : undefined) as Row | undefined
  if (record && entityType) await localEntity(entityType)?.keepServerCopy(record)
  return { queued: false, record: record ?? { ...base, ...values }, message: answer.message }
}

/**
 * Saves a record: through the API when the server is there, else into the device's change log.
 * A record that still has unsent changes is always saved into the log, so that its changes arrive in their order; one with files
 * too, so that neither comes without the other.
 * Throws ApiError as the server would (also for the local duplicate rule).
 */
export async function save(given: SaveRequest): Promise<Saved> {
  const request = withClientIds(given)
  const { entityType, id } = request
  const entity = entityType ? localEntity(entityType) : null
  const hasPending = entity && id ? await entity.hasPending(id) : false
  const saved =
    entity && (hasPending || request.files?.length)
      ? await entity.save(request)
      : await onlineOrLocal<Saved>({
          what: 'save',
          entityType,
          online: (timeoutMs) => saveOnline(request, timeoutMs),
          local: (local) => local.save(request),
        })
  const resource = request.resource ?? entityType
  if (resource) await refreshRecords(resource)
  return saved
}

/** True while this device holds changes of the record that were not sent. */
export const isUnsent = async (entityType: string, id: string): Promise<boolean> => (await localEntity(entityType)?.hasPending(id)) ?? false

/** A new offline-capable record gets its Id here, and new lines theirs, so that a lost answer and the retry from the log mean the same. */
function withClientIds(request: SaveRequest): SaveRequest {
  if (!request.entityType) return request
  const values = withLineIds(request.entityType, request.values)
  if (request.id || request.base) return { ...request, values }
  return { ...request, values: { ...values, Id: values.Id ?? crypto.randomUUID() } }
}

/** Removes records of an offline-capable kind, on the server or as logged changes. */
export async function remove(request: RemoveRequest): Promise<{ queued: boolean }> {
  const { call, entityType, ids, body, params = {} } = request
  const online = async (timeoutMs: number | undefined) => {
    await api.call(call.method, fillPath(call.path, { ...params, id: ids[0] }), { body: body ?? { ids }, timeoutMs })
    return { queued: false }
  }
  const local = async (entity: LocalEntity) => {
    for (const id of ids) await entity.remove(id)
    return { queued: true }
  }
  const result = await onlineOrLocal({ what: 'save', entityType, online, local })
  await refreshRecords(request.resource ?? entityType)
  return result
}

import type { Verdict } from '@outpost/contract/assigning'
import type { ActionView, CallView } from '@outpost/contract/views'
import { api, ApiError } from '../../data/api.ts'
import type { Query } from '../../data/api.ts'
import { remove } from '../../data/gateway.ts'
import { fillPath } from '../../data/paths.ts'
import { t } from '../../session/labels.ts'
import type { Row } from '../../data/records.ts'
import type { BulkFailure } from '../kinds/list/bulk/bulk.ts'

/** Who an action is for: rows of one resource, the key of their id, and the screen's own parameters. */
export interface ActionTarget {
  resource: string
  idKey: string
  titleKey: string
  params: Record<string, string>
}
export interface ActionCall {
  action: ActionView
  ids: string[]
  row?: Row
  values?: Record<string, unknown>
  target: ActionTarget
}

/** Body of an action's call: constants, what the form asked, and the id or ids where the action wants them. */
export function actionBody({
  action,
  ids,
  row,
  values = {},
}: Pick<ActionCall, 'action' | 'ids' | 'row' | 'values'>): Record<string, unknown> {
  const id = action.idField && ids.length > 0 ? { [action.idField]: action.many ? ids : ids[0] } : {}
  const version = action.isVersioned && row?.version !== undefined ? { version: Number(row.version) } : {}
  return { ...action.fixed, ...values, ...id, ...version }
}

export const rowId = (row: Row, idKey: string): string => String(row[idKey] ?? row.Id ?? '')

/** What a call said: `data` is the answer's, where the server was asked at once. */
interface CallResult {
  message?: string
  isQueued: boolean
  data?: Record<string, unknown>
  refused?: BulkFailure[]
}

/** Makes the call of an action for one row, or for many when it takes many; gives the server's message, and whom it refused where it says that of each. */
export async function callAction(request: ActionCall): Promise<CallResult> {
  const { action, ids, target } = request
  const called = action.call
  if (!called) throw new Error(`${action.key} opens a screen and makes no call`)
  const values = { ...target.params, ...request.row, ...(ids[0] ? { id: ids[0] } : {}) }
  const body = actionBody(request)
  if (action.download) {
    await api.download(fillPath(called.path, values), called.method === 'GET' ? undefined : body)
    return { isQueued: false }
  }
  if (waitsForNetwork(action)) {
    const { queued } = await remove({ call: called, entityType: target.resource, ids, body, params: values })
    return { isQueued: queued }
  }
  const answer = await api.call(called.method, fillPath(called.path, values), called.method === 'GET' ? { query: body as Query } : { body })
  return { message: answer.message, isQueued: false, data: answer.data, ...(action.many ? { refused: refusedOf(answer.data) } : {}) }
}

/** The rows that a call with a verdict on each refused. */
function refusedOf(data: Record<string, unknown>): BulkFailure[] {
  const results = Array.isArray(data.results) ? (data.results as Verdict[]) : []
  return results.flatMap(({ Id, isDone, message = '' }) => (isDone ? [] : [{ id: Id, message }]))
}

/** True when the action may be done without a network, for one record or many: removals wait on the device, anything else is the server's to answer. */
export const waitsForNetwork = ({ offline, call }: ActionView): boolean => offline === true && call !== undefined && isRemoval(call)

const isRemoval = ({ method, path }: CallView) => method === 'DELETE' || /\/(delete|remove)$/.test(path)

/** Takes an action back; the call gets the same ids in the same shape. */
export async function undoAction(undo: CallView, request: ActionCall): Promise<void> {
  const { ids, target, row } = request
  const values = { ...target.params, ...row, ...(ids[0] ? { id: ids[0] } : {}) }
  await api.call(undo.method, fillPath(undo.path, values), { body: actionBody({ ...request, values: {} }) })
}

/** Why a call failed, and whether going on makes sense. */
export function explainFailure(error: unknown): { message: string; requestId?: string; isFatal: boolean } {
  if (!(error instanceof ApiError)) return { message: error instanceof Error ? t(error.message) : String(error), isFatal: true }
  const isFatal =
    error.status === 0 ||
    error.status === 401 ||
    (error.status === 403 && error.code === 'FORBIDDEN') ||
    error.status === 429 ||
    error.status >= 500
  return { message: error.fields?.map((field) => t(field.message)).join('; ') || t(error.message), requestId: error.requestId, isFatal }
}

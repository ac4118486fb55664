import { holds } from '@outpost/contract/fields'
import type { ActionView, MovesView } from '@outpost/contract/views'
import { api } from '../../data/api.ts'
import { isUnsent, save } from '../../data/gateway.ts'
import type { KeptLater, SaveRequest } from '../../data/saving.ts'
import { fillPath } from '../../data/paths.ts'
import { refreshRecords } from '../../data/refresh.ts'
import type { Row } from '../../data/records.ts'
import { rowId } from './call.ts'
import type { ActionTarget } from './call.ts'

export interface Move {
  view: Pick<ActionTarget, 'resource' | 'idKey' | 'titleKey'>
  moves: MovesView
  key: string
  row: Row
  to: string
  /** What was asked for before it. */
  form: Record<string, unknown>
  params: Record<string, string>
}

/** Moves a record to another value, on this device where there is no network; gives the way back. Throws what the server refuses. */
export async function makeMove(move: Move): Promise<{ isQueued: boolean; undo?: () => Promise<void> }> {
  const { moves, row, key, view } = move
  const { queued } = await save(requestOf(move))
  const id = rowId(row, view.idKey)
  const undo = async () => {
    // What has not left the device is taken out of its log; what has is the server's to take back.
    if (queued && moves.offline && (await isUnsent(moves.offline, id)))
      await save(requestOf({ ...move, row: { ...row, ...valuesOf(move) }, to: String(row[key]), form: formerForm(move) }))
    else if (moves.undo) {
      await api.call(moves.undo.method, fillPath(moves.undo.path, { ...move.params, id }), { body: {} })
      await refreshRecords(view.resource)
    }
  }
  return { isQueued: queued, ...(moves.undo ? { undo } : {}) }
}

function requestOf(move: Move): SaveRequest {
  const { view, moves, key, row, to, form, params } = move
  return {
    call: moves.call,
    entityType: moves.offline,
    resource: view.resource,
    one: moves.one,
    body: { [key]: to, ...form },
    values: valuesOf(move),
    base: row,
    id: rowId(row, view.idKey),
    params,
    ...(moves.later ? { later: { field: moves.later.field, value: keptMove(move, moves.later) } } : {}),
  }
}

/** A move as a device keeps it, as a call of its own: the call's input, and what the record will be. */
function keptMove(move: Move, { states }: NonNullable<MovesView['later']>): KeptLater['value'] {
  const { key, to, form } = move
  const name = states[to]?.name ?? to
  return {
    [key]: to,
    ...form,
    shows: { ...valuesOf(move), [`${key}Label`]: name },
    words: [name, ...Object.values(form).filter((said) => typeof said === 'string' && said !== '')].join(', '),
  }
}

/** The record's own fields as the move leaves them: what was not asked for is empty. */
const valuesOf = ({ moves, key, to, form }: Pick<Move, 'moves' | 'key' | 'to' | 'form'>): Row => ({
  [key]: to,
  ...Object.fromEntries(Object.entries(moves.kept).map(([asked, field]) => [field, form[asked] ?? null])),
})

const formerForm = ({ moves, row }: Move) =>
  Object.fromEntries(Object.entries(moves.kept).map(([asked, field]) => [asked, row[field] ?? null]))

/** What may follow the row's own value now. A record that the server has not seen yet begins where all begin, whatever the device says. */
export function followers({ offline, next, conditions }: MovesView, row: Row, key: string): string[] {
  if (offline !== undefined && row.version === undefined) return []
  return (next[String(row[key] ?? '')] ?? []).filter((value) => {
    const condition = conditions[value]
    return !condition || holds(condition, row)
  })
}

/** The action with the row's own choices in its form. */
export function movable(action: ActionView, row: Row): ActionView {
  const { moves, form } = action
  if (!moves || !form) return action
  const to = followers(moves, row, moves.key)
  return {
    ...action,
    form: form.map((field) =>
      field.key === moves.key ? { ...field, options: field.options?.filter(({ value }) => to.includes(value)) } : field,
    ),
  }
}

/** Makes the move that an action asked for in its form. */
export function moveBy(
  moves: NonNullable<ActionView['moves']>,
  { row, values: { [moves.key]: to, ...form }, target }: { row: Row; values: Row; target: ActionTarget },
): ReturnType<typeof makeMove> {
  return makeMove({ view: target, moves, key: moves.key, row, to: String(to), form, params: target.params })
}

import { useCallback, useState } from 'react'
import type { FieldView } from '@outpost/contract/fields'
import type { ListView } from '@outpost/contract/views'
import { ApiError } from '../../../../data/api.ts'
import { save } from '../../../../data/gateway.ts'
import type { Row } from '../../../../data/records.ts'
import { toast } from '../../../../feedback/toast.ts'
import { t } from '../../../../session/labels.ts'
import { rowId } from '../../../actions/call.ts'
import type { Move } from '../../../actions/moving.ts'
import { conflictsOf, currentOf } from '../../form/conflict.ts'
import type { Conflict } from '../../form/ConflictDialog.tsx'
import { sentence } from '../../form/useFieldForm.ts'
import { changedValues } from '../../form/values.ts'
import type { RecordValues } from '../../form/values.ts'
import { editableField, entryOf, movesOf } from './inline.ts'
import type { CellPlace } from './inline.ts'
import { useMoving } from '../useMoving.tsx'

/** The cell whose input is open; after a refusal with what was entered and why it did not do. */
export interface OpenCell extends CellPlace {
  value?: unknown
  error?: string
}
/** Somebody else changed the record meanwhile. */
export interface InlineConflict {
  place: CellPlace
  field: FieldView
  theirs: Row
  mine: RecordValues
  conflicts: Conflict[]
}

interface InlineInput {
  view: ListView
  params: Record<string, string>
  rowOf: (id: string) => Row | undefined
}

/**
 * Editing in the cells of a list: what is entered shows at once (`shown` lays it over a row), goes the way of the
 * form, and comes back into its cell with the reason when it is refused.
 */
export function useInlineEdit({ view, params, rowOf }: InlineInput) {
  const [cell, setCell] = useState<OpenCell>()
  const refuse = (field: FieldView, place: CellPlace, value: unknown, error: unknown) => {
    const reason = reasonOf(field, error)
    // Who is in another cell by now is not torn out of it.
    setCell((now) => {
      if (now === undefined) return { ...place, value, error: reason }
      toast.danger({ title: `${t(field.label)}: ${t('not saved')}`, body: reason })
      return now
    })
  }
  const { send, lay, waiting, ...conflict } = useSending({ view, params, refuse })
  const moving = useMoving({
    lay,
    refuse: (field, move, error) => refuse(field, { id: rowId(move.row, view.idKey), key: move.key }, move.to, error),
  })
  /** Takes what was entered; true when the cell may close. */
  const enter = (place: CellPlace, value: unknown): boolean => {
    const [row, moves] = [rowOf(place.id), movesOf(view, place.key)]
    const field = row && editableField(view, place.key, row)
    if (!field || !row) return true
    if (moves) {
      const move: Move = { view, moves, key: place.key, row, to: String(value), form: {}, params }
      if (String(row[place.key]) !== move.to) moving.start(field, move)
      return true
    }
    const { wrong, values } = entryOf(field, row, value)
    if (wrong !== undefined) {
      setCell({ ...place, value, error: sentence(t(field.label), wrong) })
      return false
    }
    if (Object.keys(values).length > 0) void send(field, place, values, row)
    return true
  }
  const shown = useCallback(
    (row: Row): Row => {
      const over = waiting.get(rowId(row, view.idKey))
      return over ? { ...row, ...over, ...withoutLabels(over) } : row
    },
    [waiting, view.idKey],
  )
  return { cell, open: setCell, enter, shown, isWaiting: (id: string) => waiting.has(id), dialog: moving.dialog, ...conflict }
}

type Refuse = (field: FieldView, place: CellPlace, value: unknown, error: unknown) => void

/** What is on its way, and the question when it met another's change. */
function useSending({ view, params, refuse }: Pick<InlineInput, 'view' | 'params'> & { refuse: Refuse }) {
  const [waiting, setWaiting] = useState<ReadonlyMap<string, RecordValues>>(new Map())
  const [conflict, setConflict] = useState<InlineConflict>()
  const lay = (id: string, values: RecordValues | undefined) => setWaiting((before) => laidOver(before, id, values))
  const send = async (field: FieldView, place: CellPlace, values: RecordValues, base: Row): Promise<void> => {
    const { inline } = view
    if (!inline) return
    lay(place.id, values)
    try {
      await save({
        call: inline.submit,
        entityType: inline.offline,
        resource: view.resource,
        one: inline.one,
        values,
        base,
        id: place.id,
        params,
      })
    } catch (error) {
      const theirs = currentOf(error)
      if (theirs) setConflict({ place, field, theirs, mine: values, conflicts: conflictsOf([field], values, base, theirs) })
      else refuse(field, place, values[field.key], error)
    } finally {
      lay(place.id, undefined)
    }
  }
  const resolve = (chosen: RecordValues) => {
    if (!conflict) return
    const { field, place, mine, theirs } = conflict
    setConflict(undefined)
    const values = changedValues([field], { ...mine, ...chosen }, theirs)
    if (Object.keys(values).length > 0) void send(field, place, values, theirs)
  }
  return { send, lay, waiting, conflict, resolve, dismiss: () => setConflict(undefined) }
}
function laidOver(before: ReadonlyMap<string, RecordValues>, id: string, values: RecordValues | undefined): Map<string, RecordValues> {
  const next = new Map(before)
  if (values) next.set(id, { ...next.get(id), ...values })
  else next.delete(id)
  return next
}

/** The label beside a reference is that of the former value. */
const withoutLabels = (values: RecordValues): RecordValues =>
  Object.fromEntries(Object.keys(values).map((key) => [`${key}Label`, undefined]))

function reasonOf(field: FieldView, error: unknown): string {
  const own = error instanceof ApiError ? error.fields?.find((one) => one.field === field.key) : undefined
  if (own) return sentence(t(field.label), own.message)
  return error instanceof Error ? t(error.message) : t('It could not be saved.')
}

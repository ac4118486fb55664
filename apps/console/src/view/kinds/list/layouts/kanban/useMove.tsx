import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { KanbanLayout } from '@outpost/contract/views'
import { api, ApiError } from '../../../../../data/api.ts'
import { fillPath } from '../../../../../data/paths.ts'
import { queryClient } from '../../../../../data/query-client.ts'
import { refreshedOnce } from '../../../../../data/refresh.ts'
import type { Row } from '../../../../../data/records.ts'
import { toast } from '../../../../../feedback/toast.ts'
import { t } from '../../../../../session/labels.ts'
import { explainFailure, rowId } from '../../../../actions/call.ts'
import { movesOf } from '../../table/inline.ts'
import { titleOf } from '../../table/table-columns.tsx'
import { columnKey, without, withOnTop } from './board-cache.ts'
import type { ColumnPages } from './board-cache.ts'
import type { BoardQuery } from './useBoardColumn.ts'

const ActionDialog = lazy(async () => ({ default: (await import('../../../../actions/ActionDialog.tsx')).ActionDialog }))

/** A move the server refused, and where the card may go instead. */
export interface Refusal {
  row: Row
  message: string
  allowed: string[]
}
type Column = KanbanLayout['columns'][number]
interface Moving {
  row: Row
  to: Column
}

/**
 * Moves cards: at once on the screen, then at the server, and back when it refuses (then `refusal` says why and what is
 * allowed). Where the column wants an answer first, `dialog` asks.
 */
export function useMove(board: BoardQuery): {
  move: (row: Row, to: string) => void
  dialog: ReactNode
  refusal: Refusal | undefined
  forgive: () => void
} {
  const { view, layout } = board
  const [asked, setAsked] = useState<Moving>()
  const [refusal, setRefusal] = useState<Refusal>()
  const { perform, refuse } = useMemo(() => moverOf(board, setRefusal), [board])
  const move = useCallback(
    (row: Row, value: string) => {
      const to = layout.columns.find((column) => column.value === value)
      if (!to || to.locked || value === String(row[layout.field])) return
      if (layout.moveForms?.[value]) setAsked({ row, to })
      else perform({ row, to }).catch((error: unknown) => refuse(row, error))
    },
    [layout, perform, refuse],
  )
  const dialog =
    asked && layout.move ? (
      <Suspense fallback={null}>
        <ActionDialog
          action={{
            key: 'move',
            label: `${t('Move to')} ${t(asked.to.label)}`,
            scope: 'row',
            call: layout.move,
            form: layout.moveForms?.[asked.to.value] ?? [],
          }}
          subject={titleOf(view, asked.row)}
          run={(values) => perform(asked, values)}
          onClose={() => setAsked(undefined)}
        />
      </Suspense>
    ) : null
  return { move, dialog, refusal, forgive: () => setRefusal(undefined) }
}

/** How cards of one board are moved: `perform` shows the move, sends it and offers to undo it; `refuse` reports why it was refused. */
function moverOf(board: BoardQuery, setRefusal: (refusal: Refusal | undefined) => void) {
  const { view, layout, params } = board
  const from = (row: Row) => String(row[layout.field])
  const takingBack = movesOf(view, layout.field)?.undo
  const send = async ({ row, to }: Moving, values: Record<string, unknown>, call = layout.move) => {
    if (!call) return
    const restore = await showMoved(board, row, from(row), to.value)
    try {
      const id = rowId(row, view.idKey)
      const body =
        call === layout.move
          ? { [layout.moveField ?? layout.field]: to.value, ...values, ...(layout.idField ? { [layout.idField]: id } : {}) }
          : {}
      const sent = api.call(call.method, fillPath(call.path, { ...params, ...row, id }), { body })
      // An answer from before the move would put the card back for a moment, so nothing is asked meanwhile.
      refreshedOnce(view.resource, () => sent).catch(() => undefined)
      await sent
    } catch (error) {
      restore()
      throw error
    }
  }
  const refuse = (row: Row, error: unknown) => {
    const { message } = explainFailure(error)
    setRefusal({ row, message, allowed: allowedOf(error) })
    toast.danger({ title: `${titleOf(view, row)}: ${t('not moved')}`, body: message })
  }
  const perform = async (moving: Moving, values: Record<string, unknown> = {}) => {
    setRefusal(undefined)
    await send(moving, values)
    const { row, to } = moving
    const back = layout.columns.find((column) => column.value === from(row))
    const moved = { ...row, [layout.field]: to.value }
    const undo = () => {
      if (back)
        send({ row: moved, to: back }, {}, takingBack).then(
          () => toast.info({ title: t('Undone') }),
          (error: unknown) => refuse(moved, error),
        )
    }
    toast.success({
      title: `${titleOf(view, row)}: ${t(to.label)}`,
      ...(back && !back.locked ? { action: { label: t('Undo'), run: undo } } : {}),
    })
  }
  return { perform, refuse }
}

/** Values that the server says the card may take. */
function allowedOf(error: unknown): string[] {
  const allowed = error instanceof ApiError ? error.details?.allowed : undefined
  return Array.isArray(allowed) ? allowed.map(String) : []
}

/** Lays the move over what is on the screen; gives the way back. */
async function showMoved({ view, layout, query }: BoardQuery, row: Row, from: string, to: string): Promise<() => void> {
  const [source, target] = [columnKey(view, layout, query, from), columnKey(view, layout, query, to)]
  await Promise.all([source, target].map((queryKey) => queryClient.cancelQueries({ queryKey })))
  const before = [source, target].map((key) => [key, queryClient.getQueryData<ColumnPages>(key)] as const)
  queryClient.setQueryData<ColumnPages>(source, (pages) => pages && without(pages, rowId(row, view.idKey), view.idKey))
  queryClient.setQueryData<ColumnPages>(target, (pages) => pages && withOnTop(pages, { ...row, [layout.field]: to }))
  return () => {
    for (const [key, pages] of before) queryClient.setQueryData(key, pages)
  }
}

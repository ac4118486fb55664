import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import type { FieldView } from '@outpost/contract/fields'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { explainFailure, rowId } from '../../actions/call.ts'
import { optionOf } from '../../fields/choices/choice.tsx'
import { makeMove } from '../../actions/moving.ts'
import type { Move } from '../../actions/moving.ts'
import { titleOf } from './table/table-columns.tsx'

const ActionDialog = lazy(async () => ({ default: (await import('../../actions/ActionDialog.tsx')).ActionDialog }))

interface MovingInput {
  /** Lays values over a row that is on its way; undefined takes them off. */
  lay: (id: string, values: Record<string, unknown> | undefined) => void
  refuse: (field: FieldView, move: Move, error: unknown) => void
}

/** Moves made in the cells of a list: at once on the screen, after a question where the value wants one, with one way back. */
export function useMoving({ lay, refuse }: MovingInput): { start: (field: FieldView, move: Move) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ field: FieldView; move: Move }>()
  const perform = async (field: FieldView, move: Move) => {
    const { row, view, key, to } = move
    const id = rowId(row, view.idKey)
    lay(id, { [key]: to })
    try {
      const { isQueued, undo } = await makeMove(move)
      toast.success({
        title: `${titleOf(view, row)}: ${t(optionOf(field, to)?.label ?? to)}`,
        ...(isQueued ? { body: t('Kept on this device until there is a connection.') } : {}),
        ...(undo
          ? {
              action: {
                label: t('Undo'),
                run: () =>
                  void undo().then(
                    () => toast.info({ title: t('Undone') }),
                    (error: unknown) => sayNotUndone(move, error),
                  ),
              },
            }
          : {}),
      })
    } finally {
      lay(id, undefined)
    }
  }
  const start = (field: FieldView, move: Move) => {
    if (move.moves.forms[move.to]) setAsked({ field, move })
    else perform(field, move).catch((error: unknown) => refuse(field, move, error))
  }
  const dialog = asked ? (
    <Suspense fallback={null}>
      <ActionDialog
        action={{
          key: 'move',
          label: `${t('Move to')} ${t(optionOf(asked.field, asked.move.to)?.label ?? asked.move.to)}`,
          scope: 'row',
          call: asked.move.moves.call,
          form: asked.move.moves.forms[asked.move.to] ?? [],
        }}
        subject={titleOf(asked.move.view, asked.move.row)}
        run={(form) => perform(asked.field, { ...asked.move, form })}
        onClose={() => setAsked(undefined)}
      />
    </Suspense>
  ) : null
  return { start, dialog }
}

const sayNotUndone = ({ view, row }: Move, error: unknown) =>
  toast.danger({ title: `${titleOf(view, row)}: ${t('not undone')}`, body: explainFailure(error).message })

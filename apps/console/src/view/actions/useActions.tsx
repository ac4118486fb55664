import { lazy, Suspense, useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { useNavigate } from '@tanstack/react-router'
import type { RevealView } from '@outpost/contract/call-views'
import type { ActionView, AssignView, CallView } from '@outpost/contract/views'
import { refreshRecords } from '../../data/refresh.ts'
import type { Row } from '../../data/records.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { pathOf } from '../RecordLink.tsx'
import type { BulkFailure } from '../kinds/list/bulk/bulk.ts'
import { giveShares, takeBack } from './assign.ts'
import type { Share } from './assign.ts'
import { callAction, explainFailure, rowId, undoAction } from './call.ts'
import type { ActionTarget } from './call.ts'
import { movable, moveBy } from './moving.ts'

const ActionDialog = lazy(async () => ({ default: (await import('./ActionDialog.tsx')).ActionDialog }))
const RevealDialog = lazy(async () => ({ default: (await import('./RevealDialog.tsx')).RevealDialog }))
const AssignDialog = lazy(async () => ({ default: (await import('./AssignDialog.tsx')).AssignDialog }))

/**
 * Runs the actions of a view on one row (or on the page): asks first where the action wants it, says how it went. `run` stays
 * the same function while `target` and `onDone` do.
 */
export function useActions(
  target: ActionTarget,
  onDone?: (action: ActionView, row?: Row) => void,
): {
  run: (action: ActionView, row?: Row) => void
  dialog: ReactNode
  running: string | null
} {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ action: ActionView; row?: Row }>()
  const [revealed, setRevealed] = useState<{ reveals: RevealView; secret: string }>()
  const [running, setRunning] = useState<string | null>(null)
  const perform = useCallback(
    async (action: ActionView, row: Row | undefined, values: Record<string, unknown> = {}) => {
      setRunning(action.key)
      try {
        const { message, isQueued, undo, data } =
          action.moves && row
            ? { message: undefined, data: undefined, ...(await moveBy(action.moves, { row, values, target })) }
            : await callOnce(action, { row, values, target })
        announce(action, isQueued ? t('Kept on this device until there is a connection.') : message, undo)
        if (action.reveals) setRevealed({ reveals: action.reveals, secret: String(data?.[action.reveals.value] ?? '') })
        onDone?.(action, row)
      } finally {
        setRunning(null)
      }
    },
    [target, onDone],
  )
  const run = useCallback(
    (action: ActionView, row?: Row) => {
      const path = action.open
        ? pathOf(action.open, { ...target.params, ...row, ...(row ? { id: rowId(row, target.idKey) } : {}) })
        : undefined
      if (path && isForDevice(path)) return void window.open(path, '_self')
      if (path) return void navigate({ to: path })
      if (isAsking(action)) return setAsked({ action: row ? movable(action, row) : action, row })
      perform(action, row).catch((error: unknown) => showFailure(action, error))
    },
    [navigate, perform, target],
  )
  const assign = async (action: Assigning, row: Row | undefined, shares: readonly Share[]) => {
    const ids = shares.map(({ id }) => id)
    throwRefused(await giveShares(action.call, shares))
    await refreshRecords(target.resource)
    const { undo } = action.assign
    announce(
      action,
      undefined,
      undo &&
        (async () => {
          throwRefused(await takeBack(undo, ids))
          await refreshRecords(target.resource)
        }),
    )
    onDone?.(action, row)
  }
  const { action, row } = asked ?? {}
  const dialog = revealed ? (
    <Suspense fallback={null}>
      <RevealDialog {...revealed} onClose={() => setRevealed(undefined)} />
    </Suspense>
  ) : isAssigning(action) && row ? (
    <Suspense fallback={null}>
      <AssignDialog
        action={action}
        names={new Map([[rowId(row, target.idKey), String(row[target.titleKey] ?? '')]])}
        onClose={() => setAsked(undefined)}
        onAssign={(shares) => {
          setAsked(undefined)
          assign(action, row, shares).catch((error: unknown) => showFailure(action, error))
        }}
      />
    </Suspense>
  ) : asked ? (
    <Suspense fallback={null}>
      <ActionDialog
        action={asked.action}
        params={target.params}
        ids={asked.row ? [rowId(asked.row, target.idKey)] : []}
        subject={asked.row ? String(asked.row[target.titleKey] ?? '') : ''}
        run={(values) => perform(asked.action, asked.row, values)}
        onClose={() => setAsked(undefined)}
      />
    </Suspense>
  ) : null
  return { run, dialog, running }
}

/** An address that the device itself opens: its telephone, its messages, its mail. */
const isForDevice = (path: string): boolean => /^(?:tel|sms|mailto):/.test(path)

/** Makes the action's own call; with the way back where it has one. */
async function callOnce(
  action: ActionView,
  { row, values, target }: { row: Row | undefined; values: Record<string, unknown>; target: ActionTarget },
) {
  const request = { action, ids: row ? [rowId(row, target.idKey)] : [], row, values, target }
  const answer = await callAction(request)
  await refreshRecords(target.resource)
  const undo = async () => {
    if (action.undo) await undoAction(action.undo, request)
    await refreshRecords(target.resource)
  }
  return { ...answer, undo: action.undo && undo }
}

/** True when the user is asked before the call: a form, a question, or a dangerous thing that cannot be undone. */
export const isAsking = (action: ActionView): boolean =>
  action.assign !== undefined ||
  action.asks !== undefined ||
  action.confirm !== undefined ||
  (action.form?.length ?? 0) > 0 ||
  (action.danger === true && !action.undo)

export type Assigning = ActionView & { assign: AssignView; call: CallView }
export const isAssigning = (action: ActionView | undefined): action is Assigning =>
  action?.assign !== undefined && action.call !== undefined

/** What the server refused of a call with a verdict on each record, as one failure. */
export function throwRefused(refused: readonly BulkFailure[]): void {
  const [first] = refused
  if (first) throw new Error(refused.length === 1 ? first.message : `${refused.length} ${t('records')}: ${first.message}`)
}

/** Says that an action is done; with a way back for six seconds where there is one. */
export function announce(action: ActionView, message: string | undefined, undo?: () => Promise<void>): void {
  if (action.download) return
  const takeBack = () => {
    if (undo)
      undo().then(
        () => toast.info({ title: t('Undone') }),
        (error: unknown) => showFailure(action, error),
      )
  }
  toast.success({ title: message ?? `${t(action.label)}: ${t('done')}`, ...(undo ? { action: { label: t('Undo'), run: takeBack } } : {}) })
}

export function showFailure(action: ActionView, error: unknown): void {
  const { message, requestId } = explainFailure(error)
  toast.danger({
    title: `${t(action.label)}: ${t('not done')}`,
    body: requestId ? `${message} (${t('Request')} ${requestId})` : message,
    seconds: 12,
  })
}

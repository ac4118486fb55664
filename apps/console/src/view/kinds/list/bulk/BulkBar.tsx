import { chunk } from 'es-toolkit/array/chunk'
import { lazy, Suspense, useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import type { ListQuery } from '@outpost/contract/envelope'
import type { ActionView, ListView } from '@outpost/contract/views'
import { listRecords } from '../../../../data/gateway.ts'
import { refreshedOnce } from '../../../../data/refresh.ts'
import type { Row } from '../../../../data/records.ts'
import { useConnection } from '../../../../data/connection.ts'
import { toast } from '../../../../feedback/toast.ts'
import { t } from '../../../../session/labels.ts'
import { ActionDialog } from '../../../actions/ActionDialog.tsx'
import { giveShares, takeBack } from '../../../actions/assign.ts'
import type { Share } from '../../../actions/assign.ts'
import { callAction, explainFailure, rowId, undoAction, waitsForNetwork } from '../../../actions/call.ts'
import type { ActionTarget } from '../../../actions/call.ts'
import { announce, isAsking, isAssigning, throwRefused } from '../../../actions/useActions.tsx'
import { pathOf } from '../../../RecordLink.tsx'
import { formatCount } from '../../../formats.ts'
import { BulkFailures } from './BulkFailures.tsx'
import { BulkRunning } from './BulkRunning.tsx'
import { bulkSize, runBulk } from './bulk.ts'
import type { BulkOutcome, BulkProgress } from './bulk.ts'

const AssignDialog = lazy(async () => ({ default: (await import('../../../actions/AssignDialog.tsx')).AssignDialog }))

interface BulkBarProps {
  view: ListView
  actions: readonly ActionView[]
  target: ActionTarget
  query: ListQuery
  total: number
  isEstimated: boolean
  selected: ReadonlyMap<string, Row>
  onClear: () => void
}

/** What can be done with the chosen rows, or with all rows that match; lies over the list's lower edge. */
export function BulkBar({ view, actions, target, query, total, isEstimated, selected, onClear }: BulkBarProps) {
  const { isOnline } = useConnection()
  const [all, setAll] = useState<ReadonlyMap<string, string>>()
  const [isGathering, setGathering] = useState(false)
  const [asked, setAsked] = useState<ActionView>()
  const [progress, setProgress] = useState<BulkProgress & { label: string }>()
  const [failed, setFailed] = useState<{ action: ActionView; outcome: BulkOutcome }>()
  const isStopped = useRef(false)
  const names = all ?? new Map([...selected].map(([id, row]) => [id, String(row[view.titleKey] ?? id)]))
  const ids = [...names.keys()]
  const gather = async () => {
    setGathering(true)
    try {
      setAll(await allNames(view, query, target.params))
    } catch (error) {
      toast.danger({ title: t('The rows could not be gathered'), body: explainFailure(error).message })
    } finally {
      setGathering(false)
    }
  }
  const perform = async (
    action: ActionView,
    { values = {}, shares }: { values?: Record<string, unknown>; shares?: readonly Share[] } = {},
  ) => {
    isStopped.current = false
    setAsked(undefined)
    const request = (some: string[]) => ({
      action,
      ids: some,
      values,
      target,
      ...(some.length === 1 ? { row: selected.get(some[0] ?? '') } : {}),
    })
    const takers = new Map(shares?.map((share) => [share.id, share]))
    const send = (some: string[]) =>
      shares && action.call
        ? giveShares(
            action.call,
            some.flatMap((id) => takers.get(id) ?? []),
          )
        : callAction(request(some)).then(({ refused }) => refused)
    setProgress({ label: action.label, done: 0, failed: 0, total: ids.length })
    const outcome = await refreshedOnce(view.resource, () =>
      runBulk({
        ids,
        size: isTakingMany(action) ? bulkSize : 1,
        explain: explainFailure,
        isStopped: () => isStopped.current,
        send,
        onProgress: (next) => setProgress({ label: action.label, ...next }),
      }),
    )
    setProgress(undefined)
    if (outcome.done.length > 0) announce(action, doneWords(action, outcome), undoOf(action) && (() => undoAll(action, outcome.done)))
    if (outcome.failures.length > 0) setFailed({ action, outcome })
    else onClear()
  }
  const undoAll = (action: ActionView, done: string[]) =>
    refreshedOnce(view.resource, async () => {
      if (action.assign?.undo) throwRefused(await takeBack(action.assign.undo, done))
      else
        for (const some of chunk(done, action.many ? bulkSize : 1))
          if (action.undo) await undoAction(action.undo, { action, ids: some, target })
    })
  const two = useTwo(ids, target)
  const start = (action: ActionView) =>
    action.open ? two.open(action) : isAsking(action) || (ids.length > 1 && action.danger) ? setAsked(action) : void perform(action)
  // Many at once are the server's business, also where one record's change would wait on the device: said before anything is typed.
  const unreachable = isOnline ? [] : actions.filter((action) => !waitsForNetwork(action))
  const counted = `${formatCount(ids.length, false)} ${t(ids.length === 1 ? 'record' : 'records')}`
  return (
    <div className="bulk-bar" role="region" aria-label={t('Selected records')}>
      <span role="status" className="bulk-bar-count">
        {counted} {t('selected')}
      </span>
      {!all && total > selected.size && isOnline ? (
        <Button type="link" size="small" loading={isGathering} onClick={() => void gather()}>
          {t('Select all')} {formatCount(total, isEstimated)} {t('matching')}
        </Button>
      ) : null}
      <span className="bulk-bar-actions">
        {actions.map((action) => (
          <Button
            key={action.key}
            size="small"
            danger={action.danger}
            disabled={unreachable.includes(action) || two.isMissing(action)}
            title={two.isMissing(action) ? t('Choose two records') : undefined}
            onClick={() => start(action)}
          >
            {t(action.label)}
          </Button>
        ))}
        <Button size="small" type="text" onClick={onClear}>
          {t('Clear selection')}
        </Button>
      </span>
      {unreachable.length > 0 ? (
        <span role="note" className="bulk-bar-note">
          {unreachable.map(({ label }) => t(label)).join(', ')}: {t('for many records at once this needs a connection')}
        </span>
      ) : null}
      {isAssigning(asked) ? (
        <Suspense fallback={null}>
          <AssignDialog
            action={asked}
            names={names}
            onAssign={(shares) => void perform(asked, { shares })}
            onClose={() => setAsked(undefined)}
          />
        </Suspense>
      ) : asked ? (
        <ActionDialog
          action={asked}
          ids={ids}
          subject={`${counted}: ${namesOf(names)}`}
          run={async (values) => {
            void perform(asked, { values })
          }}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
      {progress ? (
        <BulkRunning
          {...progress}
          onStop={() => {
            isStopped.current = true
          }}
        />
      ) : null}
      {failed ? (
        <BulkFailures
          label={failed.action.label}
          outcome={failed.outcome}
          names={names}
          onClose={() => {
            setFailed(undefined)
            onClear()
          }}
        />
      ) : null}
    </div>
  )
}

const isTakingMany = ({ many, assign }: ActionView) => many === true || assign !== undefined
const undoOf = ({ undo, assign }: ActionView) => undo ?? assign?.undo

const doneWords = (action: ActionView, { done }: BulkOutcome) =>
  `${t(action.label)}: ${formatCount(done.length, false)} ${t(done.length === 1 ? 'record' : 'records')}`
const named = 5
/** The first few by name, the others by number: whoever is about to change many sees which. */
const namesOf = (names: ReadonlyMap<string, string>): string => {
  const first = [...names.values()].slice(0, named).join(', ')
  return names.size > named ? `${first} ${t('and')} ${formatCount(names.size - named, false)} ${t('more')}` : first
}
const gatherSize = 10_000

/** Ids and names of every row that matches, page after page. */
async function allNames(view: ListView, query: ListQuery, params: Record<string, string>): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const { rows, meta } = await listRecords({
      view,
      source: view.source,
      resource: view.resource,
      many: view.many,
      query: { ...query, page, size: gatherSize },
      params,
    })
    for (const row of rows) names.set(rowId(row, view.idKey), String(row[view.titleKey] ?? ''))
    if (rows.length < gatherSize || (!meta.estimated && names.size >= meta.total)) return names
  }
}

/** Actions that open a screen for two chosen rows side by side; for fewer or more there is none. */
function useTwo([a = '', b = '', ...more]: readonly string[], { params }: ActionTarget) {
  const navigate = useNavigate()
  const isTwo = a !== '' && b !== '' && more.length === 0
  return {
    isMissing: ({ open }: ActionView) => open !== undefined && !isTwo,
    open: ({ open = '' }: ActionView) => {
      const path = pathOf(open, { ...params, a, b })
      if (path) void navigate({ to: path })
    },
  }
}

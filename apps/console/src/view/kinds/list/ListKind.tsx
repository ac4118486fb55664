import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { ActionView, ListView } from '@outpost/contract/views'
import type { Row } from '../../../data/records.ts'
import { useAddress } from '../../address.ts'
import { useActions } from '../../actions/useActions.tsx'
import { rowId } from '../../actions/call.ts'
import { useCompany } from '../../company.ts'
import { useIsPhone } from '../../useIsPhone.ts'
import { LoadingState } from '../../states/index.tsx'
import { ListHeader } from './ListHeader.tsx'
import { ListBody } from './ListBody.tsx'
import { ListToolbar } from './ListToolbar.tsx'
import { SavedViewTabs } from './saved-views/SavedViewTabs.tsx'
import { filterAddress, filterOf, listQuery, parseListState, savedFilter } from './list-state.ts'
import type { ListFilter } from './list-state.ts'
import { isRow } from './pages.ts'
import { chosenView, plainView, useSavedViews } from './saved-views/saved-views.ts'
import { LayoutHost } from './layouts/LayoutHost.tsx'
import { chosenLayout } from './layouts/layout-state.ts'
import { useColumns } from './table/useColumns.ts'
import { useRows } from './useRows.ts'
import { t } from '../../../session/labels.ts'

export { fetchFirstRows } from './first-rows.ts'

const BulkBar = lazy(async () => ({ default: (await import('./bulk/BulkBar.tsx')).BulkBar }))
const MissingView = lazy(async () => ({ default: (await import('./saved-views/MissingView.tsx')).MissingView }))
const PeekDrawer = lazy(async () => ({ default: (await import('./PeekDrawer.tsx')).PeekDrawer }))
const treeSize = 10_000

/** A list of records: what is searched, filtered, sorted, looked at and where is in the address. */
export function ListKind({ view, params }: { view: ListView; params: Record<string, string> }) {
  const { address, pathname, patch } = useAddress()
  const saved = useSavedViews(pathname, address, view)
  const current = chosenView(saved.views, address)
  const base = useMemo(() => savedFilter(view, current?.state), [view, current])
  const state = useMemo(() => parseListState(view, address, current?.state), [view, address, current])
  const columns = useColumns(view, `${pathname}#${current?.Id ?? ''}`, current?.state)
  const layout = chosenLayout(view, address)
  const [laidRows, setLaidRows] = useState<readonly Row[]>([])
  const { currency } = useCompany()
  const isPhone = useIsPhone()
  const isTree = view.presentation === 'tree'
  const filter = useMemo(() => filterOf(state), [state])
  const query = useDeferredValue(useMemo(() => listQuery(view, filter), [view, filter]))
  const rows = useRows({
    view,
    query,
    params,
    size: isTree ? treeSize : view.pageSize,
    firstPage: isTree || isPhone || view.presentation === 'cards' ? 1 : state.page,
    isReady: saved.isSettled,
  })
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const change = useCallback(
    (next: Partial<ListFilter>) => {
      setSelected(new Map())
      patch(filterAddress({ ...filter, ...next }, base), { isStep: next.search === undefined })
    },
    [filter, base, patch],
  )
  const target = useMemo(() => ({ resource: view.resource, idKey: view.idKey, titleKey: view.titleKey, params }), [view, params])
  const { run, dialog } = useActions(target)
  const peek = useCallback((id: string | undefined) => patch({ peek: id }), [patch])
  useForgetGone(rows.rows.length === 0 && !rows.isLoading, setSelected)
  const bulkActions = view.actions.filter((action) => action.scope === 'bulk')
  const rowActions = useMemo(() => ofRows(view.actions), [view])
  return (
    <div className="list-view">
      <ListHeader view={view} rows={rows} params={params} filter={filter} columns={columns.columns} onRun={run} />
      <SavedViewTabs
        view={view}
        saved={saved}
        current={current}
        base={base}
        filter={filter}
        isChanged={columns.isChanged}
        arrangement={{ columns: columns.columns, density: columns.density }}
        onSaved={() => columns.change(null)}
      />
      {saved.isMissing ? (
        <Suspense fallback={null}>
          <MissingView title={view.title} onAll={() => patch({ view: plainView })} />
        </Suspense>
      ) : null}
      <ListToolbar view={view} filter={filter} columns={columns} onChange={change} />
      {layout ? (
        <LayoutHost
          layout={layout}
          view={view}
          query={query}
          params={params}
          currency={currency}
          selected={selected}
          actions={rowActions}
          filter={filter}
          isReady={saved.isSettled}
          onSelect={bulkActions.length > 0 ? setSelected : undefined}
          onPeek={peek}
          onRun={run}
          onRows={setLaidRows}
          onChange={change}
        />
      ) : (
        <ListBody
          view={view}
          params={params}
          rows={rows}
          state={state}
          arrangement={columns}
          currency={currency}
          isPhone={isPhone}
          actions={rowActions}
          selected={selected}
          onSelect={bulkActions.length > 0 ? setSelected : undefined}
          onChange={change}
          onPeek={peek}
          onRun={run}
          onResize={columns.change}
          onPage={(page) => patch({ page: page > 1 ? page : undefined })}
        />
      )}
      {selected.size > 0 ? (
        <Suspense fallback={null}>
          <BulkBar
            view={view}
            actions={bulkActions}
            target={target}
            query={query}
            total={rows.total}
            isEstimated={rows.isEstimated}
            selected={selected}
            onClear={() => setSelected(new Map())}
          />
        </Suspense>
      ) : null}
      {state.peek ? (
        <Suspense fallback={null}>
          <PeekDrawer
            view={view}
            id={state.peek}
            rows={layout ? laidRows : rows.rows.filter(isRow)}
            idOf={(row) => rowId(row, view.idKey)}
            currency={currency}
            actions={rowActions}
            onRun={run}
            onPeek={peek}
          />
        </Suspense>
      ) : null}
      {dialog}
    </div>
  )
}

/** What a row's menu offers: each thing once, also where one call does it to a row and another to many. */
const ofRows = (actions: readonly ActionView[]) =>
  actions.filter(
    ({ scope, label, open }) =>
      scope === 'row' || (scope === 'bulk' && !open && !actions.some((other) => other.scope === 'row' && other.label === label)),
  )

/** A selection of a list that became empty would act on what nobody sees. */
function useForgetGone(isEmpty: boolean, select: (rows: ReadonlyMap<string, Row>) => void) {
  useEffect(() => {
    if (isEmpty) select(new Map())
  }, [isEmpty, select])
}

export const ListSkeleton = () => <LoadingState rows={12} label={t('Loading the list')} />

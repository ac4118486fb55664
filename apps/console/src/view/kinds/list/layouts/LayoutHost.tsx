import { lazy, Suspense } from 'react'
import type { Dispatch, SetStateAction } from 'react'
import type { ListQuery } from '@outpost/contract/envelope'
import type { ActionView, LayoutView, ListView } from '@outpost/contract/views'
import type { Row } from '../../../../data/records.ts'
import { LoadingState } from '../../../states/index.tsx'
import type { ListFilter } from '../list-state.ts'
import './layouts.css'

const KanbanLayout = lazy(async () => ({ default: (await import('./KanbanLayout.tsx')).KanbanLayout }))
const MapLayout = lazy(async () => ({ default: (await import('./MapLayout.tsx')).MapLayout }))

export interface LayoutProps {
  view: ListView
  /** Search, filter, period and order as the table has them. */
  query: ListQuery
  filter: ListFilter
  params: Record<string, string>
  currency: string
  actions: readonly ActionView[]
  selected: ReadonlyMap<string, Row>
  /** False until the saved views are known, which say what to ask for. */
  isReady: boolean
  /** Takes the next selection, or how to make it from the present one. */
  onSelect?: Dispatch<SetStateAction<ReadonlyMap<string, Row>>>
  onPeek: (id: string | undefined) => void
  onRun: (action: ActionView, row: Row) => void
  /** Tells the rows on the screen, through which the peek walks. */
  onRows: (rows: readonly Row[]) => void
  onChange: (next: Partial<ListFilter>) => void
}

/** Draws the rows of a list in one of its other layouts; each is loaded when it is asked for. */
export function LayoutHost({ layout, ...props }: LayoutProps & { layout: LayoutView }) {
  return (
    <div className="list-body list-layout" data-kind={layout.kind}>
      <Suspense fallback={<LoadingState rows={10} />}>
        {layout.kind === 'kanban' ? <KanbanLayout layout={layout} {...props} /> : <MapLayout layout={layout} {...props} />}
      </Suspense>
    </div>
  )
}

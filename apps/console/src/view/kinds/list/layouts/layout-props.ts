import type { Dispatch, SetStateAction } from 'react'
import type { ListQuery } from '@outpost/contract/envelope'
import type { ActionView, ListView } from '@outpost/contract/views'
import type { Row } from '../../../../data/records.ts'
import type { ListFilter } from '../list-state.ts'

/** What the rows of a list are drawn from in its other layouts. */
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

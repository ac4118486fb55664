import type { ActionView, ListView } from '@outpost/contract/views'
import type { Row } from '../../../data/records.ts'
import type { ListFilter, ListState } from './list-state.ts'
import type { Arrangement } from './table/useColumns.ts'
import type { Rows } from './useRows.ts'

/** What the rows of a list are drawn from, as table, tree or cards. */
export interface ListBodyProps {
  view: ListView
  params: Record<string, string>
  rows: Rows
  state: ListState
  arrangement: Arrangement
  currency: string
  isPhone: boolean
  actions: readonly ActionView[]
  selected: ReadonlyMap<string, Row>
  /** Absent when nothing can be done with several rows. */
  onSelect?: (rows: ReadonlyMap<string, Row>) => void
  onChange: (next: Partial<ListFilter>) => void
  onPeek: (id: string | undefined) => void
  onRun: (action: ActionView, row: Row) => void
  onResize: (next: Partial<Arrangement>) => void
  onPage: (page: number) => void
}

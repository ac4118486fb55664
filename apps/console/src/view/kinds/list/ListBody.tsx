import type { ReactNode } from 'react'
import type { ActionView, ListView } from '@outpost/contract/views'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { LinkButton } from '../../LinkButton.tsx'
import { EmptyState, ErrorState, NothingMatches } from '../../states/index.tsx'
import { CardList } from './CardList.tsx'
import { RecordTable } from './table/RecordTable.tsx'
import { TreeTable } from './table/TreeTable.tsx'
import { isNarrowed, plainFilter } from './list-state.ts'
import type { ListFilter, ListState } from './list-state.ts'
import type { Arrangement } from './table/useColumns.ts'
import type { Rows } from './useRows.ts'

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

/** The rows of a list as table, tree or cards, or the state shown instead of them. */
export function ListBody(props: ListBodyProps) {
  const { view, rows, isPhone } = props
  const isCards = isPhone || view.presentation === 'cards'
  const instead = stateInstead(props)
  if (instead) return <div className="list-body list-body-state">{instead}</div>
  return (
    <div className="list-body" data-cards={isCards && !isPhone ? true : undefined} data-former={rows.isFormer} aria-busy={rows.isFetching}>
      {isCards ? <CardList {...props} /> : view.presentation === 'tree' ? <TreeTable {...props} /> : <RecordTable {...props} />}
      {rows.isCut ? <p className="list-cut">{t('The first 100 000 rows are shown; search or filter to see others.')}</p> : null}
    </div>
  )
}

function stateInstead({ view, rows, state, onChange }: ListBodyProps): ReactNode {
  if (rows.error) return <ErrorState error={rows.error} onRetry={rows.retry} />
  if (rows.isLoading || rows.total > 0) return null
  if (isNarrowed(state)) return <NothingMatches onClear={() => onChange(plainFilter(view))} />
  const { title, body, action } = view.empty
  return (
    <EmptyState
      title={title}
      body={body ? t(body) : undefined}
      action={
        action ? (
          <LinkButton to={action.screen} type="primary">
            {t(action.label)}
          </LinkButton>
        ) : undefined
      }
    />
  )
}

import type { ReactNode } from 'react'
import { t } from '../../../session/labels.ts'
import { LinkButton } from '../../LinkButton.tsx'
import { EmptyState, ErrorState, NothingMatches } from '../../states/index.tsx'
import { CardList } from './CardList.tsx'
import { RecordTable } from './table/RecordTable.tsx'
import { TreeTable } from './table/TreeTable.tsx'
import type { ListBodyProps } from './list-body-props.ts'
import { isNarrowed, plainFilter } from './list-state.ts'

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

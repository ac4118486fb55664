import { Button, Dropdown } from 'antd'
import { DownloadOutlined, PlusOutlined } from '@ant-design/icons'
import { LinkButton } from '../../LinkButton.tsx'
import type { ActionView, ListView } from '@outpost/contract/views'
import { useConnection } from '../../../data/connection.ts'
import { t } from '../../../session/labels.ts'
import { pathOf } from '../../RecordLink.tsx'
import { formatCount } from '../../formats.ts'
import { PageActions } from '../../actions/PageActions.tsx'
import type { ColumnState } from './table/columns.ts'
import { exportList } from './exporting.ts'
import type { ListFilter } from './list-state.ts'
import type { Rows } from './useRows.ts'

interface ListHeaderProps {
  view: ListView
  rows: Rows
  params: Record<string, string>
  filter: ListFilter
  columns: readonly ColumnState[]
  onRun: (action: ActionView) => void
}

/** Title, how many there are, and what can be done with the list as a whole. */
export function ListHeader({ view, rows, params, filter, columns, onRun }: ListHeaderProps) {
  const { isOnline } = useConnection()
  const create = view.routes.create ? pathOf(view.routes.create, params) : undefined
  const shown = columns.filter((column) => !column.isHidden).map((column) => column.key)
  const save = (format: 'xlsx' | 'csv') => void exportList(view, filter, shown, format)
  return (
    <header className="view-header">
      <div className="view-header-title">
        <h1>{t(view.title)}</h1>
        <span className="view-count" role="status">
          {rows.isLoading || rows.error
            ? ' '
            : `${formatCount(rows.total, rows.isEstimated)} ${t(rows.total === 1 ? 'record' : 'records')}`}
          {rows.source === 'device' ? <span className="view-device">{t('kept on this device')}</span> : null}
        </span>
      </div>
      <div className="view-header-actions">
        <PageActions actions={view.actions.filter((action) => action.scope === 'page')} onRun={onRun} />
        {view.exportReport ? (
          <Dropdown
            trigger={['click']}
            disabled={!isOnline}
            menu={{
              items: [
                { key: 'xlsx', label: t('Excel (.xlsx)'), onClick: () => save('xlsx') },
                { key: 'csv', label: t('CSV'), onClick: () => save('csv') },
              ],
            }}
          >
            <Button icon={<DownloadOutlined aria-hidden />} aria-haspopup="menu">
              {t('Export')}
            </Button>
          </Dropdown>
        ) : null}
        {create ? (
          <LinkButton to={create} type="primary" icon={<PlusOutlined aria-hidden />}>
            {t('New')}
          </LinkButton>
        ) : null}
      </div>
    </header>
  )
}

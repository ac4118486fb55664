import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PanelView } from '@outpost/contract/views'
import { api } from '../../../data/api.ts'
import { refreshRecords } from '../../../data/refresh.ts'
import { fillPath } from '../../../data/paths.ts'
import type { Row } from '../../../data/records.ts'
import { t } from '../../../session/labels.ts'
import { ActionMenu } from '../../actions/ActionMenu.tsx'
import { PageActions } from '../../actions/PageActions.tsx'
import { offered } from '../../actions/offered.ts'
import { useActions } from '../../actions/useActions.tsx'
import { FileLink } from '../../fields/parts/file-link.tsx'
import { fieldKindView } from '../../fields/index.ts'
import { FieldValue } from '../../FieldValue.tsx'
import { formatCount, isBlank } from '../../formats.ts'
import { LinkButton } from '../../LinkButton.tsx'
import { pathOf, RecordLink } from '../../RecordLink.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../states/index.tsx'
import { valueAt } from '../dashboard/series.ts'
import { TiesGraph } from './TiesGraph.tsx'
import { UploadFiles } from './UploadFiles.tsx'

interface PanelProps {
  panel: PanelView
  resource: string
  id: string
  params: Record<string, string>
  currency: string
  /** What the record is called. */
  name: string
}

/** A list that belongs to a record: its rows, what can be done to them, and what to do when there are none. Columns that say nothing stay away. */
export function Panel({ panel, resource, id, params, currency, name }: PanelProps) {
  const values = { ...params, id }
  const {
    data: answer,
    error,
    refetch,
  } = useQuery({
    queryKey: ['records', resource, 'panel', panel.key, id],
    queryFn: async ({ signal }) => api.call(panel.source.method, fillPath(panel.source.path, values), { signal }),
  })
  const data = answer && ((valueAt(answer.data, panel.value) ?? []) as Row[])
  const note = answer && panel.note ? valueAt(answer.data, panel.note) : undefined
  const { run, dialog, running } = useActions({ resource, idKey: 'Id', titleKey: panel.fields[0]?.key ?? 'Id', params: values })
  const rowActions = panel.actions.filter((action) => action.scope === 'row')
  const pageActions = panel.actions.filter((action) => action.scope === 'page')
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} what={t(panel.title)} />
  if (!data) return <LoadingState rows={4} />
  const fields = panel.fields.filter((field, place) => place === 0 || data.some((row) => !isBlank(row[field.key])))
  return (
    <>
      <PanelLinks panel={panel} values={values} total={answer?.meta?.total} />
      {pageActions.length > 0 ? (
        <div className="panel-actions">
          <PageActions actions={pageActions} running={running} onRun={(action) => run(action, { Id: id })} />
        </div>
      ) : null}
      {panel.upload ? (
        <UploadFiles upload={panel.upload} path={fillPath(panel.upload.call.path, values)} onDone={() => refreshRecords(resource)} />
      ) : null}
      {typeof note === 'string' && note !== '' ? <p className="panel-note">{t(note)}</p> : null}
      {panel.ties && data.length > 0 ? <TiesGraph panel={panel} rows={data} name={name} values={values} /> : null}
      {data.length === 0 ? (
        <EmptyState title={panel.empty.title} body={panel.empty.body ? t(panel.empty.body) : undefined} />
      ) : (
        <div className="panel-table" tabIndex={0} role="region" aria-label={t(panel.title)}>
          <table>
            <thead>
              <tr>
                {fields.map((field) => (
                  <th key={field.key} scope="col" data-number={fieldKindView(field.kind).align === 'right'}>
                    {t(field.label)}
                  </th>
                ))}
                {rowActions.length > 0 ? <th scope="col" className="panel-row-actions" aria-label={t('Actions')} /> : null}
              </tr>
            </thead>
            <tbody>
              {data.map((row, index) => (
                <tr key={String(row.Id ?? index)}>
                  {fields.map((field, place) => (
                    <td key={field.key} data-number={fieldKindView(field.kind).align === 'right'}>
                      {place === 0 && panel.download ? (
                        <FileLink path={fillPath(panel.download.path, { ...values, ...row, id: row.Id })}>
                          {String(row[field.key])}
                        </FileLink>
                      ) : place === 0 ? (
                        <RecordLink screen={panel.open} values={{ ...values, ...row, ...(row.Id ? { id: row.Id } : {}) }}>
                          <FieldValue field={field} record={row} currency={currency} />
                        </RecordLink>
                      ) : (
                        <FieldValue field={field} record={row} currency={currency} />
                      )}
                    </td>
                  ))}
                  {rowActions.length > 0 ? (
                    <td className="panel-row-actions">
                      <ActionMenu
                        actions={offered(rowActions, row)}
                        label={`${t('Actions for')} ${String(row[fields[0]?.key ?? ''] ?? '')}`}
                        onRun={(action) => run(action, row)}
                      />
                    </td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {dialog}
    </>
  )
}

/** How many rows there are in all, leading to them, and the way to a new one. */
function PanelLinks({ panel, values, total }: Pick<PanelProps, 'panel'> & { values: Record<string, string>; total: number | undefined }) {
  const [all, create] = [panel.all && pathOf(panel.all, values), panel.create && pathOf(panel.create.screen, values)]
  if (!all && !create) return null
  return (
    <div className="panel-links">
      {all && total ? <Link to={all}>{`${formatCount(total, false)} ${t(total === 1 ? 'record' : 'records')}`}</Link> : <span />}
      {create && panel.create ? (
        <LinkButton to={create} icon={<PlusOutlined aria-hidden />}>
          {t(panel.create.label)}
        </LinkButton>
      ) : null}
    </div>
  )
}

import { EditOutlined } from '@ant-design/icons'
import type { DetailView } from '@outpost/contract/views'
import { useRecord } from '../../../data/queries.ts'
import { t } from '../../../session/labels.ts'
import { textOf, useAddress } from '../../address.ts'
import { offered } from '../../actions/offered.ts'
import { PageActions } from '../../actions/PageActions.tsx'
import { useActions } from '../../actions/useActions.tsx'
import { useCompany } from '../../company.ts'
import { LinkButton } from '../../LinkButton.tsx'
import { pathOf } from '../../RecordLink.tsx'
import { ScreenOutline } from '../../states/Outline.tsx'
import { ErrorState } from '../../states/index.tsx'
import { FieldGrid } from './FieldGrid.tsx'
import { Panel } from './Panel.tsx'
import { PanelNav } from './PanelNav.tsx'
import { StepsOf, Timeline, useHistoryPlace, WaitingNotice } from './Timeline.tsx'

/** A record to read: its values and lists, what can be done with it, and what happened to it. The open tab is in the address. */
export function DetailKind({ view, params }: { view: DetailView; params: Record<string, string> }) {
  const id = params.id ?? Object.values(params)[0]
  const { data: record, error, refetch } = useRecord(view.load, view.one, id, { resource: view.resource, entityType: view.offline, params })
  const { currency } = useCompany()
  const { run, dialog, running } = useActions({ resource: view.resource, idKey: view.idKey, titleKey: view.titleKey, params })
  const { address } = useAddress()
  const history = view.timeline && id ? { call: view.timeline, resource: view.resource, id, params } : undefined
  const place = useHistoryPlace(view.hasSteps ? history : undefined, record !== undefined)
  if (error && !record) {
    return (
      <div className="detail-view">
        <header className="view-header">
          <h1>{t(view.title)}</h1>
        </header>
        <ErrorState error={error} onRetry={() => void refetch()} what={t('This record')} />
      </div>
    )
  }
  // Name and actions are as wide as the record has them: nothing of it is drawn before it is there.
  if (!record || (history && view.hasSteps && !place)) return <ScreenOutline title={view.title} shape="detail" />
  const facts = <FieldGrid fields={view.fields} sections={view.sections} record={record} currency={currency} />
  const drawn = place ?? 'inHistory'
  const state = history ? (
    <>
      <WaitingNotice {...history} />
      <StepsOf {...history} place={drawn} />
    </>
  ) : null
  const panel = view.panels?.find(({ key }) => key === textOf(address.tab))
  const edit = view.edit ? pathOf(view.edit, { ...params, ...record, id }) : undefined
  return (
    <div className="detail-view">
      <header className="view-header">
        <div className="view-header-title">
          <h1>{String(record[view.titleKey] ?? t(view.title))}</h1>
          <span className="view-count">{t(view.title)}</span>
        </div>
        <div className="view-header-actions">
          <PageActions actions={offered(view.actions, record)} running={running} onRun={(action) => run(action, record)} />
          {edit ? (
            <LinkButton to={edit} type="primary" icon={<EditOutlined aria-hidden />}>
              {t('Edit')}
            </LinkButton>
          ) : null}
        </div>
      </header>
      {drawn === 'above' ? state : null}
      <div className="detail-columns" data-wide={!view.timeline}>
        <div className="form-card">
          {view.panels ? <PanelNav panels={view.panels} /> : null}
          {panel && id ? (
            <Panel
              key={panel.key}
              panel={panel}
              resource={view.resource}
              id={id}
              params={params}
              currency={currency}
              name={String(record[view.titleKey] ?? t(view.title))}
            />
          ) : (
            facts
          )}
        </div>
        {history ? <Timeline {...history}>{drawn === 'inHistory' ? state : null}</Timeline> : null}
      </div>
      {dialog}
    </div>
  )
}

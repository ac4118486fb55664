import { Segmented, Select } from 'antd'
import { CalendarOutlined, PlusOutlined } from '@ant-design/icons'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { LinkButton } from '../../view/LinkButton.tsx'
import { SearchBox } from '../../view/SearchBox.tsx'
import { EmptyState, ErrorState, LoadingState, NothingMatches } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import { useToday } from '../../view/clock.ts'
import { daysOf, groupByOwner, isPeriodName, periodNames, type BoardData, type PeriodName } from './board.ts'
import { Summary } from './Summary.tsx'
import { TargetDrawer } from './TargetDrawer.tsx'
import { TargetRow } from './TargetRow.tsx'
import { useTargets } from './useBoard.ts'
import './target-board.css'

const ownerKinds = [
  { value: '', label: 'All' },
  { value: 'tenant', label: 'Branches' },
  { value: 'team', label: 'Teams' },
  { value: 'user', label: 'People' },
]

/** Targets with what was reached: how far each is, how far it should be, and on a click the records behind the number. */
export function TargetBoard({ view }: CustomProps) {
  const data = view.data as unknown as BoardData
  const { address, patch } = useAddress()
  const [period, ownerType, metric, search] = [
    isPeriodName(address.period) ? address.period : ('month' as PeriodName),
    textOf(address.owner) ?? '',
    textOf(address.metric),
    textOf(address.search) ?? '',
  ]
  const open = textOf(address.open)
  const days = daysOf(period, useToday('UTC'))
  const targets = useTargets({ days, ownerType, metric, search: search.trim() })
  const rows = targets.data?.targets ?? []
  const isNarrowed = ownerType !== '' || metric !== undefined || search !== ''
  const clear = () => patch({ owner: undefined, metric: undefined, search: undefined }, { isStep: true })
  return (
    <div className="view tg">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Targets')}</h1>
          <span className="view-count" role="status">
            {targets.data ? countWords(targets.data.total) : ''}
          </span>
        </div>
        <div className="view-header-actions">
          <LinkButton to="/admin/holidays" icon={<CalendarOutlined aria-hidden />}>
            {t('Working days')}
          </LinkButton>
          {data.mayCreate && (
            <LinkButton to="/sales/targets/create" type="primary" icon={<PlusOutlined aria-hidden />}>
              {t('New target')}
            </LinkButton>
          )}
        </div>
      </header>
      <div className="tg-filter" role="search" aria-label={t('Targets')}>
        <SearchBox
          className="tg-search"
          value={search}
          label={t('Search by owner')}
          placeholder={t('Search by owner')}
          onSearch={(text) => patch({ search: text || undefined })}
        />
        <Select
          aria-label={t('Period')}
          className="tg-period"
          value={period}
          options={Object.entries(periodNames).map(([value, label]) => ({ value, label: t(label) }))}
          onChange={(value) => patch({ period: value }, { isStep: true })}
        />
        <Select
          aria-label={t('What counts')}
          className="tg-metric"
          allowClear
          value={metric}
          placeholder={t('Everything that counts')}
          options={data.metrics.map(({ key, label }) => ({ value: key, label: t(label) }))}
          onChange={(value?: string) => patch({ metric: value }, { isStep: true })}
        />
        <Segmented
          aria-label={t('For whom')}
          value={ownerType}
          options={ownerKinds.map(({ value, label }) => ({ value, label: t(label) }))}
          onChange={(value) => patch({ owner: value || undefined }, { isStep: true })}
        />
      </div>
      {targets.isPending ? (
        <LoadingState rows={6} />
      ) : targets.error ? (
        <ErrorState error={targets.error} what={t('Targets')} onRetry={() => void targets.refetch()} />
      ) : rows.length === 0 ? (
        isNarrowed ? (
          <NothingMatches onClear={clear} />
        ) : (
          <NoTargets mayCreate={data.mayCreate} period={period} />
        )
      ) : (
        <div data-former={targets.isPlaceholderData} aria-busy={targets.isPlaceholderData} className="tg-body">
          <Summary targets={rows} metrics={data.metrics} />
          {groupByOwner(rows).map(({ owner, kind, targets: own }) => (
            <section key={`${kind} ${owner}`} className="tg-group" aria-label={`${owner}, ${t(kind)}`}>
              <h2>
                {owner} <span className="tg-kind">{t(kind)}</span>
              </h2>
              <ul>
                {own.map((target) => (
                  <TargetRow key={target.Id} target={target} data={data} onOpen={() => patch({ open: target.Id }, { isStep: true })} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
      {open && <TargetDrawer key={open} id={open} data={data} onClose={() => patch({ open: undefined, tab: undefined })} />}
    </div>
  )
}

const countWords = (count: number) => `${count} ${t(count === 1 ? 'target' : 'targets')}`

function NoTargets({ mayCreate, period }: { mayCreate: boolean; period: PeriodName }) {
  return (
    <EmptyState
      title={period === 'all' ? t('There are no targets yet') : t('No targets in this period')}
      body={t(
        mayCreate
          ? 'Set one for a person, a team or a branch. What counts is read from the records: nobody types in what was reached.'
          : 'Your targets appear here once your manager has set them.',
      )}
      action={
        mayCreate && (
          <LinkButton to="/sales/targets/create" type="primary">
            {t('Set a target')}
          </LinkButton>
        )
      }
    />
  )
}

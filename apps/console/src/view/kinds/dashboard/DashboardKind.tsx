import { Select } from 'antd'
import dayjs from 'dayjs'
import type { DashboardView } from '@outpost/contract/views'
import { t } from '../../../session/labels.ts'
import { textOf, useAddress } from '../../address.ts'
import { dateShape } from '../../formats.ts'
import { DateWindow } from '../list/filter/DateWindow.tsx'
import { Widget } from './Widget.tsx'

const paces = [
  { value: 0, label: 'No refresh' },
  { value: 30, label: 'Every 30 s' },
  { value: 60, label: 'Every minute' },
  { value: 300, label: 'Every 5 minutes' },
]

/** Figures cover the last 30 days unless a period is asked for. */
const monthBack = { dateTypes: [{ value: 'shown', label: '', period: 'Last 30 days' }] }

/** Tiles over one period; period and pace are in the address. */
export function DashboardKind({ view, params }: { view: DashboardView; params: Record<string, string> }) {
  const { address, patch } = useAddress()
  const [from, to] = [textOf(address.from), textOf(address.to)]
  // What a figure opens covers the same days as the figure.
  const period = { startDate: from ?? dayjs().subtract(29, 'day').format(dateShape), endDate: to ?? dayjs().format(dateShape) }
  const pace = paces.find((one) => one.value === Number(address.refresh))?.value ?? 0
  return (
    <div className="dashboard-view">
      <header className="view-header">
        <div className="view-header-title">
          <h1>{t(view.title)}</h1>
        </div>
        <div className="view-header-actions">
          <DateWindow
            view={monthBack}
            filter={{ dateType: 'shown', from, to }}
            onChange={(next) => patch({ from: next.from, to: next.to }, { isStep: true })}
          />
          <Select
            aria-label={t('Refresh')}
            value={pace}
            popupMatchSelectWidth={false}
            className="dashboard-pace"
            options={paces.map((one) => ({ ...one, label: t(one.label) }))}
            onChange={(refresh) => patch({ refresh: refresh || undefined })}
          />
        </div>
      </header>
      <div className="widget-grid">
        {view.widgets.map((widget) => (
          <Widget
            key={widget.id}
            widget={widget}
            params={params}
            period={period}
            query={{ startDate: from, endDate: to }}
            refreshMs={pace > 0 && pace * 1000}
          />
        ))}
      </div>
    </div>
  )
}

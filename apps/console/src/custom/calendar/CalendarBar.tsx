import { Button, Segmented, Select } from 'antd'
import { CloseOutlined, LeftOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons'
import { t } from '../../session/labels.ts'
import { calendarViews, hourLabel, windowTitle } from './calendar-state.ts'
import type { CalendarState, Scope } from './calendar-state.ts'
import type { Agent, LayerView, Status } from './events.ts'
import type { Type } from './useCalendar.ts'

interface CalendarBarProps {
  title: string
  state: CalendarState
  statuses: readonly Status[]
  types: readonly Type[]
  agents: readonly Agent[]
  layers: readonly LayerView[]
  mayCreate: boolean
  scope: Scope
  onChange: (next: Partial<CalendarState>) => void
  onStep: (step: -1 | 1) => void
  onToday: () => void
  onCreate: () => void
}

/** Above the calendar: where one is, how one looks, and what is left out. */
export function CalendarBar(props: CalendarBarProps) {
  const { title, state, mayCreate, onChange, onStep, onToday, onCreate } = props
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t(title)}</h1>
          <span className="cal-window" role="status">
            {windowTitle(state)}
          </span>
        </div>
        <div className="view-header-actions">
          <Button onClick={onToday} title={`${t('Today')} (t)`} aria-keyshortcuts="t">
            {t('Today')}
          </Button>
          <Button
            icon={<LeftOutlined aria-hidden />}
            aria-label={t('Earlier')}
            title={`${t('Earlier')} (←)`}
            aria-keyshortcuts="ArrowLeft"
            onClick={() => onStep(-1)}
          />
          <Button
            icon={<RightOutlined aria-hidden />}
            aria-label={t('Later')}
            title={`${t('Later')} (→)`}
            aria-keyshortcuts="ArrowRight"
            onClick={() => onStep(1)}
          />
          <Segmented
            className="list-layouts cal-views"
            aria-label={t('View')}
            value={state.view}
            onChange={(view) => onChange({ view })}
            options={calendarViews.map((view) => ({ value: view, label: t(words[view]), title: `${t(words[view])} (${viewKeys[view]})` }))}
          />
          {mayCreate ? (
            <Button
              type="primary"
              icon={<PlusOutlined aria-hidden />}
              title={`${t('New activity')} (c)`}
              aria-keyshortcuts="c"
              onClick={onCreate}
            >
              {t('New')}
            </Button>
          ) : null}
        </div>
      </header>
      <Filters {...props} />
    </>
  )
}

const words = { month: 'Month', week: 'Week', day: 'Day', agenda: 'Agenda', agents: 'Agents' } as const
/** The key that opens a view. */
const viewKeys = { month: 'm', week: 'w', day: 'd', agenda: 'a', agents: 'g' } as const

function Filters({ state, statuses, types, agents, layers, scope, onChange }: CalendarBarProps) {
  // Branches may define a status of the same name: it is one in the filter.
  const names = [...new Set(statuses.map(({ name }) => name))]
  return (
    <div className="cal-filters" role="search" aria-label={t('Filter the calendar')}>
      <Segmented
        className="list-layouts cal-views"
        aria-label={t('Whose activities')}
        value={scope}
        onChange={(chosen) => (chosen === 'chosen' ? undefined : onChange({ agents: [chosen === 'mine' ? 'me' : 'all'] }))}
        options={[
          ...(state.view === 'agents' ? [] : [{ value: 'mine' as const, label: t('Mine') }]),
          { value: 'all' as const, label: t('Everyone') },
          ...(scope === 'chosen' ? [{ value: 'chosen' as const, label: t('Chosen') }] : []),
        ]}
      />
      <Filter
        label={t('Status')}
        value={state.statuses}
        options={names.map((name) => ({ value: name, label: name }))}
        onChange={(chosen) => onChange({ statuses: chosen })}
      />
      <Filter
        label={t('Type')}
        value={state.types}
        options={types.map(({ Id, name, label }) => ({ value: Id, label: label ?? name }))}
        onChange={(chosen) => onChange({ types: chosen })}
      />
      <Filter
        label={t('Agent')}
        value={scope === 'chosen' ? state.agents : []}
        options={agents.map(({ Id, label }) => ({ value: Id, label }))}
        onChange={(chosen) => onChange({ agents: chosen })}
      />
      {layers.length > 0 ? (
        <Filter
          label={t('Also show')}
          value={state.layers}
          options={layers.map(({ key, label }) => ({ value: key, label: t(label) }))}
          onChange={(chosen) => onChange({ layers: chosen })}
        />
      ) : null}
      {state.hour === null ? null : (
        <Button
          icon={<CloseOutlined aria-hidden />}
          iconPlacement="end"
          aria-label={`${t('Show the whole day, not only')} ${hourLabel(state.hour)}`}
          onClick={() => onChange({ hour: null })}
        >
          {hourLabel(state.hour)}
        </Button>
      )}
    </div>
  )
}

const Filter = ({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string[]
  options: { value: string; label: string }[]
  onChange: (chosen: string[]) => void
}) => (
  <Select
    mode="multiple"
    className="cal-filter"
    aria-label={t(label)}
    placeholder={t(label)}
    value={value}
    options={options}
    maxTagCount={0}
    allowClear
    maxTagPlaceholder={(chosen) => `${t(label)}: ${chosen.length === 1 ? String(chosen[0]?.label ?? 1) : chosen.length}`}
    showSearch={{ optionFilterProp: 'label' }}
    onChange={onChange}
  />
)

import { useMemo, useState } from 'react'
import { Button, Checkbox, Input, Select } from 'antd'
import { SearchOutlined } from '@ant-design/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { dayOf } from '@outpost/rules/time-zone'
import { t } from '../../../session/labels.ts'
import { EmptyState, ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { matchesSearch, type ActivityRow, type Known } from '../api.ts'
import { addStops } from './draft.ts'
import type { EditorPart } from './part.ts'
import { clock, formatDay } from '../formats.ts'

const maxShown = 200

/** Activities in no plan: found by words, chosen here or with the lasso of the map, given to one agent or shared out among several. */
export function PoolPanel({
  draft,
  change,
  known,
  day,
  timeZone,
  people,
  selected,
  onSelect,
  search,
  onSearch,
  query,
}: EditorPart & { query: UseQueryResult<ActivityRow[]> }) {
  const planned = useMemo(() => new Set(draft.stops.map(({ activityId }) => activityId)), [draft.stops])
  const free = useMemo(() => [...known.values()].filter(({ id }) => !planned.has(id)), [known, planned])
  const found = useMemo(() => free.filter((one) => matchesSearch(one, search)).toSorted((a, b) => a.start - b.start), [free, search])
  const chosen = free.filter(({ id }) => selected.has(id))
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(selected)
    if (isOn) next.add(id)
    else next.delete(id)
    onSelect(next)
  }
  const add = (agents: string[], date: string) => {
    change(addStops(draft, { activities: chosen, agents, day: date, timeZone }))
    onSelect(new Set())
  }
  return (
    <section className="rp-card rp-pool" aria-label={t('Unplanned activities')}>
      <h2>
        {t('Unplanned')} <span className="rp-count">{free.length}</span>
      </h2>
      <Input
        className="rp-search"
        prefix={<SearchOutlined aria-hidden />}
        allowClear
        value={search}
        placeholder={t('Name, place, type or agent')}
        aria-label={t('Find unplanned activities')}
        onChange={(event) => onSearch(event.target.value)}
      />
      <Checkbox
        className="rp-all"
        checked={found.length > 0 && found.every(({ id }) => selected.has(id))}
        indeterminate={chosen.length > 0 && chosen.length < found.length}
        disabled={found.length === 0}
        onChange={(event) => onSelect(new Set(event.target.checked ? found.map(({ id }) => id) : []))}
      >
        {t('All')} <span role="status">{chosen.length > 0 ? `· ${chosen.length} ${t('selected')}` : ''}</span>
      </Checkbox>
      {query.isPending ? (
        <LoadingState rows={5} />
      ) : query.error ? (
        <ErrorState error={query.error} what={t('These activities')} onRetry={() => void query.refetch()} />
      ) : found.length === 0 ? (
        <EmptyState
          title={search ? t('Nothing matches') : t('Everything is planned')}
          body={t(search ? 'Try fewer words.' : 'All open activities of these days are in a plan. Widen the days of the plan to see more.')}
        />
      ) : (
        <ul className="rp-pool-list">
          {found.slice(0, maxShown).map((one) => (
            <PoolRow key={one.id} activity={one} isChosen={selected.has(one.id)} timeZone={timeZone} onToggle={toggle} />
          ))}
        </ul>
      )}
      {found.length > maxShown ? (
        <p className="rp-soft">
          {t('Find by words to see the other')} {found.length - maxShown}.
        </p>
      ) : null}
      <Assign key={draft.agents.join()} count={chosen.length} day={day} agents={draft.agents} people={people} onAdd={add} />
    </section>
  )
}

const PoolRow = ({
  activity,
  isChosen,
  timeZone,
  onToggle,
}: {
  activity: Known
  isChosen: boolean
  timeZone: string
  onToggle: (id: string, isOn: boolean) => void
}) => (
  <li>
    <Checkbox checked={isChosen} onChange={(event) => onToggle(activity.id, event.target.checked)}>
      <span className="rp-pool-name">{activity.name}</span>
      <small>
        {formatDay(dayOf(activity.start, timeZone))} {clock(activity.start, timeZone)} · {activity.place || t('no place')}
        {activity.agents ? ` · ${activity.agents}` : ''}
      </small>
    </Checkbox>
  </li>
)

interface AssignProps {
  count: number
  day: string
  agents: readonly string[]
  people: EditorPart['people']
  onAdd: (agents: string[], day: string) => void
}

/** To whom and for when. Several agents share the activities out by nearness. */
function Assign({ count, day, agents, people, onAdd }: AssignProps) {
  const [chosen, setChosen] = useState<string[]>(() => [...agents])
  const [when, setWhen] = useState<'due' | 'shown'>('due')
  const options = people.map(({ Id, label }) => ({ value: Id, label }))
  return (
    <div className="rp-assign" role="group" aria-label={t('Add to the plan')}>
      <Select
        mode="multiple"
        className="field-wide"
        aria-label={t('Agents who get the selected activities')}
        placeholder={t('Agents')}
        value={chosen}
        options={options}
        showSearch={{ optionFilterProp: 'label' }}
        maxTagCount="responsive"
        onChange={setChosen}
      />
      <Select
        className="field-wide"
        aria-label={t('Day of the selected activities')}
        value={when}
        onChange={setWhen}
        options={[
          { value: 'due', label: t('Each on its own day') },
          { value: 'shown', label: `${t('All on')} ${formatDay(day)}` },
        ]}
      />
      <Button
        type="primary"
        block
        disabled={count === 0 || chosen.length === 0}
        onClick={() => onAdd(chosen, when === 'due' ? 'due' : day)}
      >
        {count === 0
          ? t('Select activities first')
          : chosen.length > 1
            ? `${t('Share out')} ${count} ${t('among')} ${chosen.length}`
            : `${t('Add')} ${count} ${t('to the plan')}`}
      </Button>
    </div>
  )
}

import { useMemo } from 'react'
import { Segmented } from 'antd'
import { minuteOf } from '@outpost/rules/time-zone'
import { t } from '../../../session/labels.ts'
import { useSession } from '../../../session/session.ts'
import { MapView, type MapPoint } from '../../../map/index.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { LinkButton } from '../../../view/LinkButton.tsx'
import { SearchBox } from '../../../view/SearchBox.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../view/states/index.tsx'
import { AgentPanel } from './AgentPanel.tsx'
import { barWindow, countLabels, counts, useDay, type AgentDay, type Count } from './day-api.ts'
import { DateStepper } from './DateStepper.tsx'
import { DayTable } from './DayTable.tsx'
import { TotalPanel, Totals, totals } from './Totals.tsx'
import { clock, meaningTone, meaningLabels } from '../formats.ts'
import { useToday } from '../../../view/clock.ts'
import './day.css'

type Look = 'table' | 'map'

/** What every agent planned and did on a day: numbers that open their records, bars along the day, the way, and the map. */
export function DayOverview() {
  const { layout } = useSession()
  const { address, patch } = useAddress()
  const timeZone = layout?.company.timeZone ?? 'UTC'
  const today = useToday(timeZone)
  const date = textOf(address.date) ?? today
  const look: Look = address.look === 'map' ? 'map' : 'table'
  const search = textOf(address.search) ?? ''
  const day = useDay(date)
  const agents = useMemo(
    () => (day.data ?? []).filter(({ agent, branch }) => `${agent} ${branch ?? ''}`.toLowerCase().includes(search.toLowerCase())),
    [day.data, search],
  )
  const opened = agents.find(({ userId }) => userId === address.agent)
  const total = address.agent === undefined ? totals.find((one) => one === address.of) : undefined
  const open = (userId: string, of?: Count) => patch({ agent: userId, of }, { isStep: true })
  return (
    <div className="dv">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Day overview')}</h1>
          <span className="view-count">
            {agents.length} {t(agents.length === 1 ? 'agent' : 'agents')}
          </span>
        </div>
        <div className="view-header-actions">
          <DateStepper date={date} timeZone={timeZone} onDate={(next) => patch({ date: next })} />
        </div>
      </header>
      <Totals agents={agents} onOpen={(of) => patch({ of, agent: undefined }, { isStep: true })} />
      <div className="dv-tools">
        <SearchBox
          className="dv-search"
          value={search}
          label={t('Find an agent')}
          placeholder={t('Agent or branch')}
          onSearch={(text) => patch({ search: text || undefined })}
        />
        <Segmented<Look>
          aria-label={t('Show as')}
          value={look}
          onChange={(next) => patch({ look: next === 'table' ? undefined : next })}
          options={[
            { value: 'table', label: t('Table') },
            { value: 'map', label: t('Map') },
          ]}
        />
        <LinkButton to={`/sales/activities/activity-plan/map-overview?date=${date}`}>{t('Routes on a map')}</LinkButton>
      </div>
      {day.error ? (
        <ErrorState error={day.error} what={t('This day')} onRetry={() => void day.refetch()} />
      ) : day.isPending ? (
        <LoadingState rows={8} />
      ) : agents.length === 0 ? (
        <EmptyState
          title={search ? t('Nothing matches') : t('Nothing happened on this day')}
          body={t(search ? 'Try another name.' : 'Nobody in your reach had anything planned. Step to another day.')}
        />
      ) : look === 'table' ? (
        <DayTable
          agents={agents}
          timeZone={timeZone}
          window={barWindow(agents, (time) => minuteOf(Date.parse(time), timeZone))}
          onOpen={open}
        />
      ) : (
        <DayMap agents={agents} timeZone={timeZone} onOpen={open} />
      )}
      {opened ? (
        <AgentPanel
          agent={opened}
          date={date}
          of={counts.find((count) => count === address.of)}
          timeZone={timeZone}
          onClose={() => patch({ agent: undefined, of: undefined })}
          onOf={(of) => patch({ of })}
        />
      ) : null}
      {total && day.data ? (
        <TotalPanel
          {...{ agents, total, timeZone }}
          onClose={() => patch({ of: undefined })}
          onAgent={(userId) => open(userId, total === 'onDuty' ? undefined : total)}
        />
      ) : null}
      <p className="dv-note">
        {t(
          'Late: still to do after its planned end. Missed: said so, or still open when the day is over. Way: great circles between fresh positions of at most 100 m uncertainty.',
        )}
      </p>
    </div>
  )
}

/** Every visit of the day where it takes place, coloured by what became of it. */
function DayMap({ agents, timeZone, onOpen }: { agents: readonly AgentDay[]; timeZone: string; onOpen: (userId: string) => void }) {
  const { address, patch } = useAddress()
  const owners = useMemo(
    () => new Map(agents.flatMap(({ userId, visits }) => visits.map(({ Id }) => [`${userId} ${Id}` as string, userId] as const))),
    [agents],
  )
  const points = useMemo(
    () =>
      agents.flatMap(({ userId, agent, visits }) =>
        visits.flatMap(({ Id, name, lat, lng, meaning, startDate }): MapPoint[] =>
          lat === null || lng === null
            ? []
            : [
                {
                  id: `${userId} ${Id}`,
                  lat,
                  lng,
                  label: name,
                  tone: meaningTone(meaning === 'late' ? 'missed' : meaning),
                  note: `${agent} · ${clock(startDate, timeZone)} · ${t(meaning === 'late' ? countLabels.late : meaningLabels[meaning])}`,
                },
              ],
        ),
      ),
    [agents, timeZone],
  )
  return (
    <MapView
      label={t('Visits of the day')}
      points={points}
      viewport={textOf(address.map)}
      onViewport={(map) => patch({ map })}
      onOpen={({ id }) => {
        const owner = owners.get(id)
        if (owner) onOpen(owner)
      }}
    />
  )
}

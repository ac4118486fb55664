import { useState } from 'react'
import { Button, Select, Tag } from 'antd'
import { LeftOutlined, RightOutlined, SwapOutlined, WarningOutlined } from '@ant-design/icons'
import { closestCenter, DndContext, useDroppable, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { sortAnnouncements, useSortSensors } from '../../../view/sorting.ts'
import { moveStop } from '../planner/draft.ts'
import { NearPanel } from '../planner/NearPanel.tsx'
import type { EditorPart } from '../planner/part.ts'
import { StopItem } from '../planner/StopItem.tsx'
import { dayOfAgent, orderDraft } from '../planner/useDayTimes.ts'
import { agentTone, clock, conflictText, formatDay, formatDuration, isHard, formatKm } from '../formats.ts'

interface Props extends EditorPart {
  dates: readonly string[]
  onDay: (day: string) => void
}

/** The stops of one day, a column an agent: drag or use the buttons, lock, order, see times and conflicts at once. */
export function DayBoard(props: Props) {
  const { draft, change, days, day, dates, timeZone, onDay } = props
  const conflicts = props.conflicts.filter(isHard)
  const sensors = useSortSensors()
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return
    const target = draft.stops.find(({ activityId }) => activityId === over.id)
    const userId = target?.userId ?? String(over.id).replace(/^agent /, '')
    const own = draft.stops.filter((stop) => stop.userId === userId && stop.day === day)
    change(moveStop(draft, String(active.id), { userId, day, ...(target ? { index: own.indexOf(target) } : {}) }))
  }
  const name = (id: unknown) => props.known.get(String(id))?.name ?? t('a stop')
  const announcements = sortAnnouncements(name)
  return (
    <section className="rp-card rp-board" aria-label={t('Stops')}>
      <DayHead {...props} />
      {draft.agents.length === 0 ? <p className="rp-soft">{t('Choose agents above, then add activities to their days.')}</p> : null}
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop} accessibility={{ announcements }}>
        <div className="rp-agents">
          {draft.agents.map((userId) => (
            <AgentDay key={userId} {...props} userId={userId} />
          ))}
        </div>
      </DndContext>
      <p className="rp-totals" role="status">
        {t('Whole plan')}: {draft.stops.length} {t('stops')}, {formatKm(days.reduce((sum, { timed }) => sum + timed.metres, 0))},{' '}
        {formatDuration(days.reduce((sum, { timed }) => sum + timed.travel, 0) / 60)} {t('on the way')}
        {conflicts.length > 0 ? (
          <Button type="link" size="small" onClick={() => onDay(nextConflict(conflicts, day, dates))}>
            {conflicts.length} {t(conflicts.length === 1 ? 'conflict' : 'conflicts')}
          </Button>
        ) : null}
        {draft.stops.length > 0 ? (
          <Button
            size="small"
            icon={<SwapOutlined aria-hidden />}
            onClick={() => {
              change(orderDraft(draft, days, timeZone))
              sayOrdered()
            }}
          >
            {t('Order all days')}
          </Button>
        ) : null}
      </p>
    </section>
  )
}

const sayOrdered = () =>
  toast.info({ title: t('The stops are ordered'), body: t('Undo brings the former order back.'), key: 'ordered', endsWithPage: true })

/** The next day after the shown one that has a conflict, round to the first. */
const nextConflict = (conflicts: Props['conflicts'], day: string, dates: readonly string[]) => {
  const touched = dates.filter((date) => conflicts.some((conflict) => conflict.day === date))
  return touched.find((date) => date > day) ?? touched[0] ?? day
}

function DayHead({ draft, conflicts, day, dates, onDay }: Props) {
  const index = dates.indexOf(day)
  const words = (date: string) => {
    const count = draft.stops.filter((stop) => stop.day === date).length
    const wrong = conflicts.some((conflict) => conflict.day === date && isHard(conflict))
    return `${formatDay(date)} · ${count}${wrong ? ' !' : ''}`
  }
  return (
    <div className="rp-day-head">
      <h2>{t('Stops')}</h2>
      <div className="rp-day-step">
        <Button
          icon={<LeftOutlined aria-hidden />}
          aria-label={t('Day before')}
          disabled={index <= 0}
          onClick={() => onDay(dates[index - 1] as string)}
        />
        <Select
          className="rp-day-select"
          aria-label={t('Day')}
          value={day}
          onChange={onDay}
          options={dates.map((date) => ({ value: date, label: words(date) }))}
        />
        <Button
          icon={<RightOutlined aria-hidden />}
          aria-label={t('Day after')}
          disabled={index >= dates.length - 1}
          onClick={() => onDay(dates[index + 1] as string)}
        />
      </div>
    </div>
  )
}

/** One agent's day: the stops, what it comes to, and the button that orders it. */
function AgentDay(props: Props & { userId: string }) {
  const { draft, change, days, conflicts, day, timeZone, people, userId, onMade } = props
  const [isNear, setNear] = useState(false)
  const { setNodeRef } = useDroppable({ id: `agent ${userId}` })
  const route = dayOfAgent(days, userId, day)
  const name = people.find(({ Id }) => Id === userId)?.label ?? t('Agent')
  const wholeDay = conflicts.filter((conflict) => conflict.userId === userId && conflict.day === day && conflict.stopId === undefined)
  const stops = route?.stops ?? []
  return (
    <section className="rp-agent" aria-label={name} ref={setNodeRef}>
      <header>
        <h3>
          <span className={`rp-dot map-tone-${agentTone(draft.agents.indexOf(userId))}`} aria-hidden />
          {name}
        </h3>
        <span className="rp-agent-buttons">
          <Button
            size="small"
            disabled={stops.length === 0}
            aria-label={`${t('Nearby')}: ${t('who is due near the way of')} ${name}`}
            onClick={() => setNear(true)}
          >
            {t('Nearby')}
          </Button>
          <Button
            size="small"
            icon={<SwapOutlined aria-hidden />}
            disabled={stops.length < 2}
            onClick={() => {
              if (route) change(orderDraft(draft, [route], timeZone))
              sayOrdered()
            }}
          >
            {t('Order the stops')}
          </Button>
        </span>
      </header>
      {route && isNear ? (
        <NearPanel
          draft={draft}
          route={route}
          agent={name}
          timeZone={timeZone}
          onClose={() => setNear(false)}
          onMade={(activity) => onMade(activity, { userId, day })}
        />
      ) : null}
      <p className="rp-soft">
        {route
          ? `${stops.length} ${t(stops.length === 1 ? 'stop' : 'stops')} · ${formatKm(route.timed.metres)} · ${formatDuration(route.timed.travel / 60)} ${t('on the way')} · ${t('done at')} ${clock(route.timed.endsAt, timeZone)}`
          : t('Nothing is planned on this day.')}
      </p>
      {wholeDay.map((conflict) => (
        <Tag key={conflict.kind} className="tag-bad rp-conflict" icon={<WarningOutlined aria-hidden />}>
          {conflictText(conflict)}
        </Tag>
      ))}
      <SortableContext items={stops.map(({ activity }) => activity.id)} strategy={verticalListSortingStrategy}>
        <ol className="rp-stops">
          {route ? stops.map((_, index) => <StopItem key={stops[index]?.activity.id} {...props} route={route} index={index} />) : null}
        </ol>
      </SortableContext>
    </section>
  )
}

import { Button, Dropdown, Tag, type MenuProps } from 'antd'
import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  ClockCircleOutlined,
  HolderOutlined,
  LockOutlined,
  MoreOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { t } from '../../../session/labels.ts'
import { changeStop, moveStop, nudgeStop, removeStops, type DraftStop } from './draft.ts'
import type { EditorPart } from './part.ts'
import type { Day } from './useDayTimes.ts'
import { agentTone, clock, conflictText, formatDay, formatDuration, isHard, formatKm } from '../formats.ts'

interface Props extends EditorPart {
  dates: readonly string[]
  userId: string
  route: Day
  index: number
}

const lockWords = { first: 'First', last: 'Last', place: 'Keeps its place' } as const

/** One stop: number, times, way to it, conflicts; moved by the handle, the arrows or the menu. */
export function StopItem(props: Props) {
  const { draft, change, conflicts, timeZone, userId, route, index } = props
  const { activity, stop } = route.stops[index] as Day['stops'][number]
  const times = route.timed.stops[index] as Day['timed']['stops'][number]
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: activity.id })
  const wrong = conflicts.filter((conflict) => conflict.stopId === activity.id && conflict.userId === userId)
  return (
    <li
      ref={setNodeRef}
      className="rp-stop"
      data-dragging={isDragging || undefined}
      data-wrong={wrong.some(isHard) || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className="rp-handle"
        {...attributes}
        {...listeners}
        aria-label={`${t('Move')} ${activity.name}`}
      >
        <HolderOutlined aria-hidden />
      </button>
      <span className={`rp-number map-tone-${agentTone(draft.agents.indexOf(userId))}`}>{index + 1}</span>
      <div className="rp-stop-words">
        <p className="rp-stop-name">{activity.name}</p>
        <p className="rp-soft">
          {clock(times.arrival, timeZone)}–{clock(times.departure, timeZone)} · {formatKm(times.metres)}
          {times.wait >= 300 ? ` · ${t('waits')} ${formatDuration(times.wait / 60)}` : ''}
          {activity.place ? ` · ${activity.place}` : ''}
        </p>
        <div className="rp-tags">
          {stop.lock ? (
            <Tag className="tag-info" icon={<LockOutlined aria-hidden />}>
              {t(lockWords[stop.lock])}
            </Tag>
          ) : null}
          {stop.keepsTime ? (
            <Tag className="tag-info" icon={<ClockCircleOutlined aria-hidden />}>
              {t('Appointment')} {clock(activity.start, timeZone)}
            </Tag>
          ) : null}
          {wrong.map((conflict) => (
            <Tag
              key={conflict.kind}
              className={`${isHard(conflict) ? 'tag-bad' : 'tag-warn'} rp-conflict`}
              icon={<WarningOutlined aria-hidden />}
            >
              {conflictText(conflict)}
            </Tag>
          ))}
        </div>
      </div>
      <div className="rp-stop-buttons">
        <Button
          type="text"
          size="small"
          icon={<ArrowUpOutlined aria-hidden />}
          aria-label={`${t('Up')}: ${activity.name}`}
          disabled={index === 0}
          onClick={() => change(nudgeStop(draft, activity.id, -1))}
        />
        <Button
          type="text"
          size="small"
          icon={<ArrowDownOutlined aria-hidden />}
          aria-label={`${t('Down')}: ${activity.name}`}
          disabled={index === route.stops.length - 1}
          onClick={() => change(nudgeStop(draft, activity.id, 1))}
        />
        <Dropdown trigger={['click']} menu={{ items: menuOf(props, stop) }}>
          <Button type="text" size="small" icon={<MoreOutlined aria-hidden />} aria-label={`${t('More for')} ${activity.name}`} />
        </Dropdown>
      </div>
    </li>
  )
}

function menuOf(
  { draft, change, dates, day, people, userId }: Props,
  { activityId, lock, keepsTime }: DraftStop,
): NonNullable<MenuProps['items']> {
  const others = draft.agents.filter((agent) => agent !== userId)
  const days = dates.filter((date) => date !== day)
  const lockItem = (value: 'first' | 'last' | 'place') => ({
    key: `lock ${value}`,
    label: t(
      lock === value
        ? `Unlock: ${lockWords[value].toLowerCase()}`
        : { first: 'Lock as first', last: 'Lock as last', place: 'Lock in its place' }[value],
    ),
    onClick: () => change(changeStop(draft, activityId, { lock: lock === value ? null : value })),
  })
  return [
    lockItem('first'),
    lockItem('last'),
    lockItem('place'),
    {
      key: 'time',
      label: t(keepsTime ? 'No appointment: the plan sets the time' : 'Appointment: keep its time'),
      onClick: () => change(changeStop(draft, activityId, { keepsTime: !keepsTime })),
    },
    { type: 'divider' },
    ...(others.length === 0
      ? []
      : [
          {
            key: 'agents',
            label: t('Give to'),
            children: others.map((agent) => ({
              key: agent,
              label: people.find(({ Id }) => Id === agent)?.label ?? agent,
              onClick: () => change(moveStop(draft, activityId, { userId: agent, day })),
            })),
          },
        ]),
    ...(days.length === 0
      ? []
      : [
          {
            key: 'days',
            label: t('Move to'),
            children: days.map((date) => ({
              key: date,
              label: formatDay(date),
              onClick: () => change(moveStop(draft, activityId, { userId, day: date })),
            })),
          },
        ]),
    { key: 'remove', danger: true, label: t('Take out of the plan'), onClick: () => change(removeStops(draft, new Set([activityId]))) },
  ]
}

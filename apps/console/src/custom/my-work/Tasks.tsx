import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Tag } from 'antd'
import type { ConsoleLayout } from '@outpost/contract/console'
import { callOf } from '../../data/calls.ts'
import { listRecords } from '../../data/gateway.ts'
import { keys } from '../../data/keys.ts'
import { rowStateKey, type Row } from '../../data/records.ts'
import { t } from '../../session/labels.ts'
import { formatDateTime, formatRelative } from '../../view/formats.ts'
import { useHoldsPlace, Waiting } from './Waiting.tsx'

const openStates = ['Open', 'In progress']
const shownRows = 10
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The caller's open tasks, the one due first at the top; as many as the view “Mine” of the list has. */
const myTasks = (userId: string) =>
  listRecords({
    source: callOf('tasks.list'),
    resource: 'task',
    many: 'tasks',
    query: {
      filter: [
        { field: 'assignedUsers', op: 'contains', value: userId },
        { field: 'status', op: 'in', value: openStates },
      ],
      sortField: 'dueAt',
      sortOrder: 'ASC',
      size: shownRows,
    },
  })

/** What the agent has to do by a time; the number opens all of it. */
export function Tasks({ layout, now }: { layout: ConsoleLayout; now: Date }) {
  const isPermitted = layout.screens.some(({ path, permitted }) => path === '/tasks' && permitted)
  const userId = layout.user.Id
  const { data, isLoading } = useQuery({
    queryKey: [...keys.records('task'), 'my-work', userId],
    queryFn: () => myTasks(userId),
    enabled: isPermitted,
  })
  if (useHoldsPlace(isLoading)) return <Waiting />
  if (!data || data.meta.total === 0) return null
  return (
    <section className="mw-card mw-section" aria-label={t('My tasks')}>
      <h2>
        {t('My tasks')}
        <Link
          className="mw-count"
          to={'/tasks' as never}
          search={{ view: 'mine' } as never}
          aria-label={t('All {{count}} tasks of mine', { count: data.meta.total })}
        >
          {data.meta.total}
        </Link>
      </h2>
      <div className="mw-rows">
        {data.rows.map((row) => (
          <TaskRow key={row.Id} row={row} isLate={Date.parse(text(row.dueAt)) < now.getTime()} />
        ))}
      </div>
    </section>
  )
}

function TaskRow({ row, isLate }: { row: Row; isLate: boolean }) {
  const state = row[rowStateKey]
  return (
    <article className="mw-row">
      <div className="mw-what">
        <h3>
          <Link to={`/tasks/view/${row.Id}` as never}>{text(row.title)}</Link>
        </h3>
        <p>
          {[row.clientIdLabel, row.leadIdLabel, t(text(row.priority))].map(text).filter(Boolean).join(' · ')}{' '}
          {state === 'pending' && <Tag variant="outlined">{t('Not sent yet')}</Tag>}
          {state === 'attention' && (
            <Tag variant="outlined" color="error">
              {t('Needs attention')}
            </Tag>
          )}
        </p>
      </div>
      {text(row.dueAt) && (
        <time className="mw-due" data-tone={isLate ? 'late' : undefined} dateTime={text(row.dueAt)} title={formatDateTime(row.dueAt)}>
          {t('due')} {formatRelative(row.dueAt)}
        </time>
      )}
    </article>
  )
}

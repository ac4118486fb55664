import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ConsoleLayout } from '@outpost/contract/console'
import { call } from '../../data/calls.ts'
import { useConnection } from '../../data/connection.ts'
import { answerOrKept } from '../../data/kept-answers.ts'
import { t } from '../../session/labels.ts'
import { NewsText } from '../../view/NewsText.tsx'
import { ProgressBar } from '../../view/ProgressBar.tsx'
import { formatDate, formatDateTime, formatNumber, formatRelative, wordsOf } from '../../view/formats.ts'
import { useHoldsPlace, Waiting } from './Waiting.tsx'

interface Target {
  Id: string
  metric: string
  /** Not in what was kept by an earlier version. */ metricLabel?: string
  ownerName: string | null
  value: number | string
  endDate: string
  figures?: { actual: number }
}

/** Unread notifications, the newest three; each leads to what it is about, which reads it. Their number opens them all. */
export function Unread() {
  const queries = useQueryClient()
  const markRead = async (id: string) => {
    await call('notifications.markRead', { body: { ids: [id] } }).catch(() => undefined)
    await queries.invalidateQueries({ queryKey: ['notifications'] })
  }
  const { isOnline } = useConnection()
  const { data, isLoading } = useQuery({
    // The bell's own question: both show one answer.
    queryKey: ['notifications'],
    enabled: isOnline,
    staleTime: 60_000,
    queryFn: async () => (await call('notifications.unread')).data,
  })
  if (useHoldsPlace(isLoading)) return <Waiting />
  if (!data || data.count === 0) return null
  return (
    <section className="mw-card mw-section">
      <h2>
        {t('Unread')}
        <Link
          className="mw-count"
          to={'/notifications' as never}
          search={{ state: 'unread' } as never}
          aria-label={t('Notifications, {{count}} unread', { count: data.count })}
        >
          {data.count}
        </Link>
      </h2>
      <ul className="mw-rows mw-news">
        {data.notifications.slice(0, 3).map((one, index) => (
          <li key={one.Id ?? index}>
            <NewsText message={one.message} link={one.link} onFollow={() => void markRead(one.Id)} />{' '}
            <time dateTime={one.dateCreated} title={formatDateTime(one.dateCreated)}>
              {formatRelative(one.dateCreated)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}

async function myTargets(): Promise<Target[]> {
  try {
    return await answerOrKept('targets-mine', async () => (await call('targets.mine')).data.targets as Target[])
  } catch {
    return []
  }
}

/** How far the agent's targets are; nothing where there are none. */
export function Targets({ layout }: { layout: ConsoleLayout }) {
  const { data = [], isLoading } = useQuery({
    queryKey: ['records', 'target', 'mine', layout.user.Id],
    queryFn: myTargets,
    networkMode: 'always',
    staleTime: 5 * 60_000,
  })
  const isOpen = layout.screens.some(({ path, permitted }) => path === '/sales/targets' && permitted)
  if (useHoldsPlace(isLoading)) return <Waiting />
  if (data.length === 0) return null
  return (
    <section className="mw-card mw-section">
      <h2>{isOpen ? <Link to="/sales/targets">{t('Targets to date')}</Link> : t('Targets to date')}</h2>
      <div className="mw-rows">
        {data.slice(0, 6).map((target) => (
          <TargetRow key={target.Id} target={target} />
        ))}
      </div>
    </section>
  )
}

function TargetRow({ target: { metric, metricLabel, value, endDate, figures } }: { target: Target }) {
  const [wanted, actual] = [Number(value), figures?.actual ?? 0]
  const percent = wanted > 0 ? Math.round((actual / wanted) * 100) : 0
  const name = t(metricLabel ?? wordsOf(metric))
  return (
    <div className="mw-target">
      <div className="mw-bar-head">
        <span>
          {name}{' '}
          <small>
            {t('until')} {formatDate(endDate)}
          </small>
        </span>
        <strong>
          {formatNumber(actual)} / {formatNumber(wanted)}
        </strong>
      </div>
      <ProgressBar className="mw-bar" label={name} value={Math.min(100, percent)} />
    </div>
  )
}

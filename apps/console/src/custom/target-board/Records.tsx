import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Button, Pagination } from 'antd'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { formatDateTime } from '../../view/formats.ts'
import { ErrorState, LoadingState } from '../../view/states/index.tsx'
import { formatAmount, type BoardData, type Target } from './board.ts'
import { useRecords, type RecordRow } from './useBoard.ts'

const withoutQuery = (path: string) => path.split('?')[0]

/** The records that make the number, with who did how much; their sum is the number. */
export function Records({ target, data }: { target: Target; data: BoardData }) {
  const [userId, setUserId] = useState<string>()
  const [page, setPage] = useState(1)
  const { data: found, error, isPending, refetch } = useRecords(target.Id, { userId, page })
  if (isPending) return <LoadingState rows={4} />
  if (error) return <ErrorState error={error} what={t('The records')} onRetry={() => void refetch()} />
  const amount = (number: number) => formatAmount(number, target.figures.unit, data.currency)
  if (found.total === 0 && !userId) return <p className="tg-nothing">{t('Nothing was done yet in this period.')}</p>
  const choose = (id: string | undefined) => {
    setUserId(id)
    setPage(1)
  }
  return (
    <div className="tg-records">
      {target.ownerType !== 'user' && (
        <ul className="tg-people" aria-label={t('Who did how much')}>
          {found.people.map((person) => (
            <li key={person.userId}>
              <Button
                size="small"
                type={userId === person.userId ? 'primary' : 'default'}
                aria-pressed={userId === person.userId}
                onClick={() => choose(userId === person.userId ? undefined : person.userId)}
              >
                {person.name || t('Somebody who left')} <strong>{amount(person.actual)}</strong>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className="tg-sum" role="status">
        {found.total} {t(found.total === 1 ? 'record makes' : 'records make')} <strong>{amount(found.sum)}</strong>
      </p>
      <ul className="tg-list">
        {found.records.map((record, index) => (
          <RecordLine
            key={`${record.entityId ?? ''} ${record.at} ${index}`}
            record={record}
            screens={data.records[record.entity] ?? []}
            amount={target.figures.unit === 'money' ? amount(record.amount) : undefined}
            isShared={target.ownerType !== 'user'}
          />
        ))}
      </ul>
      {found.total > 100 && (
        <Pagination size="small" current={page} pageSize={100} total={found.total} showSizeChanger={false} onChange={setPage} />
      )}
    </div>
  )
}

interface LineProps {
  record: RecordRow
  /** Screens that show it; the first that the caller may open counts. */ screens: readonly string[]
  amount: string | undefined
  isShared: boolean
}

function RecordLine({ record, screens, amount, isShared }: LineProps) {
  const { layout } = useSession()
  const screen = screens.find((screenPath) => layout?.screens.some(({ path, permitted }) => path === withoutQuery(screenPath) && permitted))
  return (
    <li>
      <span className="tg-name">
        {record.label === null ? (
          <em>{t('Out of your reach')}</em>
        ) : screen && record.entityId ? (
          <Link to={screen.replace(':id', record.entityId)}>{record.label}</Link>
        ) : (
          record.label
        )}
        {isShared && record.who ? <small> {record.who}</small> : null}
      </span>
      {amount && <span className="tg-amount">{amount}</span>}
      <time dateTime={record.at}>{formatDateTime(record.at)}</time>
    </li>
  )
}

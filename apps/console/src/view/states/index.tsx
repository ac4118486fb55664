import type { ReactNode } from 'react'
import { Button, Skeleton } from 'antd'
import { CloudOutlined, InboxOutlined, LockOutlined, SearchOutlined, WarningOutlined } from '@ant-design/icons'
import { ApiError, isNetworkError } from '../../data/api.ts'
import { t } from '../../session/labels.ts'
import '../view.css'

interface StateProps {
  title: string
  body?: ReactNode
  action?: ReactNode
  icon?: ReactNode
  role?: 'status' | 'alert'
}

/** The layout of every state shown instead of content: icon, sentence, what to do next. */
export function StatePanel({ title, body, action, icon, role = 'status' }: StateProps) {
  return (
    <div className="view-state" role={role}>
      <span className="view-state-icon" aria-hidden>
        {icon ?? <InboxOutlined aria-hidden />}
      </span>
      <p className="view-state-title">{t(title)}</p>
      {body ? <div className="view-state-body">{body}</div> : null}
      {action ? <div className="view-state-action">{action}</div> : null}
    </div>
  )
}

export const EmptyState = ({ title, body, action }: StateProps) => <StatePanel title={title} body={body} action={action} />

export const NothingMatches = ({ onClear }: { onClear: () => void }) => (
  <StatePanel
    title={t('Nothing matches')}
    icon={<SearchOutlined aria-hidden />}
    body={t('No record fits the search and filters you chose.')}
    action={<Button onClick={onClear}>{t('Clear search and filters')}</Button>}
  />
)

/** A failed load in the words of the server; no permission, no connection and not found have their own. */
export function ErrorState({ error, onRetry, what = 'This list' }: { error: unknown; onRetry?: () => void; what?: string }) {
  const retry = onRetry ? (
    <Button type="primary" onClick={onRetry}>
      {t('Retry')}
    </Button>
  ) : undefined
  if (isNetworkError(error)) {
    return (
      <StatePanel
        title={t('{{what}} needs a connection', { what: t(what) })}
        icon={<CloudOutlined aria-hidden />}
        body={t(error.message)}
        action={retry}
        role="alert"
      />
    )
  }
  if (error instanceof ApiError && error.status === 403) {
    return (
      <StatePanel
        title={t('You may not see this')}
        icon={<LockOutlined aria-hidden />}
        body={t('Ask an administrator for the permission.')}
      />
    )
  }
  if (error instanceof ApiError && error.status === 404) {
    return (
      <StatePanel
        title={t('Not found')}
        body={t('It does not exist, was removed, or belongs to somebody else.')}
        action={<Button onClick={() => history.back()}>{t('Go back')}</Button>}
      />
    )
  }
  return (
    <StatePanel
      title={t('This did not work')}
      icon={<WarningOutlined aria-hidden />}
      body={<ErrorText error={error} />}
      action={retry}
      role="alert"
    />
  )
}

/** Message of an error with the request id that support asks for. */
export function ErrorText({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : String(error)
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return (
    <>
      <span>{t(message)}</span>
      {requestId ? (
        <span className="view-request-id">
          {t('Request')} <code>{requestId}</code>
        </span>
      ) : null}
    </>
  )
}

/** Stands where a view will be; fixed heights, so that nothing jumps when it comes. */
export function LoadingState({ rows = 8, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className="view-loading" role="status" aria-label={t(label)}>
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton.Node key={index} active className="view-loading-row" />
      ))}
    </div>
  )
}

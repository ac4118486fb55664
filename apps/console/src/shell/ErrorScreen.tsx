import { useEffect } from 'react'
import { useRouter } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from 'antd'
import { ApiError } from '../data/api.ts'
import { reportError } from '../data/errors/error-log.ts'
import { StatusScreen } from './StatusScreen.tsx'
import { t } from '../session/labels.ts'

/** Stands in for a screen that broke: says so, offers Retry, names the request to quote to support. */
export function ErrorScreen({ error: cause, reset }: ErrorComponentProps) {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const router = useRouter()
  useEffect(() => {
    // A part of a former build is no fault of the program.
    if (cause instanceof Error ? !isOldBuild(cause) : true) reportError(cause)
  }, [cause])
  const retry = (): void => {
    if (isOldBuild(error)) return location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <StatusScreen
      drawing="broken"
      title={t('This screen could not be shown')}
      actions={
        <>
          <Button type="primary" onClick={retry}>
            {t('Retry')}
          </Button>
          <Button href="/">{t('Go to the start')}</Button>
        </>
      }
    >
      <p role="alert">
        {isOldBuild(error) ? t('A part of the console could not be loaded. It may have been updated; load the page again.') : error.message}
      </p>
      {error instanceof ApiError && error.requestId && (
        <p>
          {t('Quote')} <code>{error.requestId}</code> {t('when you ask for help.')}
        </p>
      )}
    </StatusScreen>
  )
}

/** After an update the files of the former build are gone from the server. */
function isOldBuild(error: Error): boolean {
  return /dynamically imported module|module script|preload/i.test(error.message)
}

import { DisconnectOutlined, WifiOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState } from 'react'
import { useConnection } from '../../data/connection.ts'
import { useSyncStatus } from '../../offline/sync/status.ts'
import { Hint } from './keyboard/Hint.tsx'
import { t } from '../../session/labels.ts'

const SyncDrawer = lazy(() => import('./SyncDrawer.tsx').then((file) => ({ default: file.SyncDrawer })))

/** Green or red network icon with the number of changes that wait; opens what is waiting and Sync now. */
export function NetworkStatus() {
  const { isOnline } = useConnection()
  const { pending, attention } = useSyncStatus()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const text = isOnline ? t('Application is currently online.') : t('Application is currently offline.')
  const waiting = pending + attention
  const open = (): void => {
    setOpened(true)
    setOpen(true)
  }
  return (
    <>
      <Hint text={text} isAway={isOpen}>
        <button
          type="button"
          className="o-top-button"
          data-state={isOnline ? 'good' : 'bad'}
          aria-label={waiting > 0 ? `${text} ${t('{{count}} waiting.', { count: waiting })}` : text}
          onClick={open}
        >
          {isOnline ? <WifiOutlined /> : <DisconnectOutlined />}
          {waiting > 0 && (
            <span className="o-count" data-severe={attention > 0 || undefined} aria-hidden="true">
              {waiting > 99 ? '99+' : waiting}
            </span>
          )}
        </button>
      </Hint>
      <span className="o-hidden" role="status">
        {isOnline ? '' : text}
      </span>
      {wasOpened && (
        <Suspense fallback={null}>
          <SyncDrawer isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

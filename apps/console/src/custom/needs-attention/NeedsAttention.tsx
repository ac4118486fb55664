import { DownloadOutlined, SyncOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useModal } from '../../feedback/ModalHost.tsx'
import { useEffect } from 'react'
import { useConnection } from '../../data/connection.ts'
import { toast } from '../../feedback/toast.ts'
import { currentOffline } from '../../offline/current.ts'
import { exportLog, syncNow, useSyncStatus } from '../../offline/sync/status.ts'
import { t } from '../../session/labels.ts'
import { formatDateTime, formatRelative } from '../../view/formats.ts'
import { ErrorState, LoadingState, StatePanel } from '../../view/states/index.tsx'
import { AttentionCard } from './AttentionCard.tsx'
import { RefusedPhotos } from './RefusedPhotos.tsx'
import { attentionKey } from './actions.ts'
import './needs-attention.css'

/** Changes of this device that the server refused or changed: each is looked at by the person who made it. */
export function NeedsAttention() {
  const status = useSyncStatus()
  const { isOnline } = useConnection()
  const modal = useModal()
  const list = useQuery({
    queryKey: attentionKey,
    queryFn: async () => (await currentOffline()?.store.attention.list()) ?? [],
    enabled: status.isOpen,
  })
  const { refetch } = list
  useEffect(() => {
    if (status.isOpen) void refetch()
  }, [status.attention, status.isOpen, refetch])

  async function exportAll(): Promise<void> {
    const count = await exportLog()
    if (count > 0) toast.success({ title: t('Your unsent work is saved as one file, photos included.') })
    else modal.info({ title: t('There is nothing to export'), content: t('Everything on this device is at the server.') })
  }

  return (
    <div className="na">
      <header className="na-head">
        <div>
          <h1 tabIndex={-1}>{t('Needs attention')}</h1>
          <p className="na-sub">
            {status.pending > 0 ? t('{{count}} changes wait to be sent', { count: status.pending }) : t('Nothing waits to be sent')}
            {status.lastSuccess && (
              <>
                {' '}
                · {t('last sync')}{' '}
                <time dateTime={status.lastSuccess} title={formatDateTime(status.lastSuccess)}>
                  {formatRelative(status.lastSuccess)}
                </time>
              </>
            )}
          </p>
        </div>
        <div className="na-buttons">
          <Button icon={<DownloadOutlined />} disabled={!status.isOpen} onClick={() => void exportAll()}>
            {t('Export')}
          </Button>
          <Button
            type="primary"
            icon={<SyncOutlined />}
            loading={status.running}
            disabled={!status.isOpen || !isOnline}
            onClick={() => void syncNow()}
          >
            {t('Sync now')}
          </Button>
        </div>
      </header>
      {status.lastError && (
        <p className="na-error" role="alert">
          {t(status.lastError)}
        </p>
      )}
      {!status.isOpen ? (
        <StatePanel
          title={t('Nothing is kept on this device')}
          body={t('Offline work is for field roles, after signing in online on this device.')}
        />
      ) : list.error ? (
        <ErrorState error={list.error} what={t('This list')} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <LoadingState rows={3} />
      ) : list.data.length === 0 && status.attention === 0 ? (
        <StatePanel title={t('All clear')} body={t('Every change you made was taken by the server.')} />
      ) : (
        <ul className="na-list">
          {list.data.map((attention) => (
            <li key={attention.changeId}>
              <AttentionCard attention={attention} />
            </li>
          ))}
        </ul>
      )}
      {status.isOpen && <RefusedPhotos />}
    </div>
  )
}

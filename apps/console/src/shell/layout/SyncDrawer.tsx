import { Link } from '@tanstack/react-router'
import { Alert, Button, Descriptions, Drawer } from 'antd'
import { formatNumber } from '../../view/formats.ts'
import { relativeTime } from './time.ts'
import { checkConnection, useConnection, describeTrouble } from '../../data/connection.ts'
import { exportLog } from '../../offline/export.ts'
import { askForOldPassword, syncNow, useSyncStatus, describeSealed } from '../../offline/sync/status.ts'
import { keepsNothing } from '../../session/actions.ts'
import { changeSession } from '../../session/store.ts'
import { useSession } from '../../session/session.ts'
import { t } from '../../session/labels.ts'

/** The state of this device towards the server, and what can be done about it. */
export function SyncDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const connection = useConnection()
  const { isOnline } = connection
  const status = useSyncStatus()
  return (
    <Drawer
      open={isOpen}
      onClose={onClose}
      size={380}
      title={isOnline ? t('Application is currently online.') : t('Application is currently offline.')}
    >
      {!isOnline && <p>{t(describeTrouble(connection))}</p>}
      {status.isOpen ? <Waiting onClose={onClose} /> : <NothingKept isOnline={isOnline} lastError={status.lastError} onClose={onClose} />}
      {!isOnline && (
        <Button block onClick={() => void checkConnection()}>
          {t('Check the connection')}
        </Button>
      )}
    </Drawer>
  )
}

/** A session without a store of its own on this device: office roles, private windows, a sign-in without a password. */
function NothingKept({ isOnline, lastError, onClose }: { isOnline: boolean; lastError: string | null; onClose: () => void }) {
  const { layout } = useSession()
  return (
    <>
      {lastError && <Alert type="error" showIcon title={t(lastError)} />}
      <p>
        {isOnline
          ? t('Everything you see comes from the server, and every change goes there at once.')
          : t('You can look at what is on the screen; saving needs a connection.')}
      </p>
      {layout?.isFieldRole && (
        <p>
          {t(
            'This device keeps no changes: it cannot or may not store them, or you did not sign in with your password. Without a connection nothing can be saved.',
          )}
        </p>
      )}
      {isOnline && layout && keepsNothing(layout) && (
        <Button
          block
          onClick={() => {
            onClose()
            changeSession({ isAskingDevicePassword: true })
          }}
        >
          {t('Have this device keep your work')}
        </Button>
      )}
    </>
  )
}

const kB = (bytes: number): string => formatNumber(Math.round(bytes / 1_000))

function Waiting({ onClose }: { onClose: () => void }) {
  const { isOnline } = useConnection()
  const {
    pending,
    sending,
    oldest,
    attention,
    lastSuccess,
    lastError,
    running,
    needsSignIn,
    isPersisted,
    leftMegabytes,
    hasRoomForCopies,
    sealed,
  } = useSyncStatus()
  return (
    <div className="o-sync">
      {needsSignIn && (
        <Alert type="warning" showIcon title={t('Sign in again to send your changes')} action={<Link to="/logout">{t('Sign in')}</Link>} />
      )}
      {lastError && <Alert type="error" showIcon title={t('The last sync did not succeed')} description={t(lastError)} />}
      {attention > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('{{count}} changes need your attention', { count: attention })}
          description={
            <Link to="/offline/attention" onClick={onClose}>
              {t(attention === 1 ? 'Look at it' : 'Look at them')}
            </Link>
          }
        />
      )}
      {sealed && (
        <Alert
          type="warning"
          showIcon
          title={describeSealed(sealed)}
          action={
            <Button size="small" onClick={askForOldPassword}>
              {t('Enter it')}
            </Button>
          }
        />
      )}
      {leftMegabytes !== null && (
        <Alert
          type="warning"
          showIcon
          title={t('Only {{mb}} MB are left on this device. Sync and free some space.', { mb: leftMegabytes })}
          description={hasRoomForCopies ? undefined : t('Until then nothing new is loaded. What you make is kept and sent.')}
        />
      )}
      <Descriptions
        column={1}
        size="small"
        bordered
        items={[
          { key: 'pending', label: t('Waiting to be sent'), children: pending },
          ...(sending
            ? [
                {
                  key: 'sending',
                  label: t('Photo on its way'),
                  children: t('{{sent}} of {{size}} kB', { sent: kB(sending.sent), size: kB(sending.size) }),
                },
              ]
            : []),
          { key: 'oldest', label: t('Oldest'), children: oldest ? relativeTime(oldest) : t('none') },
          { key: 'last', label: t('Last sync'), children: lastSuccess ? relativeTime(lastSuccess) : t('not yet') },
          { key: 'kept', label: t('Storage'), children: isPersisted ? t('kept for good') : t('the browser may clear it') },
        ]}
      />
      <div className="o-sync-actions">
        <Button type="primary" loading={running} disabled={!isOnline} onClick={() => void syncNow()}>
          {t('Sync now')}
        </Button>
        <Button disabled={pending + attention === 0} onClick={() => void exportLog()}>
          {t('Export')}
        </Button>
        <Link to="/offline/sent" onClick={onClose}>
          {t('What became of my work')}
        </Link>
      </div>
    </div>
  )
}

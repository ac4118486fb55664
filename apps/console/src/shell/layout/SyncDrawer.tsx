import { Link } from '@tanstack/react-router'
import { Alert, Button, Descriptions, Drawer } from 'antd'
import { relativeTime } from './time.ts'
import { checkConnection, useConnection, describeTrouble } from '../../data/connection.ts'
import { exportLog } from '../../offline/export.ts'
import { askForOldPassword, syncNow, useSyncStatus, describeSealed } from '../../offline/sync/status.ts'
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
      title={isOnline ? 'Application is currently online.' : 'Application is currently offline.'}
    >
      {!isOnline && <p>{describeTrouble(connection)}</p>}
      {status.isOpen ? <Waiting onClose={onClose} /> : <NothingKept isOnline={isOnline} lastError={status.lastError} />}
      {!isOnline && (
        <Button block onClick={() => void checkConnection()}>
          Check the connection
        </Button>
      )}
    </Drawer>
  )
}

/** A session without a store of its own on this device: office roles, private windows, a sign-in without a password. */
function NothingKept({ isOnline, lastError }: { isOnline: boolean; lastError: string | null }) {
  const { frame } = useSession()
  return (
    <>
      {lastError && <Alert type="error" showIcon title={lastError} />}
      <p>
        {isOnline
          ? 'Everything you see comes from the server, and every change goes there at once.'
          : 'You can look at what is on the screen; saving needs a connection.'}
      </p>
      {frame?.isFieldRole && (
        <p>
          This device keeps no changes: it cannot or may not store them, or you did not sign in with your password. Without a connection
          nothing can be saved.
        </p>
      )}
    </>
  )
}

function Waiting({ onClose }: { onClose: () => void }) {
  const { isOnline } = useConnection()
  const { pending, oldest, attention, lastSuccess, lastError, running, needsSignIn, isPersisted, storageWarning, sealed } = useSyncStatus()
  return (
    <div className="o-sync">
      {needsSignIn && (
        <Alert type="warning" showIcon title="Sign in again to send your changes" action={<Link to="/logout">Sign in</Link>} />
      )}
      {lastError && <Alert type="error" showIcon title="The last sync did not succeed" description={lastError} />}
      {attention > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('{{count}} changes need your attention', { count: attention })}
          description={
            <Link to="/offline/attention" onClick={onClose}>
              Look at {attention === 1 ? 'it' : 'them'}
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
              Enter it
            </Button>
          }
        />
      )}
      {storageWarning && <Alert type="warning" showIcon title={storageWarning} />}
      <Descriptions
        column={1}
        size="small"
        bordered
        items={[
          { key: 'pending', label: 'Waiting to be sent', children: pending },
          { key: 'oldest', label: 'Oldest', children: oldest ? relativeTime(oldest) : 'none' },
          { key: 'last', label: 'Last sync', children: lastSuccess ? relativeTime(lastSuccess) : 'not yet' },
          { key: 'kept', label: 'Storage', children: isPersisted ? 'kept for good' : 'the browser may clear it' },
        ]}
      />
      <div className="o-sync-actions">
        <Button type="primary" loading={running} disabled={!isOnline} onClick={() => void syncNow()}>
          Sync now
        </Button>
        <Button disabled={pending + attention === 0} onClick={() => void exportLog()}>
          Export
        </Button>
      </div>
    </div>
  )
}

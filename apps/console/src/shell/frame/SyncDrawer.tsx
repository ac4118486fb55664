import { Link } from '@tanstack/react-router'
import { Alert, Button, Descriptions, Drawer } from 'antd'
import { relativeTime } from './time.ts'
import { checkConnection, useConnection } from '../../data/connection.ts'
import { exportLog } from '../../offline/export.ts'
import { syncNow, useSyncStatus } from '../../offline/status.ts'

/** How this device stands towards the server, and what can be done about it. */
export function SyncDrawer({ isOpen, onClose }: { isOpen: boolean, onClose: () => void }) {
  const { isOnline } = useConnection()
  const status = useSyncStatus()
  return (
    <Drawer open={isOpen} onClose={onClose} size={380} title={isOnline ? 'Application is currently online.' : 'Application is currently offline.'}>
      {status.isOpen ? <Waiting onClose={onClose} /> : (
        <p>{isOnline ? 'Everything you see comes from the server, and every change goes there at once.' : 'You can look at what is on the screen; saving needs a connection.'}</p>
      )}
      {!isOnline && <Button block onClick={() => void checkConnection()}>Check the connection</Button>}
    </Drawer>
  )
}

function Waiting({ onClose }: { onClose: () => void }) {
  const { isOnline } = useConnection()
  const { pending, oldest, attention, lastSuccess, lastError, running, needsSignIn, isPersisted, storageWarning } = useSyncStatus()
  return (
    <div className="o-sync">
      {needsSignIn && <Alert type="warning" showIcon title="Sign in again to send your changes" action={<Link to="/logout">Sign in</Link>} />}
      {lastError && <Alert type="error" showIcon title="The last sync did not succeed" description={lastError} />}
      {attention > 0 && (
        <Alert
          type="warning" showIcon title={`${attention} ${attention === 1 ? 'change needs' : 'changes need'} your attention`}
          description={<Link to="/offline/attention" onClick={onClose}>Look at {attention === 1 ? 'it' : 'them'}</Link>}
        />
      )}
      {storageWarning && <Alert type="warning" showIcon title={storageWarning} />}
      <Descriptions
        column={1} size="small" bordered
        items={[
          { key: 'pending', label: 'Waiting to be sent', children: pending },
          { key: 'oldest', label: 'Oldest', children: oldest ? relativeTime(oldest) : 'none' },
          { key: 'last', label: 'Last sync', children: lastSuccess ? relativeTime(lastSuccess) : 'not yet' },
          { key: 'kept', label: 'Storage', children: isPersisted ? 'kept for good' : 'the browser may clear it' },
        ]}
      />
      <div className="o-sync-actions">
        <Button type="primary" loading={running} disabled={!isOnline} onClick={() => void syncNow()}>Sync now</Button>
        <Button disabled={pending + attention === 0} onClick={() => void exportLog()}>Export</Button>
      </div>
    </div>
  )
}

import { Button, Tabs } from 'antd'
import { CloseOutlined } from '@ant-design/icons'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import type { Tracked } from './fleet.ts'
import { AlertsTab, EventsTab } from './panel/EventsTab.tsx'
import { CrashTab } from './panel/CrashTab.tsx'
import { DetailsTab } from './panel/DetailsTab.tsx'
import { EditTab } from './panel/EditTab.tsx'
import { InfoTab } from './panel/InfoTab.tsx'
import { ShareTab } from './panel/ShareTab.tsx'
import { TripsTab } from './panel/TripsTab.tsx'

/** Everything about one asset, in the eight tabs of the specification; the tab is in the address. */
export function AssetPanel({ one, onClose }: { one: Tracked; onClose?: () => void }) {
  const { address, patch } = useAddress()
  const { Id } = one.asset
  const items = [
    { key: 'details', label: t('Asset Details'), children: <DetailsTab one={one} /> },
    { key: 'alerts', label: t('Alerts'), children: <AlertsTab id={Id} /> },
    { key: 'events', label: t('Events'), children: <EventsTab id={Id} /> },
    { key: 'trips', label: t('Trips'), children: <TripsTab id={Id} /> },
    { key: 'info', label: t('Info'), children: <InfoTab id={Id} /> },
    { key: 'crash', label: t('Crash'), children: <CrashTab id={Id} /> },
    { key: 'edit', label: t('Edit'), children: <EditTab key={Id} id={Id} /> },
    { key: 'share', label: t('Share'), children: <ShareTab id={Id} /> },
  ]
  return (
    <>
      {onClose ? (
        <header className="fleet-panel-head">
          <h2>{one.asset.name}</h2>
          <Button type="text" icon={<CloseOutlined aria-hidden />} aria-label={t('Close the panel')} onClick={onClose} />
        </header>
      ) : null}
      <Tabs
        className="fleet-tabs"
        size="small"
        destroyOnHidden
        activeKey={textOf(address.tab) ?? 'details'}
        onChange={(tab) => patch({ tab: tab === 'details' ? undefined : tab })}
        items={items}
      />
    </>
  )
}

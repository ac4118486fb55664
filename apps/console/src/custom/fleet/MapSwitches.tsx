import { Button, Switch } from 'antd'
import { PrinterOutlined } from '@ant-design/icons'
import { t } from '../../session/labels.ts'
import { useAddress } from '../../view/address.ts'
import type { Tracked } from './fleet.ts'

/** What is drawn beside the assets, each kept in the address; and the map on paper. */
export function MapSwitches({ own }: { own: Tracked | undefined }) {
  const { address, patch } = useAddress()
  const layers = [
    { key: 'fences', words: t('Fences') },
    { key: 'places', words: t('Places') },
    ...(own
      ? [
          { key: 'trail', words: t('Last hour') },
          { key: 'follow', words: `${t('Follow')} ${own.asset.registrationNumber}` },
        ]
      : []),
  ]
  return (
    <div className="view-header-actions">
      {layers.map(({ key, words }) => (
        <label key={key} className="fleet-switch">
          <Switch size="small" checked={address[key] === 1} onChange={(on) => patch({ [key]: on ? 1 : undefined })} /> {words}
        </label>
      ))}
      <Button size="small" icon={<PrinterOutlined aria-hidden />} onClick={() => window.print()}>
        {t('Print')}
      </Button>
    </div>
  )
}

import { Button, Switch } from 'antd'
import { PrinterOutlined } from '@ant-design/icons'
import { t } from '../../session/labels.ts'
import { useAddress } from '../../view/address.ts'
import type { Tracked } from './fleet.ts'

/** Fences are drawn until somebody switches them off, as the specification has it. */
export const areFencesShown = (address: Readonly<Record<string, unknown>>): boolean => address['fences'] !== 0

/** What is drawn beside the assets, each kept in the address; and the map on paper. */
export function MapSwitches({ own }: { own: Tracked | undefined }) {
  const { address, patch } = useAddress()
  const layers = [
    { key: 'fences', words: t('Fences'), isOn: areFencesShown(address), isUsual: true },
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
      {layers.map(({ key, words, isOn = address[key] === 1, isUsual = false }) => (
        <label key={key} className="fleet-switch">
          <Switch size="small" checked={isOn} onChange={(on) => patch({ [key]: on === isUsual ? undefined : Number(on) })} /> {words}
        </label>
      ))}
      <Button size="small" icon={<PrinterOutlined aria-hidden />} onClick={() => window.print()}>
        {t('Print')}
      </Button>
    </div>
  )
}

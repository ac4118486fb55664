import { eventValues } from '@outpost/rules/fleet/event-values'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { formatNumber, formatRelative } from '../../../view/formats.ts'
import type { FleetDevice } from '../fleet.ts'
import { alarmWords } from '../event-words.ts'
import { Asked, Facts, Nothing, useAsset } from './parts.tsx'

/** The trackers of an asset: how well each is connected, in words, and what it sends. */
export function InfoTab({ id }: { id: string }) {
  return (
    <Asked query={useAsset(id)} what={t('Its trackers')}>
      {({ asset_devices: devices }) =>
        devices.length === 0 ? (
          <Nothing text={t('No tracker is on this asset.')} />
        ) : (
          devices.map((device) => <Device key={device.deviceId} device={device} />)
        )
      }
    </Asked>
  )
}

function Device({ device }: { device: FleetDevice }) {
  const query = useQuery({
    queryKey: ['records', 'device', 'doctor', device.deviceId],
    queryFn: async ({ signal }) => (await call('geo.devices.doctor', { params: { id: device.deviceId } }, { signal })).data.deviceDoctor,
  })
  return (
    <section className="fleet-device" aria-label={device.name}>
      <h3>{device.name}</h3>
      <Facts
        facts={[
          ['Identifier', device.uniqueId],
          ['Type', device.devicetypename],
          ['Model', device.model],
          ['Protocol', device.protocol],
          ['Heard of', device.lastUpdate ? formatRelative(device.lastUpdate) : t('Never')],
        ]}
      />
      <Asked query={query} what={t('How it is connected')}>
        {({ findings }) =>
          findings.length === 0 ? (
            <Nothing text={t('Nothing is wrong with its connection.')} />
          ) : (
            <ul className="fleet-rows">
              {findings.map((finding) => (
                <li
                  key={finding.code}
                  data-tone={finding.severity === 'critical' ? 'bad' : finding.severity === 'warning' ? 'warn' : 'good'}
                >
                  <span>
                    <strong>{t(finding.text)}</strong> {t(finding.advice)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Asked>
      {Object.keys(device.telemetry).length > 0 ? (
        <details>
          <summary>{t('What it sent last')}</summary>
          <Facts facts={Object.entries(device.telemetry).map(([key, value]) => [labelOf(key), valueText(key, value)] as const)} />
        </details>
      ) : null}
    </section>
  )
}

const known = (key: string) => (Object.hasOwn(eventValues, key) ? eventValues[key as keyof typeof eventValues] : undefined)
/** A value by its name in words; what only the device knows by the device's own name. */
const labelOf = (key: string) => (key === 'alarm' ? 'Alarm' : (known(key)?.label ?? key))

function valueText(key: string, value: unknown): string {
  if (key === 'alarm') return alarmWords(String(value))
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  const look = known(key)
  const unit = look && 'unit' in look ? ` ${look.unit}` : ''
  return `${typeof value === 'number' ? formatNumber(value) : String(value)}${unit}`
}

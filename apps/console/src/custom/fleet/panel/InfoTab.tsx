import { useQuery } from '@tanstack/react-query'
import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { formatRelative } from '../../../view/formats.ts'
import type { FleetDevice } from '../fleet.ts'
import { Asked, Facts, Nothing, useAsset } from './parts.tsx'

interface Doctor {
  findings: { severity: string; code: string; text: string; advice: string }[]
  lastDay: { positions: number; coverage: number }
  lastFrameAt: string | null
}

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
    queryFn: async ({ signal }) =>
      (await call('geo.devices.doctor', { params: { id: device.deviceId } }, { signal })).data.deviceDoctor as unknown as Doctor,
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
        {({ findings }) => (
          <ul className="fleet-rows">
            {findings.map((finding) => (
              <li key={finding.code} data-tone={finding.severity === 'critical' ? 'bad' : finding.severity === 'warning' ? 'warn' : 'good'}>
                <span>
                  <strong>{finding.text}</strong> {finding.advice}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Asked>
      {Object.keys(device.telemetry).length > 0 ? (
        <details>
          <summary>{t('What it sent last')}</summary>
          <Facts facts={Object.entries(device.telemetry).map(([key, value]) => [key, String(value)] as const)} />
        </details>
      ) : null}
    </section>
  )
}

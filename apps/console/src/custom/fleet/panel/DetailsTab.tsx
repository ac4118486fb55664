import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { CopyOutlined, MessageOutlined, SendOutlined } from '@ant-design/icons'
import { call } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { formatCompanyDateTime, formatNumber, formatRelative } from '../../../view/formats.ts'
import { alarmWords } from '../event-words.ts'
import { stateLooks, type Tracked } from '../fleet.ts'
import { FindIt } from './FindIt.tsx'
import { CommandButton } from './CommandButton.tsx'
import { Facts, useAsset, useDays } from './parts.tsx'
import { Photos } from './Photos.tsx'

/** Where it is now, what it is, and what can be done about it. */
export function DetailsTab({ one }: { one: Tracked }) {
  const { asset, state, speed, at, lat, lng, alarm } = one
  const { to: today } = useDays(0)
  const { data: record } = useAsset(asset.Id)
  const address = useAddressOf(asset.Id, lat, lng)
  const coordinates = lat === null || lng === null ? undefined : `${lat.toFixed(5)}, ${lng.toFixed(5)}`
  return (
    <>
      <p className="fleet-state" data-tone={stateLooks[state].tone}>
        {t(stateLooks[state].label)}
        {alarm ? `: ${alarmWords(alarm)}` : ''}
        {state === 'moving' && speed !== null ? ` · ${Math.round(speed)} km/h` : ''}
      </p>
      <Facts
        facts={[
          ['Place', address],
          ['Coordinates', coordinates],
          [
            'Seen',
            at ? (
              <time key="seen" dateTime={at} title={formatCompanyDateTime(at)}>
                {formatRelative(at)}
              </time>
            ) : null,
          ],
          ['Registration number', asset.registrationNumber],
          ['Make', [asset.make, asset.model].filter(Boolean).join(' ')],
          ['Odometer', record?.odometer == null ? null : `${formatNumber(record.odometer)} km`],
          ['Engine hours', record?.engineHours == null ? null : formatNumber(record.engineHours)],
          ['Groups', asset.groupIds.map(({ label }) => label).join(', ')],
          ['Branch', record?.tenantIdLabel],
          ['Client', record?.clientIdLabel],
        ]}
      />
      <div className="fleet-acts">
        {coordinates ? (
          <>
            <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy(coordinates)}>
              {t('Copy place')}
            </Button>
            <Button
              icon={<SendOutlined aria-hidden />}
              href={`https://www.google.com/maps/dir/?api=1&destination=${lat},${lng}`}
              target="_blank"
              rel="noreferrer"
            >
              {t('Navigate there')}
            </Button>
            <Button icon={<MessageOutlined aria-hidden />} onClick={() => void sendToDriver(asset.name, coordinates)}>
              {t('Send to a driver')}
            </Button>
            <FindIt place={{ lat: lat ?? 0, lng: lng ?? 0 }} />
          </>
        ) : null}
        <Link to={`/tracking/replay/${asset.Id}/${today}`}>{t('Replay today')}</Link>
        <Link to={`/tracking/assets/${asset.Id}/view`}>{t('Open the record')}</Link>
      </div>
      <Photos id={asset.Id} name={asset.name} />
      {asset.devices.map((device) => (
        <CommandButton key={device.deviceId} deviceId={device.deviceId} name={device.name} />
      ))}
    </>
  )
}

/** By what the device sends with: a message, a chat, a mail; where it offers nothing, as a text message. */
async function sendToDriver(name: string, coordinates: string): Promise<void> {
  const url = `https://www.google.com/maps/dir/?api=1&destination=${coordinates.replace(' ', '')}`
  if (!navigator.share) return void location.assign(`sms:?&body=${encodeURIComponent(`${name}: ${url}`)}`)
  try {
    await navigator.share({ title: name, text: `${name}: ${coordinates}`, url })
  } catch (error) {
    // Closed without choosing anybody.
    if ((error as Error).name !== 'AbortError') throw error
  }
}

async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
  toast.success({ title: t('Copied'), body: text })
}

/** The place in words, asked again once it has moved some hundred metres. */
function useAddressOf(id: string, lat: number | null, lng: number | null): string | null {
  const spot = lat === null || lng === null ? undefined : `${lat.toFixed(3)},${lng.toFixed(3)}`
  const { data } = useQuery({
    queryKey: ['geo-address', id, spot],
    enabled: spot !== undefined,
    staleTime: Infinity,
    queryFn: async ({ signal }) => (await call('geocoding.position', { params: { coordinates: spot ?? '' } }, { signal })).data.address,
  })
  return data ?? null
}

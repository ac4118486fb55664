import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isPosition } from '@outpost/rules/validation'
import { call } from '../../data/calls.ts'
import { MapView } from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { StatePanel } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import './agents.css'

/** One position on the whole window: where an action was done. */
export function AgentLocation({ params }: CustomProps) {
  const { address, patch } = useAddress()
  const [lng, lat] = [Number(params.lng), Number(params.lat)]
  const isKnown = isPosition(lat, lng)
  const place = useQuery({
    queryKey: ['geo-address', lat, lng],
    enabled: isKnown,
    staleTime: Infinity,
    queryFn: async ({ signal }) => (await call('tracking.address', { params: { lat, lng } }, { signal })).data.address,
  })
  const words = `${lat.toFixed(6)}, ${lng.toFixed(6)}`
  const label = place.data ?? words
  const points = useMemo(() => (isKnown ? [{ id: 'here', lat, lng, label, tone: 'bad' as const }] : []), [isKnown, lat, lng, label])
  if (!isKnown)
    return (
      <>
        <h1 className="o-hidden" tabIndex={-1}>
          {t('Location')}
        </h1>
        <StatePanel title={t('No position available')} body={t('This action was recorded without a position.')} />
      </>
    )
  return (
    <div className="agents-location">
      <header>
        <h1 tabIndex={-1}>{place.data ?? t('Location')}</h1>
        <p>
          <a href={`geo:${lat},${lng}?q=${lat},${lng}`}>{words}</a>
        </p>
      </header>
      <MapView
        label={t('Location')}
        points={points}
        viewport={textOf(address.map) ?? `${lat},${lng},14`}
        onViewport={(map) => patch({ map })}
        hasList={false}
        height="calc(100dvh - 122px)"
      />
    </div>
  )
}

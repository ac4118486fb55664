import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { vehicleStateOf, vehicleStates } from '@outpost/rules/fleet/states'
import { MapView, type MapPoint } from '../../../map/index.ts'
import { t } from '../../../session/labels.ts'

interface Place {
  label: string
  state: string
  latitude: number
  longitude: number
  open: string
}

/** Places of a tile on a small map; each opens what it is the place of. */
export function PlacesMap({ places, title }: { places: unknown; title: string }) {
  const navigate = useNavigate()
  const known = useMemo(() => (Array.isArray(places) ? (places as Place[]) : []), [places])
  const points = useMemo(
    () =>
      known.map(({ label, state, latitude, longitude, open }): MapPoint => ({
        id: open,
        lat: latitude,
        lng: longitude,
        label,
        tone: vehicleStates[vehicleStateOf(state)].tone,
        note: t(vehicleStates[vehicleStateOf(state)].label),
      })),
    [known],
  )
  if (points.length === 0) return <p className="widget-none">{t('Nobody tells a place yet')}</p>
  const open = (address: string): void => {
    const [to = '', search] = address.split('?')
    void navigate({ to, search: Object.fromEntries(new URLSearchParams(search)) as never })
  }
  return <MapView label={t(title)} points={points} hasList={false} height="190px" onOpen={({ id }) => open(id)} />
}

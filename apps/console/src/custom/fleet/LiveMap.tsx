import { Drawer } from 'antd'
import { useCallback, useMemo, useState } from 'react'
import {
  FollowPlace,
  MapView,
  RevealPlace,
  Shapes,
  WatchBox,
  type MapArea,
  type MapLine,
  type MapPoint,
  type Place,
} from '../../map/index.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatCompanyDateTime, formatCompanyTime, formatRelative } from '../../view/formats.ts'
import { EmptyState, ErrorState, LoadingState } from '../../view/states/index.tsx'
import { useIsPhone } from '../../view/useIsPhone.ts'
import { AssetList } from './AssetList.tsx'
import { AssetPanel } from './AssetPanel.tsx'
import { countStates, nearestFirst, pickAssets, stateLooks, states, type Tracked } from './fleet.ts'
import { isPlace, useFences, usePlaces, useTrail } from './layers.ts'
import { areFencesShown, MapSwitches } from './MapSwitches.tsx'
import { Outdated } from './Outdated.tsx'
import { useTripLine } from './replay/trip-line.ts'
import { useAlarms } from './useAlarms.ts'
import { useFleet } from './useFleet.ts'
import './fleet.css'

const noAreas: MapArea[] = []
const noLines: MapLine[] = []

/** All assets where they are now: those in view move as their trackers report; a panel tells everything about one. */
export function LiveMap() {
  const { address, patch } = useAddress()
  const isPhone = useIsPhone()
  useAlarms()
  const { tracked, hasData, error, isPending, refetch, asOf, isKept, follow } = useFleet()
  const [search, group, chosen] = [textOf(address.search) ?? '', textOf(address.group), textOf(address.asset)]
  const state = states.find((one) => one === address.state)
  const isFollowing = address.follow === 1 && chosen !== undefined
  const [here, setHere] = useState<Place>()
  const shown = useMemo(() => {
    const picked = pickAssets(tracked, { search, state, group })
    return here ? nearestFirst(picked, here) : picked
  }, [tracked, search, state, group, here])
  const counts = useMemo(() => countStates(tracked, { search, group }), [tracked, search, group])
  const places = usePlaces(address.places === 1)
  const points = useMemo(() => [...places, ...pointsOf(shown)], [places, shown])
  const groups = useMemo(() => groupsOf(tracked), [tracked])
  const areas = useFences(areFencesShown(address))
  const line = useTripLine(chosen)
  const own = tracked.find(({ asset }) => asset.Id === chosen)
  const trail = useTrail(own?.asset, address.trail === 1)
  const lines = useMemo(() => (line || trail ? [...(trail ?? []), ...(line ?? [])] : noLines), [line, trail])
  const selected = useMemo(() => new Set(chosen === undefined ? [] : [chosen]), [chosen])
  const open = useCallback((id: string | undefined) => patch({ asset: id, follow: undefined }, { isStep: true }), [patch])
  const change = useCallback((changes: Record<string, unknown>) => patch(changes), [patch])
  return (
    <div className="fleet-map">
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Live map')}</h1>
          <span className="view-count" role="status">
            {hasData
              ? `${t('{{count}} assets', { count: tracked.length })} · ${t('as of')} ${(isKept ? formatCompanyDateTime : formatCompanyTime)(new Date(asOf).toISOString())}`
              : ''}
          </span>
        </div>
        <MapSwitches own={own} />
      </header>
      <Outdated error={hasData ? error : null} isKept={isKept} onRetry={refetch} />
      {error && !hasData ? (
        <ErrorState error={error} what={t('The live map')} onRetry={() => void refetch()} />
      ) : isPending ? (
        <LoadingState />
      ) : tracked.length === 0 ? (
        <EmptyState
          title={t('No assets in your reach yet')}
          body={t('Add a vehicle under Assets, or adopt a tracker that reports already under Unlinked devices.')}
        />
      ) : (
        <div className="fleet-parts" data-open={own !== undefined}>
          <AssetList
            shown={shown}
            counts={counts}
            groups={groups}
            search={search}
            state={state}
            group={group}
            chosen={chosen}
            here={here}
            onForget={() => setHere(undefined)}
            onPatch={change}
            onOpen={open}
          />
          <MapView
            label={t('Assets')}
            points={points}
            lines={lines}
            selected={selected}
            onOpen={({ id }) => (isPlace(id) ? undefined : open(id))}
            viewport={textOf(address.map)}
            onViewport={(map) => patch({ map })}
            onNear={setHere}
            hasList={false}
            height={isPhone ? '55dvh' : 'calc(100dvh - 190px)'}
          >
            <WatchBox onBox={follow} />
            {/* Not among the map's content: a fence of a whole country must not move it away from the vehicles. */}
            <Shapes lines={noLines} areas={areas ?? noAreas} />
            {chosen !== undefined && own && own.lat !== null && own.lng !== null ? (
              <RevealPlace name={chosen} place={{ lat: own.lat, lng: own.lng }} />
            ) : null}
            {isFollowing && own && own.lat !== null && own.lng !== null ? <FollowPlace place={{ lat: own.lat, lng: own.lng }} /> : null}
          </MapView>
          {own && !isPhone ? (
            <aside className="fleet-panel" aria-label={own.asset.name}>
              <AssetPanel one={own} onClose={() => open(undefined)} />
            </aside>
          ) : null}
          {own && isPhone ? (
            <Drawer open placement="bottom" size="75dvh" title={own.asset.name} onClose={() => open(undefined)}>
              <AssetPanel one={own} />
            </Drawer>
          ) : null}
        </div>
      )}
    </div>
  )
}

/** Kept for each asset as it is: its note is words and times, which cost more than all else of ten thousand points. */
const drawn = new WeakMap<Tracked, MapPoint>()

function pointsOf(shown: readonly Tracked[]): MapPoint[] {
  const points: MapPoint[] = []
  for (const one of shown) {
    const { lat, lng } = one
    if (lat === null || lng === null) continue
    const point = drawn.get(one) ?? pointOf(one, { lat, lng })
    drawn.set(one, point)
    points.push(point)
  }
  return points
}

function pointOf({ asset, state, course, speed, at }: Tracked, place: Place): MapPoint {
  const look = stateLooks[state]
  return {
    ...place,
    id: asset.Id,
    label: asset.registrationNumber,
    picture: asset.mapIcon,
    tone: look.tone,
    note: `${t(look.label)}${state === 'moving' && speed !== null ? ` · ${Math.round(speed)} km/h` : ''} · ${formatRelative(at)}`,
    ...(state === 'moving' && course !== null ? { heading: course } : {}),
  }
}

function groupsOf(tracked: readonly Tracked[]): { value: string; label: string }[] {
  const all = new Map(tracked.flatMap(({ asset }) => asset.groupIds.map(({ Id, label }) => [Id, label] as const)))
  return [...all].map(([value, label]) => ({ value, label })).toSorted((a, b) => a.label.localeCompare(b.label))
}

import { useMemo } from 'react'
import { t } from '../../../session/labels.ts'
import { MapView, type MapLine, type MapPoint } from '../../../map/index.ts'
import { textOf, useAddress } from '../../../view/address.ts'
import { matchesSearch } from '../api.ts'
import { changeFields } from './draft.ts'
import type { EditorPart } from './part.ts'
import { agentTone, clock, formatDay, isDashed } from '../formats.ts'

/** The plan on a map: what is unplanned as dots (choose with the lasso), the stops of the day numbered, a line an agent. */
export function PlanMap({
  draft,
  change,
  known,
  days,
  day,
  timeZone,
  people,
  selected,
  onSelect,
  search,
  isPicking,
  onPicking,
}: EditorPart) {
  const { address, patch } = useAddress()
  const { points, lines } = useMemo(
    () => drawn({ draft, known, days, day, timeZone, people, search }),
    [draft, known, days, day, timeZone, people, search],
  )
  const planned = useMemo(() => new Set(draft.stops.map(({ activityId }) => activityId)), [draft.stops])
  const choose = (ids: string[]) => onSelect(new Set(ids.filter((id) => known.has(id) && !planned.has(id))))
  return (
    <section className="rp-card rp-map" aria-label={t('Map of the plan')}>
      <MapView
        label={`${t('Unplanned activities and stops of')} ${formatDay(day)}`}
        points={points}
        lines={lines}
        selected={selected}
        onSelect={choose}
        hasList={false}
        height="100%"
        onOpen={({ id }) => (known.has(id) && !planned.has(id) ? onSelect(toggled(selected, id)) : undefined)}
        onGround={
          isPicking
            ? ({ lat, lng }) => {
                change(changeFields(draft, { startLat: round(lat), startLng: round(lng) }))
                onPicking(false)
              }
            : undefined
        }
        viewport={textOf(address.map)}
        onViewport={(map) => patch({ map })}
      />
      <p className="rp-soft">
        {t(isPicking ? 'Click where the days begin.' : 'Draw around activities (l) to select them; a click selects one.')}
      </p>
    </section>
  )
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6

function toggled(selected: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

function drawn({
  draft,
  known,
  days,
  day,
  timeZone,
  people,
  search,
}: Pick<EditorPart, 'draft' | 'known' | 'days' | 'day' | 'timeZone' | 'people' | 'search'>): { points: MapPoint[]; lines: MapLine[] } {
  const planned = new Set(draft.stops.map(({ activityId }) => activityId))
  const { startLat, startLng, startLocation } = draft.fields
  const start: MapPoint[] =
    startLat == null || startLng == null
      ? []
      : [{ id: 'start', lat: startLat, lng: startLng, label: startLocation || t('Start'), tone: 'good' }]
  const free = [...known.values()]
    .filter((one) => matchesSearch(one, search))
    .flatMap(({ id, lat, lng, name, place }): MapPoint[] =>
      planned.has(id) || lat === null || lng === null ? [] : [{ id, lat, lng, label: name, note: place, tone: 'quiet' }],
    )
  const shown = days.filter((one) => one.day === day)
  const stops = shown.flatMap(({ userId, stops: own, timed }) =>
    own.flatMap(({ activity: { id, lat, lng, name } }, index): MapPoint[] =>
      lat === null || lng === null
        ? []
        : [
            {
              id,
              lat,
              lng,
              label: name,
              number: index + 1,
              tone: agentTone(draft.agents.indexOf(userId)),
              note: `${people.find(({ Id }) => Id === userId)?.label ?? ''} ${clock(timed.stops[index]?.arrival, timeZone)}`,
            },
          ],
    ),
  )
  const lines = shown.map(({ userId, stops: own }): MapLine => {
    const index = draft.agents.indexOf(userId)
    const way = own.flatMap(({ activity: { lat, lng } }) => (lat === null || lng === null ? [] : [[lat, lng] as const]))
    const from = start.map(({ lat, lng }) => [lat, lng] as const)
    return {
      id: userId,
      tone: agentTone(index),
      isDashed: isDashed(index),
      positions: [...from, ...way, ...(draft.fields.returnsToStart ? from : [])],
    }
  })
  return { points: [...start, ...free, ...stops], lines }
}

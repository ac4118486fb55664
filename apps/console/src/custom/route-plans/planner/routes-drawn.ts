import { t } from '../../../session/labels.ts'
import type { MapLine, MapPoint } from '../../../map/index.ts'
import type { Tone } from '../../../theme/tones.ts'
import type { StopRow } from '../api.ts'
import { agentTone, clock, isDashed, meaningTone, meaningLabels } from '../formats.ts'

interface Drawing {
  timeZone: string
  /** Colour of a stop by what became of it; else by its agent. */
  byMeaning: boolean
  start?: { startLat?: number | null; startLng?: number | null }
  /** Agents in the order of their colours; that of their appearance when not given. */
  agents?: readonly string[]
}

/** Stops numbered in each agent's order, and a line an agent. */
export function drawRoutes(
  stops: readonly StopRow[],
  { timeZone, byMeaning, start, agents = [...new Set(stops.map(({ userId }) => userId))] }: Drawing,
): { points: MapPoint[]; lines: MapLine[] } {
  const routes = [...Map.groupBy(stops, ({ userId }) => userId)]
  const points = routes.flatMap(([userId, own]) =>
    own.flatMap((stop, index): MapPoint[] => {
      const { lat, lng } = stop
      if (lat === null || lng === null) return []
      const tone: Tone = byMeaning ? meaningTone(stop.meaning) : agentTone(agents.indexOf(userId))
      return [
        {
          id: stop.stopId,
          lat,
          lng,
          label: stop.name,
          number: index + 1,
          tone,
          note: `${stop.agentName} · ${clock(stop.plannedArrival, timeZone)} · ${t(meaningLabels[stop.meaning])}`,
        },
      ]
    }),
  )
  const from = start?.startLat == null || start.startLng == null ? [] : [[start.startLat, start.startLng] as const]
  const lines = routes.map(([userId, own]): MapLine => {
    const index = agents.indexOf(userId)
    return {
      id: userId,
      tone: agentTone(index),
      isDashed: isDashed(index),
      label: own[0]?.agentName ?? '',
      positions: [...from, ...own.flatMap(({ lat, lng }) => (lat === null || lng === null ? [] : [[lat, lng] as const]))],
    }
  })
  return { points, lines }
}

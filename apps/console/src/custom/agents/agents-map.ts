import { metresBetween } from '@outpost/rules/places/distance'
import { gradeAt, type FixSource } from '@outpost/rules/places/fix-quality'
import type { IntegrityFlag } from '@outpost/rules/places/integrity'

/** One agent as GET /api/agent/positions returns it. */
export interface Agent {
  Id: string
  name: string
  mobile: string | null
  tenant: string | null
  isOnline: boolean
  since: string | null
  latitude: number | null
  longitude: number | null
  accuracy: number | null
  battery: number | null
  source: FixSource
  deviceTime: string | null
  flags: IntegrityFlag[]
}
export type Shown = 'all' | 'online' | 'nowhere'
export interface Spot {
  lat: number
  lng: number
}

/** How much the agent's position is worth now. */
export const gradeOf = ({ source, deviceTime }: Pick<Agent, 'source' | 'deviceTime'>, now: number): FixSource =>
  gradeAt({ source, at: deviceTime ? Date.parse(deviceTime) : null }, now)

/** The agents a reader asked for; `nowhere`: whose position is not known at present. */
export function pickAgents(agents: readonly Agent[], { shown, now }: { shown: Shown; now: number }): Agent[] {
  if (shown === 'online') return agents.filter(({ isOnline }) => isOnline)
  return shown === 'nowhere' ? agents.filter((agent) => gradeOf(agent, now) === 'none') : [...agents]
}

/** Agents by straight-line distance to a spot, nearest first; those who work now come first. */
export function nearestTo(agents: readonly Agent[], { lat, lng }: Spot, now: number): { agent: Agent; metres: number }[] {
  return agents
    .flatMap((agent) => {
      const { latitude, longitude } = agent
      if (latitude === null || longitude === null || gradeOf(agent, now) === 'none') return []
      return [{ agent, metres: metresBetween({ latitude: lat, longitude: lng }, { latitude, longitude }) }]
    })
    .toSorted((a, b) => Number(b.agent.isOnline) - Number(a.agent.isOnline) || a.metres - b.metres)
}

/** A spot of the address: "-1.28,36.82". */
export function parseSpot(text: string | undefined): Spot | undefined {
  const [lat, lng] = (text ?? '').split(',').map(Number)
  return lat !== undefined && lng !== undefined && Number.isFinite(lat) && Number.isFinite(lng) && text !== '' ? { lat, lng } : undefined
}

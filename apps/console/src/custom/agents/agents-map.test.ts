import { expect, it } from 'vitest'
import { nearestTo, parseSpot, pickAgents, type Agent } from './agents-map.ts'

const now = Date.parse('2026-11-21T10:00:00Z')
const agent = (Id: string, over: Partial<Agent> = {}): Agent => ({
  Id,
  name: Id,
  mobile: null,
  tenant: null,
  isOnline: true,
  since: null,
  latitude: -1.28,
  longitude: 36.82,
  accuracy: 10,
  battery: 50,
  source: 'live',
  deviceTime: new Date(now - 60_000).toISOString(),
  flags: [],
  ...over,
})

it('picks who works now, and whose position nobody knows', () => {
  const agents = [
    agent('a'),
    agent('b', { isOnline: false }),
    agent('c', { deviceTime: new Date(now - 7 * 3_600_000).toISOString() }),
    agent('d', { latitude: null, longitude: null, source: 'none', deviceTime: null }),
  ]
  const ids = (shown: 'all' | 'online' | 'nowhere') => pickAgents(agents, { shown, now }).map(({ Id }) => Id)
  expect([ids('all'), ids('online'), ids('nowhere')]).toEqual([
    ['a', 'b', 'c', 'd'],
    ['a', 'c', 'd'],
    ['c', 'd'],
  ])
})

it('says who can reach a place first: working people, the nearest first, and nobody whose position is stale', () => {
  const agents = [
    agent('far', { latitude: -2 }),
    agent('near but off', { isOnline: false }),
    agent('near', { latitude: -1.29 }),
    agent('stale', { deviceTime: new Date(now - 7 * 3_600_000).toISOString() }),
  ]
  expect(nearestTo(agents, { lat: -1.28, lng: 36.82 }, now).map(({ agent: { Id } }) => Id)).toEqual(['near', 'far', 'near but off'])
})

it('reads a spot of the address, or none', () => {
  expect(parseSpot('-1.28,36.82')).toEqual({ lat: -1.28, lng: 36.82 })
  for (const text of [undefined, '', 'here', '1']) expect(parseSpot(text)).toBeUndefined()
})

import { expect, it } from 'vitest'
import { dayAway, figuresOf, linesOf, type TrackPoint, type Visit } from './agent-day.ts'

const point = (latitude: number, flags: TrackPoint['flags'] = []): TrackPoint => ({
  at: '2026-11-21T08:00:00Z',
  latitude,
  longitude: 36.8,
  accuracy: 10,
  source: 'live',
  flags,
})
const visit = (meaning: Visit['meaning'], endDate: string): Visit => ({
  Id: meaning,
  name: '',
  startDate: endDate,
  endDate,
  latitude: null,
  longitude: null,
  location: null,
  status: '',
  meaning,
  changedAt: null,
})

it('breaks the track where a jump cannot be true', () => {
  expect(linesOf([point(1), point(2), point(9, ['teleport']), point(3), point(4)])).toEqual([
    [
      [1, 36.8],
      [2, 36.8],
    ],
    [
      [3, 36.8],
      [4, 36.8],
    ],
  ])
  expect(linesOf([point(1)])).toEqual([])
})

it('counts what is past and undone as missed', () => {
  const visits = [
    visit('done', '2026-11-21T08:00:00Z'),
    visit('open', '2026-11-21T08:00:00Z'),
    visit('open', '2026-11-21T18:00:00Z'),
    visit('missed', '2026-11-21T08:00:00Z'),
    visit('cancelled', '2026-11-21T08:00:00Z'),
  ]
  expect(figuresOf({ visits, track: [point(1), point(2, ['identical'])] }, Date.parse('2026-11-21T12:00:00Z'))).toEqual({
    planned: 5,
    done: 1,
    missed: 2,
    doubtful: 1,
  })
})

it('walks the calendar over the ends of months', () => {
  expect([dayAway('2026-03-01', -1), dayAway('2026-12-31', 1)]).toEqual(['2026-02-28', '2027-01-01'])
})

import { describe, expect, it } from 'vitest'
import type { Row } from '../../data/records.ts'
import { distanceText, nextStop, sortDay, type ActivityStatus } from './work.ts'

const now = new Date(2026, 10, 21, 11, 0)
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString()
const statuses: ActivityStatus[] = [
  { Id: 's1', name: 'PENDING', meaning: 'open' },
  { Id: 's2', name: 'Visited', meaning: 'done' },
  { Id: 's3', name: 'Called off', meaning: 'cancelled' },
]
const activity = (Id: string, day: number, from: number, more: object = {}) => ({
  Id,
  startDate: at(day, from),
  endDate: at(day, from + 1),
  statusId: 's1',
  assignedUsers: [{ Id: 'me' }],
  ...more,
})

describe('the day of an agent', () => {
  const sort = (rows: object[]) => sortDay(rows as never, { statuses, userId: 'me', now })

  it('puts what is past its end in overdue, be it of today, and the rest of today in its order', () => {
    const day = sort([
      activity('late', 20, 9),
      activity('c', 21, 16),
      activity('b', 21, 14),
      activity('a', 21, 9),
      activity('tomorrow', 22, 9),
    ])
    expect(day.overdue.map((row) => row.Id)).toEqual(['late', 'a'])
    expect(day.today.map((row) => row.Id)).toEqual(['b', 'c'])
    // The visit that runs may be past its end: it is still where one is.
    expect(day.open.map((row) => row.Id)).toEqual(['a', 'b', 'c'])
  })

  it('counts what is done as progress and leaves finished work off the list', () => {
    const day = sort([
      activity('done', 21, 8, { statusId: 's2' }),
      activity('off', 21, 9, { statusId: 's3' }),
      activity('open', 21, 10),
      activity('old', 19, 8, { statusId: 's2' }),
    ])
    expect(day).toMatchObject({ done: 1, planned: 3, overdue: [] })
    expect(day.today.map((row) => row.Id)).toEqual(['open'])
  })

  it('leaves out what belongs to others and takes an unknown status as open', () => {
    const day = sort([
      activity('theirs', 21, 9, { assignedUsers: [{ Id: 'other' }] }),
      activity('new status', 21, 12, { statusId: 'x', status: 'Whatever' }),
      activity('by name', 21, 9, { statusId: null, status: 'Visited' }),
    ])
    expect(day.today.map((row) => row.Id)).toEqual(['new status'])
  })
})

describe('the next stop', () => {
  const stops = [
    { Id: 'first', statusId: 's-open', lat: '-1.29', lng: 36.82 },
    { Id: 'second', statusId: 's-started', lat: null, lng: null },
  ] as Row[]
  const known = [
    { Id: 's-open', name: 'Pending', meaning: 'open' as const },
    { Id: 's-started', name: 'In progress', meaning: 'started' as const },
  ]

  it('is the visit that runs, else the first of the day, with its distance when both places are known', () => {
    const here = { latitude: -1.28, longitude: 36.82 }
    expect(nextStop(stops, { statuses: known, here })).toMatchObject({ row: { Id: 'second' }, isRunning: true, place: null, metres: null })
    const next = nextStop(stops.slice(0, 1), { statuses: known, here })
    expect([next?.isRunning, Math.round(next?.metres ?? 0)]).toEqual([false, 1112])
    expect(nextStop(stops.slice(0, 1), { statuses: known, here: null })?.metres).toBeNull()
    expect(nextStop([], { statuses: known, here })).toBeNull()
  })

  it('is said as people say it', () =>
    expect([4, 349, 951, 2_449, 17_600].map(distanceText)).toEqual(['10 m', '350 m', '1.0 km', '2.4 km', '18 km']))
})

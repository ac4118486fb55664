import { describe, expect, it } from 'vitest'
import {
  addStops,
  begin,
  changeFields,
  changeStop,
  daysOf,
  emptyDraft,
  moveStop,
  nudgeStop,
  orderDay,
  redo,
  removeStops,
  setAgents,
  step,
  undo,
} from './draft.ts'

const timeZone = 'Africa/Nairobi'
const activity = (id: string, lng = 36.8, day = '2026-11-24') => ({
  id,
  name: id,
  lat: -1.3,
  lng,
  start: Date.parse(`${day}T07:00:00Z`),
  end: Date.parse(`${day}T07:30:00Z`),
})
const empty = emptyDraft('2026-11-21')
const filled = addStops(empty, { activities: ['a', 'b', 'c'].map((id) => activity(id)), agents: ['u'], day: '2026-11-24', timeZone })
const order = (draft: typeof filled, userId = 'u') =>
  draft.stops.filter((stop) => stop.userId === userId).map(({ activityId }) => activityId)

describe('a plan being made', () => {
  it('begins with the working week after today', () => {
    expect(daysOf(empty)).toEqual(['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'])
    expect(emptyDraft('2026-11-23').fields.startDate).toBe('2026-11-30')
  })

  it('adds each activity once, on the asked day or its own within the plan', () => {
    expect(
      addStops(filled, { activities: [activity('a'), activity('d', 36.8, '2026-12-20')], agents: ['u'], day: 'due', timeZone }).stops.map(
        ({ activityId, day }) => [activityId, day],
      ),
    ).toEqual([
      ['a', '2026-11-24'],
      ['b', '2026-11-24'],
      ['c', '2026-11-24'],
      ['d', '2026-11-27'],
    ])
    expect(addStops(filled, { activities: [activity('a')], agents: ['u'], day: 'due', timeZone })).toBe(filled)
  })

  it('shares activities out among agents by nearness', () => {
    const shared = addStops(empty, {
      activities: [activity('w1', 36.7), activity('e1', 37), activity('w2', 36.71), activity('e2', 37.01)],
      agents: ['u', 'v'],
      day: 'due',
      timeZone,
    })
    expect([order(shared, 'u').toSorted(), order(shared, 'v').toSorted()].toSorted()).toEqual([
      ['e1', 'e2'],
      ['w1', 'w2'],
    ])
  })

  it('moves stops within a day, to another day and to another agent', () => {
    expect(order(moveStop(filled, 'c', { userId: 'u', day: '2026-11-24', index: 0 }))).toEqual(['c', 'a', 'b'])
    expect(order(nudgeStop(filled, 'a', 1))).toEqual(['b', 'a', 'c'])
    expect(nudgeStop(filled, 'a', -1)).toBe(filled)
    const moved = moveStop(changeStop(filled, 'a', { keepsTime: true }), 'a', { userId: 'v', day: '2026-11-25' })
    expect(moved.agents).toEqual(['u', 'v'])
    expect(moved.stops.find(({ activityId }) => activityId === 'a')).toMatchObject({ userId: 'v', day: '2026-11-25', keepsTime: false })
  })

  it('takes an order, keeps stops inside new dates and unplans the stops of an agent that goes', () => {
    expect(order(orderDay(filled, { userId: 'u', day: '2026-11-24' }, ['c', 'a', 'b']))).toEqual(['c', 'a', 'b'])
    expect(changeFields(filled, { startDate: '2026-11-26' }).stops.map(({ day }) => day)).toEqual([
      '2026-11-26',
      '2026-11-26',
      '2026-11-26',
    ])
    expect(setAgents(filled, []).stops).toEqual([])
    expect(order(removeStops(filled, new Set(['b'])))).toEqual(['a', 'c'])
  })

  it('goes back and forth', () => {
    const history = step(step(begin(empty), filled), removeStops(filled, new Set(['a'])))
    expect(undo(history).now).toBe(filled)
    expect(undo(undo(undo(history))).now).toBe(empty)
    expect(redo(undo(history)).now).toBe(history.now)
    expect(step(undo(history), empty).future).toEqual([])
  })
})

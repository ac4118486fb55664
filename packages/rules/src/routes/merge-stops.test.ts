import { describe, expect, it } from 'vitest'
import { mergeStops, type MergedStop } from './merge-stops.ts'

const stop = (activityId: string, more: Partial<MergedStop> = {}): MergedStop => ({ activityId, userId: 'u', day: '2026-11-23', ...more })
const names = (stops: readonly MergedStop[]) => stops.map(({ activityId }) => activityId).join('')
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => stop(name)) as [MergedStop, MergedStop, MergedStop, MergedStop]

describe('stops that two sides changed', () => {
  it('are the office’s where the device changed nothing', () => {
    expect(mergeStops([a, b], [a, b], [b, c])).toEqual([b, c])
  })

  it('hold what either side put in, and not what either side took out', () => {
    expect(names(mergeStops([a, b, c], [b, a, d], [a, c, stop('e')]))).toBe('ade')
  })

  it('keep the device’s order, and the office’s additions behind', () => {
    expect(names(mergeStops([a, b, c], [c, a, b], [a, b, c, d]))).toBe('cabd')
  })

  it('take the day of who changed it, and the device’s where both did', () => {
    const [early, late] = ['2026-11-24', '2026-11-25']
    expect(mergeStops([a, b], [b, a], [stop('a', { day: early }), b])).toEqual([b, stop('a', { day: early })])
    expect(mergeStops([a], [stop('a', { day: late })], [stop('a', { day: early })])).toEqual([stop('a', { day: late })])
  })

  it('move between agents as one that goes and one that comes', () => {
    const other = stop('a', { userId: 'v' })
    expect(mergeStops([a, b], [other, b], [a, b, c])).toEqual([other, b, c])
  })

  it('do not come twice when both sides added the same, in any case of letters', () => {
    expect(mergeStops([], [a], [stop('A', { lock: 'first' })])).toEqual([a])
  })
})

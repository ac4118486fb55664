import { expect, it } from 'vitest'
import { barWindow, sumOf, visitsBehind, type AgentDay } from './day-api.ts'

const visit = (Id: string, meaning: string, from = 9, to = 10) => ({ Id, meaning, startDate: String(from * 60), endDate: String(to * 60) })
const agent = (over: object) =>
  ({
    planned: 0,
    done: 0,
    started: 0,
    open: 0,
    late: 0,
    missed: 0,
    cancelled: 0,
    km: 0,
    plannedKm: 0,
    visits: [],
    ...over,
  }) as unknown as AgentDay

it('opens exactly the records behind a number', () => {
  const day = agent({ visits: [visit('a', 'done'), visit('b', 'late'), visit('c', 'done')] })
  expect(visitsBehind(day, 'done').map(({ Id }) => Id)).toEqual(['a', 'c'])
  expect(visitsBehind(day, 'planned')).toHaveLength(3)
  expect(visitsBehind(day, 'missed')).toEqual([])
})

it('adds agents up and widens the bars to the longest day', () => {
  const day = [
    agent({ done: 2, km: 1.5, visits: [visit('a', 'done', 5.5, 6)] }),
    agent({ done: 3, km: 2, visits: [visit('b', 'open', 19, 19.5)] }),
  ]
  expect(sumOf(day)).toMatchObject({ done: 5, km: 3.5, missed: 0 })
  expect(barWindow(day, Number)).toEqual({ from: 300, to: 1_200 })
  expect(barWindow([], Number)).toEqual({ from: 420, to: 1_080 })
})

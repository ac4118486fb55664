import { partition } from 'es-toolkit/array/partition'
import dayjs from 'dayjs'
import type { Row } from '../../data/records.ts'
import { toneOf } from '../../theme/tones.ts'
import { agentsOf, statusOf, type Status } from './events.ts'
import type { Stack } from './stack.ts'

interface Stacking {
  statuses: readonly Status[]
  /** Whose activities are always alone. */ me: string
  /** Activities that may be side by side. */ most: number
}

const dayOf = (row: Row) => dayjs(String(row.startDate)).format('YYYY-MM-DD')
const hourOf = (row: Row) => dayjs(String(row.startDate)).hour()

export const isOwn = (row: Row, me: string): boolean => agentsOf(row).some(({ Id }) => Id === me)

/** On days with more side by side than can be read, the activities of others become one stack an hour; own ones stay. */
export function stackHours(rows: readonly Row[], { statuses, me, most }: Stacking): { singles: Row[]; stacks: Stack[] } {
  const days = [...Map.groupBy(rows, dayOf)].map(([day, ofDay]) => {
    if (widest(ofDay) <= most) return { singles: ofDay, stacks: [] }
    const [own, others] = partition(ofDay, (row) => isOwn(row, me))
    const hours = [...Map.groupBy(others, hourOf)]
    return {
      singles: [...own, ...hours.flatMap(([, some]) => (some.length === 1 ? some : []))],
      stacks: hours.flatMap(([hour, some]) => (some.length > 1 ? [{ day, hour, count: some.length, parts: partsOf(some, statuses) }] : [])),
    }
  })
  return { singles: days.flatMap(({ singles }) => singles), stacks: days.flatMap(({ stacks }) => stacks) }
}

/** One stack a day, where a cell has room for a number only. */
export const stackDays = (rows: readonly Row[], statuses: readonly Status[]): Stack[] =>
  [...Map.groupBy(rows, dayOf)].map(([day, ofDay]) => ({ day, hour: null, count: ofDay.length, parts: partsOf(ofDay, statuses) }))

/** True when the activity begins in the hour of that day. */
export const beginsIn = (row: Row, { date, hour }: { date: string; hour: number | null }): boolean =>
  hour === null || (dayOf(row) === date && hourOf(row) === hour)

/** The most activities that go on at one time; each is drawn for half an hour at least. */
function widest(rows: readonly Row[]): number {
  const edges = rows
    .flatMap(({ startDate, endDate }) => {
      const start = dayjs(String(startDate)).valueOf()
      return [
        [start, 1],
        [Math.max(start + 1_800_000, dayjs(String(endDate ?? startDate)).valueOf()), -1],
      ] as const
    })
    .sort(([a, up], [b, down]) => a - b || up - down)
  let [now, most] = [0, 0]
  for (const [, step] of edges) most = Math.max(most, (now += step))
  return most
}

function partsOf(rows: readonly Row[], statuses: readonly Status[]): Stack['parts'] {
  const groups = Map.groupBy(rows, (row) => statusOf(row, statuses)?.name ?? String(row.status ?? ''))
  return [...groups]
    .map(([name, some]) => ({ name, tone: toneOf(statusOf(some[0] as Row, statuses)?.colour), count: some.length }))
    .sort((a, b) => b.count - a.count)
}

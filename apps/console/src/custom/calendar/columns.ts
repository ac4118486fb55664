import dayjs from 'dayjs'
import type { Row } from '../../data/records.ts'
import { agentsOf, type Agent } from './events.ts'

/** An activity in its agent's column: minutes since midnight, and the lane it has among those at the same time. */
export interface Placed {
  row: Row
  from: number
  to: number
  lane: number
  lanes: number
}
export interface Column {
  agent: Agent
  placed: Placed[]
}

/** Columns that are drawn at most: more are chosen by name. */
export const maxColumns = 40
/** A box is drawn for this many minutes at least. */
const shortest = 30
const noOne = 'none'

/** The day's activities, a column an agent: the user first, then by name, those without an agent last. */
export function columnsOf(
  rows: readonly Row[],
  { day, me, chosen, nobody }: { day: string; me: string; chosen: readonly string[]; nobody: string },
): Column[] {
  const columns = new Map<string, { agent: Agent; rows: Row[] }>()
  for (const row of rows.filter(({ startDate }) => dayjs(String(startDate)).format('YYYY-MM-DD') === day)) {
    const agents = agentsOf(row).filter(({ Id }) => chosen.length === 0 || chosen.includes(Id))
    for (const agent of agents.length > 0 ? agents : [{ Id: noOne, label: nobody }]) {
      const column = columns.get(agent.Id) ?? { agent, rows: [] }
      column.rows.push(row)
      columns.set(agent.Id, column)
    }
  }
  const rank = ({ Id }: Agent) => (Id === me ? 0 : Id === noOne ? 2 : 1)
  return [...columns.values()]
    .toSorted((a, b) => rank(a.agent) - rank(b.agent) || a.agent.label.localeCompare(b.agent.label))
    .map(({ agent, rows: own }) => ({ agent, placed: placeRows(own, day) }))
}

/** First and last hour that a day of columns shows: the working day, and what lies outside of it. */
export function hoursOf(columns: readonly Column[]): { first: number; last: number } {
  const placed = columns.flatMap((column) => column.placed)
  return {
    first: Math.min(8, ...placed.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(18, ...placed.map(({ to }) => Math.ceil(to / 60))),
  }
}

/** Gives each the first lane that is free; those that touch one another share the width. */
function placeRows(rows: readonly Row[], day: string): Placed[] {
  const midnight = dayjs(day)
  const minute = (moment: unknown) => Math.min(1_440, dayjs(String(moment)).diff(midnight, 'minute'))
  const timed = rows
    .map((row) => {
      const from = minute(row.startDate)
      return { row, from, to: Math.min(1_440, Math.max(from + shortest, minute(row.endDate ?? row.startDate))) }
    })
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
  const groups: (typeof timed)[] = []
  let end = -1
  for (const one of timed) {
    if (one.from >= end) groups.push([])
    groups.at(-1)?.push(one)
    end = Math.max(end, one.to)
  }
  return groups.flatMap(placeGroup)
}

function placeGroup(group: readonly Omit<Placed, 'lane' | 'lanes'>[]): Placed[] {
  const ends: number[] = []
  const laid = group.map((one) => {
    const free = ends.findIndex((to) => to <= one.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = one.to
    return { ...one, lane }
  })
  return laid.map((one) => ({ ...one, lanes: ends.length }))
}

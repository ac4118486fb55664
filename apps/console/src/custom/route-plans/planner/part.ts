import type { Known, Person } from '../api.ts'
import type { Draft } from './draft.ts'
import type { DayTimes } from './useDayTimes.ts'

/** What every part of the plan editor works on. */
export interface EditorPart extends DayTimes {
  draft: Draft
  change: (next: Draft) => void
  known: ReadonlyMap<string, Known>
  /** The day on the screen. */
  day: string
  timeZone: string
  people: readonly Person[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** Words that the list and the map of the unplanned are narrowed to. */
  search: string
  onSearch: (search: string) => void
  /** A click on the map sets where the days begin. */
  /** An activity made here joins the end of an agent's day. */
  onMade: (activity: Known, at: { userId: string; day: string }) => void
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
}

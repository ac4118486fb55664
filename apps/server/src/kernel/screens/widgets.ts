import type { FilterTerm } from '@outpost/contract/envelope'
import type { Permission } from '@outpost/contract/permissions'
import type { TileFigure } from '@outpost/contract/tiles'
import type { Viewpoint } from '@outpost/rules/people/viewpoint'
import type { Ctx } from '../types/ctx.ts'
import type { WidgetDefinition } from '../types/named.ts'
import type { AnyResource } from '../types/resource.ts'

/**
 * The boards that offer a widget. A number is its place, counted in tens, on a board that nobody has arranged yet: for everybody, or
 * by viewpoint; `{}` offers it only.
 */
export type BoardPlaces = Readonly<Record<string, number | Readonly<Partial<Record<Viewpoint, number>>>>>

/** What a board can show, filled by a call of the area. It is offered to whom its call and the screen that it opens are open. */
export interface BoardWidget extends WidgetDefinition {
  on: BoardPlaces
}

/** How many rows a list has under fixed terms. A click opens the list under the same terms. */
export interface Counting {
  resource: AnyResource
  /** The screen of the list. */
  screen: string
  terms?: (ctx: Ctx) => FilterTerm[]
  /** Days of one of the list's dates, 0 being today, the last one included; without it all time counts. */
  days?: { type: string; from: number; to: number }
  /** The days counted, in words; "All time" when left out. */
  period?: string
}

/** A number that no list counts: the area counts it and names the screen that shows as many. */
export interface OwnCounting {
  screen: string
  figure: (ctx: Ctx) => Promise<TileFigure>
}

interface TileBasics {
  id: string
  title: string
  on: BoardPlaces
  /** Any of these lets a caller see the rows. */
  permissions: [Permission, ...Permission[]]
  /** Needed beside: what makes the number the caller's business. */
  alsoNeeds?: Permission
}
export type CountingTile = TileBasics & Counting

/** A number of the dashboards: one call counts them all. */
export type Tile = CountingTile | (TileBasics & OwnCounting)

/** A dashboard that people arrange: its name in `on`, and the call that counts its tiles where it offers any. */
export interface WidgetBoard {
  name: string
  figures?: string
}

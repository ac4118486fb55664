import type { CallView, DashboardView, DetailView, FormView, KanbanLayout, ListView, MapLayout, WidgetView } from '@outpost/contract/views'
import type { Ctx } from './ctx.ts'
import type { ActionDefinition, FieldDefinition } from './resource.ts'

/**
 * Views as areas declare them: where the console's view holds a call, they name a route. The name is checked at the start,
 * and the call is given to whom the route is open.
 */
export type ListOverrides = Partial<Omit<ListView, 'kind' | 'source' | 'inline' | 'actions' | 'layouts'>> & {
  actions?: readonly ActionDefinition[]
  layouts?: readonly LayoutDefinition[]
}
export type FormOverrides = Partial<Omit<FormView, 'kind' | 'load' | 'submit' | 'actions' | 'check'>> & {
  actions?: readonly ActionDefinition[]
  check?: CheckDefinition
}
export type DetailOverrides = Partial<Omit<DetailView, 'kind' | 'load' | 'timeline' | 'panels' | 'edit' | 'actions'>> & {
  actions?: readonly ActionDefinition[]
}

/** A board: `move` and `summary` are names of routes. */
export interface BoardDefinition extends Omit<KanbanLayout, 'move' | 'summary'> {
  move?: string
  summary?: string
  /** The columns as the caller has them, where they are the company's own rows; without any there is no board. */
  columnsOf?: (ctx: Ctx) => Promise<KanbanLayout['columns']>
}
export type LayoutDefinition = BoardDefinition | MapLayout

/** A duplicate check made while typing, by the route named. */
export interface CheckDefinition extends Omit<NonNullable<FormView['check']>, 'call'> {
  route: string
}

/** A list that belongs to a record; left out for callers who may not make its call. */
export interface PanelDefinition {
  key: string
  title: string
  /** Name of the route that gives the rows. */
  route: string
  /** Dotted path into data where the rows are. */
  value: string
  /** Dotted path into data of a sentence shown above the rows. */
  note?: string
  fields: Readonly<Record<string, FieldDefinition>>
  /** Screen a row opens, shown only to callers who may open it. */
  open?: string
  /** Key of what ties a row to the record, a list of words: the ties are drawn above the rows. */
  ties?: string
  actions?: readonly ActionDefinition[]
  empty: { title: string; body?: string }
}

/** `source` is the name of a route. */
export interface WidgetDefinition extends Omit<WidgetView, 'source'> {
  source: string
}
export interface DashboardDefinition extends Omit<DashboardView, 'kind' | 'widgets'> {
  widgets: readonly WidgetDefinition[]
}

/** The routes that a function of a view may give away, by names of its own. */
export type CallNames<Key extends string = string> = Readonly<Record<Key, string>>
/** Their calls; undefined where the caller may not make them. */
export type Calls<Key extends string = string> = Readonly<Record<Key, CallView | undefined>>

import type { DashboardView, DateWindow, DetailView, LayoutView, ListView, WidgetView } from '@outpost/contract/views'
import { callOf, openOf, routeOf, screenOf, type Catalogue } from '../catalogue.ts'
import type { Ctx, DashboardDefinition, FieldDefinition, LayoutDefinition, Screen, WidgetDefinition } from '../../types.ts'
import { fieldOf } from '../../resource/define.ts'
import { describeActions } from './actions.ts'
import { describePanels } from './panels.ts'
import { compact, requirePart, describeField, type ViewOf } from './fields.ts'
import { describeInline } from './form.ts'
import { filterFields, operatorsOn } from '../../resource/read/filter.ts'
import { sortFields } from '../../resource/read/sorting.ts'
import { hasSteps } from '../../workflow/steps.ts'
import type { CommonStates } from '../../workflow/types.ts'
import { describeMoves, moveActions, withBoardMoves, withMoves } from '../../workflow/describe.ts'
import { inSentence } from '../../in-sentence.ts'

/** A list view cut to the caller: links and actions whose screen or route is closed to them are left out. */
export function describeList(
  ctx: Ctx,
  catalogue: Catalogue,
  { title, offline }: Screen,
  { resource, source, overrides }: ViewOf<'list'>,
  states: CommonStates = new Map(),
): ListView {
  const { list } = resource
  const { actions = resource.actions, layouts, ...said } = overrides ?? {}
  const sortable = sortFields(resource)
  const shown = Object.keys(resource.fields).filter((key) => !fieldOf(resource, key).detailOnly)
  const offered = shown.filter((key) => !fieldOf(resource, key).isTechnical)
  const hidden = offered.filter((key) => !list.columns.includes(key) && !fieldOf(resource, key).isFilterOnly)
  const link = (use: 'create' | 'edit' | 'view') => screenOf(ctx, catalogue, resource, use)
  const moves = describeMoves(ctx, catalogue, resource, { isOffline: offline, states, describeField })
  return {
    kind: 'list',
    title,
    resource: resource.one,
    many: resource.many,
    idKey: 'Id',
    titleKey: resource.title,
    source: requirePart(callOf(ctx, catalogue, source ?? routeOf(catalogue, resource, 'list')), resource, 'list'),
    fields: shown.map((key) => describeField(ctx, catalogue, key, fieldOf(resource, key))),
    columns: [...list.columns, ...hidden].map((key) => ({
      key,
      sortable: sortable.has(key),
      ...(hidden.includes(key) ? { hidden: true } : {}),
      ...(isNumeric(fieldOf(resource, key)) ? { align: 'right' as const } : {}),
      ...compact({ moves: moves.get(key) }),
    })),
    filters: filterFields(resource)
      .filter((key) => !fieldOf(resource, key).isTechnical)
      .map((key) => ({ key, operators: offeredOn(fieldOf(resource, key)) })),
    search: list.search !== undefined,
    sort: { field: list.sort[0], order: list.sort[1] },
    pageSize: 100,
    ...(list.dates
      ? {
          dateTypes: Object.entries(list.dates).map(([value, { label, window, field, until }]) => ({
            value,
            label,
            period: periodOf(window),
            field,
            ...compact({ until }),
            window,
          })),
        }
      : {}),
    routes: compact({ create: link('create'), edit: link('edit'), view: link('view') }),
    actions: withMoves(describeActions(ctx, catalogue, [...moveActions(ctx, resource, states), ...(actions ?? [])]), resource, moves),
    presentation: list.presentation ?? 'table',
    ...(list.parentKey === undefined ? {} : { parentKey: list.parentKey }),
    ...compact({ inline: describeInline(ctx, catalogue, resource, source) }),
    empty: list.empty ?? { title: `No ${inSentence(resource.labelMany)} yet` },
    offline: offline && resource.offline !== undefined,
    ...said,
    ...(layouts ? { layouts: layouts.map((layout) => describeLayout(ctx, catalogue, withBoardMoves(layout, resource, moves))) } : {}),
  }
}

/** A layout cut to the caller: who may not move the cards of a board gets one to look at. */
function describeLayout(ctx: Ctx, catalogue: Catalogue, layout: LayoutDefinition): LayoutView {
  if (layout.kind !== 'kanban') return layout
  const { move, summary, ...rest } = layout
  return { ...rest, ...compact({ move: callOf(ctx, catalogue, move), summary: callOf(ctx, catalogue, summary) }) }
}

export const describeDashboard = (ctx: Ctx, catalogue: Catalogue, { widgets, ...rest }: DashboardDefinition): DashboardView => ({
  kind: 'dashboard',
  ...rest,
  widgets: describeWidgets(ctx, catalogue, widgets),
})

/** The widgets whose call is open to the caller. */
export function describeWidgets(ctx: Ctx, catalogue: Catalogue, widgets: readonly WidgetDefinition[]): WidgetView[] {
  return widgets.flatMap(({ source, ...widget }) => {
    const call = callOf(ctx, catalogue, source)
    return call ? [{ ...widget, source: call }] : []
  })
}

/** The default period of a date in words. */
function periodOf(window: DateWindow): string {
  if (window.kind === 'week') return 'This week'
  if (window.kind === 'all') return 'All time'
  if (window.back === 0) return `Next ${window.ahead} days`
  return `${window.back} ${window.back === 1 ? 'day' : 'days'} back to ${window.ahead} ahead`
}

/** One record for reading, with the actions the caller may do to it. */
export function describeDetail(
  ctx: Ctx,
  catalogue: Catalogue,
  { title, offline }: Screen,
  view: ViewOf<'detail'>,
  states: CommonStates = new Map(),
): DetailView {
  const { resource } = view
  const { actions = resource.actions, ...said } = view.overrides ?? {}
  const edit = view.edit === undefined ? screenOf(ctx, catalogue, resource, 'edit') : openOf(ctx, catalogue, view.edit)
  const keys = Object.keys(resource.fields).filter((key) => !fieldOf(resource, key).isFilterOnly)
  const moves = describeMoves(ctx, catalogue, resource, { isOffline: offline, states, describeField })
  const panels = describePanels(ctx, catalogue, { resource, own: view.panels ?? [] }, { describeActions, describeField })
  return {
    kind: 'detail',
    title,
    resource: resource.one,
    one: resource.one,
    idKey: 'Id',
    titleKey: resource.title,
    fields: keys.map((key) => describeField(ctx, catalogue, key, fieldOf(resource, key))),
    sections: [{ rows: keys.map((key) => [key]) }],
    load: requirePart(callOf(ctx, catalogue, view.load ?? routeOf(catalogue, resource, 'get')), resource, 'get'),
    actions: withMoves(
      describeActions(ctx, catalogue, [
        ...moveActions(ctx, resource, states),
        ...(catalogue.actions.get(resource.one) ?? []),
        ...(actions ?? []),
      ]),
      resource,
      moves,
    ).filter((action) => action.scope === 'row'),
    ...(offline && resource.offline ? { offline: resource.one } : {}),
    ...compact({ edit, timeline: callOf(ctx, catalogue, routeOf(catalogue, resource, 'history')) }),
    ...(hasSteps(resource) ? { hasSteps: true } : {}),
    ...(panels.length > 0 ? { panels } : {}),
    ...said,
  }
}

const isNumeric = ({ kind }: FieldDefinition) => kind === 'money' || kind === 'number' || kind === 'percent'

/** A text that is shown by words is chosen from them: nobody types a part of what they do not see. */
const offeredOn = (field: FieldDefinition) =>
  operatorsOn(field).filter((operator) => operator !== 'contains' || field.kind !== 'text' || field.options === undefined)

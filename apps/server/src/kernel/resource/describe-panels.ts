import type { FieldView } from '@outpost/contract/fields'
import type { ActionView, PanelView } from '@outpost/contract/views'
import { callOf, openOf, routeOf, screenOf, type Catalogue } from '../screens/catalogue.ts'
import type { RelatedPanel } from '../screens/panels.ts'
import type { ActionDefinition, AnyResource, Ctx, FieldDefinition, PanelDefinition } from '../types.ts'
import { fieldOf } from './define.ts'

interface Means {
  describeActions: (ctx: Ctx, catalogue: Catalogue, actions?: readonly ActionDefinition[]) => ActionView[]
  describeField: (ctx: Ctx, catalogue: Catalogue, key: string, field: FieldDefinition) => FieldView
}

const [shownColumns, shownRows] = [6, 50]

/** The lists on a record's detail, its own before those of other areas; those whose call is closed to the caller are left out. */
export function describePanels(ctx: Ctx, catalogue: Catalogue, { resource, own }: { resource: AnyResource, own: readonly PanelDefinition[] }, means: Means): PanelView[] {
  const others = catalogue.panels.get(resource.one) ?? []
  return [...own, ...others].flatMap((panel) => 'resource' in panel ? describeRelated(ctx, catalogue, panel, means) : describePanel(ctx, catalogue, panel, means))
}

function describePanel(ctx: Ctx, catalogue: Catalogue, { key, title, route, value, note, fields, open, actions, empty }: PanelDefinition, { describeActions, describeField }: Means): PanelView[] {
  const source = callOf(ctx, catalogue, route)
  if (!source) return []
  const opened = openOf(ctx, catalogue, open)
  return [{
    key, title, source, value, empty, actions: describeActions(ctx, catalogue, actions),
    fields: Object.entries(fields).map(([name, field]) => describeField(ctx, catalogue, name, field)),
    ...(note === undefined ? {} : { note }), ...(opened === undefined ? {} : { open: opened }),
  }]
}

/** The newest records that name this one, with how many there are, where all of them are, and the form of a new one. */
function describeRelated(ctx: Ctx, catalogue: Catalogue, { resource, field, title }: RelatedPanel, { describeField }: Means): PanelView[] {
  const source = callOf(ctx, catalogue, routeOf(catalogue, resource, 'list'))
  if (!source) return []
  const filter = `filter=${JSON.stringify([{ field, op: 'eq', value: ':id' }])}`
  const screens = { open: screenOf(ctx, catalogue, resource, 'view') ?? screenOf(ctx, catalogue, resource, 'edit'), all: screenOf(ctx, catalogue, resource, 'list'), create: screenOf(ctx, catalogue, resource, 'create') }
  return [{
    key: resource.many, title, source: { ...source, path: `${source.path}?size=${shownRows}&${filter}` }, value: resource.many, actions: [],
    fields: resource.list.columns.filter((key) => key !== field).slice(0, shownColumns).map((key) => describeField(ctx, catalogue, key, fieldOf(resource, key))),
    empty: { title: `No ${resource.labelMany.toLowerCase()} yet` },
    ...(screens.open ? { open: screens.open } : {}),
    ...(screens.all ? { all: `${screens.all}?${filter}` } : {}),
    ...(screens.create ? { create: { label: `New ${resource.label.toLowerCase()}`, screen: `${screens.create}?${field}=:id` } } : {}),
  }]
}

import type { CallView } from '@outpost/contract/views'
import { isPermitted } from '../session/permission.ts'
import type { AnyResource, Area, Ctx, Operation, PanelDefinition, Route, Screen } from '../types.ts'
import type { MenuHeading } from './menu-place.ts'
import type { AreaPanel } from './panels.ts'
import { screenId } from './screen.ts'

/** All routes, screens and tabs of the program, found by name, resource or path. */
export interface Catalogue {
  routes: ReadonlyMap<string, Route>
  screens: ReadonlyMap<string, Screen>
  /** Tabs that areas hang on the records of others, by the records' `one`. */
  panels: ReadonlyMap<string, readonly AreaPanel['panel'][]>
  headings: readonly MenuHeading[]
}

/** The catalogue of the areas. Throws when two screens share a path or a screen or action names no route. */
export function catalogueOf(areas: readonly Area[]): Catalogue {
  const routes = new Map(areas.flatMap((area) => area.routes).map((route) => [route.name, route]))
  const screens = new Map<string, Screen>()
  for (const screen of areas.flatMap((area) => area.screens)) {
    const id = screenId(screen.path)
    if (screens.has(id)) throw new Error(`Screen ${screen.path} is declared twice`)
    screens.set(id, screen)
  }
  const hung = Map.groupBy(areas.flatMap((area) => area.panels), (one) => one.on)
  const panels = new Map([...hung].map(([one, tabs]) => [one, tabs.map(({ panel }) => panel)]))
  const catalogue = { routes, screens, panels, headings: areas.flatMap((area) => area.menu) }
  assertNames(areas, catalogue)
  return catalogue
}

/** The call of a route, or undefined when there is none or the caller may not make it. */
export function callOf(ctx: Ctx, { routes }: Catalogue, name: string | undefined): CallView | undefined {
  const route = name === undefined ? undefined : routes.get(name)
  return route && isPermitted(ctx, route.access) ? { method: route.method, path: route.path } : undefined
}

/** The call itself when the caller may make it. A call that no route answers never gets here: the program does not start. */
export function permitted(ctx: Ctx, { routes }: Catalogue, call: CallView | undefined): CallView | undefined {
  const route = call && routeAt(routes, call)
  return route && isPermitted(ctx, route.access) ? call : undefined
}

const routeAt = (routes: Catalogue['routes'], { method, path }: CallView): Route | undefined => [...routes.values()].find((route) => route.method === method && route.path === path)

/** Name of the resource's route of that kind: the one with a plain address before others. */
export function routeOf({ routes }: Catalogue, resource: AnyResource, kind: Operation['kind']): string | undefined {
  const fitting = [...routes.values()].filter(({ operation }) => operation.kind === kind && (operation as Operation).resource?.one === resource.one)
  const plain = (path: string) => kind === 'list' || kind === 'create' ? !path.includes(':') : true
  return (fitting.find((route) => plain(route.path)) ?? (kind === 'list' ? undefined : fitting[0]))?.name
}

/** Path of the resource's permitted screen of that use. */
export function screenOf(ctx: Ctx, catalogue: Catalogue, resource: AnyResource, use: Use): string | undefined {
  return permittedScreen(ctx, catalogue, resource, use)?.path
}

/** The resource's permitted form that edits one record. */
export const editScreenOf = (ctx: Ctx, catalogue: Catalogue, resource: AnyResource): Screen | undefined => permittedScreen(ctx, catalogue, resource, 'edit')

type Use = 'list' | 'create' | 'edit' | 'view'

function permittedScreen(ctx: Ctx, { screens }: Catalogue, resource: AnyResource, use: Use): Screen | undefined {
  return [...screens.values()].find((screen) => isPermitted(ctx, screen.access) && usedAs(screen, resource) === use)
}

/** The path itself when the caller may open the screen it leads to. */
export function openOf(ctx: Ctx, { screens }: Catalogue, path: string | undefined): string | undefined {
  const screen = path === undefined ? undefined : screens.get(screenId(path))
  return screen && isPermitted(ctx, screen.access) ? path : undefined
}

function usedAs({ view, path }: Screen, resource: AnyResource) {
  if (!('resource' in view) || view.resource?.one !== resource.one) return undefined
  if (view.kind === 'custom') return view.use
  if (view.kind === 'list') return 'list'
  if (view.kind === 'detail') return 'view'
  return path.includes('/:') ? 'edit' : 'create'
}

function assertNames(areas: readonly Area[], { routes, screens, panels }: Catalogue): void {
  const named = [
    ...areas.flatMap((area) => area.resources).flatMap(({ one, actions = [] }) => actions.flatMap(({ route, undo, assign }) => [[`action of ${one}`, route], [`undo of ${one}`, undo], [`candidates of ${one}`, assign?.candidates], [`undo of ${one}`, assign?.undo]])),
    ...areas.flatMap((area) => area.resources).flatMap(({ one, moves }) => [[`moves of ${one}`, moves?.route], [`undo of moves of ${one}`, moves?.undo]]),
    ...[...panels].flatMap(([one, tabs]) => tabs.flatMap((tab) => 'route' in tab ? panelRoutes([tab]).map((name) => [`a tab of ${one}`, name]) : [])),
    ...[...screens.values()].flatMap(({ path, view }) => routeNames(view).map((name) => [`screen ${path}`, name])),
  ]
  const wrong = [
    ...named.filter(([, name]) => name !== undefined && !routes.has(name)).map(([place, name]) => `${place} names an unknown route ${name}`),
    ...[...screens.values()].flatMap(({ path, view }) => layoutCalls(view).filter((call) => !routeAt(routes, call)).map((call) => `a layout of screen ${path} names an unknown call ${call.method} ${call.path}`)),
  ]
  if (wrong.length > 0) throw new Error(`Outpost does not start:\n  ${wrong.join('\n  ')}`)
}

function layoutCalls(view: Screen['view']): CallView[] {
  const layouts = view.kind === 'list' ? view.over?.layouts ?? [] : []
  return layouts.flatMap((layout) => layout.kind === 'kanban' ? [layout.move, layout.summary] : []).filter((call) => call !== undefined)
}

function routeNames(view: Screen['view']): (string | undefined)[] {
  if (view.kind === 'list') return [view.source]
  if (view.kind === 'form') return [view.load, view.submit]
  if (view.kind !== 'detail') return []
  const { load, panels = [] } = view
  return [load, ...panelRoutes(panels)]
}

const panelRoutes = (panels: readonly PanelDefinition[]) => panels.flatMap(({ route, actions = [] }) => [route, ...actions.flatMap((action) => [action.route, action.undo])])

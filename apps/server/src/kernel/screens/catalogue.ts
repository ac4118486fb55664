import type { CallView } from '@outpost/contract/views'
import { isPermitted } from '../session/permission.ts'
import type { AnyResource, Area, CallNames, Calls, Ctx, Operation, Route, Screen } from '../types.ts'
import type { MenuHeading } from './menu-place.ts'
import type { AreaAction, AreaPanel } from './panels.ts'
import { screenId } from './screen.ts'
import type { BoardWidget, Tile } from './widgets.ts'

/** All routes, screens and tabs of the program, found by name, resource or path. */
export interface Catalogue {
  routes: ReadonlyMap<string, Route>
  screens: ReadonlyMap<string, Screen>
  /** Tabs that areas hang on the records of others, by the records' `one`. */
  panels: ReadonlyMap<string, readonly AreaPanel['panel'][]>
  /** Buttons that areas put on them. */
  actions: ReadonlyMap<string, readonly AreaAction['action'][]>
  headings: readonly MenuHeading[]
  /** What the dashboards offer. */
  tiles: readonly Tile[]
  widgets: readonly BoardWidget[]
}

/** The catalogue of the areas. Throws when two screens share a path. */
export function catalogueOf(areas: readonly Area[]): Catalogue {
  const routes = new Map(areas.flatMap((area) => area.routes).map((route) => [route.name, route]))
  const screens = new Map<string, Screen>()
  for (const screen of areas.flatMap((area) => area.screens)) {
    const id = screenId(screen.path)
    if (screens.has(id)) throw new Error(`Screen ${screen.path} is declared twice`)
    screens.set(id, screen)
  }
  const hung = Map.groupBy(
    areas.flatMap((area) => area.panels),
    (one) => one.on,
  )
  const panels = new Map([...hung].map(([one, tabs]) => [one, tabs.map(({ panel }) => panel)]))
  const put = Map.groupBy(
    areas.flatMap((area) => area.actions),
    (one) => one.on,
  )
  return {
    routes,
    screens,
    panels,
    actions: new Map([...put].map(([one, buttons]) => [one, buttons.map(({ action }) => action)])),
    headings: areas.flatMap((area) => area.menu),
    tiles: areas.flatMap((area) => area.tiles),
    widgets: areas.flatMap((area) => area.widgets),
  }
}

/** The call of a route, or undefined when there is none or the caller may not make it. */
export function callOf(ctx: Ctx, { routes }: Catalogue, name: string | undefined): CallView | undefined {
  const route = name === undefined ? undefined : routes.get(name)
  return route && isPermitted(ctx, route.access) ? { method: route.method, path: route.path } : undefined
}

/** The calls of the routes named, undefined where the caller may not make them. */
export function callsOf<Key extends string>(ctx: Ctx, catalogue: Catalogue, names: CallNames<Key> | undefined): Calls<Key> {
  return Object.fromEntries(
    Object.entries<string>(names ?? {}).map(([key, name]) => [key, callOf(ctx, catalogue, name)]),
  ) as unknown as Calls<Key>
}

/** The call with these parameters of its path filled in. */
export function filledCall(call: CallView, values: Readonly<Record<string, string>>): CallView {
  return { ...call, path: call.path.replace(/:(\w+)/g, (whole, key: string) => values[key] ?? whole) }
}

/** The call that a screen is nothing without. Throws for who may open the screen and not make it. */
export function requireCall(call: CallView | undefined): CallView {
  if (!call) throw new Error('A screen is open to a caller who may not make its call: give both the same permission')
  return call
}

/** Name of the resource's route of that kind: the one with a plain address before others. */
export function routeOf({ routes }: Catalogue, resource: AnyResource, kind: Operation['kind']): string | undefined {
  const fitting = [...routes.values()].filter(
    ({ operation }) => operation.kind === kind && (operation as Operation).resource?.one === resource.one,
  )
  const plain = (path: string) => (kind === 'list' || kind === 'create' ? !path.includes(':') : true)
  return (fitting.find((route) => plain(route.path)) ?? (kind === 'list' ? undefined : fitting[0]))?.name
}

/** Path of the resource's permitted screen of that use. */
export function screenOf(ctx: Ctx, catalogue: Catalogue, resource: AnyResource, use: Use): string | undefined {
  const screen = permittedScreen(ctx, catalogue, resource, use)
  return screen && addressOf(screen)
}

/** The screen's path with what names its record. */
const addressOf = ({ path, takesId }: Screen): string => (takesId ? `${path}?id=:id` : path)

/** The resource's permitted form that edits one record. */
export const editScreenOf = (ctx: Ctx, catalogue: Catalogue, resource: AnyResource): Screen | undefined =>
  permittedScreen(ctx, catalogue, resource, 'edit')

type Use = 'list' | 'create' | 'edit' | 'view'

function permittedScreen(ctx: Ctx, { screens }: Catalogue, resource: AnyResource, use: Use): Screen | undefined {
  return [...screens.values()].find((screen) => isPermitted(ctx, screen.access) && usedAs(screen, resource) === use)
}

/** The path itself when the caller may open the screen it leads to. */
export function openOf(ctx: Ctx, catalogue: Catalogue, path: string | undefined): string | undefined {
  const screen = path === undefined ? undefined : screenAt(catalogue, path)
  return screen && isPermitted(ctx, screen.access) ? path : undefined
}

/** The screen that a path leads to, whatever its parameters are called there or filled in with. */
export function screenAt({ screens }: Catalogue, path: string): Screen | undefined {
  const asked = path.replace(/\?.*$/, '').split('/')
  return (
    screens.get(screenId(path)) ??
    [...screens.values()].find((screen) => {
      const parts = screen.path.split('/')
      return parts.length === asked.length && parts.every((part, index) => part.startsWith(':') || part === asked[index])
    })
  )
}

function usedAs({ view, path, takesId }: Screen, resource: AnyResource) {
  if (!('resource' in view) || view.resource?.one !== resource.one) return undefined
  if (view.kind === 'custom') return view.use
  if (view.kind === 'list') return 'list'
  if (view.kind === 'detail') return 'view'
  return takesId || path.includes('/:') ? 'edit' : 'create'
}

import type { CallView } from '@outpost/contract/views'
import { isPermitted } from '../session/permission.ts'
import type { AnyResource, Area, Ctx, Operation, Route, Screen } from '../types.ts'
import { screenId } from './screen.ts'

/** All routes and screens of the program, found by name, resource or path. */
export interface Catalogue {
  routes: ReadonlyMap<string, Route>
  screens: ReadonlyMap<string, Screen>
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
  const catalogue = { routes, screens }
  assertNames(areas, catalogue)
  return catalogue
}

/** The call of a route, or undefined when there is none or the caller may not make it. */
export function callOf(ctx: Ctx, { routes }: Catalogue, name: string | undefined): CallView | undefined {
  const route = name === undefined ? undefined : routes.get(name)
  return route && isPermitted(ctx, route.access) ? { method: route.method, path: route.path } : undefined
}

/** Name of the resource's route of that kind: the one with a plain address before others. */
export function routeOf({ routes }: Catalogue, resource: AnyResource, kind: Operation['kind']): string | undefined {
  const fitting = [...routes.values()].filter(({ operation }) => operation.kind === kind && (operation as Operation).resource?.one === resource.one)
  const plain = (path: string) => kind === 'list' || kind === 'create' ? !path.includes(':') : true
  return (fitting.find((route) => plain(route.path)) ?? (kind === 'list' ? undefined : fitting[0]))?.name
}

/** Path of the resource's permitted screen of that use. */
export function screenOf(ctx: Ctx, { screens }: Catalogue, resource: AnyResource, use: 'list' | 'create' | 'edit' | 'view'): string | undefined {
  return [...screens.values()].find((screen) => isPermitted(ctx, screen.access) && usedAs(screen, resource) === use)?.path
}

function usedAs({ view, path }: Screen, resource: AnyResource) {
  if (!('resource' in view) || view.resource?.one !== resource.one) return undefined
  if (view.kind === 'custom') return view.use
  if (view.kind === 'list') return 'list'
  if (view.kind === 'detail') return 'view'
  return path.includes('/:') ? 'edit' : 'create'
}

function assertNames(areas: readonly Area[], { routes, screens }: Catalogue): void {
  const named = [
    ...areas.flatMap((area) => area.resources).flatMap(({ one, actions = [] }) => actions.flatMap(({ route, undo }) => [[`action of ${one}`, route], [`undo of ${one}`, undo]])),
    ...[...screens.values()].flatMap(({ path, view }) => routeNames(view).map((name) => [`screen ${path}`, name])),
  ]
  const wrong = named.filter(([, name]) => name !== undefined && !routes.has(name)).map(([place, name]) => `${place} names an unknown route ${name}`)
  if (wrong.length > 0) throw new Error(`Outpost does not start:\n  ${wrong.join('\n  ')}`)
}

function routeNames(view: Screen['view']): (string | undefined)[] {
  if (view.kind === 'list') return [view.source]
  if (view.kind === 'form') return [view.load, view.submit]
  return view.kind === 'detail' ? [view.load] : []
}

import type { Access } from '@outpost/contract/permissions'
import type { CustomScreen } from '@outpost/contract/views/custom-screens'
import type { DetailView, FormView, ListView, View } from '@outpost/contract/views'
import type {
  AnyResource,
  Build,
  CallNames,
  DashboardDefinition,
  DetailOverrides,
  FormOverrides,
  ListOverrides,
  PanelDefinition,
  Refine,
  Screen,
  ScreenView,
} from '../types.ts'
import type { WidgetBoard } from './widgets.ts'
import { inSentence } from '../in-sentence.ts'

export type ScreenOptions = Partial<Pick<Screen, 'title' | 'layout' | 'offline' | 'menu' | 'shape' | 'createOrder' | 'takesId'>>

/** One screen of the console, by the path of the specification. Its view is cut to each caller when asked for. */
export function screen(path: string, access: Access, view: ScreenView, options: ScreenOptions = {}): Screen {
  return { path, access, view, title: titleOf(path, view, options.takesId), layout: 'standard', offline: isKept(view), ...options }
}

/** What devices hold has its screens there too, the forms as far as they may write it; others say it by themselves. */
const isKept = (view: ScreenView): boolean =>
  ((view.kind === 'list' || view.kind === 'detail') && view.resource.offline !== undefined) ||
  (view.kind === 'form' && view.resource.offline === 'read-write')

/** The list of a resource. `source`: name of the list route when the resource has several. */
export function listOf<Key extends string = never>(
  resource: AnyResource,
  options: Refined<ListView, Key> & { source?: string; overrides?: ListOverrides } = {},
): ScreenView {
  return { kind: 'list', resource, ...options } as ScreenView
}

/** The form of a resource: an edit form when the screen's path has :id, else one that creates. */
export function formOf<Key extends string = never>(
  resource: AnyResource,
  options: Refined<FormView, Key> & { load?: string; submit?: string; after?: string; overrides?: FormOverrides } = {},
): ScreenView {
  return { kind: 'form', resource, ...options } as ScreenView
}

/** `calls`: the routes that refine may give away, by names of its own. */
interface Refined<Described extends View, Key extends string> {
  calls?: CallNames<Key>
  refine?: Refine<Described, NoInfer<Key>>
}
interface DetailOptions {
  load?: string
  edit?: string
  panels?: readonly PanelDefinition[]
  overrides?: DetailOverrides
}

/** One record for reading, with its history when a route gives that; `panels` are lists that belong to it. */
export function detailOf<Key extends string = never>(
  resource: AnyResource,
  options: Refined<DetailView, Key> & DetailOptions = {},
): ScreenView {
  return { kind: 'detail', resource, ...options } as ScreenView
}

/** A hand-made screen of the console; `data` is handed to it, cut to the caller. `calls`: the routes that data may give away. */
export function custom<Key extends string = never>(
  name: CustomScreen,
  title: string,
  data?: Build<Record<string, unknown>, NoInfer<Key>>,
  calls?: CallNames<Key>,
): ScreenView {
  return { kind: 'custom', screen: name, title, ...(data ? { data } : {}), ...(calls ? { calls } : {}) } as ScreenView
}

/** A dashboard that people arrange: the areas declare what it offers, under the board's name. */
export function widgetBoard(name: CustomScreen, title: string, board: WidgetBoard): ScreenView {
  return { kind: 'custom', screen: name, title, board }
}

/** A hand-made screen that creates, edits or shows records of a resource: its list leads there. */
export function customOf(resource: AnyResource, use: 'create' | 'edit' | 'view', name: CustomScreen, title: string): ScreenView {
  return { kind: 'custom', screen: name, title, resource, use }
}

export function dashboard(view: DashboardDefinition): ScreenView {
  return { kind: 'dashboard', view }
}

export function report(view: Omit<Extract<ScreenView, { kind: 'report' }>['view'], 'kind'>): ScreenView {
  return { kind: 'report', view: { kind: 'report', ...view } }
}

/** A view that code builds for the caller. `calls`: the routes that it may give away. */
export function built<Key extends string = never>(build: Build<View, NoInfer<Key>>, calls?: CallNames<Key>): ScreenView {
  return { kind: 'built', build, ...(calls ? { calls } : {}) } as ScreenView
}

/** Address of a screen in GET /api/console/screens/:id: its path as a slug. */
export function screenId(path: string): string {
  return (
    path
      .replace(/[:?*]/g, '')
      .split('/')
      .filter((part) => part !== '')
      .join('-') || 'home'
  )
}

function titleOf(path: string, view: ScreenView, takesId = false): string {
  switch (view.kind) {
    case 'list':
      return view.overrides?.title ?? view.resource.labelMany
    case 'form':
      return view.overrides?.title ?? `${takesId || path.includes('/:') ? 'Edit' : 'New'} ${inSentence(view.resource.label)}`
    case 'detail':
      return view.overrides?.title ?? view.resource.label
    case 'dashboard':
    case 'report':
      return view.view.title
    case 'custom':
      return view.title
    case 'built':
      return path
  }
}

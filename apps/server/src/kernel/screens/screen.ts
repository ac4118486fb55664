import type { Access } from '@outpost/contract/permissions'
import type { CustomScreen, DashboardView, DetailView, FormView, ListView, ReportView, View } from '@outpost/contract/views'
import type { AnyResource, Ctx, PanelDefinition, Refine, Screen, ScreenView } from '../types.ts'

export type ScreenOptions = Partial<Pick<Screen, 'title' | 'layout' | 'offline' | 'menu' | 'shape'>>

/** One screen of the console, by the path of the specification. Its view is cut to each caller when asked for. */
export function screen(path: string, access: Access, view: ScreenView, options: ScreenOptions = {}): Screen {
  return { path, access, view, title: titleOf(path, view), layout: 'standard', offline: isKept(view), ...options }
}

/** What is written on devices has its screens there too; others say it by themselves. */
const isKept = (view: ScreenView): boolean => (view.kind === 'list' || view.kind === 'form' || view.kind === 'detail') && view.resource.offline === 'read-write'

/** The list of a resource. `source`: name of the list route when the resource has several. */
export function listOf(resource: AnyResource, options: { source?: string, over?: Partial<ListView>, refine?: Refine<ListView> } = {}): ScreenView {
  return { kind: 'list', resource, ...options }
}

/** The form of a resource: an edit form when the screen's path has :id, else one that creates. */
export function formOf(resource: AnyResource, options: { load?: string, submit?: string, after?: string, over?: Partial<FormView>, refine?: Refine<FormView> } = {}): ScreenView {
  return { kind: 'form', resource, ...options }
}

interface DetailOptions { load?: string, edit?: string, panels?: readonly PanelDefinition[], over?: Partial<DetailView>, refine?: Refine<DetailView> }

/** One record for reading, with its history when a route gives that; `panels` are lists that belong to it. */
export function detailOf(resource: AnyResource, options: DetailOptions = {}): ScreenView {
  return { kind: 'detail', resource, ...options }
}

/** A hand-made screen of the console; `data` is handed to it, cut to the caller. */
export function custom(name: CustomScreen, title: string, data?: (ctx: Ctx) => Promise<Record<string, unknown>> | Record<string, unknown>): ScreenView {
  return { kind: 'custom', screen: name, title, ...(data ? { data } : {}) }
}

/** A hand-made screen that creates, edits or shows records of a resource: its list leads there. */
export function customOf(resource: AnyResource, use: 'create' | 'edit' | 'view', name: CustomScreen, title: string): ScreenView {
  return { kind: 'custom', screen: name, title, resource, use }
}

export function dashboard(view: Omit<DashboardView, 'kind'>): ScreenView {
  return { kind: 'dashboard', view: { kind: 'dashboard', ...view } }
}

export function report(view: Omit<ReportView, 'kind'>): ScreenView {
  return { kind: 'report', view: { kind: 'report', ...view } }
}

/** A view that code builds for the caller. */
export function built(build: (ctx: Ctx) => Promise<View> | View): ScreenView {
  return { kind: 'built', build }
}

/** Address of a screen in GET /api/console/screens/:id: its path as a slug. */
export function screenId(path: string): string {
  return path.replace(/[:?*]/g, '').split('/').filter((part) => part !== '').join('-') || 'home'
}

function titleOf(path: string, view: ScreenView): string {
  switch (view.kind) {
    case 'list': return view.over?.title ?? view.resource.labelMany
    case 'form': return view.over?.title ?? `${path.includes('/:') ? 'Edit' : 'New'} ${view.resource.label.toLowerCase()}`
    case 'detail': return view.over?.title ?? view.resource.label
    case 'dashboard': case 'report': return view.view.title
    case 'custom': return view.title
    case 'built': return path
  }
}

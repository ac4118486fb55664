import type { ScreenShape } from '@outpost/contract/console'
import type { ClientMessageName } from '@outpost/contract/events'
import type { NamedError } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import type { Access } from '@outpost/contract/permissions'
import type { CustomScreen, DetailView, FormView, ListView, ReportView, View } from '@outpost/contract/views'
import type { JobDefinition } from '../jobs/types.ts'
import type { Line } from '../realtime/messages.ts'
import type { NotificationKind } from '../realtime/notification-kinds.ts'
import type { CountedRecords, Metric } from '../metrics.ts'
import type { MenuHeading, MenuPlace } from '../screens/menu-place.ts'
import type { ReportDefinition, ReportReference } from '../reports/definition.ts'
import type { PalettePlace } from '../screens/palette-place.ts'
import type { HungEntries } from '../keeps/hung-entries.ts'
import type { AreaAction, AreaPanel } from '../screens/panels.ts'
import type { Tile } from '../screens/tiles.ts'
import type { AnySetting } from '../settings/define.ts'
import type { Ctx } from './ctx.ts'
import type { CallNames, Calls, DashboardDefinition, DetailOverrides, FormOverrides, ListOverrides } from './named.ts'
import type { Route } from './operation.ts'
import type { ActionDefinition, AnyResource, FieldDefinition } from './resource.ts'

export type ScreenView =
  // Routes and screens left out are found by the resource: its list, get, create and update routes, its list screen.
  // `refine` has the last look at the view: it fills in what depends on the company's own rows, such as its statuses.
  // `calls` names the routes that refine, data and build may give away; they get the calls that are open to the caller.
  | { kind: 'list'; resource: AnyResource; source?: string; overrides?: ListOverrides; calls?: CallNames; refine?: Refine<ListView> }
  | {
      kind: 'form'
      resource: AnyResource
      load?: string
      submit?: string
      after?: string
      overrides?: FormOverrides
      calls?: CallNames
      refine?: Refine<FormView>
    }
  | {
      kind: 'detail'
      resource: AnyResource
      load?: string
      edit?: string
      panels?: readonly PanelDefinition[]
      overrides?: DetailOverrides
      calls?: CallNames
      refine?: Refine<DetailView>
    }
  | { kind: 'dashboard'; view: DashboardDefinition }
  | { kind: 'report'; view: Omit<ReportView, 'parameters'> & { parameters: readonly (FieldView | ReportReference)[] } }
  | {
      kind: 'custom'
      screen: CustomScreen
      title: string
      calls?: CallNames
      data?: Build<Record<string, unknown>>
      resource?: AnyResource
      use?: 'create' | 'edit' | 'view'
    }
  | { kind: 'built'; calls?: CallNames; build: Build<View> }

export type Refine<Described extends View, Key extends string = string> = (
  ctx: Ctx,
  view: Described,
  calls: Calls<Key>,
) => Promise<Described> | Described
export type Build<Made, Key extends string = string> = (ctx: Ctx, calls: Calls<Key>) => Promise<Made> | Made

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

export interface Screen {
  /** Path as the specification writes it, with :params. */
  path: string
  access: Access
  title: string
  view: ScreenView
  layout: 'standard' | 'plain'
  offline: boolean
  /** Its path has no :id; the record is named behind it, by ?id=. */
  takesId?: boolean
  /** What a hand-made screen looks like from afar, where its use does not say it. */
  shape?: ScreenShape
  menu?: MenuPlace
  /** Its place among what the palette offers to make, counted in tens; forms without one come after. */
  createOrder?: number
}

/** What the server does with one message of a client's socket; made by message() of kernel/realtime/messages.ts. */
export interface MessageDefinition {
  name: ClientMessageName
  access: Access
  run(ctx: Ctx, input: unknown, line: Line): Promise<void>
}

/** One area: routes one line a call, screens, jobs. Open this first. */
export interface Area {
  name: string
  routes: Route[]
  screens: Screen[]
  /** Headings of the menu that this area brings; screens of any area may be under them. */
  menu: MenuHeading[]
  resources: AnyResource[]
  jobs: JobDefinition[]
  messages: MessageDefinition[]
  /** Made by defineReport(): on the screen, as a chart, as xlsx and CSV, from one definition. The reports area runs them. */
  reports: ReportDefinition[]
  /** Kinds of news that people choose bell and mail by; made by notificationKind(). */
  notifications: NotificationKind[]
  /** Where the palette finds its records. */
  palette: PalettePlace[]
  /** What targets may count of its records. */
  metrics: Metric[]
  /** Its records behind those metrics, as targets name and open them. */
  counted: CountedRecords[]
  /** Numbers of the dashboards that count its records. */
  tiles: readonly Tile[]
  /** Refusals of its own, beside those of the kernel's table; made by defineError(). */
  errors: NamedError[]
  /** Values that a company may choose, with their bounds. The settings screen shows them; settingOf() reads them. */
  settings: AnySetting[]
  /** Tabs on the records of other areas: on('client', by(loan, 'clientId')). */
  panels: AreaPanel[]
  /** Buttons on the records of other areas: offeredOn('clientGroup', openJointLoan). */
  actions: AreaAction[]
  /** Its records in the histories of other areas' records. */
  timeline: HungEntries[]
}

import type { ScreenShape } from '@outpost/contract/console'
import type { NamedError } from '@outpost/contract/errors'
import type { FieldView } from '@outpost/contract/fields'
import type { Access } from '@outpost/contract/permissions'
import type { CustomScreen } from '@outpost/contract/views/custom-screens'
import type { DetailView, FormView, ListView, ReportView, View } from '@outpost/contract/views'
import type { JobDefinition } from '../jobs/types.ts'
import type { MessageDefinition } from '../realtime/messages.ts'
import type { NotificationKind } from '../realtime/notification-kinds.ts'
import type { CountedRecords, Metric } from '../metrics.ts'
import type { MenuHeading, MenuPlace } from '../screens/menu-place.ts'
import type { ReportDefinition, ReportReference } from '../reports/definition.ts'
import type { PalettePlace } from '../screens/palette-place.ts'
import type { RelatedEntries } from '../keeps/related-entries.ts'
import type { AreaAction, AreaPanel } from '../screens/panels.ts'
import type { WidgetBoard, BoardWidget, Tile } from '../screens/widgets.ts'
import type { AnySetting } from '../settings/define.ts'
import type { Ctx, Listener } from './ctx.ts'
import type { CallNames, Calls, DashboardDefinition, DetailOverrides, FormOverrides, ListOverrides, PanelDefinition } from './named.ts'
import type { Route } from './operation.ts'
import type { AnyResource } from './resource.ts'

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
      /** A dashboard that people arrange: its data is what the areas declare for it. */
      board?: WidgetBoard
    }
  | { kind: 'built'; calls?: CallNames; build: Build<View> }

export type Refine<Described extends View, Key extends string = string> = (
  ctx: Ctx,
  view: Described,
  calls: Calls<Key>,
) => Promise<Described> | Described
export type Build<Made, Key extends string = string> = (ctx: Ctx, calls: Calls<Key>) => Promise<Made> | Made

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
  /** What is to be told of all that happens to records of any area. */
  listeners: readonly Listener[]
  /** What the dashboards can show beside the numbers. */
  widgets: readonly BoardWidget[]
  /** Refusals of its own, beside those of the kernel's table; made by defineError(). */
  errors: NamedError[]
  /** Values that a company may choose, with their bounds. The settings screen shows them; settingOf() reads them. */
  settings: AnySetting[]
  /** Tabs on the records of other areas: on('client', by(loan, 'clientId')). */
  panels: AreaPanel[]
  /** Buttons on the records of other areas: offeredOn('clientGroup', openJointLoan). */
  actions: AreaAction[]
  /** Its records in the histories of other areas' records. */
  timeline: RelatedEntries[]
}

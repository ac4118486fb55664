import type { CallView } from './call-view.ts'
import type { ActionView, MovesView } from './call-views.ts'
import type { RuleSet } from './calculators.ts'
import type { FilterOperator, FilterPart } from './envelope.ts'
import type { FieldView, Option, ReferenceView } from './fields.ts'
import type { ReportView } from './report-view.ts'
import type { WidgetView } from './widget-view.ts'
import type { CustomScreen } from './views/custom-screens.ts'

export type { CallView } from './call-view.ts'
export type { ActionView, AssignView, MovesView } from './call-views.ts'
export type { ReportView } from './report-view.ts'
export type { WidgetUnit, WidgetView } from './widget-view.ts'

/** The kinds of view the console can draw; a screen that needs more is custom. */
export const viewKinds = ['list', 'form', 'detail', 'dashboard', 'report', 'calculator', 'custom'] as const
export type ViewKind = (typeof viewKinds)[number]

export interface ColumnView {
  key: string
  width?: number
  hidden?: boolean
  sortable?: boolean
  align?: 'left' | 'right'
  /** Editable in the cell: from a value to one that may follow it. Absent for who may not. */
  moves?: MovesView
}

export interface FilterView {
  key: string
  operators: FilterOperator[]
}
/** The period a list shows when none is asked for: the week of now, days around now, or all there is. */
export type DateWindow =
  | { kind: 'week' }
  /** Days back from now and ahead of now. */
  | { kind: 'around'; back: number; ahead: number }
  | { kind: 'all' }
/** A date that a list's period may mean: its field, and the window the call takes when none is asked for, also in words (`period`). */
export interface DateTypeView extends Option {
  period?: string
  field?: string
  /** A row lasts until this field; without, it is of the one moment. */
  until?: string
  window?: DateWindow
}
export interface EmptyView {
  title: string
  body?: string
  action?: { label: string; screen: string }
}

/** What may be changed in the cells of a list, by the call of the resource's edit form. */
export interface InlineView {
  submit: CallView
  one: string
  fields: FieldView[]
  /** Entity type in the offline store when the form works offline. */
  offline?: string
}

/** The rows as cards on a board, one column for each value of a choice. */
export interface KanbanLayout {
  kind: 'kanban'
  /** Key of the choice whose values are the columns. */
  field: string
  /** The columns from left to right; `locked` takes no cards from elsewhere. */
  columns: (Option & { locked?: boolean })[]
  /** Moves a card: the new value travels as `moveField` (else `field`). Absent: the board is read only. */
  move?: CallView
  moveField?: string
  /** How the card's id travels in the body of the move; none when the path carries it. */
  idField?: string
  /** What is asked for before a card goes into a column, by the column's value, e.g. a reason. */
  moveForms?: Record<string, FieldView[]>
  titleKey: string
  /** Keys shown under the title. */
  lines: string[]
  /** Key of an amount that is summed per column; the sums come from `summary`. */
  sum?: string
  /** Count and sum of every column: data.summary of [{value, count, sum}], asked for with the list's own query. */
  summary?: CallView
  /** Key shown as a label at the card's corner. */
  badge?: string
}

/** The rows that have a position, on a map. */
export interface MapLayout {
  kind: 'map'
  latKey: string
  lngKey: string
  colourKey?: string
  labelKey?: string
  near?: boolean
}

export type LayoutView = KanbanLayout | MapLayout

/** A view of a list that the server gives: a name and the conditions of its rows. */
export interface GivenView {
  key: string
  name: string
  terms: FilterPart[]
}

export interface ListView {
  kind: 'list'
  title: string
  resource: string
  many: string
  idKey: string
  titleKey: string
  source: CallView
  fields: FieldView[]
  columns: ColumnView[]
  filters: FilterView[]
  search: boolean
  sort: { field: string; order: 'ASC' | 'DESC' }
  /** Rows asked for at once by the console; the call itself accepts up to 10,000. */
  pageSize: number
  /** Named date windows; the first is the default. */
  dateTypes?: DateTypeView[]
  routes: { create?: string; edit?: string; view?: string }
  actions: ActionView[]
  presentation: 'table' | 'tree' | 'cards'
  /** Other ways to look at the rows; the presentation is always there. */
  layouts?: LayoutView[]
  /** Parent key of the tree presentation. */
  parentKey?: string
  /** Key of a text whose parts (`Money › Arrears`) become headings of the tree presentation; rows without it are at the end. */
  groupBy?: string
  /** Views that the list brings itself, beside those that people save. */
  views?: GivenView[]
  exportReport?: string
  /** Absent when the caller may edit nothing here. */
  inline?: InlineView
  empty: EmptyView
  offline: boolean
}

export interface SectionView {
  title?: string
  /** One sentence below the title. */ hint?: string
  rows: string[][]
}

export interface FormView {
  kind: 'form'
  title: string
  resource: string
  one: string
  idKey: string
  titleKey: string
  fields: FieldView[]
  sections: SectionView[]
  /** Its sections are steps, one at a time, with the progress above. */
  isStepped?: boolean
  /** Loads the record of an edit form; the record is in data[one]. */
  load?: CallView
  submit: CallView
  /** Screen to open after saving. */
  after: string
  /** Entity type in the offline store when the form works offline. */
  offline?: string
  /**
   * A duplicate check made while typing: sent with these fields, true in data.exists warns with the message (the answer's own, where it has one) below each
   * of data.fields; data.existing ({ field, Id, and the title }) names the record there, linked to `open`.
   */
  check?: {
    call: CallView
    fields: string[]
    message: string
    open?: string
    /** What is said where data.others names a record of another kind, linked to `open`; not of the one that the field `own` holds. */
    other?: { message: string; open: string; own?: string }
  }
  actions: ActionView[]
}

/** A list that belongs to a record, drawn in a tab of its own: the rows of one call. */
export interface PanelView {
  key: string
  title: string
  source: CallView
  /** Dotted path into data where the rows are. */
  value: string
  fields: FieldView[]
  /** Dotted path into data of a sentence shown above the rows. */
  note?: string
  /** Screen a row opens; `:key` is filled from the row, then from the record's own address. */
  open?: string
  /** Key of what ties a row to the record, a list of words: the ties are drawn above the rows. */
  ties?: string
  /** `page`: done to the record, above the rows; `row`: done to one row. */
  actions: ActionView[]
  empty: EmptyView
  /** Screen with all of its rows; `:id` is the record's. Then the call's meta says how many there are. */
  all?: string
  /** Form of a new row with this record filled in. */
  create?: { label: string; screen: string }
  /** A click on a row's first value fetches this file; `:key` is filled from the row. */
  download?: CallView
  /** Files are added here: sent as `file` of a multipart form. */
  upload?: UploadView
}

/** Where files are sent, how many at once, and what each may be; types are extensions. */
export interface UploadView {
  call: CallView
  many: number
  maxBytes: number
  types: string[]
}

export interface DetailView {
  kind: 'detail'
  title: string
  resource: string
  one: string
  idKey: string
  titleKey: string
  fields: FieldView[]
  sections: SectionView[]
  load: CallView
  /** Entity type in the offline store, where the record is read and moved without a connection. */
  offline?: string
  actions: ActionView[]
  /** Change history of the record, oldest last: data.timeline of [{at, who, what}]. */
  timeline?: CallView
  /** The history answers data.steps of StepView too: the record's states as steps. */
  hasSteps?: boolean
  edit?: string
  panels?: PanelView[]
}

/** One tile of a dashboard; data comes from one call, `value` is a dotted path into `data`. */
export interface DashboardView {
  kind: 'dashboard'
  title: string
  widgets: WidgetView[]
}

/**
 * A sum with its inputs. The console holds the sum by its name and runs it as one types, online or not, under the rules
 * in force: those of the company that travel here, or the program's own.
 */
export interface CalculatorView {
  kind: 'calculator'
  title: string
  /** Name of the sum. */
  sum: string
  /** ISO 3166 alpha-2 of the company: whose rules count. */
  country: string
  ruleSets: RuleSet[]
  run: CallView
  pdf: CallView
  /** Offered where the caller may keep the result with a lead; with a client. */
  keep?: { record: ReferenceView; call: CallView }
  keepClient?: { record: ReferenceView; call: CallView }
}

export interface CustomView {
  kind: 'custom'
  title: string
  screen: CustomScreen
  data: Record<string, unknown>
}

export type View = ListView | FormView | DetailView | DashboardView | ReportView | CalculatorView | CustomView

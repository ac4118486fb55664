import type { ClientMessageName } from '@outpost/contract/events'
import type { DuplicateRule } from './resource/duplicate-rule.ts'
import type { Gather } from './resource/gather.ts'
import type { Access } from '@outpost/contract/permissions'
import type { ScreenShape } from '@outpost/contract/console'
import type { FieldKind, Option, Condition } from '@outpost/contract/fields'
import type { ActionView, CustomScreen, DashboardView, DateWindow, DetailView, FormView, ListView, ReportView, View } from '@outpost/contract/views'
import type { Meta } from '@outpost/contract/envelope'
import type { ErrorName } from '@outpost/contract/errors'
import type { Sql, Statement } from '@outpost/platform/types'
import type { Db, ModelName, ModelRow } from '@outpost/platform/db/prisma'
import type { Log as Logger } from '@outpost/platform/log'
import type { z } from 'zod'
import type { JobDefinition } from './jobs/types.ts'
import type { MovesDefinition } from './moves.ts'
import type { Line } from './realtime/messages.ts'
import type { AreaPanel } from './screens/panels.ts'
import type { RouteOptions } from './route-options.ts'
import type { MenuHeading, MenuPlace } from './screens/menu-place.ts'

export type { RouteOptions }
export type { DuplicateRule } from './resource/duplicate-rule.ts'
export type { JobDefinition, RunningJob } from './jobs/types.ts'

/** A person as the program acts for them. */
export interface Actor { id: string, companyId: string, firstName: string, lastName: string, userName: string, emailAddress: string }

export interface CompanyRef { id: string, name: string, country: string, currency: string, timeZone: string }

export interface TenantRef {
  id: string
  companyId: string
  parentId: string | null
  name: string
  shortCode: string
  /** 1 Group, 2 Company, 3 Branch, 4 Team */
  type: number
  path: readonly string[]
  locationRequired: boolean
}

/** The door that a write comes through. */
export type WriteSource = 'online' | 'sync' | 'import' | 'job' | 'seed'

/**
 * All a request, socket message, job or sync batch knows about who it works for; passed first, made in one place
 * (kernel/session/ctx.ts). A transaction gives a new ctx: there is no optional transaction parameter anywhere.
 */
export interface Ctx {
  readonly user: Actor
  /** The administrator behind an impersonated user; else the user. */
  readonly realUser: Actor
  readonly company: CompanyRef
  /** The tenant chosen with x-tenant-id; new rows are filed under it. */
  readonly tenant: TenantRef
  /** '*' in the whole company, else the chosen tenant and all below it. */
  readonly scope: '*' | readonly string[]
  readonly roles: readonly string[]
  /** Upper-case hierarchies of roles and user together. */
  readonly permissions: ReadonlySet<string>
  readonly isGlobalAdministrator: boolean
  /** The door this work came through, for the audit. */
  readonly source: WriteSource
  readonly sessionId: string
  readonly requestId: string
  readonly ip: string | null
  readonly log: Logger
  /** Outside a transaction: each statement reads in its own READ ONLY transaction. Inside: the transaction's. */
  readonly sql: Sql
  /** Prisma on the running transaction; single records only, findUnique is refused (it batches across requests). */
  readonly db: Db
  readonly isTransaction: boolean
  transaction<Result>(run: (ctx: Ctx) => Promise<Result>): Promise<Result>
  /** Runs as the last step of the outermost transaction, e.g. what must hold a lock for a short time only. Transactions only. */
  beforeCommit(run: () => Promise<void>): void
  /** Runs once the outermost transaction has committed; never when it rolled back. */
  afterCommit(run: () => void | Promise<void>): void
}

/* ---------- operations and routes ---------- */

/** What an operation gives back. `json` is a whole envelope that Postgres built, sent as it is. */
export type Answer =
  | { json: string, status?: number, cookies?: CookieChange[], headers?: Record<string, string> }
  | { data: Record<string, unknown>, meta?: Meta, message?: string, status?: number, cookies?: CookieChange[], headers?: Record<string, string> }
  | { file: { name: string, mimeType: string, size?: number, body: NodeJS.ReadableStream | Buffer, inline?: boolean } }
  | { redirect: string }
  /** Rows streamed as one envelope; `many` names the array. */
  | { rows: AsyncIterable<string>, many: string, meta: Omit<Meta, 'total'> & { total?: number } }

export interface CookieChange { name: string, value: string | null, maxAgeSeconds?: number, path: string }

/** The parts of a request that a few operations (auth, uploads) need beside ctx and input. */
export interface RequestFacts {
  ip: string
  userAgent: string
  origin: string | undefined
  host: string
  cookies: Readonly<Record<string, string | undefined>>
  headers: Readonly<Record<string, string | undefined>>
  /** Parts of a multipart upload, streamed. */
  files?: () => AsyncIterable<UploadPart>
}
export interface UploadPart { fieldName: string, fileName: string, mimeType: string, body: NodeJS.ReadableStream }

export interface Operation<Input = unknown> {
  kind: 'list' | 'get' | 'history' | 'create' | 'update' | 'remove' | 'restore' | 'setField' | 'query' | 'command' | 'pass'
  /** Path parameters, query and body come merged as one object and are checked by this schema. */
  input: z.ZodType<Input>
  /** Reads only: runs without a write transaction. */
  isReadOnly: boolean
  /** Only operations on public routes get null as ctx. */
  run(ctx: Ctx, input: Input, facts: RequestFacts): Promise<Answer>
  resource?: AnyResource
  /** Lists only: the statement behind the whole list, one wire record as JSON text in each row's `row`. */
  exportRows?(ctx: Ctx, input: Input): Promise<Statement>
}
/** An operation of a public route: there is no ctx. */
export interface PublicOperation<Input = unknown> {
  kind: 'public'
  input: z.ZodType<Input>
  run(input: Input, facts: RequestFacts): Promise<Answer>
}

export interface Route {
  /** area.verb, unique; actions and screens name routes by it. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify path with :params; {id} of the specification is :id. */
  path: string
  access: Access
  operation: Operation | PublicOperation
  options: RouteOptions
}

/* ---------- resources ---------- */

export interface FieldDefinition {
  kind: FieldKind
  label: string
  help?: string
  required?: boolean
  readOnly?: boolean
  /** May be set at creation, not changed later. */
  createOnly?: boolean
  min?: number
  max?: number
  maxLength?: number
  options?: readonly Option[]
  /** kind reference: name of the resource whose list call gives the options. */
  to?: string
  /** Label column(s) shown for a reference; joined in SQL as <field>Label. */
  defaultValue?: unknown
  visibleIf?: Condition
  requiredIf?: Condition
  sensitive?: boolean
  /** Offline conflict class: three-way (default), server (never from offline UPDATE), set, higher, ask. */
  merge?: 'threeWay' | 'server' | 'set' | 'higher' | 'ask'
  /** An SQL expression over alias t instead of a column; then readOnly. Must come from code, never from input. */
  sql?: string
  /** Made by gathered(), beside its sql: lists read it for the whole page at once. */
  gather?: Gather
  /** Read by sql, yet forms may set it: the area's own command takes it beside the fields. */
  isSetApart?: boolean
  /** Kind multiReference: the table of pairs behind it, so that a filter finds the records of one of the others by its index. */
  link?: { table: string, own: string, other: string }
  /** Not on the wire at all in lists; only in get. */
  detailOnly?: boolean
  /** Made by recordNumber(): the pipeline gives new records the company's next number. */
  isNumber?: boolean
}

type FieldKey<Fields> = Extract<keyof Fields, string>
export interface ResourceDefinition<Model extends ModelName, Fields extends Partial<Record<string, FieldDefinition>>> {
  /** Prisma model, e.g. 'lead'; columns of the fields must exist there unless they carry sql. */
  model: Model
  one: string
  many: string
  label: string
  labelMany: string
  fields: Fields
  /** Field shown as the title of a record. */
  title: NoInfer<FieldKey<Fields>>
  list: {
    columns: readonly NoInfer<FieldKey<Fields>>[]
    /** Fields named here only document what search covers; the text is built by a trigger. */
    search?: readonly NoInfer<FieldKey<Fields>>[]
    sort: readonly [field: NoInfer<FieldKey<Fields>> | 'dateCreated' | 'dateModified', order: 'ASC' | 'DESC']
    size: number
    filters?: readonly NoInfer<FieldKey<Fields>>[]
    /** Date windows: wire value -> column. */
    dates?: Readonly<Record<string, { label: string, field: NoInfer<FieldKey<Fields>>, window: DateWindow }>>
    presentation?: 'table' | 'tree' | 'cards'
    parentKey?: NoInfer<FieldKey<Fields>>
    empty?: { title: string, body?: string }
  }
  form?: readonly (readonly NoInfer<FieldKey<Fields>>[])[]
  /** Names of routes offered on a row, on many rows or on the page. */
  actions?: readonly ActionDefinition[]
  /** A choice that goes from value to value by a call of its own, where the caller may also in the cells of a list. */
  moves?: MovesDefinition<NoInfer<FieldKey<Fields>>>
  offline?: 'read-write' | 'read'
  /** Rows are filed under a tenant (tenantId) and cut to reach. */
  isScoped?: boolean
  /**
   * Needed of what is written and not filed under tenants (isScoped): what a writer's reach must hold. `company`: all of it.
   * Columns: the tenants they name, before and after, and all of it while none is named. `prepared`: prepare or the handlers see to it.
   */
  writtenBy?: 'company' | 'prepared' | readonly string[]
  /** What a missing record is refused as, where the specification has a name for it; without: NOT_FOUND. */
  notFound?: ErrorName
  /** The table has a function of its name in schema search, which finds text of three characters and more by index. */
  hasSearchIndex?: boolean
  /** deletedAt marks removed rows. */
  isSoftDeleted?: boolean
  /** Says who somebody is or where they belong, and is looked up before a company is known: its id is never a client's choice, in any door. */
  isIdentity?: boolean
  /** Writes go through the company's counter and feed. */
  isSynced?: boolean
  /** What a record keeps beside its fields. Comments: in its history, and counted by commentCount(). */
  keeps?: readonly 'comments'[]
  /** No two live rows of the company may share one of these columns (any case); checked at create, update and sync. */
  duplicates?: DuplicateRule
  /** What keeps its records from being removed; asked once for all that are to go. */
  held?: HeldRule
  /** Further names that a body may hold and that are ignored: what the area's calls add to a record, or the specification's client sends with it. */
  ignores?: readonly string[]
  /** Names its records hold beyond its references': by the named table, which records (alias t) hold that of a row. */
  names?: Readonly<Record<string, (id: string) => Statement>>
  /** Seam 1: what the caller sees, beside company and reach; a where-clause over alias t. */
  visible?: (ctx: Ctx) => Statement | null
  /** Seam 2: last look at the input before the write; may refuse, derive and add columns that are not fields. */
  prepare?: (ctx: Ctx, write: PrepareWrite<ModelRow<Model>>) => Promise<Partial<ModelRow<Model>>> | Partial<ModelRow<Model>>
}

/** `find`: rows {id} of those among these records that have to stay. */
export interface HeldRule { find: (ctx: Ctx, ids: readonly string[]) => Statement, message: string }

export interface PrepareWrite<Row> {
  kind: 'create' | 'update' | 'remove'
  /** Checked input, wire names. */
  input: Partial<Row>
  /** The row as it stands; only for update and remove. */
  before?: Row
  /** True when the write comes from a device's change log. */
  isSync: boolean
  id: string
}

export interface ActionDefinition {
  /** Name of a route; its method, path and permission are not said again. */
  route: string
  /** Tells apart several actions of one route; default: the route. */
  key?: string
  label: string
  scope: ActionView['scope']
  idField?: string
  many?: boolean
  form?: Readonly<Record<string, FieldDefinition>>
  fixed?: Record<string, unknown>
  danger?: boolean
  confirm?: { title: string, body?: string }
  undo?: string
  offline?: boolean
  download?: boolean
  /** Offered only on rows for which this holds; the call checks by itself. */
  visibleIf?: Condition
  /** Gives records to people: names of the routes that list the people and take it back. */
  assign?: { candidates: string, undo?: string, load: string }
}

export interface Resource<Model extends ModelName = ModelName> extends Omit<ResourceDefinition<Model, Record<string, FieldDefinition>>, 'fields' | 'prepare'> {
  fields: Readonly<Record<string, FieldDefinition>>
  prepare?: (ctx: Ctx, write: PrepareWrite<never>) => Promise<object> | object
  /** Table name in SQL. */
  table: string
}
export type AnyResource = Resource

/* ---------- screens and areas ---------- */

export type ScreenView =
  // Routes and screens left out are found by the resource: its list, get, create and update routes, its list screen.
  // `refine` has the last look at the view: it fills in what depends on the company's own rows, such as its statuses.
  | { kind: 'list', resource: AnyResource, source?: string, over?: Partial<ListView>, refine?: Refine<ListView> }
  | { kind: 'form', resource: AnyResource, load?: string, submit?: string, after?: string, over?: Partial<FormView>, refine?: Refine<FormView> }
  | { kind: 'detail', resource: AnyResource, load?: string, edit?: string, panels?: readonly PanelDefinition[], over?: Partial<DetailView>, refine?: Refine<DetailView> }
  | { kind: 'dashboard', view: DashboardView }
  | { kind: 'report', view: ReportView }
  | { kind: 'custom', screen: CustomScreen, title: string, data?: (ctx: Ctx) => Promise<Record<string, unknown>> | Record<string, unknown>, resource?: AnyResource, use?: 'create' | 'edit' | 'view' }
  | { kind: 'built', build: (ctx: Ctx) => Promise<View> | View }

export type Refine<Described extends View> = (ctx: Ctx, view: Described) => Promise<Described> | Described

/** A list that belongs to a record; left out for callers who may not make its call. */
export interface PanelDefinition {
  key: string
  title: string
  /** Name of the route that gives the rows. */
  route: string
  /** Dotted path into data where the rows stand. */
  value: string
  /** Dotted path into data of a sentence shown above the rows. */
  note?: string
  fields: Readonly<Record<string, FieldDefinition>>
  /** Screen a row opens, told only to callers who may open it. */
  open?: string
  actions?: readonly ActionDefinition[]
  empty: { title: string, body?: string }
}

export interface Screen {
  /** Path as the specification writes it, with :params. */
  path: string
  access: Access
  title: string
  view: ScreenView
  layout: 'standard' | 'plain'
  offline: boolean
  /** What a hand-made screen looks like from afar, where its use does not say it. */
  shape?: ScreenShape
  menu?: MenuPlace
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
  /** Headings of the menu that this area brings; screens of any area stand under them. */
  menu: MenuHeading[]
  resources: AnyResource[]
  jobs: JobDefinition[]
  messages: MessageDefinition[]
  /** Tabs on the records of other areas: on('client', by(loan, 'clientId')). */
  panels: AreaPanel[]
}

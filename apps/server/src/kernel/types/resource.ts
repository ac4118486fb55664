import type { Access } from '@outpost/contract/permissions'
import type { ErrorName, NamedError } from '@outpost/contract/errors'
import type { Condition } from '@outpost/contract/fields'
import type { ActionView, DateWindow } from '@outpost/contract/views'
import type { ModelName, ModelRow } from '@outpost/platform/db/prisma'
import type { Statement } from '@outpost/platform/types'
import type { DuplicateRule } from '../resource/duplicate-rule.ts'
import type { WorkflowDefinition } from '../workflow/types.ts'
import type { Ctx } from './ctx.ts'
import type { PlainField } from './field.ts'

export interface FieldDefinition extends PlainField {
  /** Kind lines: the resource of its rows, and their column that holds the record's id. Rows come in the order of `position`, else as their own list. */
  of?: AnyResource
  by?: string
  /** Kind choice: the company's own rows of this resource are the options; the value is the id of one. */
  from?: AnyResource
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
    /** Date windows: wire value -> column. With `until` a row lasts from one to the other, and a window holds those it touches. */
    dates?: Readonly<
      Record<string, { label: string; field: NoInfer<FieldKey<Fields>>; until?: NoInfer<FieldKey<Fields>>; window: DateWindow }>
    >
    presentation?: 'table' | 'tree' | 'cards'
    parentKey?: NoInfer<FieldKey<Fields>>
    empty?: { title: string; body?: string }
  }
  form?: readonly (readonly NoInfer<FieldKey<Fields>>[])[]
  /** Names of routes offered on a row, on many rows or on the page. */
  actions?: readonly ActionDefinition[]
  /** How a field goes from state to state, at every door: moves, their log and their buttons. One a field. */
  workflow?: WorkflowDefinition<NoInfer<FieldKey<Fields>>> | readonly WorkflowDefinition<NoInfer<FieldKey<Fields>>>[]
  /** Kept on devices for work without a connection: what they need to know of it is made from here by `npm run generate`. */
  offline?:
    | 'read-write'
    | 'read'
    /** The newest answer of its list, 1,000 rows at most, to be read; no changes are followed. For what belongs to the road beside the work. */
    | 'list'
  /**
   * Devices keep no record whose field lies more than so many days back, so that years of work do not fill a phone; an empty field keeps it there.
   * What is beyond is read with a connection.
   */
  offlineWindow?: { since: NoInfer<FieldKey<Fields>>; days: number }
  /** Rows are filed under a tenant (tenantId) and cut to reach. */
  isScoped?: boolean
  /**
   * Needed of what is written and not filed under tenants (isScoped): what a writer's reach must hold. `company`: all of it.
   * Columns: the tenants they name, before and after, and all of it while none is named. `prepared`: prepare or the handlers see to it.
   */
  writtenBy?: 'company' | 'prepared' | readonly string[]
  /** What a missing record is refused as, where the specification has a name for it; without: NOT_FOUND. */
  notFound?: ErrorName | NamedError
  /** The table has a function of its name in schema search, which finds text of three characters and more by index. */
  hasSearchIndex?: boolean
  /** deletedAt marks removed rows. */
  isSoftDeleted?: boolean
  /** Says who somebody is or where they belong, and is looked up before a company is known: its id is never a client's choice, in any door. */
  isIdentity?: boolean
  /** Writes go through the company's counter and feed. */
  isSynced?: boolean
  /** With isSynced, of records that people see beyond their reach: for these ids the records and the tenants those people work in, whose feed has them too. */
  seenFrom?: (ids: Statement) => Statement
  /** What a record keeps beside its fields. Comments: in its history, and counted by commentCount(). Files: its calls are fileRoutes(), its tab comes by itself; where a belonging `holdsFiles` they are stored files (keeps/file-pairs.ts). */
  keeps?: readonly ('comments' | 'files')[]
  /** Rows of other tables that are filed under the record's tenant, beside those of its relations and what it keeps. `holdsFiles`: each is a pair with a stored file (fileId), which is read as far as the record. */
  belongings?: readonly { table: string; own: string; holdsFiles?: boolean }[]
  /** No two live rows of the company may share one of these columns (any case); checked at create, update and sync. */
  duplicates?: DuplicateRule
  /** What keeps its records from being removed; asked once for all that are to go. */
  held?: HeldRule
  /** Further names that a body may hold and that are ignored: what the area's calls add to a record, or the specification's client sends with it. */
  ignores?: readonly string[]
  /** What its rows look like as options of other records (from): columns of their colour, of 1 while they are offered, of the default, of their order. */
  choices?: { colour?: string; active?: string; preset?: string; order?: string }
  /** Names its records hold beyond its references': by the named table, which records (alias t) hold that of a row. */
  names?: Readonly<Record<string, (id: string) => Statement>>
  /** Seam 1: what the caller sees, beside company and reach; a where-clause over alias t. */
  visible?: (ctx: Ctx) => Statement | null
  /** Columns that name a person from whom `visible` hides the record: live news and webhooks of it do not reach them either. */
  hiddenFrom?: readonly string[]
  /** Seam 2: last look at the input before the write; may refuse, derive and add columns that are not fields. */
  prepare?: (ctx: Ctx, write: PrepareWrite<ModelRow<Model>>) => Promise<Partial<ModelRow<Model>>> | Partial<ModelRow<Model>>
}

/** `find`: rows {id} of those among these records that have to stay. Where they hold more, such as counts, it goes to `message` and with the refusal. */
export interface HeldRule {
  find: (ctx: Ctx, ids: readonly string[]) => Statement
  message: string | ((found: Readonly<Record<string, unknown>>) => string)
}

export interface PrepareWrite<Row> {
  kind: 'create' | 'update' | 'remove'
  /** Checked input, wire names. */
  input: Partial<Row>
  /** The row as it is stored; only for update and remove. */
  before?: Row
  /** True when the write comes from a device's change log. */
  isSync: boolean
  id: string
}

/** An action makes the call of a route, or opens a screen. */
export type ActionDefinition = ActionLooks &
  /** Name of a route; its method, path and permission are not said again. The key distinguishes several actions of one route; default: the route. */
  (
    | { route: string; key?: string; open?: undefined; access?: undefined }
    /** Path of a screen, its parameters named after what fills them in: '/sales/agents/day/:performedByUserId/:day'. Offered to whom the screen is open. */
    | { open: string; key: string; route?: undefined; access?: undefined }
    /** A page that the console brings itself, without a screen of ours: offered to whom `access` lets. */
    | { open: string; key: string; route?: undefined; access: Access }
  )
interface ActionLooks {
  label: string
  scope: ActionView['scope']
  idField?: string
  many?: boolean
  form?: Readonly<Record<string, FieldDefinition>>
  /** Name of the route that answers with this row's form: {fields, record}. What is changed in it goes as `values`. */
  asks?: string
  fixed?: Record<string, unknown>
  danger?: boolean
  confirm?: { title: string; body?: string }
  /** Name of the route that says, for {ids}, what is to be known before: data.message. */
  warning?: string
  undo?: string
  offline?: boolean
  download?: boolean
  /** A secret in the answer that is shown this once. */
  reveals?: ActionView['reveals']
  /** Offered only on rows for which this holds; the call checks by itself. */
  visibleIf?: Condition
  /** Tells the version of the row that was looked at: another one is refused. */
  isVersioned?: boolean
  /** Gives records to people: names of the routes that list the people and take it back. */
  assign?: { candidates: string; undo?: string; load: string }
}

export interface Resource<Model extends ModelName = ModelName> extends Omit<
  ResourceDefinition<Model, Record<string, FieldDefinition>>,
  'fields' | 'prepare'
> {
  fields: Readonly<Record<string, FieldDefinition>>
  prepare?: (ctx: Ctx, write: PrepareWrite<never>) => Promise<object> | object
  /** Table name in SQL. */
  table: string
  /** Kept by another service: there is no table here. */
  remote?: RemoteSource
}

/** Where the records of a remote resource are kept. */
export interface RemoteSource {
  /** The service's calls: `geo.devices` means geo.devices.list, .get, .create, .update and .remove. */
  calls: `geo.${string}`
  /** Under which names the service answers with one record and with many. */
  answers: { one: string; many: string }
  /** Fields that it can sort by. */
  sorts: readonly string[]
  /** The palette finds its records by the service's own search, for whom the list is open. */
  palette?: RemotePalette
}
export interface RemotePalette {
  /** Fields of the line under the title. */
  subtitle: readonly string[]
  /** The screen that a hit opens: path up to the id, and what follows it. */
  open: string
  tail?: string
  /** The reference to the branch it belongs to. */
  branch?: string
  /** Place among the kinds, counted in tens. */
  order: number
}
export type AnyResource = Resource

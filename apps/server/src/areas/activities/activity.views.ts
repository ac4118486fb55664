import type { Condition, FieldView, Option } from '@outpost/contract/fields'
import type { DetailView, FormView, LayoutView, ListView, MovesView } from '@outpost/contract/views'
import type { ActivityMeaning } from '@outpost/rules/activities/activity-status'
import { sql } from '@outpost/platform/db/sql'
import { built } from '../../kernel/screens/screen.ts'
import { demanded } from '../../kernel/screens/catalogue.ts'
import type { ActionDefinition, Ctx, PanelDefinition } from '../../kernel/types.ts'

interface Status extends Option {
  name: string
  isOffered: boolean
  meaning: ActivityMeaning
}

/** Statuses as the company has them, in their order. */
function statusesOf(ctx: Ctx): Promise<Status[]> {
  return ctx.sql.query<Status>(sql`
    select o."id" as value, o."name", case when o."tenantId" = any(${ctx.tenant.path}::uuid[]) then o."name" else o."name" || ' (' || b."shortCode" || ')' end as label, coalesce(o."colour", 'default') as colour,
      o."meaning", o."status" = 1 and (o."tenantId" = any(${ctx.tenant.path}::uuid[]) or ${ctx.tenant.type === 2}) as "isOffered"
    from activity_status o join tenant b on b."companyId" = o."companyId" and b."id" = o."tenantId"
    where o."companyId" = ${ctx.company.id} order by o."position", o."name", o."id"`)
}

const hasAddress: Condition = { not: { eq: ['address', null] } }
const addressScreen = '/sales/activities/calendar-address/mine'
export const askAddress: ActionDefinition = { key: 'calendarFeed', label: 'Calendar address', scope: 'page', open: addressScreen }

/** Fields that records carry for programs, not for people who choose columns. */
const technical = new Set(['seriesId', 'createdUserId', 'status', 'typeDesc', 'agentName', 'statusText', 'scope'])

export async function list(ctx: Ctx, view: ListView): Promise<ListView> {
  return {
    ...view,
    columns: view.columns.filter(({ key, hidden }) => !hidden || !technical.has(key)),
    filters: view.filters.filter(({ key }) => key !== 'status'),
    layouts: layoutsOf(await statusesOf(ctx), view.columns.find(({ key }) => key === 'statusId')?.moves),
  }
}

/** A board by status, whose cards those who plan may move, and a map of where the work is. */
function layoutsOf(statuses: readonly Status[], moves: MovesView | undefined): LayoutView[] {
  const columns = statuses.filter(({ isOffered }) => isOffered)
  const moving = moves ? { move: moves.call, moveForms: moves.forms } : {}
  return [
    {
      kind: 'kanban',
      field: 'statusId',
      columns: columns.map(({ value, label, colour }) => ({ value, label, ...(colour ? { colour } : {}) })),
      ...moving,
      titleKey: 'name',
      lines: ['activityTypeId', 'agentName', 'startDate', 'location'],
    },
    { kind: 'map', latKey: 'lat', lngKey: 'lng', colourKey: 'statusId', labelKey: 'name', near: true },
  ]
}

export async function agentReport(ctx: Ctx, view: ListView): Promise<ListView> {
  const options = (await statusesOf(ctx)).map(({ name, colour }) => ({ value: name, label: name, ...(colour ? { colour } : {}) }))
  return {
    ...view,
    fields: view.fields.map((field) => (field.key === 'status' ? { ...field, kind: 'choice', options } : field)),
    columns: view.columns.filter(({ key }) => !['activityId', 'statusId', 'agentName'].includes(key)),
    routes: { view: '/sales/activities/:activityId/view' },
  }
}

/** What the form's call takes beside the fields. */
const beside = new Set(['statusId', 'recurrence', 'scope'])

export function form(_: Ctx, view: FormView): FormView {
  const isNew = view.load === undefined
  // Whoever may not see clients is not asked for them.
  const unknown = new Set(view.fields.filter((field) => field.kind === 'multiReference' && !field.reference).map(({ key }) => key))
  const keys = (row: string[]) => row.filter((key) => !unknown.has(key) && !(isNew && (key === 'scope' || key === 'statusId')))
  const rows = isNew
    ? view.sections
        .flatMap((section) => section.rows)
        .map((row) => (row.includes('activityTypeId') ? [...row, 'recurrence'] : row.filter((key) => key !== 'recurrence')))
    : view.sections.flatMap((section) => section.rows)
  const sections = [{ rows: rows.map(keys).filter((row) => row.length > 0) }]
  const shown = new Set(sections.flatMap(({ rows }) => rows.flat()))
  return {
    ...view,
    sections,
    fields: view.fields
      .filter(({ key }) => shown.has(key))
      .map((field) => (isNew ? withNow(field) : withoutNewHelp(field)))
      .map(({ readOnly, ...field }) => (beside.has(field.key) || !readOnly ? field : { ...field, readOnly })),
    after: '/sales/activities/:id/view',
  }
}

/** A new activity begins at the next full hour. */
function withNow(field: FieldView): FieldView {
  if (field.key !== 'startDate' && field.key !== 'endDate') return field
  const hour = 3_600_000
  const start = Math.ceil(Date.now() / hour) * hour
  return { ...field, defaultValue: new Date(field.key === 'startDate' ? start : start + hour).toISOString() }
}

/** What leaving it empty means for a new one is not what emptying it means. */
function withoutNewHelp({ help, ...field }: FieldView): FieldView {
  if (field.key === 'assignedUsers') return { ...field, help: 'Nobody chosen: it belongs to whoever made it' }
  return help === undefined ? field : { ...field, help }
}

/** Who is how far, with how far from the place it was said, and what was brought along. */
export const panels: PanelDefinition[] = [
  {
    key: 'agents',
    title: 'Agents',
    route: 'activities.get',
    value: 'activity.assignedUsers',
    empty: { title: 'Nobody has it to do', body: 'Choose agents in the form.' },
    fields: {
      label: { kind: 'text', label: 'Agent' },
      statusText: { kind: 'text', label: 'Status' },
      distance: { kind: 'number', label: 'Metres from the place' },
      isOutOfRange: { kind: 'boolean', label: 'Outside the circle' },
    },
  },
  {
    key: 'files',
    title: 'Files',
    route: 'activities.get',
    value: 'activity.files',
    empty: { title: 'No files', body: 'Agents add photos and papers at the visit.' },
    fields: { path: { kind: 'file', label: 'File' }, dateCreated: { kind: 'dateTime', label: 'Added' } },
  },
]

export const onMap: ActionDefinition = {
  key: 'activities.place',
  label: 'Show on map',
  scope: 'row',
  open: '/sales/agents/location/:lng/:lat',
  visibleIf: { not: { eq: ['lat', null] } },
}

/** What a record's page says, row by row. */
export const facts = [
  ['statusId', 'activityTypeId'],
  ['startDate', 'endDate'],
  ['assignedUsers', 'tenantId'],
  ['leads', 'clients'],
  ['location', 'lat', 'lng'],
  ['recurrence', 'statusReason', 'activityPlanNames'],
  ['description'],
  ['createdBy', 'dateCreated'],
]

/** The secret address under which a calendar program reads the caller's activities. */
export const calendarAddress = built(
  (_, { load, create, revoke }): DetailView => ({
    kind: 'detail',
    title: 'Calendar address',
    resource: 'calendarFeed',
    one: 'calendarFeed',
    idKey: 'Id',
    titleKey: 'title',
    fields: [
      { key: 'note', kind: 'longText', label: 'What it is for' },
      { key: 'address', kind: 'longText', label: 'Address', visibleIf: hasAddress },
      { key: 'dateCreated', kind: 'dateTime', label: 'Made', visibleIf: hasAddress },
      { key: 'lastReadAt', kind: 'dateTime', label: 'Last read', visibleIf: hasAddress },
    ],
    sections: [{ rows: [['note'], ['address'], ['dateCreated', 'lastReadAt']] }],
    load: demanded(load),
    actions: [
      { key: 'calendarFeed.create', label: 'Make an address', scope: 'row', call: demanded(create), visibleIf: { eq: ['address', null] } },
      {
        key: 'calendarFeed.replace',
        label: 'New address',
        scope: 'row',
        call: demanded(create),
        visibleIf: hasAddress,
        confirm: { title: 'Make a new address?', body: 'Calendars that read the present one get nothing any more.' },
      },
      {
        key: 'calendarFeed.revoke',
        label: 'Revoke',
        scope: 'row',
        danger: true,
        call: demanded(revoke),
        visibleIf: hasAddress,
        confirm: { title: 'Revoke the address?', body: 'Calendars that read it get nothing any more.' },
      },
    ],
  }),
  { load: 'calendarFeed.show', create: 'calendarFeed.create', revoke: 'calendarFeed.revoke' },
)

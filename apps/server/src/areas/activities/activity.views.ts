import type { Condition, FieldView, Option } from '@outpost/contract/fields'
import type { ActionView, CallView, DetailView, FormView, LayoutView, ListView } from '@outpost/contract/views'
import type { ActivityMeaning } from '@outpost/rules/activity-status'
import { sql, trusted } from '@outpost/platform/db/sql'
import { built } from '../../kernel/screens/screen.ts'
import { demanded } from '../../kernel/screens/catalogue.ts'
import type { ActionDefinition, Calls, Ctx, PanelDefinition } from '../../kernel/types.ts'

interface Choice extends Option { name: string, isOffered: boolean, isDefault: boolean, meaning?: ActivityMeaning }
interface Choices { statuses: Choice[], types: Choice[] }

/** Types and statuses as the company has them: coloured labels for all that records carry, offers for those that are active. */
async function choicesOf(ctx: Ctx): Promise<Choices> {
  const of = (table: string) => ctx.sql.query<Choice>(sql`
    select o."id" as value, o."name", case when o."tenantId" = any(${ctx.tenant.path}::uuid[]) then o."name" else o."name" || ' (' || b."shortCode" || ')' end as label, coalesce(o."colour", 'default') as colour,
      ${trusted(table === 'activity_status' ? 'o."meaning",' : '')} o."status" = 1 and (o."tenantId" = any(${ctx.tenant.path}::uuid[]) or ${ctx.tenant.type === 2}) as "isOffered", o."default" as "isDefault"
    from ${trusted(table)} o join tenant b on b."companyId" = o."companyId" and b."id" = o."tenantId"
    where o."companyId" = ${ctx.company.id} order by o."position", o."name", o."id"`)
  const [statuses, types] = await Promise.all([of('activity_status'), of('activity_type')])
  return { statuses, types }
}

const optionOf = ({ value, label, colour }: Choice): Option => ({ value, label, ...(colour === undefined ? {} : { colour }) })

/** A reference becomes a choice among the company's rows: coloured, and without a further call. */
function chosen(field: FieldView, choices: readonly Choice[], offers: 'all' | 'active'): FieldView {
  const { reference: _, ...rest } = field
  const standard = offers === 'active' && field.key !== 'statusId' ? choices.find(({ isDefault, isOffered }) => isDefault && isOffered) : undefined
  return { ...rest, kind: 'choice', options: choices.filter(({ isOffered }) => offers === 'all' || isOffered).map(optionOf), ...(standard ? { defaultValue: standard.value } : {}) }
}

function dress(fields: readonly FieldView[], { statuses, types }: Choices, offers: 'all' | 'active'): FieldView[] {
  return fields.map((field) => {
    if (field.key === 'statusId') return chosen(field, statuses, offers)
    return field.key === 'activityTypeId' ? chosen(field, types, offers) : field
  })
}

const dressActions = (actions: readonly ActionView[], choices: Choices): ActionView[] =>
  actions.map((action) => (action.form ? { ...action, form: dress(action.form, choices, 'active') } : action))

const hasAddress: Condition = { not: { eq: ['address', null] } }
const addressScreen = '/sales/activities/calendar-address/mine'
export const askAddress: ActionDefinition = { key: 'calendarFeed', label: 'Calendar address', scope: 'page', open: addressScreen }

/** Fields that records carry for programs, not for people who choose columns. */
const technical = new Set(['seriesId', 'createdUserId', 'status', 'typeDesc', 'agentName', 'statusText', 'scope'])

export async function list(ctx: Ctx, view: ListView, { move }: Calls<'move'>): Promise<ListView> {
  const choices = await choicesOf(ctx)
  return {
    ...view, fields: dress(view.fields, choices, 'all'), columns: view.columns.filter(({ key, hidden }) => !hidden || !technical.has(key)),
    filters: view.filters.filter(({ key }) => key !== 'status'), actions: dressActions(view.actions, choices),
    ...(view.inline ? { inline: { ...view.inline, fields: dress(view.inline.fields, choices, 'active') } } : {}), layouts: layoutsOf(choices, move),
  }
}

const reason: FieldView = { key: 'reason', kind: 'text', label: 'Reason', maxLength: 300 }

/** A board by status, whose cards those who plan may move, and a map of where the work is. */
function layoutsOf({ statuses }: Choices, move: CallView | undefined): LayoutView[] {
  const columns = statuses.filter(({ isOffered }) => isOffered)
  const lost = columns.filter(({ meaning }) => meaning === 'missed' || meaning === 'cancelled')
  const moving = move ? { move, moveForms: Object.fromEntries(lost.map(({ value }) => [value, [reason]])) } : {}
  return [
    { kind: 'kanban', field: 'statusId', columns: columns.map(optionOf), ...moving, titleKey: 'name', lines: ['activityTypeId', 'agentName', 'startDate', 'location'] },
    { kind: 'map', latKey: 'lat', lngKey: 'lng', colourKey: 'statusId', labelKey: 'name', near: true },
  ]
}

export async function agentReport(ctx: Ctx, view: ListView): Promise<ListView> {
  const { statuses } = await choicesOf(ctx)
  const options = statuses.map(({ name, colour }) => ({ value: name, label: name, ...(colour ? { colour } : {}) }))
  return {
    ...view, fields: view.fields.map((field) => (field.key === 'status' ? { ...field, kind: 'choice', options } : field)),
    columns: view.columns.filter(({ key }) => key !== 'activityId' && key !== 'agentName'), routes: { view: '/sales/activities/:activityId/view' },
  }
}

export async function form(ctx: Ctx, view: FormView): Promise<FormView> {
  const choices = await choicesOf(ctx)
  const isNew = view.load === undefined
  // Whoever may not see clients is not asked for them.
  const unknown = new Set(view.fields.filter((field) => field.kind === 'multiReference' && !field.reference).map(({ key }) => key))
  const keys = (row: string[]) => row.filter((key) => !unknown.has(key) && !(isNew && (key === 'scope' || key === 'statusId')))
  const rows = isNew ? view.sections.flatMap((section) => section.rows).map((row) => (row.includes('activityTypeId') ? [...row, 'recurrence'] : row.filter((key) => key !== 'recurrence'))) : view.sections.flatMap((section) => section.rows)
  const sections = [{ rows: rows.map(keys).filter((row) => row.length > 0) }]
  const shown = new Set(sections.flatMap(({ rows }) => rows.flat()))
  return {
    ...view, sections, fields: dress(view.fields.filter(({ key }) => shown.has(key)), choices, 'active').map((field) => (isNew ? withNow(field) : withoutNewHelp(field))),
    actions: dressActions(view.actions, choices), after: '/sales/activities/:id/view',
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
    key: 'agents', title: 'Agents', route: 'activities.get', value: 'activity.assignedUsers', empty: { title: 'Nobody has it to do', body: 'Choose agents in the form.' },
    fields: {
      label: { kind: 'text', label: 'Agent' }, statusText: { kind: 'text', label: 'Status' }, distance: { kind: 'number', label: 'Metres from the place' },
      isOutOfRange: { kind: 'boolean', label: 'Outside the circle' },
    },
  },
  {
    key: 'files', title: 'Files', route: 'activities.get', value: 'activity.files', empty: { title: 'No files', body: 'Agents add photos and papers at the visit.' },
    fields: { path: { kind: 'file', label: 'File' }, dateCreated: { kind: 'dateTime', label: 'Added' } },
  },
]

export const onMap: ActionDefinition = {
  key: 'activities.place', label: 'Show on map', scope: 'row', open: '/sales/agents/location/:lng/:lat', visibleIf: { not: { eq: ['lat', null] } },
}

const facts = [['statusId', 'activityTypeId'], ['startDate', 'endDate'], ['assignedUsers', 'tenantId'], ['leads', 'clients'], ['location', 'lat', 'lng'], ['recurrence', 'statusReason', 'activityPlanNames'], ['description'], ['createdBy', 'dateCreated']]

export async function detail(ctx: Ctx, view: DetailView): Promise<DetailView> {
  const choices = await choicesOf(ctx)
  return {
    ...view, fields: dress(view.fields, choices, 'all'), sections: [{ rows: facts }],
    actions: dressActions(view.actions, choices),
  }
}

/** The secret address under which a calendar program reads the caller's activities. */
export const calendarAddress = built((_, { load, create, revoke }): DetailView => ({
  kind: 'detail', title: 'Calendar address', resource: 'calendarFeed', one: 'calendarFeed', idKey: 'Id', titleKey: 'title',
  fields: [
    { key: 'note', kind: 'longText', label: 'What it is for' }, { key: 'address', kind: 'longText', label: 'Address', visibleIf: hasAddress },
    { key: 'dateCreated', kind: 'dateTime', label: 'Made', visibleIf: hasAddress }, { key: 'lastReadAt', kind: 'dateTime', label: 'Last read', visibleIf: hasAddress },
  ],
  sections: [{ rows: [['note'], ['address'], ['dateCreated', 'lastReadAt']] }],
  load: demanded(load),
  actions: [
    { key: 'calendarFeed.create', label: 'Make an address', scope: 'row', call: demanded(create), visibleIf: { eq: ['address', null] } },
    { key: 'calendarFeed.replace', label: 'New address', scope: 'row', call: demanded(create), visibleIf: hasAddress, confirm: { title: 'Make a new address?', body: 'Calendars that read the present one get nothing any more.' } },
    { key: 'calendarFeed.revoke', label: 'Revoke', scope: 'row', danger: true, call: demanded(revoke), visibleIf: hasAddress, confirm: { title: 'Revoke the address?', body: 'Calendars that read it get nothing any more.' } },
  ],
}), { load: 'calendarFeed.show', create: 'calendarFeed.create', revoke: 'calendarFeed.revoke' })

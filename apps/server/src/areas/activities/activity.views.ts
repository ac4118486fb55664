import type { Condition } from '@outpost/contract/fields'
import type { DetailView } from '@outpost/contract/views'
import { built } from '../../kernel/screens/screen.ts'
import { requireCall } from '../../kernel/screens/catalogue.ts'
import type { ActionDefinition, LayoutDefinition, PanelDefinition } from '../../kernel/types.ts'
import { boardOf } from '../../kernel/workflow/describe.ts'
import { activity } from './activity.resource.ts'

const hasAddress: Condition = { not: { eq: ['address', null] } }
const addressScreen = '/sales/activities/calendar-address/mine'
export const askAddress: ActionDefinition = { key: 'calendarFeed', label: 'Calendar address', scope: 'page', open: addressScreen }

/** A board by status, whose cards those who plan may move, and a map of where the work is. */
export const layouts: LayoutDefinition[] = [
  boardOf(activity, { lines: ['activityTypeId', 'agentName', 'startDate', 'location'] }),
  { kind: 'map', latKey: 'lat', lngKey: 'lng', colourKey: 'statusId', labelKey: 'name', near: true },
]

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
  ['statusId', 'status', 'activityTypeId'],
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
    load: requireCall(load),
    actions: [
      {
        key: 'calendarFeed.create',
        label: 'Make an address',
        scope: 'row',
        call: requireCall(create),
        visibleIf: { eq: ['address', null] },
      },
      {
        key: 'calendarFeed.replace',
        label: 'New address',
        scope: 'row',
        call: requireCall(create),
        visibleIf: hasAddress,
        confirm: { title: 'Make a new address?', body: 'Calendars that read the present one get nothing any more.' },
      },
      {
        key: 'calendarFeed.revoke',
        label: 'Revoke',
        scope: 'row',
        danger: true,
        call: requireCall(revoke),
        visibleIf: hasAddress,
        confirm: { title: 'Revoke the address?', body: 'Calendars that read it get nothing any more.' },
      },
    ],
  }),
  { load: 'calendarFeed.show', create: 'calendarFeed.create', revoke: 'calendarFeed.revoke' },
)

import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { anySession, defineArea, may, route } from '../../kernel/area.ts'
import { command, get, list, noInput, query, remove } from '../../kernel/resource/operations.ts'
import { custom, screen } from '../../kernel/screens/screen.ts'
import * as handle from './activity.handlers.ts'
import * as calendar from './calendar.layers.ts'
import { activity, activityStatus, activityType } from './activity.resource.ts'

const narrowing = { status: z.string().max(60).optional(), type: z.string().max(60).optional() }
type Narrowing = { status?: string, type?: string }
const isWanted = (value: string | undefined): value is string => value !== undefined && value !== '' && value.toUpperCase() !== 'ALL'

const byStatusAndType = ({ status, type }: Narrowing) => sql`
  (${isWanted(status) ? sql`upper(t."status") = upper(${status})` : sql`true`})
  and (${isWanted(type) ? sql`t."activityTypeId"::text = ${type}` : sql`true`})`

/** Work to be done: what the day of an agent needs; plans, calendar and widgets come with the sales areas. */
export const activitiesArea = defineArea({
  name: 'activities',
  resources: [activity, activityType, activityStatus],
  routes: [
    route('activities.list', 'GET', '/api/activities', may('SALES/ACTIVITIES/ACTIVITIES'), list(activity, { extra: narrowing, dateType: 'start', where: (_, input) => byStatusAndType(input) })),
    route('activities.mine', 'GET', '/api/activities/agent-my-work-activities', may('SALES/AGENTS/MYWORK', 'SALES/ACTIVITIES/ACTIVITIES'), list(activity, {
      extra: narrowing, dateType: 'start',
      where: (ctx, input) => sql`${byStatusAndType(input)} and exists (select 1 from activity_assignment a where a."companyId" = t."companyId" and a."activityId" = t."id" and a."userId" = ${ctx.user.id})`,
    })),
    route('activities.types', 'GET', '/api/activities/types', anySession, query(noInput, handle.optionsOf('activity_type', 'activityTypes'))),
    route('activities.statuses', 'GET', '/api/activities/statuses', anySession, query(noInput, handle.optionsOf('activity_status', 'activityStatuses'))),
    route('activities.calendarLayer', 'GET', '/api/activities/calendar-layers/:layer', may('SALES/ACTIVITIES/CALENDAR'), query(calendar.layerInput, calendar.calendarLayer), { own: true, summary: 'Dates of one kind for the calendar' }),
    route('activities.get', 'GET', '/api/activities/:id', may('SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK'), get(activity)),
    route('activities.create', 'POST', '/api/activities', may('SALES/ACTIVITIES/ACTIVITIES/CREATE'), command(handle.activityInput, handle.createActivity)),
    route('activities.update', 'PUT', '/api/activities/:id', may('SALES/ACTIVITIES/ACTIVITIES/EDIT'), command(handle.activityUpdate, handle.updateActivity)),
    route('activities.remove', 'POST', '/api/activities/delete', may('SALES/ACTIVITIES/ACTIVITIES/DELETE'), remove(activity)),
  ],
  screens: [
    screen('/sales/activities/calendar', may('SALES/ACTIVITIES/CALENDAR'), custom('activity-calendar', 'Calendar', calendar.calendarData)),
  ],
})

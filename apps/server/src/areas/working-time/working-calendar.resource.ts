import { defineResource } from '../../kernel/resource/define.ts'
import { weekdays } from './weekdays.ts'
import { prepareCalendar } from './working-calendar.rules.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

const daysInOrder = `array[${weekdays.map((day) => `'${day}'`).join(', ')}]`

/** A stretch of work on a day of the week; a day with a break has two. */
export const workingHours = defineResource({
  model: 'workingHours',
  one: 'workingHours',
  many: 'hours',
  label: 'Hours',
  labelMany: 'Hours',
  title: 'weekday',
  fields: {
    weekday: {
      kind: 'choice',
      label: 'Day',
      required: true,
      defaultValue: 'Monday',
      options: weekdays.map((value) => ({ value, label: value })),
    },
    startsAt: { kind: 'text', label: 'From', required: true, maxLength: 5, defaultValue: '08:00' },
    endsAt: { kind: 'text', label: 'Until', required: true, maxLength: 5, defaultValue: '17:00' },
    position: { kind: 'number', label: 'Position', readOnly: true, detailOnly: true },
    calendarId: { kind: 'text', label: 'Calendar', readOnly: true },
  },
  list: { columns: ['weekday', 'startsAt', 'endsAt'], sort: ['position', 'ASC'], size: 100 },
})

/** When a tenant works, and those below it that have no hours of their own. */
export const workingCalendar = defineResource({
  model: 'workingCalendar',
  one: 'workingCalendar',
  many: 'workingCalendars',
  label: 'Working hours',
  labelMany: 'Working hours',
  title: 'tenantId',
  writtenBy: ['tenantId'],
  fields: {
    tenantId: {
      kind: 'reference',
      label: 'Holds for',
      to: 'tenant',
      required: true,
      createOnly: true,
      help: 'And for all below it without hours of their own',
    },
    week: {
      kind: 'text',
      label: 'Week',
      readOnly: true,
      sql: `select string_agg(left(h."weekday", 3) || ' ' || h."startsAt" || '–' || h."endsAt", ', ' order by array_position(${daysInOrder}, h."weekday"), h."startsAt")
        from working_hours h where h."companyId" = t."companyId" and h."calendarId" = t."id"`,
    },
    overrides: {
      kind: 'boolean',
      label: 'Instead of those above',
      readOnly: true,
      sql: `exists (select 1 from tenant own join working_calendar above on above."companyId" = own."companyId" and above."tenantId" = any(own."path") and above."tenantId" <> own."id"
        where own."companyId" = t."companyId" and own."id" = t."tenantId")`,
    },
    hours: {
      kind: 'lines',
      label: 'Hours',
      of: workingHours,
      by: 'calendarId',
      min: 1,
      max: 28,
      help: 'On the clock of the company, as 08:00. A day with a break has two lines.',
    },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['tenantId', 'week', 'overrides', 'dateModified'],
    sort: ['dateCreated', 'ASC'],
    size: 1_000,
    filters: ['tenantId', 'overrides'],
    empty: { title: 'Office hours hold', body: 'Until you say otherwise, everybody works Monday to Friday from 08:00 to 17:00.' },
  },
  form: [['tenantId'], ['hours']],
  actions: [
    bulkDeleteAction('workingTime.removeCalendar', {
      title: 'Delete the chosen working hours?',
      body: 'Those of the tenant above hold then, or office hours.',
    }),
  ],
  prepare: prepareCalendar,
})

import { defineArea, may, route } from '../../kernel/area.ts'
import { history } from '../../kernel/keeps/history.ts'
import { command, create, get, list, query, remove, update } from '../../kernel/resource/operations.ts'
import { formOf, listOf, screen } from '../../kernel/screens/screen.ts'
import { holiday } from './holiday.resource.ts'
import { importAnswer, importHolidays, importInput } from './import-holidays.ts'
import { workingCalendar, workingHours } from './working-calendar.resource.ts'
import { workingDays, workingDaysAnswer, workingDaysInput } from './working-days.ts'

const own = { own: true }
/** Whose work is measured by it may look at it. */
const readers = may('SALES/TARGETS', 'ADMIN/SETTINGS', 'CLIENTS')
const editors = may('ADMIN/SETTINGS')
const [calendars, holidays] = ['/api/working-calendars', '/api/holidays']

/** When the company works: hours and days off, inherited along company, branch and team. Targets, clocks and deadlines go by it. */
export const workingTimeArea = defineArea({
  name: 'workingTime',
  resources: [workingCalendar, workingHours, holiday],
  routes: [
    route('workingTime.days', 'GET', '/api/working-days', readers, query(workingDaysInput, workingDays, workingDaysAnswer), { own: true, summary: 'The hours and days off that hold for a tenant' }),
    route('workingTime.calendars', 'GET', calendars, readers, list(workingCalendar), own),
    route('workingTime.calendar', 'GET', `${calendars}/:id`, readers, get(workingCalendar), own),
    route('workingTime.calendarTimeline', 'GET', `${calendars}/:id/timeline`, editors, history(workingCalendar), own),
    route('workingTime.createCalendar', 'POST', `${calendars}/add`, editors, create(workingCalendar), own),
    route('workingTime.removeCalendar', 'POST', `${calendars}/delete`, editors, remove(workingCalendar), own),
    route('workingTime.updateCalendar', 'PUT', `${calendars}/:id`, editors, update(workingCalendar), own),
    route('workingTime.holidays', 'GET', holidays, readers, list(holiday), own),
    route('workingTime.holiday', 'GET', `${holidays}/:id`, readers, get(holiday), own),
    route('workingTime.holidayTimeline', 'GET', `${holidays}/:id/timeline`, editors, history(holiday), own),
    route('workingTime.createHoliday', 'POST', holidays, editors, create(holiday), own),
    route('workingTime.removeHoliday', 'POST', `${holidays}/delete`, editors, remove(holiday), own),
    route('workingTime.importHolidays', 'POST', `${holidays}/import`, editors, command(importInput, importHolidays, importAnswer), { own: true, summary: 'Adds the public holidays of the company’s country in a year' }),
    route('workingTime.updateHoliday', 'PUT', `${holidays}/:id`, editors, update(holiday), own),
  ],
  screens: [
    screen('/admin/working-hours', editors, listOf(workingCalendar, { source: 'workingTime.calendars' })),
    screen('/admin/working-hours/add', editors, formOf(workingCalendar)),
    screen('/admin/working-hours/edit/:id', editors, formOf(workingCalendar)),
    screen('/admin/holidays', readers, listOf(holiday, { source: 'workingTime.holidays' })),
    screen('/admin/holidays/add', editors, formOf(holiday)),
    screen('/admin/holidays/edit/:id', editors, formOf(holiday)),
  ],
})

import { describe, expect, it } from 'vitest'
import { askedDays, parseCalendar, shownDays, stepped, windowTitle } from './calendar-state.ts'
import { activityEvent, allAgents, eventWords, isShown, layerEvent } from './events.ts'

const today = '2026-11-19'
const row = { Id: 'a', name: 'Visit', status: 'Completed', activityTypeId: 't1', startDate: '2026-11-19T06:00:00Z', endDate: '2026-11-19T07:00:00Z', assignedUsers: [{ Id: 'u2', label: 'Brian' }, { Id: 'u1', label: 'Amina' }], location: null }
const everything = { statuses: [], types: [], agents: [] }

describe('the address of the calendar', () => {
  it('begins with the week, on phones with the agenda, today', () => {
    expect(parseCalendar({}, false, today)).toEqual({ view: 'week', date: today, statuses: [], types: [], agents: [], layers: [] })
    expect(parseCalendar({}, true, today).view).toBe('agenda')
  })
  it('takes what makes sense and leaves the rest', () => {
    expect(parseCalendar({ view: 'month', date: '2027-02-28', status: 'Pending,Missed', agent: 7, layers: 'a,' }, false, today))
      .toEqual({ view: 'month', date: '2027-02-28', statuses: ['Pending', 'Missed'], types: [], agents: ['7'], layers: ['a'] })
    expect(parseCalendar({ view: 'year', date: '28.2.2027', status: {} }, false, today)).toMatchObject({ view: 'week', date: today, statuses: [] })
  })
})

describe('days', () => {
  it('shown are whole weeks from Monday', () => {
    expect(shownDays({ view: 'week', date: today })).toEqual({ from: '2026-11-16', to: '2026-11-22' })
    expect(shownDays({ view: 'agenda', date: '2026-11-22' })).toEqual({ from: '2026-11-16', to: '2026-11-22' })
    expect(shownDays({ view: 'month', date: today })).toEqual({ from: '2026-10-26', to: '2026-12-06' })
    expect(shownDays({ view: 'day', date: today })).toEqual({ from: today, to: today })
    expect(askedDays({ view: 'day', date: today })).toEqual({ from: '2026-11-18', to: today })
  })
  it('are stepped over by the length of the view', () => {
    expect([stepped({ view: 'month', date: '2026-01-31' }, 1), stepped({ view: 'week', date: today }, -1), stepped({ view: 'day', date: '2026-12-31' }, 1)]).toEqual(['2026-02-28', '2026-11-12', '2027-01-01'])
  })
  it('have a title', () => {
    expect((['month', 'week', 'day'] as const).map((view) => windowTitle({ view, date: today }))).toEqual(['November 2026', '16 – 22 Nov 2026', 'Thursday 19 November 2026'])
    expect(windowTitle({ view: 'week', date: '2026-12-31' })).toBe('28 Dec 2026 – 3 Jan 2027')
    expect(windowTitle({ view: 'agenda', date: '2026-12-02' })).toBe('30 Nov – 6 Dec 2026')
  })
})

describe('an activity', () => {
  const statuses = [{ Id: '1', name: 'Completed', colour: 'green', meaning: 'done' }, { Id: '2', name: 'Pending', colour: 'gold', meaning: 'open' }]
  it('has the colour of its status, and stays where it is once it is settled', () => {
    expect(activityEvent(row, statuses, true)).toMatchObject({ id: 'a', title: 'Visit', className: 'cal-event cal-good', editable: false, extendedProps: { repeats: false } })
    expect(activityEvent({ ...row, status: 'Pending', seriesId: 's' }, statuses, true)).toMatchObject({ className: 'cal-event cal-warn', editable: true, extendedProps: { repeats: true } })
    expect(activityEvent({ ...row, status: 'Pending' }, statuses, false).editable).toBe(false)
    expect(activityEvent({ ...row, status: 'COMPLETED' }, statuses, true).className).toBe('cal-event cal-good')
    expect(activityEvent({ ...row, status: 'Renamed since', statusId: '2' }, statuses, true).className).toBe('cal-event cal-warn')
    expect(activityEvent({ ...row, status: 'Unheard of' }, statuses, true).className).toBe('cal-event cal-quiet')
  })
  it('is shown when every filter leaves it over', () => {
    expect(isShown(row, everything)).toBe(true)
    expect(isShown({ ...row, status: 'COMPLETED' }, { ...everything, statuses: ['Completed'] })).toBe(true)
    expect(isShown(row, { ...everything, agents: ['u1', 'u9'] })).toBe(true)
    expect(isShown(row, { ...everything, agents: ['u9'] })).toBe(false)
    expect(isShown(row, { statuses: ['Completed'], types: ['t2'], agents: [] })).toBe(false)
  })
  it('says who goes, each once and by name', () => {
    expect(allAgents([row, row]).map(({ label }) => label)).toEqual(['Amina', 'Brian'])
    expect(allAgents([{ Id: 'b' }])).toEqual([])
    expect(eventWords(row)).toMatch(/^Visit, Thu 19 Nov \d\d:00 – \d\d:00, Completed, Brian, Amina$/)
  })
})

it('a layer of days lasts until the end of its last day', () => {
  const layer = { key: 'plans', label: 'Route plans', colour: 'orange', screen: '/x/:id', isAllDay: true }
  expect(layerEvent({ Id: 'p', title: 'Round', start: '2026-11-17', end: '2026-11-18' }, layer)).toMatchObject({ start: '2026-11-17', end: '2026-11-19', allDay: true, editable: false, className: 'cal-event cal-layer cal-warn' })
  expect(layerEvent({ Id: 'l', title: 'Consent', start: '2026-11-17T08:30:00Z' }, { ...layer, isAllDay: false }).end).toBeUndefined()
})

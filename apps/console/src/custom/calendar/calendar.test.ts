import { describe, expect, it } from 'vitest'
import { agentIds, askedDays, parseCalendar, scopeOf, shownDays, stepped, windowTitle } from './calendar-state.ts'
import { columnsOf, hoursOf } from './columns.ts'
import { activityEvent, allAgents, eventLabel, isShown, layerEvent, shortName, stackEvent } from './events.ts'
import { beginsIn, stackDays, stackHours } from './stacks.ts'

const today = '2026-11-19'
const row = {
  Id: 'a',
  name: 'Visit',
  status: 'Completed',
  activityTypeId: 't1',
  startDate: '2026-11-19T06:00:00Z',
  endDate: '2026-11-19T07:00:00Z',
  assignedUsers: [
    { Id: 'u2', label: 'Brian' },
    { Id: 'u1', label: 'Amina' },
  ],
  location: null,
}
const everything = { statuses: [], types: [], agents: [] }

describe('the address of the calendar', () => {
  it('begins with the week, on phones with the agenda, today', () => {
    expect(parseCalendar({}, false, today)).toEqual({
      view: 'week',
      date: today,
      hour: null,
      statuses: [],
      types: [],
      agents: [],
      layers: [],
    })
    expect(parseCalendar({}, true, today).view).toBe('agenda')
  })
  it('takes what makes sense and leaves the rest', () => {
    expect(parseCalendar({ view: 'month', date: '2027-02-28', status: 'Pending,Missed', agent: 7, layers: 'a,' }, false, today)).toEqual({
      view: 'month',
      date: '2027-02-28',
      hour: null,
      statuses: ['Pending', 'Missed'],
      types: [],
      agents: ['7'],
      layers: ['a'],
    })
    expect(parseCalendar({ view: 'year', date: '28.2.2027', status: {} }, false, today)).toMatchObject({
      view: 'week',
      date: today,
      hour: null,
      statuses: [],
    })
  })
})

describe('whose activities', () => {
  it('are one’s own first; everyone’s for who has none, and side by side', () => {
    expect([
      scopeOf({ view: 'week', agents: [] }, true),
      scopeOf({ view: 'week', agents: [] }, false),
      scopeOf({ view: 'agents', agents: [] }, true),
    ]).toEqual(['mine', 'all', 'all'])
    expect([
      scopeOf({ view: 'week', agents: ['me'] }, false),
      scopeOf({ view: 'week', agents: ['all'] }, true),
      scopeOf({ view: 'week', agents: ['u1'] }, true),
    ]).toEqual(['mine', 'all', 'chosen'])
    expect([agentIds('mine', [], 'me1'), agentIds('all', ['all'], 'me1'), agentIds('chosen', ['u1'], 'me1')]).toEqual([['me1'], [], ['u1']])
  })
})

describe('days', () => {
  it('shown are whole weeks from Monday; an agenda begins with its day', () => {
    expect(shownDays({ view: 'week', date: today })).toEqual({ from: '2026-11-16', to: '2026-11-22' })
    expect(shownDays({ view: 'agenda', date: '2026-11-22' })).toEqual({ from: '2026-11-22', to: '2026-11-28' })
    expect(shownDays({ view: 'agenda', date: today, hour: 8 })).toEqual({ from: today, to: today })
    expect(shownDays({ view: 'month', date: today })).toEqual({ from: '2026-10-26', to: '2026-12-06' })
    expect(shownDays({ view: 'day', date: today })).toEqual({ from: today, to: today })
    expect(askedDays({ view: 'day', date: today })).toEqual({ from: '2026-11-18', to: today })
  })
  it('are stepped over by the length of the view', () => {
    expect([
      stepped({ view: 'month', date: '2026-01-31' }, 1),
      stepped({ view: 'week', date: today }, -1),
      stepped({ view: 'day', date: '2026-12-31' }, 1),
    ]).toEqual(['2026-02-28', '2026-11-12', '2027-01-01'])
  })
  it('have a title', () => {
    expect((['month', 'week', 'day'] as const).map((view) => windowTitle({ view, date: today }))).toEqual([
      'November 2026',
      '16 – 22 Nov 2026',
      'Thursday 19 November 2026',
    ])
    expect(windowTitle({ view: 'week', date: '2026-12-31' })).toBe('28 Dec 2026 – 3 Jan 2027')
    expect(windowTitle({ view: 'agenda', date: '2026-12-02' })).toBe('2 – 8 Dec 2026')
    expect(windowTitle({ view: 'agenda', date: today, hour: 8 })).toBe('Thu 19 Nov 2026, 08:00 – 09:00')
  })
})

describe('an activity', () => {
  const statuses = [
    { Id: '1', name: 'Completed', colour: 'green', meaning: 'done' },
    { Id: '2', name: 'Pending', colour: 'gold', meaning: 'open' },
  ]
  it('has the colour of its status, and stays where it is once it is settled', () => {
    expect(activityEvent(row, statuses, { mayEdit: true })).toMatchObject({
      id: 'a',
      title: 'Visit',
      className: 'cal-event cal-good',
      editable: false,
      extendedProps: { repeats: false },
    })
    expect(activityEvent({ ...row, status: 'Pending', seriesId: 's' }, statuses, { mayEdit: true })).toMatchObject({
      className: 'cal-event cal-warn',
      editable: true,
      extendedProps: { repeats: true },
    })
    expect(activityEvent({ ...row, status: 'Pending' }, statuses, { mayEdit: false }).editable).toBe(false)
    expect(activityEvent({ ...row, status: 'COMPLETED' }, statuses, { mayEdit: true }).className).toBe('cal-event cal-good')
    expect(activityEvent({ ...row, status: 'Renamed since', statusId: '2' }, statuses, { mayEdit: true }).className).toBe(
      'cal-event cal-warn',
    )
    expect(activityEvent({ ...row, status: 'Unheard of' }, statuses, { mayEdit: true }).className).toBe('cal-event cal-quiet')
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
    expect(eventLabel(row)).toMatch(/^Visit, Thu 19 Nov \d\d:00 – \d\d:00, Completed, Brian, Amina$/)
  })
})

it('a layer of days lasts until the end of its last day', () => {
  const layer = { key: 'plans', label: 'Route plans', colour: 'orange', screen: '/x/:id', isAllDay: true }
  expect(layerEvent({ Id: 'p', title: 'Round', start: '2026-11-17', end: '2026-11-18' }, layer)).toMatchObject({
    start: '2026-11-17',
    end: '2026-11-19',
    allDay: true,
    editable: false,
    className: 'cal-event cal-layer cal-warn',
  })
  expect(layerEvent({ Id: 'l', title: 'Consent', start: '2026-11-17T08:30:00Z' }, { ...layer, isAllDay: false }).end).toBeUndefined()
})

describe('a crowd', () => {
  const statuses = [{ Id: '1', name: 'Completed', colour: 'green', meaning: 'done' }]
  const at = (Id: string, hour: number, agent: string, minutes = 60) => {
    const start = new Date(2026, 10, 19, hour)
    return {
      Id,
      name: `Client visit: ${Id}`,
      typeDesc: 'Client visit',
      status: 'Completed',
      startDate: start.toISOString(),
      endDate: new Date(start.getTime() + minutes * 60_000).toISOString(),
      assignedUsers: [{ Id: agent, label: agent }],
    }
  }
  const crowd = [...Array.from({ length: 9 }, (_, index) => at(`x${index}`, 8, `u${index}`)), at('alone', 10, 'u1'), at('own', 8, 'me')]
  it('becomes one stack an hour with its statuses; own activities and single ones stay', () => {
    const { singles, stacks } = stackHours(crowd, { statuses, me: 'me', most: 2 })
    expect(singles.map(({ Id }) => Id)).toEqual(['own', 'alone'])
    expect(stacks).toEqual([{ day: today, hour: 8, count: 9, parts: [{ name: 'Completed', tone: 'good', count: 9 }] }])
    expect(crowd.filter((one) => beginsIn(one, { date: today, hour: 8 }))).toHaveLength(10)
    expect(stackEvent(stacks[0]!)).toMatchObject({ className: 'cal-event cal-stack', editable: false, extendedProps: { rank: 1 } })
  })
  it('is left alone while it can be read, however many follow one another', () => {
    const day = [8, 9, 10, 11].flatMap((hour) => [at(`a${hour}`, hour, 'u1'), at(`b${hour}`, hour, 'u2')])
    expect(stackHours(day, { statuses, me: 'me', most: 2 })).toMatchObject({ singles: { length: 8 }, stacks: [] })
    expect(stackHours([at('a', 8, 'u1', 5), at('b', 8, 'u2', 5)], { statuses, me: 'me', most: 1 }).stacks).toHaveLength(1)
    expect(stackDays(crowd, statuses)).toMatchObject([{ day: today, hour: null, count: 11 }])
  })
  it('is in columns: own first, by name, without an agent last; what overlaps shares the width', () => {
    const columns = columnsOf(
      [at('b', 8, 'Zoe'), at('a', 8, 'Amina', 90), at('c', 9, 'Amina'), at('d', 20, 'me'), { ...at('e', 6, ''), assignedUsers: [] }],
      { day: today, me: 'me', chosen: [], nobody: 'No agent' },
    )
    expect(columns.map(({ agent }) => agent.label)).toEqual(['me', 'Amina', 'Zoe', 'No agent'])
    expect(columns[1]?.placed).toMatchObject([
      { from: 480, to: 570, lane: 0, lanes: 2 },
      { from: 540, to: 600, lane: 1, lanes: 2 },
    ])
    expect(hoursOf(columns)).toEqual({ first: 6, last: 21 })
  })
  it('is named without its type where the type is beside it', () => {
    expect([shortName(at('Wanjiru', 8, 'u1')), shortName({ Id: 'b', name: 'Visit', typeDesc: 'Client visit' })]).toEqual([
      'Wanjiru',
      'Visit',
    ])
  })
})

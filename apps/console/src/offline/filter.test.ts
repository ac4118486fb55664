import { describe, expect, it } from 'vitest'
import { pageOf } from './filter.ts'

const rows = [
  { Id: '1', firstName: 'Amina', city: 'Nairobi', status: 'New', dateCreated: '2026-11-20T08:00:00Z', amount: 90 },
  { Id: '2', firstName: 'Brian', city: 'Thika', status: 'Contacted', dateCreated: '2026-11-21T08:00:00Z', amount: 1000 },
  { Id: '3', firstName: 'Chama', city: null, status: 'New', dateCreated: '2026-11-19T08:00:00Z' },
]
const [now, timeZone] = [Date.parse('2026-11-21T12:00:00Z'), 'Africa/Nairobi']
const moment = (field: string) => ({ from: field, until: field })
const dates = { created: moment('dateCreated'), consent: moment('consentDate'), start: moment('startDate') }
const ids = (query: object) => pageOf(rows, query, { search: ['firstName', 'city'], dates, now, timeZone }).rows.map((row) => row.Id)

describe('a list from rows at hand answers as the server does', () => {
  it.each([
    [{}, ['2', '1', '3']],
    [{ sortField: 'firstName', sortOrder: 'ASC' }, ['1', '2', '3']],
    [{ sortField: 'amount', sortOrder: 'ASC' }, ['1', '2', '3']],
    [{ sortField: 'status,firstName', sortOrder: 'DESC,DESC' }, ['3', '1', '2']],
    [{ sortField: 'status,firstName', sortOrder: 'ASC,ASC' }, ['2', '1', '3']],
    [{ sortField: 'status,firstName', sortOrder: 'ASC' }, ['2', '3', '1']],
    [{ search: ' thi ' }, ['2']],
    [{ search: '%%' }, ['2', '1', '3']],
    [{ filter: [{ field: 'status', op: 'eq', value: 'new' }] }, ['1', '3']],
    [
      {
        filter: [
          { field: 'status', op: 'in', value: ['New', 'Contacted'] },
          { field: 'city', op: 'notEmpty' },
        ],
      },
      ['2', '1'],
    ],
    [{ filter: [{ field: 'city', op: 'empty' }] }, ['3']],
    [{ filter: [{ field: 'status', op: 'ne', value: 'New' }] }, ['2']],
    [{ filter: [{ field: 'amount', op: 'gte', value: 100 }] }, ['2']],
    [{ filter: [{ field: 'amount', op: 'lte', value: 100 }] }, ['1']],
    [
      {
        filter: [
          {
            any: [
              { field: 'city', op: 'eq', value: 'Thika' },
              { field: 'city', op: 'empty' },
            ],
          },
        ],
      },
      ['2', '3'],
    ],
    [
      {
        filter: [
          { field: 'status', op: 'eq', value: 'New' },
          {
            any: [
              { field: 'city', op: 'eq', value: 'Thika' },
              {
                all: [
                  { field: 'city', op: 'empty' },
                  { field: 'amount', op: 'empty' },
                ],
              },
            ],
          },
        ],
      },
      ['3'],
    ],
    [
      {
        filter: [
          {
            all: [
              { field: 'status', op: 'eq', value: 'New' },
              { field: 'city', op: 'eq', value: 'Nairobi' },
            ],
          },
        ],
      },
      ['1'],
    ],
    [{ startDate: '2026-11-20', endDate: '2026-11-20', dateType: 'created' }, ['1']],
    [{ startDate: '2026-11-20', dateType: 'consent' }, []],
    [{ startDate: '2026-11-20', dateType: 'start' }, []],
    [{ page: 2, size: 2 }, ['3']],
  ])('%j', (query, expected) => expect(ids(query)).toEqual(expected))

  it('counts all it found, not only the page', () =>
    expect(pageOf(rows, { size: 1 }, { search: [], now })).toMatchObject({ total: 3, page: 1, size: 1 }))
})

describe('what only the view of the list tells', () => {
  const view = {
    fields: [
      {
        key: 'tenantId',
        kind: 'reference' as const,
        label: 'Branch',
        reference: { to: 'tenant', path: '', many: '', idKey: 'Id', labelKey: 'name' },
      },
      { key: 'startDate', kind: 'dateTime' as const, label: 'Start' },
      { key: 'assignedUsers', kind: 'multiReference' as const, label: 'Agents' },
    ],
    dateTypes: [
      { value: 'start', label: 'Start', field: 'startDate', window: { kind: 'around' as const, back: 1, ahead: 7 } },
      { value: 'week', label: 'Week', field: 'startDate', window: { kind: 'week' as const } },
      { value: 'all', label: 'All', field: 'startDate', window: { kind: 'all' as const } },
      { value: 'planned', label: 'Planned', field: 'first', until: 'last', window: { kind: 'around' as const, back: 0, ahead: 30 } },
    ],
  }
  const sight = {
    ...view,
    search: ['name'],
    now,
    timeZone,
    reach: [
      { Id: 'team', path: ['company', 'nairobi', 'team'] },
      { Id: 'desk', path: ['company', 'thika', 'desk'] },
    ],
  }
  const work = [
    // 00:30 on Monday 16 November and 23:30 on Sunday the 15th in Nairobi.
    { Id: 'monday', tenantId: 'team', startDate: '2026-11-15T21:30:00Z', assignedUsers: [{ Id: 'amina' }] },
    { Id: 'sunday', tenantId: 'desk', startDate: '2026-11-15T20:30:00Z', assignedUsers: [] },
    { Id: 'today', tenantId: 'elsewhere', startDate: '2026-11-21T09:00:00Z', assignedUsers: ['amina', 'brian'] },
    { Id: 'next', tenantId: 'team', startDate: '2026-11-27T09:00:00Z', assignedUsers: null },
  ]
  const found = (query: object) => pageOf(work, { sortField: 'startDate', sortOrder: 'ASC', ...query }, sight).rows.map((row) => row.Id)
  const term = (field: string, op: string, value?: unknown) => ({ dateType: 'all', filter: [{ field, op, value }] })

  it.each([
    ['the list’s own period: days around now', { dateType: 'start' }, ['today', 'next']],
    ['the list’s own period: the week, Monday to Sunday on the company’s clock', { dateType: 'week' }, ['monday', 'today']],
    ['all time', { dateType: 'all' }, ['sunday', 'monday', 'today', 'next']],
    [
      'a period that is asked for, by the company’s days',
      { dateType: 'start', startDate: '2026-11-16', endDate: '2026-11-16' },
      ['monday'],
    ],
    ['a branch and all below it', term('tenantId', 'eq', 'nairobi'), ['monday', 'next']],
    ['one of several branches', term('tenantId', 'in', ['thika', 'team']), ['sunday', 'monday', 'next']],
    ['not that branch', term('tenantId', 'ne', 'company'), ['today']],
    ['a day of a time', term('startDate', 'eq', '2026-11-16'), ['monday']],
    ['up to a day', term('startDate', 'lte', '2026-11-16'), ['sunday', 'monday']],
    ['from a day on', term('startDate', 'gte', '2026-11-16'), ['monday', 'today', 'next']],
    ['one of several people', term('assignedUsers', 'contains', 'amina'), ['monday', 'today']],
    ['any of several people', term('assignedUsers', 'contains', ['brian', 'nobody']), ['today']],
    ['nobody', term('assignedUsers', 'empty'), ['sunday', 'next']],
  ])('%s', (_, query, expected) => expect(found(query)).toEqual(expected))

  it.each([
    ['runs now, ends today or begins within the days ahead', { dateType: 'planned' }, ['running', 'ends', 'ahead']],
    ['touches the days asked for', { dateType: 'planned', startDate: '2026-11-18', endDate: '2026-11-19' }, ['past', 'running', 'ends']],
  ])('of rows that last: %s', (_, query, expected) => {
    const plans = [
      { Id: 'past', first: '2026-11-16', last: '2026-11-18' },
      { Id: 'running', first: '2026-11-19', last: '2026-11-25' },
      { Id: 'ends', first: '2026-11-17', last: '2026-11-21' },
      { Id: 'ahead', first: '2026-12-20', last: '2026-12-22' },
      { Id: 'far', first: '2026-12-23', last: '2026-12-23' },
    ]
    expect(
      pageOf(plans, { sortField: 'none', ...query }, sight)
        .rows.map(({ Id }) => Id)
        .toSorted(),
    ).toEqual(expected.toSorted())
  })
})

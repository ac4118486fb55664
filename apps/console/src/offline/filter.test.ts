import { describe, expect, it } from 'vitest'
import { pageOf } from './filter.ts'

const rows = [
  { Id: '1', firstName: 'Amina', city: 'Nairobi', status: 'New', dateCreated: '2026-11-20T08:00:00Z', amount: 90 },
  { Id: '2', firstName: 'Brian', city: 'Thika', status: 'Contacted', dateCreated: '2026-11-21T08:00:00Z', amount: 1000 },
  { Id: '3', firstName: 'Chama', city: null, status: 'New', dateCreated: '2026-11-19T08:00:00Z' },
]
const ids = (query: object) => pageOf(rows, query, ['firstName', 'city']).rows.map((row) => row.Id)

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
    [{ filter: [{ field: 'status', op: 'in', value: ['New', 'Contacted'] }, { field: 'city', op: 'notEmpty' }] }, ['2', '1']],
    [{ filter: [{ field: 'city', op: 'empty' }] }, ['3']],
    [{ filter: [{ field: 'status', op: 'ne', value: 'New' }] }, ['2']],
    [{ filter: [{ field: 'amount', op: 'gte', value: 100 }] }, ['2']],
    [{ filter: [{ field: 'amount', op: 'lte', value: 100 }] }, ['1']],
    [{ startDate: '2026-11-20', endDate: '2026-11-20', dateType: 'created' }, ['1']],
    [{ startDate: '2026-11-20', dateType: 'consent' }, []],
    [{ startDate: '2026-11-20', dateType: 'start' }, []],
    [{ page: 2, size: 2 }, ['3']],
  ])('%j', (query, expected) => expect(ids(query)).toEqual(expected))

  it('counts all it found, not only the page', () => expect(pageOf(rows, { size: 1 }, [])).toMatchObject({ total: 3, page: 1, size: 1 }))
})

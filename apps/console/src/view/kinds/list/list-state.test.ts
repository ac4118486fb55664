import { describe, expect, it } from 'vitest'
import type { ListView } from '@outpost/contract/views'
import { filterAddress, filterOf, listQuery, parseListState, plainFilter, savedFilter } from './list-state.ts'

const view: ListView = {
  kind: 'list',
  title: 'Leads',
  resource: 'lead',
  many: 'leads',
  idKey: 'Id',
  titleKey: 'name',
  source: { method: 'GET', path: '/api/leads' },
  fields: [{ key: 'name', kind: 'text', label: 'Name' }],
  columns: [{ key: 'name', sortable: true }, { key: 'phone' }],
  filters: [{ key: 'status', operators: ['in', 'empty'] }],
  search: true,
  sort: { field: 'dateCreated', order: 'DESC' },
  pageSize: 100,
  dateTypes: [
    { value: 'created', label: 'Captured' },
    { value: 'consent', label: 'Consent' },
  ],
  routes: {},
  actions: [],
  presentation: 'table',
  empty: { title: 'None' },
  offline: false,
}
const saved = {
  search: 'amina',
  terms: [{ field: 'status', op: 'in' as const, value: ['New'] }],
  sort: { field: 'name', order: 'ASC' as const },
}

describe('the state of a list', () => {
  it("is the view's own without an address, and asks the server for exactly that", () => {
    expect(parseListState(view, {})).toEqual({
      ...plainFilter(view),
      from: undefined,
      to: undefined,
      savedView: undefined,
      page: 1,
      peek: undefined,
    })
    expect(listQuery(view, plainFilter(view))).toEqual({ sortField: 'dateCreated', sortOrder: 'DESC', dateType: 'created' })
  })

  it('goes to the address and back unchanged', () => {
    const filter = {
      ...plainFilter(view),
      search: '0712',
      sort: [
        { field: 'name', order: 'ASC' as const },
        { field: 'dateCreated', order: 'DESC' as const },
      ],
      terms: saved.terms,
      dateType: 'consent',
      from: '2026-11-01',
      to: '2026-11-30',
    }
    const address = filterAddress(filter, plainFilter(view))
    expect(filterOf(parseListState(view, address))).toEqual(filter)
    expect(address).toMatchObject({ sort: 'name,-dateCreated', search: '0712' })
  })

  it('leaves out what equals the saved view, and says empty where the view has something', () => {
    const base = savedFilter(view, saved)
    expect(Object.values(filterAddress(base, base)).every((value) => value === undefined)).toBe(true)
    const address = filterAddress({ ...base, search: '', terms: [] }, base)
    expect(address).toMatchObject({ search: '', filter: [] })
    expect(parseListState(view, { search: '', filter: [] }, saved)).toMatchObject({ search: '', terms: [], sort: [saved.sort] })
  })

  it('drops what the view does not allow', () => {
    const state = parseListState(view, {
      sort: '-phone',
      dateType: 'other',
      from: 'yesterday',
      page: -3,
      filter:
        '[{"field":"secret","op":"eq","value":1},{"field":"status","op":"eq","value":"New"},{"field":"status","op":"in","value":[]},{"field":"status","op":"empty"}]',
    })
    expect(state).toMatchObject({
      sort: [view.sort],
      dateType: 'created',
      from: undefined,
      page: 1,
      terms: [{ field: 'status', op: 'empty' }],
    })
    expect(parseListState(view, { filter: 'not json' }).terms).toEqual([])
  })

  it('sends the search in capitals and trimmed', () => {
    expect(listQuery(view, { ...plainFilter(view), search: '  amina o ' }).search).toBe('AMINA O')
    expect(listQuery(view, { ...plainFilter(view), search: '   ' })).not.toHaveProperty('search')
  })

  it('reads sorts of one column and of several, each once, and sends them side by side', () => {
    expect(parseListState(view, { sort: '-name' }).sort).toEqual([{ field: 'name', order: 'DESC' }])
    const { sort } = parseListState(view, { sort: 'name,phone,-dateCreated,-name,' })
    expect(sort).toEqual([
      { field: 'name', order: 'ASC' },
      { field: 'dateCreated', order: 'DESC' },
    ])
    expect(listQuery(view, { ...plainFilter(view), sort })).toMatchObject({ sortField: 'name,dateCreated', sortOrder: 'ASC,DESC' })
    expect(savedFilter(view, { sort }).sort).toEqual(sort)
  })

  it('reads a numeric search as text', () => {
    expect(parseListState(view, { search: 712345678 }).search).toBe('712345678')
  })
})

import { expect, test } from 'vitest'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { syncEntities } from '../../apps/server/src/kernel/sync/entities.ts'
import { keptKinds } from '../../apps/server/src/kernel/sync/kept-kinds.ts'

test('a resource is kept on devices by one word, and by no more than a device can compare', () => {
  const kindOf = (onDevice: readonly string[]) => {
    const stall = defineResource({
      model: 'team',
      one: 'stall',
      many: 'stalls',
      label: 'Stall',
      labelMany: 'Stalls',
      title: 'name',
      isScoped: true,
      isSoftDeleted: true,
      isSynced: true,
      offline: 'read-write',
      fields: {
        name: { kind: 'text', label: 'Name', required: true },
        description: { kind: 'text', label: 'Description', defaultValue: 'A table' },
        searchText: { kind: 'text', label: 'Purpose', readOnly: true, given: 'MARKET' },
      },
      list: {
        columns: ['name'],
        sort: ['name', 'ASC'],
        size: 10,
        dates: { opened: { label: 'Opened', field: 'name', window: { kind: 'all' } } },
      },
      form: [['name'], ['description']],
      duplicates: {
        columns: onDevice,
        onDevice,
        error: 'ALREADY_EXISTS',
        find: () => {
          throw new Error('asked')
        },
      },
    })
    return keptKinds([defineArea({ name: 'stalls', resources: [stall] })])[0]
  }
  expect(kindOf(['name'])).toMatchObject({
    type: 'stall',
    isReadOnly: false,
    title: 'name',
    required: ['name'],
    entered: ['name'],
    form: ['name'],
    defaults: { description: 'A table' },
    given: { searchText: 'MARKET' },
    search: ['name'],
    dates: { opened: { from: 'name', until: 'name' } },
    same: [{ field: 'name', typed: 'name', kind: 'text' }],
    errors: { same: { code: 'ALREADY_EXISTS', status: 409 } },
  })
  expect(() => kindOf(['name', 'description', 'searchText'])).toThrow('two values at most')
})

test('a resource that is kept as its list is read by devices, and takes no part in the sync', () => {
  const van = defineResource({
    model: 'team',
    one: 'van',
    many: 'vans',
    label: 'Van',
    labelMany: 'Vans',
    title: 'name',
    isScoped: true,
    isSoftDeleted: true,
    offline: 'list',
    fields: { name: { kind: 'text', label: 'Name', required: true } },
    list: { columns: ['name'], sort: ['name', 'ASC'], size: 10 },
    form: [['name']],
  })
  const areas = [defineArea({ name: 'vans', resources: [van] })]
  expect(keptKinds(areas)).toMatchObject([{ type: 'van', isReadOnly: true, isListed: true, calls: [], lines: [] }])
  expect([...syncEntities(areas).keys()]).toEqual([])
})

import { describe, expect, it } from 'vitest'
import { activePath, flatMenu, groupsOf, visibleMenu } from './menu.ts'

const leaf = (path: string) => ({ key: path, label: path, icon: 'tag', path })
const menu = [
  leaf('/'),
  {
    key: 'sales',
    label: 'Sales',
    icon: 'rise',
    children: [
      leaf('/agents/landingpage'),
      leaf('/sales/activities'),
      leaf('/sales/activities/calendar'),
      leaf('/clients/'),
      leaf('/clients/groups/list'),
    ],
  },
  {
    key: 'admin',
    label: 'Administration',
    icon: 'setting',
    hiddenOffline: true,
    children: [leaf('/admin/users/list'), leaf('/admin/users/list-deleted')],
  },
]

describe('the left menu', () => {
  it('hides what needs a connection, and groups left empty, while offline', () => {
    expect(visibleMenu(menu, false).map((entry) => entry.key)).toEqual(['/', 'sales'])
    expect(visibleMenu([{ ...menu[1]!, children: [{ ...leaf('/x'), hiddenOffline: true }] }], false)).toEqual([])
    expect(visibleMenu(menu, true)).toEqual(menu)
  })

  it.each([
    ['/', '/'],
    ['/sales/activities', '/sales/activities'],
    ['/sales/activities/', '/sales/activities'],
    ['/sales/activities/calendar', '/sales/activities/calendar'],
    ['/sales/activities/7/edit', '/sales/activities'],
    ['/admin/users/edit/7', '/admin/users/list'],
    ['/admin/users/list-deleted', '/admin/users/list-deleted'],
    ['/clients/7/view', '/clients/'],
    ['/clients/groups/details/7', '/clients/groups/list'],
    ['/profile', null],
  ])('at %s marks %s', (pathname, expected) => expect(activePath(menu, pathname)).toBe(expected))

  it('opens the group of the marked entry', () => {
    expect(groupsOf(menu, '/sales/activities')).toEqual(['sales'])
    expect(groupsOf(menu, null)).toEqual([])
    expect(flatMenu(menu)).toHaveLength(8)
  })
})

import { describe, expect, it } from 'vitest'
import { permissionHierarchies } from '@outpost/contract/permissions'
import { systemRoles } from '@outpost/contract/roles'
import { defaultPermissions } from './role-defaults.ts'
import { landingScreen, maySwitchTenant, systemRoleByName } from './roles.ts'

describe('default permissions', () => {
  it.each(systemRoles.map((role) => role.key))('%s holds only known paths, each once', (key) => {
    const paths = defaultPermissions(key)
    expect(new Set(paths).size).toBe(paths.length)
    expect(paths.filter((path) => !(permissionHierarchies as readonly string[]).includes(path))).toEqual([])
  })

  it('lets an officer capture leads but not delete them, and not see administration', () => {
    const officer = defaultPermissions('officer')
    expect(officer).toContain('SALES/LEADS/CREATE')
    expect(officer).not.toContain('SALES/LEADS/DELETE')
    expect(officer.filter((path) => path.startsWith('ADMIN/'))).toEqual([])
  })

  it.each(['officer', 'credit', 'leader', 'branch', 'regional'] as const)(
    'lets %s, who is in the field, read and write clients and groups',
    (key) => {
      expect(defaultPermissions(key)).toEqual(
        expect.arrayContaining([
          'CLIENTS',
          'CLIENTS/CREATE',
          'CLIENTS/EDIT',
          'CLIENTS/GROUPS',
          'CLIENTS/GROUPS/CREATE',
          'CLIENTS/GROUPS/EDIT',
        ]),
      )
      expect(defaultPermissions(key)).not.toContain('CLIENTS/GROUPS/DELETE')
    },
  )

  it('gives managers the actions of leads without widening to sub-areas', () => {
    const branch = defaultPermissions('branch')
    expect(branch).toEqual(expect.arrayContaining(['SALES/LEADS/DELETE', 'CRM/REPORTS', 'CLIENTS/DELETE']))
    expect(branch).not.toContain('CLIENTS/GROUPS/DELETE')
    expect(branch).not.toContain('ADMIN/ROLES')
  })
})

describe('roles by name', () => {
  it('ignores case and spaces', () => expect(systemRoleByName('  loan OFFICER ')).toBe('officer'))
  it('lands field staff on My Work', () => {
    expect(landingScreen(['Team Leader'])).toBe('/agents/landingpage')
    expect(landingScreen(['Branch Manager'])).toBe('/')
  })
  it('fixes the tenant of officers and leaders', () => {
    expect(maySwitchTenant(['Loan Officer'])).toBe(false)
    expect(maySwitchTenant(['Loan Officer', 'Administrator'])).toBe(true)
  })
})

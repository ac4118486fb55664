import { describe, expect, it } from 'vitest'
import { mayAccess, mayAny } from './permission.ts'

const holder = (paths: string[], isGlobalAdministrator = false) => ({ permissions: new Set(paths), isGlobalAdministrator })

describe('permission check', () => {
  it.each([
    [['SALES/LEADS'], ['SALES/LEADS'], true],
    [['SALES/LEADS'], ['sales/leads '], true],
    [['SALES'], ['SALES/LEADS'], false],
    [['SALES/LEADS'], ['SALES'], false],
    [['SALES/LEADS/CREATE'], ['SALES/LEADS'], false],
    [['CRM/REPORTS'], ['ADMIN/REPORTS', 'CRM/REPORTS'], true],
    [[], ['ANY'], true],
    [[], ['all'], true],
    [[], [], false],
  ])('%j asked for any of %j gives %s', (held, asked, expected) => {
    expect(mayAny(holder(held), asked)).toBe(expected)
  })

  it('lets a global administrator pass every permission', () => {
    expect(mayAny(holder([], true), ['ADMIN/ROLES/DELETE'])).toBe(true)
  })

  it('requires only a session where the access declares it', () => {
    expect(mayAccess(holder([]), { kind: 'session' })).toBe(true)
    expect(mayAccess(holder([]), { kind: 'permission', anyOf: ['SALES'] })).toBe(false)
  })
})

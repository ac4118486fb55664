import { describe, expect, it } from 'vitest'
import { safeRedirect } from './redirect.ts'

const origin = 'https://desk.example.com'

describe('the target after sign-in', () => {
  it.each([
    ['/sales/leads', '/sales/leads'],
    ['/sales/leads?search=a%20b&page=2#row', '/sales/leads?search=a%20b&page=2#row'],
    ['/', '/'],
    ['/a/../admin/users/list', '/admin/users/list'],
    ['/x?next=https://evil.example', '/x?next=https://evil.example'],
  ])('follows %s', (value, expected) => expect(safeRedirect(value, origin)).toBe(expected))

  it.each([
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    ' /sales',
    'sales',
    '',
    '/login',
    '/login?redirectFrom=/login',
    '/logout',
    '/LOGOUT',
    '/.//evil.example',
    '/token',
    'https:evil.example',
    'data:text/html,x',
    '/not-authorized',
    '/end-impersonation',
    `/${'a'.repeat(2_001)}`,
    undefined,
    null,
    7,
    ['/x'],
  ])('refuses %j', (value) => expect(safeRedirect(value, origin)).toBeNull())
})

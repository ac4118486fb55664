import { describe, expect, it } from 'vitest'
import { detourOf } from './guard.ts'
import { isGuardedPath, paramsIn, routedScreens, routerPath } from './paths.ts'

const screen = (path: string) => ({
  id: path,
  path,
  title: path,
  layout: 'standard' as const,
  offline: false,
  permitted: true,
  kind: 'list',
})

describe('paths of the specification in the router', () => {
  it.each([
    ['/', '/'],
    ['/sales/leads/edit/:id', '/sales/leads/edit/$id'],
    ['/comms/email/:id/folderType/', '/comms/email/$id/folderType'],
    ['/csv/upload/:model?', '/csv/upload/{-$model}'],
    ['/sales/agents/location/:lng/:lat', '/sales/agents/location/$lng/$lat'],
  ])('%s becomes %s', (path, expected) => expect(routerPath(path)).toBe(expected))

  it('are taken once each, and never over a screen of the shell', () => {
    const routed = routedScreens([screen('/a'), screen('/a/'), screen('/profile'), screen('/b/:id')], new Set(['/profile']))
    expect(routed.map(({ path }) => path)).toEqual(['/a', '/b/:id'])
  })

  it.each([
    ['/sales/leads', '/sales/leads/', {}],
    ['/tracking/replay/:id/:date', '/tracking/replay/a%20b/2026-11-24', { id: 'a b', date: '2026-11-24' }],
    ['/csv/upload/:model?', '/csv/upload/lead', { model: 'lead' }],
    ['/sales/leads/:id', '/sales/leads', undefined],
    ['/sales/leads/:id', '/sales/leads//', undefined],
    ['/sales/leads/:id', '/sales/cases/1', undefined],
  ])('%s finds in %s', (path, address, expected) => expect(paramsIn(path, address)).toEqual(expected))

  it('need a session by their first part, in any case of letters', () => {
    for (const path of ['/', '/sales/leads', '/scheduledReport/index', '/Admin/x']) expect(isGuardedPath(path)).toBe(true)
    for (const path of ['/nonsense', '/salesx', '/login']) expect(isGuardedPath(path)).toBe(false)
  })
})

describe('the guard', () => {
  const open = { permitted: true, offline: false }
  const visit = { from: '/sales/leads?page=2', phase: 'in' as const, endReason: null, isOnline: true, layout: null }
  const search = { redirectFrom: '/sales/leads?page=2' }
  it('keeps whoever has to choose another password at that', () => {
    const must = { ...visit, layout: { mustChangePassword: true } as never }
    expect(detourOf(open, must)).toEqual({ to: '/profile/change-password', search: {} })
    expect(detourOf(open, { ...must, from: '/profile/change-password' })).toBeNull()
  })
  it('lets a permitted user in', () => expect(detourOf(open, visit)).toBeNull())
  it('sends strangers to sign in', () => expect(detourOf(open, { ...visit, phase: 'out' })).toEqual({ to: '/login', search }))
  it('forgets the way back after a sign-out', () => {
    expect(detourOf(open, { ...visit, phase: 'out', endReason: 'logout' })).toEqual({ to: '/login', search: {} })
  })
  it('sends those who lack the permission away, also offline', () => {
    expect(detourOf({ ...open, permitted: false }, { ...visit, isOnline: false })).toEqual({ to: '/not-authorized', search })
  })
  it('keeps offline users to screens that allow it', () => {
    expect(detourOf(open, { ...visit, isOnline: false })).toEqual({ to: '/offline', search })
    expect(detourOf({ ...open, offline: true }, { ...visit, isOnline: false })).toBeNull()
  })
})

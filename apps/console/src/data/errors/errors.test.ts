import { beforeEach, expect, it } from 'vitest'
import { patternsOf } from '@outpost/rules/privacy/path-pattern'
import { publicScreens } from '../../shell/public/screens.ts'
import { crumbsSoFar, leaveCallCrumb, leaveCrumb, leaveScreenCrumb } from './breadcrumbs.ts'
import { callNameOf, knowScreens, screenOf } from './known-paths.ts'

const id = '6f1c2d3e-0000-4000-8000-000000000001'
beforeEach(() =>
  knowScreens([...publicScreens.map(({ path }) => path), '/sales/leads/:id/view', '/sales/agents/location/:lng/:lat', '/csv/:model?']),
)

it.each([
  ['GET', `/api/leads/${id}`, 'leads.get'],
  ['GET', '/api/usertracking/geo_address/-1.292066/36.821946', 'tracking.address'],
  ['GET', '/api/usertracking/geo_lat/Moi%20Avenue', 'tracking.lookup'],
  ['GET', '/api/users/by-email/amina@example.com', 'users.byEmail'],
  ['GET', '/api/storage/companies/amina-otieno.jpg', 'storage.get'],
  ['GET', '/api/auth/refresh/eyJhbGciOi', 'auth.refreshByPath'],
  ['POST', '/api/auth/ticket', 'auth.ticket'],
  ['DELETE', '/nowhere/amina', 'DELETE'],
])('a call is told by its name: %s %s', (method, path, name) => {
  expect(callNameOf(method, path)).toBe(name)
  leaveCallCrumb(method, path, 503)
  expect(crumbsSoFar().at(-1)?.what).toBe(`${name} 503`)
})

it.each([
  [`/sales/leads/${id}/view`, '/sales/leads/:id/view'],
  ['/sales/agents/location/36.821946/-1.292066', '/sales/agents/location/:lng/:lat'],
  [`/impersonate/${id}/officer.sunrise`, '/impersonate/:id/:name'],
  ['/reset-password/abcDEF', '/reset-password/:token'],
  ['/verify/abcDEF', '/verify/:token'],
  [`/account/verification/${id}/abcDEF`, '/account/verification/:userId/:token'],
  ['/not-me/abcDEF', '/not-me/:token'],
  ['/csv/leads', '/csv/:model?'],
  ['/login', '/login'],
  ['/amina/otieno', '/…'],
])('a screen is told by its pattern: %s', (path, pattern) => {
  expect(screenOf(path)).toBe(pattern)
  leaveScreenCrumb(path)
  expect(crumbsSoFar().at(-1)?.what).toBe(pattern)
})

it('every screen that strangers open with something in its address is known before any screen is', () => {
  const patternOf = patternsOf([])
  for (const { path } of publicScreens.filter((screen) => screen.path.includes(':')))
    expect(patternOf(path.replaceAll(/:\w+/g, 'amina')), path).toMatch(/\/\*$/)
})

it('keeps the last twenty steps', () => {
  for (let step = 1; step <= 25; step += 1) leaveCrumb(`step ${step}`)
  expect(crumbsSoFar().map(({ what }) => what)).toEqual(Array.from({ length: 20 }, (_, index) => `step ${index + 6}`))
})

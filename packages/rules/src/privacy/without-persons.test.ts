import { describe, expect, it } from 'vitest'
import { patternsOf } from './path-pattern.ts'
import { recordWithoutPersons, withoutPersons } from './without-persons.ts'

const patternOf = patternsOf([
  '/api/leads',
  '/api/leads/:id',
  '/api/leads/report',
  '/api/storage/*',
  '/api/users/by-email/:email',
  '/api/usertracking/geo_address/:lat/:lng',
  '/api/usertracking/geo_lat/:text',
  '/sales/agents/day/:id/:date',
  '/sales/agents/location/:lng/:lat',
])
const id = '6f1c2d3e-0000-4000-8000-000000000001'

describe('withoutPersons', () => {
  it.each([
    [`GET /api/leads/${id}?search=AMINA 500`, 'GET /api/leads/:id 500'],
    ['GET /api/leads/report 200', 'GET /api/leads/report 200'],
    ['GET /api/usertracking/geo_address/-1.292066/36.821946 200', 'GET /api/usertracking/geo_address/:lat/:lng 200'],
    ['GET /api/usertracking/geo_lat/Moi%20Avenue 200', 'GET /api/usertracking/geo_lat/:text 200'],
    ['GET /api/users/by-email/amina@example.com 200', 'GET /api/users/by-email/:email 200'],
    ['GET /api/storage/ids/amina-otieno.jpg 200', 'GET /api/storage/* 200'],
    ['/sales/agents/location/36.821946/-1.292066', '/sales/agents/location/:lng/:lat'],
    [`/sales/agents/day/${id}/2026-03-04`, '/sales/agents/day/:id/:date'],
    [`/impersonate/${id}/officer.sunrise`, '/impersonate/*'],
    ['/impersonate/7/amina/back', '/impersonate/*'],
    ['/reset-password/abcDEF', '/reset-password/*'],
    ['/verify/abcDEF/', '/verify/*'],
    [`/account/verification/${id}/abcDEF`, '/account/verification/*'],
    ['/not-me/abcDEF', '/not-me/*'],
    ['GET https://demo.outpost.test/consent/abcDEF failed', 'GET /consent/* failed'],
    ['(/shared/abcDEF)', '(/shared/*)'],
  ])('%s', (given, told) => expect(withoutPersons(given, patternOf)).toBe(told))

  it('leaves out places, secrets, addresses and numbers wherever they stand', () => {
    expect(withoutPersons('no road near 36.821946, -1.29', patternOf)).toBe('no road near :number, :number')
    expect(withoutPersons('/elsewhere/36.821946/-1.292066', patternOf)).toBe('/elsewhere/:number/:number')
    expect(withoutPersons('token eyJhbGciOiJIUzI1NiIsInR5cCI6 is over', patternOf)).toBe('token :secret is over')
    expect(withoutPersons('TypeError: “Amina Otieno” of amina@example.com, 0722 000 001, has no "notes"', patternOf)).toBe(
      'TypeError: :text of :e-mail, :number, has no :text',
    )
  })
  it('keeps what finds the fault: files, lines and versions', () => {
    const place = 'at read (/assets/InsuranceScreenOfClients-BICu6voU1.js:12:345) in 24.10.1'
    expect(withoutPersons(place, patternOf)).toBe(place)
  })
  it('takes no longer for a text made to take long', () => {
    const started = process.cpuUsage()
    for (const part of ['a', 'a1', '“', '"', '/', '1 ', '1.', ':', '-'])
      withoutPersons(part.repeat(Math.ceil(10_000 / part.length)), patternOf)
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000)
  })
})

describe('recordWithoutPersons', () => {
  it('keeps names, moments and small numbers', () => {
    const given = {
      at: '2026-11-28T01:38:47.000Z',
      screen: '/not-me/abc',
      code: 101,
      lat: -1.29,
      msisdn: 254722000001,
      before: [{ what: '/verify/x' }],
    }
    expect(recordWithoutPersons(given, patternOf)).toEqual({
      at: '2026-11-28T01:38:47.000Z',
      screen: '/not-me/*',
      code: 101,
      lat: ':number',
      msisdn: ':number',
      before: [{ what: '/verify/*' }],
    })
  })
  it('says no more than an entry holds, however deep it goes', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 50; level += 1) deep = [deep]
    expect(JSON.stringify(recordWithoutPersons(deep, patternOf))).toBe('[[[[[[null]]]]]]')
    expect(
      JSON.stringify(
        recordWithoutPersons(
          Array.from({ length: 300 }, () => 'word '.repeat(20)),
          patternOf,
        ),
      ).length,
    ).toBeLessThan(12_000)
  })
})

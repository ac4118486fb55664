import { ownMeaning, type ActivityStatus } from '../../device/work/statuses.ts'
import { describe, expect, it } from 'vitest'
import { formatDistance, navigateLink, nextSteps, nextStop, peopleOf, placeOf, runningVisit } from './visit-state.ts'

const statuses: ActivityStatus[] = (['open', 'started', 'done', 'missed', 'cancelled'] as const).map((meaning) => ({
  Id: meaning,
  name: meaning.toUpperCase(),
  meaning,
}))
const at = (hour: number, day = 21) => new Date(2026, 10, day, hour).toISOString()
const visit = (Id: string, hour: number, mine: string | null = null, more: object = {}) => ({
  Id,
  startDate: at(hour),
  assignedUsers: [{ Id: 'me', statusId: mine }],
  ...more,
})

describe('a visit', () => {
  it('is as far as its agent, else as far as it is as a whole', () => {
    expect(ownMeaning(visit('a', 9, 'started', { statusId: 'open' }), statuses, 'me')).toBe('started')
    expect(ownMeaning(visit('a', 9, null, { statusId: 'missed' }), statuses, 'me')).toBe('missed')
    expect(ownMeaning(visit('a', 9, null, { status: 'DONE' }), statuses, 'me')).toBe('done')
    expect(ownMeaning(visit('a', 9), statuses, 'me')).toBe('open')
  })

  it('offers what may follow, the likeliest first, and asks why where nobody was visited', () => {
    expect(nextSteps('open', statuses).map(({ meaning, isMain, asksWhy }) => [meaning, isMain, asksWhy])).toEqual([
      ['started', true, false],
      ['done', false, false],
      ['missed', false, true],
      ['cancelled', false, true],
    ])
    expect(nextSteps('started', statuses).map(({ meaning }) => meaning)).toEqual(['done', 'cancelled', 'open'])
    expect(nextSteps('done', statuses)).toEqual([])
    expect(nextSteps('open', statuses.slice(0, 2)).map(({ meaning }) => meaning)).toEqual(['started'])
  })

  it('is one at a time, and the next one is the next of the day that is open', () => {
    const day = [
      visit('late', 8),
      visit('now', 9, 'started'),
      visit('done', 10, 'done'),
      visit('b', 12),
      visit('a', 11),
      { ...visit('tomorrow', 9), startDate: at(9, 22) },
      { ...visit('theirs', 10), assignedUsers: [{ Id: 'other' }] },
    ]
    const about = { statuses, userId: 'me' }
    expect(runningVisit(day, { ...about, id: 'a' })?.Id).toBe('now')
    expect(runningVisit(day, { ...about, id: 'now' })).toBeUndefined()
    expect(nextStop(day, { ...about, activity: visit('now', 9) })?.Id).toBe('a')
    expect(nextStop(day.slice(0, 3), { ...about, activity: visit('done', 10) })?.Id).toBe('late')
    expect(nextStop([], { ...about, activity: visit('done', 10) })).toBeUndefined()
  })

  it('says where it is and how to get there', () => {
    const place = { lat: '-1.2921', lng: 36.8219 }
    expect(placeOf(place)).toEqual({ latitude: -1.2921, longitude: 36.8219 })
    expect(placeOf({ lat: 999, lng: 999 })).toBeUndefined()
    expect(formatDistance({ latitude: -1.2921, longitude: 36.8219 }, { latitude: -1.2921, longitude: 36.8229 })).toBe('110 m')
    expect(formatDistance({ latitude: -1.2921, longitude: 36.8219 }, { latitude: -1.3, longitude: 36.85 })).toBe('3.2 km')
    expect(navigateLink(place, 'Linux; Android 14')).toBe('geo:-1.2921,36.8219?q=-1.2921%2C36.8219')
    expect(navigateLink({ location: 'Ngara Market' }, 'iPhone')).toBe('https://www.google.com/maps/dir/?api=1&destination=Ngara%20Market')
    expect(navigateLink({}, 'iPhone')).toBeUndefined()
  })

  it('names its people once each', () => {
    expect(
      peopleOf({
        leads: [
          { Id: '1', firstName: 'Amina', lastName: 'Otieno', phonenumber: '0712' },
          { Id: '1', firstName: 'Amina', lastName: 'Otieno', phonenumber: '0712' },
        ],
        clients: [{ Id: '2', label: 'Brian K' }],
      }),
    ).toEqual([
      { Id: '1', name: 'Amina Otieno', phone: '0712' },
      { Id: '2', name: 'Brian K', phone: '' },
    ])
  })
})

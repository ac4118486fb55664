import { expect, test } from 'vitest'
import { maintenanceDue } from './maintenance.ts'

const service = { everyKm: 10_000, everyHours: null, everyDays: 180 }
const at = (km: number | null, today: string, last = { km: 40_000, hours: null, on: '2026-01-01' }) =>
  maintenanceDue(service, { last, now: { km, hours: null }, today })

test('whichever comes first decides: kilometres or the day', () => {
  expect(at(41_000, '2026-02-01')).toEqual({
    state: 'later',
    km: 50_000,
    hours: null,
    on: '2026-06-30',
    kmLeft: 9_000,
    hoursLeft: null,
    daysLeft: 149,
  })
  expect(at(49_000, '2026-02-01')).toMatchObject({ state: 'soon', kmLeft: 1_000 })
  expect(at(50_000, '2026-02-01')).toMatchObject({ state: 'overdue', kmLeft: 0 })
  expect(at(41_000, '2026-06-16')).toMatchObject({ state: 'soon', daysLeft: 14 })
  expect(at(41_000, '2026-06-15')).toMatchObject({ state: 'later', daysLeft: 15 })
  expect(at(41_000, '2026-06-30')).toMatchObject({ state: 'overdue', daysLeft: 0 })
})

test('what nobody can say is not due by it; hours count like kilometres', () => {
  expect(at(null, '2026-02-01')).toMatchObject({ state: 'later', km: 50_000, kmLeft: null })
  const byHours = { everyKm: null, everyHours: 250, everyDays: null }
  const last = { km: null, hours: null, on: '2026-01-01' }
  expect(maintenanceDue(byHours, { last, now: { km: null, hours: 250.04 }, today: '2027-01-01' })).toMatchObject({
    state: 'overdue',
    hours: 250,
    hoursLeft: 0,
    on: null,
    daysLeft: null,
  })
})

import { existsSync } from 'node:fs'

/** Paths in Debian's package faketime, for both supported processors. */
const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`)

/** Whether programs can be run at another time here. */
export const canSetClock = (): boolean => libraries.some((path) => existsSync(path))

/** When every day's run takes place: the morning of the Wednesday to come, so that no result hangs on the hour or the weekday of the run. */
export function ordinaryMoment(now: number): string {
  const wednesday = 3
  const days = (wednesday - new Date(now).getUTCDay() + 7) % 7 || 7
  return new Date(new Date(now + days * 86_400_000).setUTCHours(7, 10, 0, 0)).toISOString()
}

/**
 * The environment with which a program, its database and all its children run at another time (an ISO instant); their clocks continue
 * from there. Throws where libfaketime is not installed, and for a past time: Postgres reads the true time when a signal interrupts a
 * clock reading, and would end transactions as too old.
 */
export function clockAt(instant: string): Record<string, string> {
  const library = libraries.find((path) => existsSync(path))
  if (!library) throw new Error('TEST_NOW needs libfaketime (on Debian: apt-get install faketime)')
  const ahead = Math.round((Date.parse(instant) - Date.now()) / 1_000)
  if (!Number.isFinite(ahead)) throw new Error(`TEST_NOW: "${instant}" is no instant like 2028-02-29T20:58:30Z`)
  if (ahead < 0) throw new Error(`TEST_NOW: ${instant} is past; name a time to come`)
  return { LD_PRELOAD: library, FAKETIME: `+${ahead}`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

/** Suites whose result could depend on the hour or the day. */
export const timeDependent = [
  'tests/api/activities',
  'tests/api/agents',
  'tests/api/calculators',
  'tests/api/leads',
  'tests/api/plans',
  'tests/api/targets',
  'tests/api/teams',
  'tests/reports/reports.test.ts',
  'tests/scripts/seed.test.ts',
  'tests/sync/clocks.test.ts',
  'tests/sync/visits.test.ts',
  'tests/geo/rounds.test.ts',
  'tests/geo/reports.test.ts',
  'tests/geo/report-stream.test.ts',
  'tests/geo/simulate.test.ts',
]

/** Suites that take their day at the start and then work with it: none may begin while they run, in Nairobi or by UTC. */
const dayDependent = [
  'tests/api/applications',
  'tests/api/clients',
  'tests/api/collection-sheets',
  'tests/api/complaints',
  'tests/api/insurance',
  'tests/api/loans',
  'tests/api/reconciliation',
  'tests/api/search',
  'tests/api/statements',
  'tests/api/ussd',
  'tests/sync/collection-sheets',
]

/** What every day's run takes at its ordinary moment. */
export const atOrdinaryMoment = [...timeDependent, ...dayDependent]

/**
 * When the suites of timeDependent are repeated at night: at three hours of the coming day, and across the ends of a month, a leap day and a winter (Berlin's,
 * at 1 h UTC).
 */
export function momentsOf(now: number): { what: string; instant: string }[] {
  const at = (day: number, hour: number, minute: number) => new Date(new Date(day).setUTCHours(hour, minute, 30, 0)).toISOString()
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()]
  const leap = Math.ceil((year + 1) / 4) * 4
  const april = Date.UTC(year + 1, 3, 1)
  const lastSunday = april - (new Date(april).getUTCDay() || 7) * 86_400_000
  return [
    { what: 'before the day begins in Nairobi', instant: at(now + 86_400_000, 20, 50) },
    { what: 'early in the morning', instant: at(now + 86_400_000, 3, 10) },
    { what: 'at noon', instant: at(now + 86_400_000, 12, 0) },
    { what: 'over the end of a month', instant: at(Date.UTC(year, month + 1, 0), 20, 59) },
    { what: 'over a leap day', instant: at(Date.UTC(leap, 1, 29), 20, 59) },
    { what: 'over the change to summer time', instant: at(lastSunday, 0, 59) },
  ]
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commonRecurrences, occurrencesBetween, recurrenceWords, refuseRecurrence } from './recurrence.ts'

describe('a recurrence rule', () => {
  it('is one of RFC 5545 by day, week, month or year', () => {
    for (const { value } of commonRecurrences) expect(refuseRecurrence(value)).toBeUndefined()
    expect(refuseRecurrence('RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10')).toBeUndefined()
    expect(refuseRecurrence('FREQ=WEEKLY;UNTIL=20271231T000000Z')).toBeUndefined()
  })
  it.each([
    ['every monday', 'is not'], ['', 'must repeat'], ['FREQ=HOURLY', 'must repeat'], ['BYDAY=MO', 'must repeat'], ['FREQ=DAILY;INTERVAL=0', 'interval'],
    ['FREQ=DAILY;COUNT=100000', 'count'], ['FREQ=DAILY;BYHOUR=1,2,3', 'time of day'], ['DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY', 'when it starts'], ['FREQ=DAILY;SECRET=1', 'is not'],
  ])('%j is refused: %s', (text, why) => expect(refuseRecurrence(text)).toContain(why))
  it('reads in words', () => expect(recurrenceWords('FREQ=WEEKLY;BYDAY=MO')).toBe('every week on Monday'))
})

describe('occurrences', () => {
  it('keep the time of day and the days of the rule', () => {
    expect(occurrencesBetween({ rule: 'FREQ=WEEKLY;BYDAY=MO,TH', start: '2026-11-23T09:00:00', until: '2026-12-04T00:00:00' }))
      .toEqual(['2026-11-23T09:00:00', '2026-11-26T09:00:00', '2026-11-30T09:00:00', '2026-12-03T09:00:00'])
  })
  it('count from the first one, whatever part is asked for', () => {
    const rule = 'FREQ=DAILY;COUNT=5'
    expect(occurrencesBetween({ rule, start: '2026-01-01T08:00:00', after: '2026-01-04T00:00:00', until: '2027-01-01T00:00:00' })).toEqual(['2026-01-04T08:00:00', '2026-01-05T08:00:00'])
  })
  it('leave out the 31st where there is none, and nothing follows an end', () => {
    expect(occurrencesBetween({ rule: 'FREQ=MONTHLY', start: '2026-01-31T10:00:00', until: '2026-05-31T23:00:00' })).toEqual(['2026-01-31T10:00:00', '2026-03-31T10:00:00', '2026-05-31T10:00:00'])
    expect(occurrencesBetween({ rule: 'FREQ=DAILY', start: '2026-01-02T08:00:00', until: '2026-01-01T08:00:00' })).toEqual([])
  })
  it('asked for in two parts are those asked for at once, none twice', () => {
    const rules = fc.constantFrom(...commonRecurrences.map(({ value }) => value), 'FREQ=WEEKLY;BYDAY=FR;COUNT=7')
    fc.assert(fc.property(rules, fc.integer({ min: 1, max: 89 }), (rule, split) => {
      const [start, middle, end] = ['2026-03-02T09:30:00', day(split), day(90)]
      const whole = occurrencesBetween({ rule, start, until: end })
      const later = occurrencesBetween({ rule, start, after: middle, until: end })
      const earlier = occurrencesBetween({ rule, start, until: middle }).filter((time) => time < middle)
      expect([...earlier, ...later]).toEqual(whole)
      expect(new Set(whole).size).toBe(whole.length)
      expect(whole.every((time) => time.endsWith('T09:30:00'))).toBe(true)
    }))
  })
})

const day = (after: number) => new Date(Date.UTC(2026, 2, 2 + after)).toISOString().slice(0, 19)

import { describe, expect, it } from 'vitest'
import { chooseCandidate, fitsRule, type Candidate } from './lead-assignment.ts'

const person = (name: string, over: Partial<Candidate> = {}): Candidate => ({
  id: name.toLowerCase(),
  name,
  openLeads: 0,
  place: null,
  isSeen: false,
  ...over,
})
const nairobi = { latitude: -1.286, longitude: 36.817 }
const thika = { latitude: -1.033, longitude: 37.069 }

describe('choice of a candidate', () => {
  it('rotates, restarts after the last, and skips somebody who left', () => {
    const team = [person('Chidi'), person('Asha'), person('Baraka')]
    const turn = (lastId: string | null) => chooseCandidate('ROUND ROBIN', team, { lastId, place: null })?.candidate.name
    expect([turn(null), turn('asha'), turn('baraka'), turn('chidi'), turn('gone')]).toEqual(['Asha', 'Baraka', 'Chidi', 'Asha', 'Asha'])
  })

  it('is the nearest, seen or by workplace, with the distance', () => {
    const team = [person('Asha', { place: thika }), person('Baraka', { place: nairobi, isSeen: true }), person('Chidi')]
    expect(chooseCandidate('NEAREST', team, { lastId: null, place: thika })).toMatchObject({
      candidate: { name: 'Asha' },
      why: '0.0 km away by place of work, nearest of 3',
    })
    expect(chooseCandidate('NEAREST', team, { lastId: null, place: nairobi })?.why).toBe('0.0 km away, nearest of 3')
  })

  it('is the one with the fewest open leads; also when no place is known', () => {
    const team = [person('Asha', { openLeads: 4 }), person('Baraka', { openLeads: 2 }), person('Chidi', { openLeads: 2 })]
    expect(chooseCandidate('LOAD', team, { lastId: null, place: null })).toMatchObject({
      candidate: { name: 'Baraka' },
      why: '2 open leads, fewest of 3',
    })
    expect(chooseCandidate('NEAREST', team, { lastId: null, place: null })?.why).toBe('The lead has no position; 2 open leads, fewest of 3')
    expect(chooseCandidate('NEAREST', team, { lastId: null, place: thika })?.why).toBe(
      'Nobody has a known place; 2 open leads, fewest of 3',
    )
  })

  it('is undefined without candidates', () => {
    for (const method of ['ROUND ROBIN', 'NEAREST', 'LOAD'] as const)
      expect(chooseCandidate(method, [], { lastId: null, place: nairobi })).toBeUndefined()
  })
})

it('a rule fits when all its conditions hold', () => {
  const lead = { source: 'USSD', type: null, city: ' Thika ', path: ['company', 'branch'] }
  const any = { source: null, type: null, city: null, branchId: null }
  expect([
    fitsRule(any, lead),
    fitsRule({ ...any, source: 'USSD', city: 'thika', branchId: 'company' }, lead),
    fitsRule({ ...any, source: 'UI' }, lead),
    fitsRule({ ...any, type: 'SME' }, lead),
    fitsRule({ ...any, city: 'Nakuru' }, lead),
    fitsRule({ ...any, branchId: 'other' }, lead),
  ]).toEqual([true, true, false, false, false, false])
})

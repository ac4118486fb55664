import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distributeEvenly, loadsAfter } from './even-shares.ts'

const person = (Id: string, open: number) => ({ Id, name: Id, open })
const record = (Id: string, holder?: string | readonly string[], isOpen = true) => ({ Id, holderIds: [holder ?? []].flat(), isOpen })

describe('records distributed among people', () => {
  it('go to all equally, the rest to those with the fewest', () => {
    const shares = distributeEvenly([record('1'), record('2'), record('3')], [person('busy', 9), person('free', 1)])
    expect(shares).toEqual([
      { id: '1', userId: 'free' },
      { id: '2', userId: 'busy' },
      { id: '3', userId: 'free' },
    ])
    expect(distributeEvenly([record('1')], [])).toEqual([])
  })

  it('differ by one at most, for any people and any number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.uniqueArray(fc.record({ Id: fc.uuid(), name: fc.string(), open: fc.nat(50) }), {
          selector: ({ Id }) => Id,
          minLength: 1,
          maxLength: 9,
        }),
        (count, people) => {
          const shares = distributeEvenly(
            Array.from({ length: count }, (_, index) => record(String(index))),
            people,
          )
          const counts = people.map(({ Id }) => shares.filter(({ userId }) => userId === Id).length)
          expect(shares.length).toBe(count)
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  it('change the load of those who gain and those who lose; closed and unmoved ones change nothing', () => {
    const people = [person('a', 3), person('b', 5)]
    const records = [record('1', 'a'), record('2', 'b'), record('3', [], false), record('4', 'somebody out of sight')]
    const after = loadsAfter(
      people,
      records,
      records.map(({ Id }) => ({ id: Id, userId: 'b' })),
    )
    expect([...after]).toEqual([
      ['a', 2],
      ['b', 7],
    ])
    // Two people at one activity: the one who keeps it gains nothing, the other loses it.
    expect([...loadsAfter(people, [record('5', ['a', 'b'])], [{ id: '5', userId: 'b' }])]).toEqual([
      ['a', 2],
      ['b', 5],
    ])
  })
})

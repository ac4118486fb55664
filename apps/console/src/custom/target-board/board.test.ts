import { describe, expect, it } from 'vitest'
import { daysOf, groupByOwner, paceOf, type Target } from './board.ts'

const target = (over: object): Target =>
  ({
    Id: '1',
    metric: 'leads.created',
    ownerType: 'user',
    ownerName: 'A',
    value: 100,
    figures: { actual: 0, expected: 50 },
    ...over,
  }) as unknown as Target
const at = (actual: number, isBurden = false) => paceOf(target({ figures: { actual, expected: 50 } }), isBurden)

describe('the board of targets', () => {
  it('says how a target goes', () => expect([at(100), at(50), at(40), at(39)]).toEqual(['reached', 'ahead', 'behind', 'far']))
  it('takes less as better where it is', () => expect([at(10, true), at(60, true), at(101, true)]).toEqual(['ahead', 'behind', 'far']))
  it('knows its periods', () => {
    expect(daysOf('lastMonth', '2026-03-31')).toEqual({ startDate: '2026-02-01', endDate: '2026-02-28' })
    expect(daysOf('all', '2026-03-31')).toBeNull()
  })
  it('puts the company before branches before teams before people, each once', () => {
    const rows = [
      target({ ownerName: 'Zed' }),
      target({ ownerName: 'Amy' }),
      target({ ownerType: 'team', ownerName: 'Reds' }),
      target({ ownerName: 'Zed' }),
      target({ ownerType: 'tenant', ownerTenantType: 3, ownerName: 'West' }),
      target({ ownerType: 'tenant', ownerTenantType: 2, ownerName: 'Whole' }),
    ]
    expect(groupByOwner(rows).map(({ owner, targets }) => [owner, targets.length])).toEqual([
      ['Whole', 1],
      ['West', 1],
      ['Reds', 1],
      ['Amy', 1],
      ['Zed', 2],
    ])
  })
})

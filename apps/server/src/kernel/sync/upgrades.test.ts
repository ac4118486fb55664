import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeSchema } from '@outpost/contract/sync/limits'
import { readChange } from './read-change.ts'
import { raised, upgrades, type SentChange, type Upgrade } from './upgrades.ts'

/** What releases do to a change: a field gets another name, one becomes two, a word another one. */
const steps: Record<number, Upgrade> = {
  1: ({ patch, ...change }) => ({ ...change, patch: renamed(patch, 'town', 'city') }),
  2: (change) => ({ ...change, deps: change['deps'] ?? [] }),
  3: ({ changeType, ...change }) => ({ ...change, changeType: changeType === 'CREATE' ? 'INSERT' : changeType }),
}
const renamed = (values: unknown, from: string, to: string) =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name === from ? to : name, value]))
const raise = (change: SentChange, to = 4) => raised(change, steps, to)

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const old = (over: object = {}): SentChange => ({
  clientSeq: 1,
  changeId: uuid(1),
  schema: 1,
  deviceId: uuid(2),
  tenantId: uuid(3),
  userId: uuid(4),
  version: 0,
  entityId: uuid(5),
  entityType: 'lead',
  dateModified: '2026-11-21T12:00:00.000Z',
  changeType: 'CREATE',
  patch: { town: ['Thika', 'Meru'] },
  ...over,
})

describe('changes of earlier schemas (sync fault 16)', () => {
  it('are raised three steps, and read as if they had been made today', () => {
    const read = readChange(old(), (change) => raise(change))
    expect(read).toMatchObject({ schema: 4, changeType: 'INSERT', patch: { city: ['Thika', 'Meru'] }, deps: [], changeId: uuid(1) })
    expect(raise(old({ schema: 5 }))).toEqual(old({ schema: 5 }))
  })

  it('are the same at once, step by step, and over any stop between; raising changes nothing of what was sent', () => {
    const change = fc.record({
      from: fc.integer({ min: 1, max: 4 }),
      stops: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 }),
      patch: fc.dictionary(fc.constantFrom('town', 'city', 'employer'), fc.tuple(fc.string(), fc.option(fc.string())), { maxKeys: 3 }),
      changeType: fc.constantFrom('INSERT', 'CREATE', 'UPDATE', 'DELETE'),
      deps: fc.option(fc.array(fc.uuid(), { maxLength: 3 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(change, ({ from, stops, ...parts }) => {
        const sent = old({ schema: from, ...parts })
        const asSent = structuredClone(sent)
        const byStops = [...stops.toSorted(), 4].reduce<SentChange | null>((now, to) => now && raise(now, to), sent)
        expect(byStops).toEqual(raise(sent))
        expect(raise(raise(sent) as SentChange)).toEqual(raise(sent))
        expect(sent).toEqual(asSent)
      }),
    )
  })

  it('are kept for the office as they came where they are too old, or where a step fails: never taken in half', () => {
    expect(raised(old(), { 2: steps[2] as Upgrade, 3: steps[3] as Upgrade }, 4)).toBeNull()
    expect(readChange(old(), () => null)).toEqual({ changeId: uuid(1), problem: 'schema: is of a program that is too old' })
    const breaks = () => {
      throw new Error('a town that is no text')
    }
    expect(readChange(old(), breaks)).toEqual({ changeId: uuid(1), problem: 'schema: a town that is no text' })
    expect(readChange(old({ schema: 0 }))).toEqual({ changeId: uuid(1), problem: 'schema: is of a program that is too old' })
  })

  it('have a step each, for the three before the present one and no other', () => {
    const needed = [changeSchema - 3, changeSchema - 2, changeSchema - 1].filter((schema) => schema >= 1)
    expect(Object.keys(upgrades).map(Number)).toEqual(needed)
  })
})

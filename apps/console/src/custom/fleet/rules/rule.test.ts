import type { RuleCondition } from '@outpost/contract/geo/rules'
import { expect, test } from 'vitest'
import { draftOf, emptyRule, isNeverSaid, isWholeRule, lookOf, pathOfRow, ruleBody, type StoredRule } from './rule.ts'

const stored: StoredRule = {
  name: 'Leaves at night',
  eventType: 'geofenceExit',
  severity: 'critical',
  conditions: [
    { kind: 'device', ids: ['d1'] },
    { kind: 'fence', ids: ['f1'], where: 'of' },
    { kind: 'attribute', name: 'speed', operator: 'ge', value: 20 },
    { kind: 'fence', ids: ['f2'], where: 'inside' },
    { kind: 'alarm', names: ['sos'] },
    { kind: 'attribute', name: 'io239', operator: 'ne', value: 'x' },
  ],
  calendar: { days: [1, 2, 3], from: '22:00', to: '06:00', isInverted: true },
  schedule: null,
  cooldownSeconds: 600,
  isActive: true,
}
const sortedText = (conditions: readonly unknown[]) => conditions.map((one) => JSON.stringify(one)).toSorted()

test('any stored rule goes into the form and out again with all that it says, hours turned round and conditions of other hands too', () => {
  const { conditions, ...rest } = ruleBody(draftOf(stored))
  expect(rest).toEqual({ ...stored, conditions: undefined })
  expect(sortedText(conditions)).toEqual(sortedText(stored.conditions))
})

test('a rule by time of day keeps its time; one of another type has none', () => {
  const timed: StoredRule = { ...stored, eventType: 'geofenceNotInside', schedule: { days: [1, 5], at: '07:30' } }
  const draft = draftOf(timed)
  expect(ruleBody(draft).schedule).toEqual(timed.schedule)
  expect(ruleBody({ ...draft, eventType: 'alarm' }).schedule).toBeNull()
  expect([isWholeRule(draft), isWholeRule({ ...draft, fenceIds: [] })]).toEqual([true, false])
})

test('conditions follow the type: fences of a crossing, names of an alarm', () => {
  const draft = { ...emptyRule, name: ' Alarm ', fenceIds: ['f1'], alarms: ['sos'] }
  expect(ruleBody({ ...draft, eventType: 'alarm' })).toMatchObject({ name: 'Alarm', conditions: [{ kind: 'alarm', names: ['sos'] }] })
  expect(ruleBody({ ...draft, eventType: 'geofenceEnter' }).conditions).toEqual([{ kind: 'fence', ids: ['f1'], where: 'of' }])
  const row = { kind: 'device', ids: ['d1'] } as const
  expect(pathOfRow({ ...draft, eventType: 'alarm', conditions: [{ ...row, ids: [...row.ids] }] }, 0)).toBe('conditions.1')
})

test('what is missing is known, and what the event never says', () => {
  const value = (name: string, given: string | number | boolean | null) =>
    ({ kind: 'attribute', name, operator: 'eq', value: given }) as const
  expect(isWholeRule({ ...emptyRule, conditions: [value('speed', null)] })).toBe(false)
  expect(isWholeRule({ ...emptyRule, conditions: [{ kind: 'device', ids: [] }] })).toBe(false)
  expect(isWholeRule({ ...emptyRule, conditions: [value('ignition', false)] })).toBe(true)
  expect(isNeverSaid('geofenceExit', value('speed', 20))).toBe(true)
  expect(isNeverSaid('alarm', value('speed', 20))).toBe(false)
  expect(isNeverSaid('geofenceExit', value('io239', 20))).toBe(false)
  expect(isNeverSaid('alarm', { kind: 'fence', ids: ['f'], where: 'of' } satisfies RuleCondition)).toBe(true)
})

test('a value is written as its name says, or as text where a rule holds something else', () => {
  expect(lookOf({ kind: 'attribute', name: 'power', operator: 'lt', value: 11.5 })).toMatchObject({ kind: 'number', unit: 'V' })
  expect(lookOf({ kind: 'attribute', name: 'power', operator: 'lt', value: 'low' })).toMatchObject({ kind: 'text' })
  expect(lookOf({ kind: 'attribute', name: 'ignition', operator: 'ne', value: true })).toMatchObject({ kind: 'text' })
  expect(lookOf({ kind: 'attribute', name: 'constructor', operator: 'eq', value: 1 })).toEqual({ label: 'constructor', kind: 'text' })
})

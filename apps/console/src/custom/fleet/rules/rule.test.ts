import { expect, test } from 'vitest'
import { draftOf, emptyRule, ruleBody, type StoredRule } from './rule.ts'

test('a rule goes into the form and out again as it was, with what the form does not show', () => {
  const stored: StoredRule = {
    name: 'Leaves at night',
    eventType: 'geofenceExit',
    severity: 'critical',
    conditions: [
      { kind: 'fence', ids: ['f1'], where: 'of' },
      { kind: 'attribute', name: 'speed', operator: 'ge', value: 20 },
      { kind: 'device', ids: ['d1'] },
    ],
    calendar: { days: [1, 2, 3], from: '22:00', to: '06:00', isInverted: false },
    cooldownSeconds: 600,
    isActive: true,
  }
  expect(ruleBody(draftOf(stored), stored)).toEqual(stored)
})

test('conditions follow the type: fences of a crossing, names of an alarm', () => {
  const draft = { ...emptyRule, name: ' Alarm ', fenceIds: ['f1'], alarms: ['sos'] }
  expect(ruleBody({ ...draft, eventType: 'alarm' })).toMatchObject({ name: 'Alarm', conditions: [{ kind: 'alarm', names: ['sos'] }] })
  expect(ruleBody({ ...draft, eventType: 'geofenceEnter' }).conditions).toEqual([{ kind: 'fence', ids: ['f1'], where: 'of' }])
})

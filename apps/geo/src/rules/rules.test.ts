import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { Attributes, Fix } from '../positions/fix.ts'
import { alarms, eventTypes, severityOf } from './catalogue.ts'
import { connectionOf } from './connection.ts'
import { detectEvents, emptyMemory } from './detect.ts'
import { eventOfTransition, type GeoEvent } from './event.ts'
import { isWithin, matchRules, type MatchContext } from './match.ts'
import { ruleInput, type Rule } from './rule.ts'
import { failedChecks, momentsOf } from './schedule.ts'
import { isSignedWebhook, signWebhook } from './webhook.ts'

const fix = (time: number, attributes: Attributes): Fix => ({
  fixTime: time - 5,
  deviceTime: time,
  latitude: -1.3,
  longitude: 36.8,
  isValid: true,
  altitude: null,
  speed: 42,
  course: null,
  accuracy: null,
  attributes,
})
const told = (messages: Fix[]) =>
  detectEvents(emptyMemory, messages).events.map(({ type, time, key }) => `${type} ${key} ${time}`.replace('  ', ' '))

describe('the catalogue', () => {
  it('contains every event and alarm of Traccar, with severities', () => {
    expect(Object.keys(alarms)).toHaveLength(38)
    expect([severityOf('alarm', 'sos'), severityOf('alarm', 'idle'), severityOf('alarm', 'toString'), severityOf('deviceOffline')]).toEqual(
      ['critical', 'info', 'warning', 'warning'],
    )
    expect(eventTypes.geofenceEnter.label).toBe('Entered a fence')
  })
})

describe('events in messages', () => {
  it('detects changes of the ignition, and unknown is no change', () => {
    expect(
      told([
        fix(1, {}),
        fix(2, { ignition: true }),
        fix(3, {}),
        fix(4, { ignition: true }),
        fix(5, { ignition: false }),
        fix(6, {}),
        fix(7, { ignition: true }),
      ]),
    ).toEqual(['ignitionOff 5', 'ignitionOn 7'])
  })
  it('reports each alarm of a list when it begins', () => {
    expect(
      told([fix(1, { alarm: 'sos, powerCut,sos' }), fix(2, { alarm: 'powerCut,jamming' }), fix(3, {}), fix(4, { alarm: 'powerCut' })]),
    ).toEqual(['alarm sos 1', 'alarm powerCut 1', 'alarm jamming 2', 'alarm powerCut 4'])
    expect(detectEvents(emptyMemory, [fix(1, { alarm: 'sos,tow' })]).events.map(({ attributes }) => attributes.alarm)).toEqual([
      'sos',
      'tow',
    ])
  })
  it('reports another driver and the answer to a command', () => {
    expect(told([fix(1, { driverUniqueId: 'A' }), fix(2, { driverUniqueId: '' }), fix(3, { driverUniqueId: 'B', result: 'OK' })])).toEqual([
      'driverChanged B 3',
      'commandResult OK 3',
    ])
  })
  it('is the same in one batch and one by one', () => {
    const attributes = fc.record(
      { ignition: fc.boolean(), alarm: fc.constantFrom('sos', 'sos,tow', 'tow'), driverUniqueId: fc.constantFrom('A', 'B') },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(attributes), (list) => {
        const messages = list.map((each, at) => fix(at, each))
        let memory = emptyMemory
        const single = messages.flatMap((message) => {
          const done = detectEvents(memory, [message])
          memory = done.memory
          return done.events
        })
        expect(single).toEqual(detectEvents(emptyMemory, messages).events)
      }),
    )
  })
  it("takes over a fence's transition unchanged", () => {
    expect(
      eventOfTransition({
        fenceId: 'f',
        kind: 'dwell',
        at: 9,
        until: null,
        dwell: 60,
        window: null,
        confirmedAt: 10,
        latitude: 1,
        longitude: 2,
      }),
    ).toMatchObject({ type: 'geofenceDwell', time: 9, key: 'f:dwell60:9', geofenceId: 'f', attributes: { dwellSeconds: 60 } })
  })
})

describe('connection state', () => {
  const look = (connection: 'online' | 'unknown' | 'offline', silence: number) => {
    const { connection: next, event } = connectionOf({ connection, lastSeen: 1_000_000, now: 1_000_000 + silence, offlineAfter: 3_600_000 })
    return [next, event?.type, event?.time]
  }
  it("is quiet after ten minutes, offline after the owner's limit, and online is an event after offline only", () => {
    expect(look('online', 599_999)).toEqual(['online', undefined, undefined])
    expect(look('online', 700_000)).toEqual(['unknown', 'deviceUnknown', 1_600_000])
    expect(look('unknown', 4_000_000)).toEqual(['offline', 'deviceOffline', 4_600_000])
    expect(look('unknown', 5)).toEqual(['online', undefined, undefined])
    expect(look('offline', 5)).toEqual(['online', 'deviceOnline', 1_000_000])
    expect(look('offline', 700_000)).toEqual(['unknown', undefined, undefined])
  })
})

const now = Date.UTC(2026, 10, 20, 20, 30) // Friday, 23:30 in Nairobi
const event = (more: Partial<GeoEvent> = {}): GeoEvent => ({
  type: 'alarm',
  time: now,
  key: 'sos',
  latitude: 0,
  longitude: 0,
  speed: 72,
  geofenceId: 'yard',
  attributes: { alarm: 'sos', battery: '3.9', ignition: false },
  ...more,
})
const rule = (more: object = {}): Rule => ({ id: 'r', ...ruleInput.parse({ type: 'alarm', ...more }) })
const context: MatchContext = { deviceId: 'd', insideFences: ['yard', 'city'], timeZone: 'Africa/Nairobi', now }
const isMet = (made: Rule, happened = event()) => matchRules(happened, [made], { context, told: {} }).matches.length === 1

describe('rules', () => {
  it.each<[boolean, object]>([
    [true, {}],
    [false, { type: 'ignitionOn' }],
    [true, { conditions: [{ kind: 'alarm', names: ['tow', 'sos'] }] }],
    [false, { conditions: [{ kind: 'alarm', names: ['tow'] }] }],
    [
      true,
      {
        conditions: [
          { kind: 'attribute', name: 'speed', operator: 'gt', value: 70 },
          { kind: 'attribute', name: 'battery', operator: 'le', value: 3.9 },
        ],
      },
    ],
    [false, { conditions: [{ kind: 'attribute', name: 'speed', operator: 'gt', value: 72 }] }],
    [true, { conditions: [{ kind: 'attribute', name: 'ignition', operator: 'eq', value: false }] }],
    [false, { conditions: [{ kind: 'attribute', name: 'door', operator: 'ne', value: true }] }],
    [false, { conditions: [{ kind: 'attribute', name: 'constructor', operator: 'ne', value: 1 }] }],
    [
      true,
      {
        conditions: [
          { kind: 'fence', ids: ['yard'], where: 'of' },
          { kind: 'fence', ids: ['city', 'x'], where: 'inside' },
          { kind: 'fence', ids: ['x'], where: 'outside' },
        ],
      },
    ],
    [false, { conditions: [{ kind: 'fence', ids: ['city', 'x'], where: 'outside' }] }],
    [false, { conditions: [{ kind: 'device', ids: ['e'] }] }],
    [true, { calendar: { days: [5], from: '22:00', to: '06:00' } }],
    [false, { calendar: { days: [6], from: '22:00', to: '06:00' } }],
    [false, { calendar: { days: [5], from: '22:00', to: '06:00', isInverted: true } }],
  ])('meets: %s %j', (expected, made) => expect(isMet(rule(made))).toBe(expected))

  it('counts the hours after midnight to the previous day', () => {
    const night = { days: [7], from: '22:00', to: '06:00', isInverted: false }
    const at = (day: number, hour: number) => isWithin(night, Date.UTC(2026, 10, day, hour), 'UTC')
    expect([at(22, 21), at(22, 22), at(23, 5), at(23, 6), at(23, 22), at(22, 5)]).toEqual([false, true, true, false, false, false])
  })
  it('does not notify within the cooldown, on either side, per device, nor for old events', () => {
    const cooling = rule({ cooldownSeconds: 600 })
    const first = matchRules(event(), [cooling], { context, told: {} })
    expect(first.matches).toEqual([{ ruleId: 'r', severity: 'info', silence: null }])
    const again = (time: number, more: Partial<MatchContext> = {}) =>
      matchRules(event({ time }), [cooling], { context: { ...context, now: time, ...more }, told: first.told }).matches[0]!.silence
    expect([
      again(now + 599_999),
      again(now + 600_000),
      again(now - 599_999),
      again(now - 600_000),
      again(now + 1, { deviceId: 'e' }),
    ]).toEqual(['cooldown', null, 'cooldown', null, null])
    expect(again(now + 3_600_000, { now: now + 3_600_000 + 900_001 })).toBe('old')
    expect(matchRules(event(), [cooling], { context: { ...context, now: now + 900_001 }, told: {} }).told).toEqual({})
  })
  it('refuses invalid input with a message', () => {
    const fault = (input: object) =>
      ruleInput
        .safeParse(input)
        .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
        .join('; ')
    expect(fault({ type: 'alarm', calendar: { days: [], from: '25:00', to: '06:00' } })).toBe(
      'calendar.days: Name at least one day; calendar.from: Write a time of day as HH:MM',
    )
    expect(fault({ type: 'nothing' })).toMatch(/^type: The type of event is one of commandResult, deviceOnline/)
    expect(fault({ type: 'alarm', conditions: [{ kind: 'script', code: '1' }] })).toMatch(/^conditions.0.kind/)
  })
})

describe('scheduled checks', () => {
  const check = { id: 'c', fenceId: 'yard', expects: 'inside' as const, days: [1, 2, 3, 4, 5], at: '08:00' }
  const nairobi = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour - 3, minute)
  const visit = {
    fenceId: 'yard',
    enteredAt: nairobi(19, 7, 50),
    leftAt: nairobi(20, 7, 59),
    isOpenStart: false,
    isPassing: false,
    enteredWindow: null,
    leftWindow: null,
  }
  const span = { after: nairobi(18, 8), upTo: nairobi(23, 8), timeZone: 'Africa/Nairobi' }
  it('come once a day in the zone, each time in one span only', () => {
    expect(momentsOf(check, span)).toEqual([nairobi(19, 8), nairobi(20, 8), nairobi(23, 8)])
    expect(momentsOf(check, { ...span, after: nairobi(23, 8), upTo: nairobi(24, 7, 59) })).toEqual([])
    expect(
      momentsOf(
        { ...check, days: [7], at: '02:30' },
        { after: Date.UTC(2026, 2, 28), upTo: Date.UTC(2026, 2, 30), timeZone: 'Europe/Berlin' },
      ),
    ).toHaveLength(1)
  })
  it('report who had not arrived, and who was still there', () => {
    expect(failedChecks([check], [visit], span).map(({ type, time, key }) => [type, time, key])).toEqual([
      ['geofenceNotInside', nairobi(20, 8), 'c:yard'],
      ['geofenceNotInside', nairobi(23, 8), 'c:yard'],
    ])
    expect(failedChecks([{ ...check, expects: 'outside' }], [visit], span).map(({ type, time }) => [type, time])).toEqual([
      ['geofenceNotOutside', nairobi(19, 8)],
    ])
  })
})

describe('a webhook', () => {
  const body = '{"type":"alarm"}'
  const made = signWebhook({ body, secret: 'a secret', id: 'e1', now })
  const check = (more: object) => isSignedWebhook({ body, signature: made['x-outpost-signature']!, secret: 'a secret', now, ...more })
  it('is signed over its time and its body, and valid for five minutes', () => {
    expect(check({})).toBe(true)
    expect([
      check({ body: `${body} ` }),
      check({ secret: 'another' }),
      check({ now: now + 301_000 }),
      check({ signature: 'v1=0' }),
      check({ signature: made['x-outpost-signature']!.replace(/t=\d+/, `t=${Math.floor(now / 1000) + 1}`) }),
    ]).toEqual([false, false, false, false, false])
  })
})

import { commandNames, knowsCommand } from '@outpost/contract/geo/commands'
import { expect, test } from 'vitest'
import { protocols } from '../ingest/protocols.ts'
import { commandType, readParameters } from './catalogue.ts'

const examples = {
  custom: { data: 'getver' },
  engineStop: {},
  engineResume: {},
  outputControl: { index: 1, data: 1 },
  positionSingle: {},
  positionPeriodic: { frequency: 60 },
  rebootDevice: {},
  getVersion: {},
  getDeviceStatus: {},
  alarmArm: {},
  alarmDisarm: {},
} satisfies Record<string, Record<string, string | number | boolean>>

test('every command can be encoded for some tracker', () => {
  for (const [type, given] of Object.entries(examples)) {
    const parameters = readParameters(type, given)
    const said = [...protocols.values()].filter((codec) => codec.encode({ type, parameters, uniqueId: '4106000123', correlation: 1 }))
    expect([type, said.length > 0]).toEqual([type, true])
  }
})

test('what the catalogue says of a protocol is what its codec can say', () => {
  for (const [protocol, codec] of protocols)
    for (const type of commandNames) {
      const bytes = codec.encode({ type, parameters: examples[type], uniqueId: '4106000123', correlation: 1 })
      expect([protocol, type, knowsCommand(protocol, type)]).toEqual([protocol, type, bytes !== null])
    }
  expect([knowsCommand('osmand', 'custom'), knowsCommand(null, 'custom')]).toEqual([undefined, undefined])
})

test('unknown commands and unknown parameters are refused by name', () => {
  for (const type of ['fly', '', 'constructor', '__proto__', 'ENGINESTOP']) {
    expect(commandType.safeParse(type).success).toBe(false)
    expect(() => readParameters(type, {})).toThrow()
  }
  const bad: [string, Record<string, string | number | boolean>][] = [
    ['engineResume', { password: '1#Relay,1' }],
    ['engineResume', { data: 'Relay,1#' }],
    ['positionPeriodic', {}],
    ['positionPeriodic', { frequency: 'often' }],
    ['outputControl', { index: 9, data: 1 }],
    ['outputControl', { index: 1, data: 2 }],
    ['custom', {}],
    ['custom', { data: '' }],
    ['custom', { data: 5 }],
  ]
  for (const [type, parameters] of bad) expect(() => readParameters(type, parameters), `${type} ${JSON.stringify(parameters)}`).toThrow()
})

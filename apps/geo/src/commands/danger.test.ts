import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandNames, commandTypeOf } from '@outpost/contract/geo/commands'
import { dangerOf, dangerOfText } from './danger.ts'

const hexOf = (text: string) => Buffer.from(text, 'latin1').toString('hex')

/** Text that cuts a vehicle, of each protocol, as a person would type it. */
const cutting = [
  'Relay,1#',
  'RELAY,1',
  'relay,123456,1#',
  'DYD#',
  'DYD,000000#',
  'S20,130305,1,1',
  '*HQ,4106000123,S20,130305,1,1#',
  'S20,130305,0,3,10,3,5',
  'setdigout 1',
  'setdigout 1?? 60',
  'setdigout ?1',
  'stop123456',
  'stopelec123456',
  'OUTPUT,1,1#',
  'cutoil',
  'engine off',
  'KILL#',
  'immobilize',
]

/** Spellings that a clone, or our own codec, may read as the same bytes. */
const spellings = {
  'as it is': (text: string) => text,
  'upper case': (text: string) => text.toUpperCase(),
  'lower case': (text: string) => text.toLowerCase(),
  'spaces round the parts': (text: string) => `  ${text.replaceAll(',', ' , ')}\r\n`,
  'spaces in the words': (text: string) => [...text].join(' '),
  'tabs for spaces': (text: string) => text.replaceAll(' ', '\t'),
  'wide commas': (text: string) => text.replaceAll(',', '，').replaceAll('#', '＃'),
  semicolons: (text: string) => text.replaceAll(',', ';'),
  'wide letters': (text: string) => text.replaceAll(/[A-Za-z0-9]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  hex: hexOf,
  'hex, upper case': (text: string) => hexOf(text).toUpperCase(),
  'hex in pairs': (text: string) => hexOf(text).replaceAll(/../g, '$& ').trim(),
  'hex with colons': (text: string) => hexOf(text).replaceAll(/../g, '$&:'),
  'hex with 0x': (text: string) => hexOf(text).replaceAll(/../g, '0x$&, '),
  'hex with \\x': (text: string) => hexOf(text).replaceAll(/../g, '\\x$&'),
  percent: (text: string) => hexOf(text).replaceAll(/../g, '%$&'),
  'hex of sixteen bits': (text: string) => hexOf(text).replaceAll(/../g, '00$&'),
  'hex of a GT06 frame': (text: string) => `787812800c00000001${hexOf(text)}0001dee70d0a`,
  'hex of hex': (text: string) => hexOf(hexOf(text)),
  'behind a harmless one': (text: string) => `WHERE#${text}`,
  'before a harmless one': (text: string) => `${text};getver`,
  'behind an odd digit': (text: string) => `a${hexOf(text)}`,
} satisfies Record<string, (text: string) => string>

test('text that cuts a vehicle is recognised in any spelling', () => {
  for (const text of cutting)
    for (const [name, spell] of Object.entries(spellings))
      expect([text, name, dangerOfText(spell(text))]).toEqual([text, name, 'interlock'])
})

test('nested spellings do not hide it', () => {
  const flat = (
    [
      'upper case',
      'lower case',
      'spaces round the parts',
      'tabs for spaces',
      'semicolons',
      'behind a harmless one',
      'before a harmless one',
    ] as const
  ).map((name) => spellings[name])
  const outer = Object.values(spellings)
  fc.assert(
    fc.property(
      fc.constantFrom(...cutting),
      fc.constantFrom(...flat),
      fc.constantFrom(...outer),
      (text, inner, wrap) => dangerOfText(wrap(inner(text))) === 'interlock',
    ),
    { numRuns: 400, seed: 9 },
  )
})

test('unknown text needs two people; only complete known queries need one', () => {
  for (const text of ['getver', 'GETVER', 'getparam 2004;2005', 'readio 1', 'STATUS#', 'where', 'TIMER,60,60#'])
    expect([text, dangerOfText(text)]).toEqual([text, 'none'])
  for (const text of [
    '',
    ' ',
    'ring',
    'setparam 2004:1.2.3.4',
    'getver\n',
    'getver 1',
    'APN,internet#',
    'VERSION# ',
    '67657476657221',
    'SERVER,1,a.example,1,0#',
  ])
    expect([text, dangerOfText(text)]).toEqual([text, 'twoPersons'])
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => /^[\w #,;]+$/.test(text) || dangerOfText(text) !== 'none'),
    { numRuns: 400, seed: 9 },
  )
})

test('commands by name: setting an output needs the interlock, and no parameter may hide a second command', () => {
  for (const type of ['engineStop', 'outputControl']) expect(dangerOf(type, { index: 1, data: 0 })).toBe('interlock')
  for (const type of ['positionSingle', 'engineResume', 'getVersion']) expect(dangerOf(type, {})).toBe('none')
  for (const type of ['fly', 'setdigout', 'powerOff']) expect(dangerOf(type, {})).toBe('twoPersons')
  for (const type of ['engineResume', 'positionSingle', 'fly']) expect(dangerOf(type, { password: '1#Relay,1' })).toBe('interlock')
  expect([
    dangerOf('custom', { data: 'Relay,1#' }),
    dangerOf('custom', { data: 'getver', password: 'DYD' }),
    dangerOf('custom', {}),
  ]).toEqual(['interlock', 'interlock', 'twoPersons'])
})

test.each(commandNames)('the catalogue says of %s what it takes', (name) => {
  const { mayStop, isUnknown } = commandTypeOf(name) ?? {}
  expect(dangerOf(name, {})).toBe(mayStop ? 'interlock' : isUnknown ? 'twoPersons' : 'none')
})

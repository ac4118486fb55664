import { leadParts } from '@outpost/rules/leads/lead-merge'
import { expect, it } from 'vitest'
import { readChoice, sameText, wordsOf, writeTake } from './choice.ts'

const a = { firstName: 'Wanjiru', lastName: 'Kamau', emailAddress: null, city: 'Thika', country: 'Kenya', trimmedPhonenumber: '1' }
const b = { firstName: 'Wanjiru', lastName: 'Kamau', emailAddress: 'w@x.org', city: null, country: null, trimmedPhonenumber: '2' }
const part = (key: string) => leadParts.find((one) => one.key === key) as (typeof leadParts)[number]

it('proposes what only the other one says, on whichever side one stays', () => {
  expect(readChoice(leadParts, { address: {}, a, b })).toEqual({ stays: 'a', take: ['phone', 'email'].filter((key) => key === 'email') })
  expect(readChoice(leadParts, { address: { stays: 'b' }, a, b })).toEqual({ stays: 'b', take: ['place'] })
})

it('reads from the address what was chosen there, nothing included', () => {
  expect(readChoice(leadParts, { address: { take: 'none' }, a, b }).take).toEqual([])
  expect(readChoice(leadParts, { address: { take: 'name,made-up,email' }, a, b }).take).toEqual(['name', 'email'])
  expect([writeTake(['email'], 'email', false), writeTake(['email'], 'name', true), writeTake(['email'], 'email', true)]).toEqual([
    'none',
    'email,name',
    'email',
  ])
})

it('puts a part into words without what says nothing to a person', () => {
  expect([wordsOf(part('place'), a), wordsOf(part('place'), b), sameText(part('name'), a, b), sameText(part('email'), a, b)]).toEqual([
    'Thika, Kenya',
    '–',
    true,
    false,
  ])
})

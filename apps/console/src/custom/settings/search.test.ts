import { describe, expect, it } from 'vitest'
import { findSettings } from './search.ts'

const item = (label: string, help: string) => ({ key: label, label, help })
const sections = [
  { key: 'a', title: 'Region', about: '', items: [item('Currency', 'Three letters'), item('Time zone', 'When a day ends')] },
  { key: 'b', title: 'Proof', about: '', items: [item('Audit chain', 'Every change')] },
]
const found = (search: string) => findSettings(sections, search).flatMap(({ items }) => items.map(({ label }) => label))

describe('a search among settings', () => {
  it('asks for every word, in label, sentence or section, in any case', () => {
    expect(found('')).toEqual(['Currency', 'Time zone', 'Audit chain'])
    expect(found('LETTERS')).toEqual(['Currency'])
    expect(found('region day')).toEqual(['Time zone'])
    expect(found('proof')).toEqual(['Audit chain'])
    expect(found('nothing')).toEqual([])
  })
})

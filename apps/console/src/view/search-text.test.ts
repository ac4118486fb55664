import { describe, expect, it } from 'vitest'
import { isSent, searchText, withAddress, withSent, type SearchText } from './search-text.ts'

const type = (text: SearchText, typed: string): SearchText => ({ ...text, typed })
const send = (text: SearchText) => withSent(text, text.typed)

describe('the text of a search box', () => {
  it('stays while the address still has the old text, and when it has what was sent', () => {
    const sent = send(type(searchText('Muthoni'), 'KipMuthoni'))
    expect(withAddress(sent, 'Muthoni').typed).toBe('KipMuthoni')
    const further = type(sent, 'KipchMuthoni')
    expect(withAddress(further, 'Muthoni').typed).toBe('KipchMuthoni')
    const echoed = withAddress(further, 'KipMuthoni')
    expect(echoed.typed).toBe('KipchMuthoni')
    expect(isSent(echoed)).toBe(false)
    expect(isSent(withAddress(send(echoed), 'KipchMuthoni'))).toBe(true)
  })

  it('stays when two texts were on their way, whether both come or only the later', () => {
    const two = type(send(type(send(type(searchText(''), 'a')), 'ab')), 'abc')
    expect(withAddress(withAddress(two, 'a'), 'ab')).toEqual({ typed: 'abc', seen: 'ab', pending: [] })
    expect(withAddress(two, 'ab')).toEqual({ typed: 'abc', seen: 'ab', pending: [] })
  })

  it('follows a change from outside, also to what it once sent', () => {
    const arrived = withAddress(send(type(searchText(''), 'Kamau')), 'Kamau')
    expect(withAddress(arrived, '')).toEqual(searchText(''))
    expect(withAddress(withAddress(arrived, ''), 'Kamau')).toEqual(searchText('Kamau'))
    expect(withAddress(send(type(arrived, 'Kamaus')), 'Otieno')).toEqual(searchText('Otieno'))
  })

  it('waits for nothing when it sends what the address has', () => {
    expect(send(searchText('Kamau')).pending).toEqual([])
    expect(send(send(type(searchText(''), 'Kamau'))).pending).toEqual(['Kamau'])
    const back = send(type(send(type(searchText('Kamau'), 'Kama')), 'Kamau'))
    expect(isSent(back)).toBe(true)
    expect(withAddress(back, 'Kama').typed).toBe('Kama')
  })
})

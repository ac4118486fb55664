import { afterEach, describe, expect, it, vi } from 'vitest'
import { getLanguage, onLanguage, setLabels, setLanguage, t } from './labels.ts'

const polish = {
  Leads: 'Klienci',
  Save: 'Zapisz',
  '{{count}} changes wait to be sent_one': '{{count}} zmiana czeka na wysłanie',
  '{{count}} changes wait to be sent_few': '{{count}} zmiany czekają na wysłanie',
  '{{count}} changes wait to be sent_many': '{{count}} zmian czeka na wysłanie',
  'Hello {{name}}': 'Cześć {{name}}',
}
const waiting = (count: number) => t('{{count}} changes wait to be sent', { count })

afterEach(async () => {
  await setLanguage('en')
  setLabels([])
})

describe('a text of the interface', () => {
  it('is its English original, whatever signs are in it', () => {
    for (const text of ['Leads', 'What is it? A list: of all.', 'a.b:c', '$t(Leads)', '{{count}}', '', 'constructor', 'Line_one'])
      expect(t(text)).toBe(text)
  })

  it("is the company's wording, except where that is empty", () => {
    setLabels([
      { label: 'Leads', value: 'Prospects' },
      { label: 'Save', value: '' },
      { label: 'Name', value: '$t(Leads) {{count}} <b>' },
    ])
    expect([t('Leads'), t('Save'), t('Name')]).toEqual(['Prospects', 'Save', '$t(Leads) {{count}} <b>'])
    setLabels([])
    expect(t('Leads')).toBe('Leads')
  })

  it('has a singular and a plural, and takes values as they are', () => {
    expect([0, 1, 2].map(waiting)).toEqual(['0 changes wait to be sent', '1 change waits to be sent', '2 changes wait to be sent'])
    expect(t('Hello {{name}}', { name: '<i>$t(Save) {{count}}</i>' })).toBe('Hello <i>$t(Save) {{count}}</i>')
  })

  it('ends when labels refer to each other', () => {
    setLabels([
      { label: 'Hello {{name}}', value: '$t(Hello {{name}})' },
      { label: 'a', value: '$t(b)' },
      { label: 'b', value: '$t(a)' },
    ])
    expect([t('a', { name: '' }), t('Hello {{name}}', { name: 'x' })]).toEqual(['$t(b)', '$t(Hello x)'])
  })
})

describe('a second language', () => {
  it('is fetched when it is chosen, once, and has its own plural forms; English fills its gaps', async () => {
    const load = vi.fn(() => Promise.resolve(polish))
    const redrawn = vi.fn()
    const stop = onLanguage(redrawn)
    expect(load).not.toHaveBeenCalled()
    await setLanguage('pl', { pl: load })
    expect([getLanguage(), t('Leads'), t('Cases')]).toEqual(['pl', 'Klienci', 'Cases'])
    expect([1, 2, 5, 22].map(waiting)).toEqual([
      '1 zmiana czeka na wysłanie',
      '2 zmiany czekają na wysłanie',
      '5 zmian czeka na wysłanie',
      '22 zmiany czekają na wysłanie',
    ])
    await setLanguage('en')
    expect([t('Leads'), waiting(1)]).toEqual(['Leads', '1 change waits to be sent'])
    await setLanguage('pl', { pl: load })
    expect([load, redrawn].map(({ mock }) => mock.calls.length)).toEqual([1, 3])
    stop()
  })

  it("is below the company's wording, which stays when the language changes", async () => {
    setLabels([{ label: 'Leads', value: 'Prospects' }])
    await setLanguage('pl', { pl: () => Promise.resolve(polish) })
    expect([t('Leads'), t('Save')]).toEqual(['Prospects', 'Zapisz'])
    setLabels([{ label: 'Save', value: 'Gotowe' }])
    expect([t('Leads'), t('Save')]).toEqual(['Klienci', 'Gotowe'])
  })

  it("has the company's words in it first, its English ones where it has none, and no other language's", async () => {
    setLabels([
      { language: 'pl', label: 'Leads', value: 'Szanse' },
      { language: 'fr', label: 'Save', value: 'Garder' },
      { language: 'en', label: 'Leads', value: 'Prospects' },
      { language: 'en', label: 'Cases', value: 'Matters' },
    ])
    expect([t('Leads'), t('Cases'), t('Save')]).toEqual(['Prospects', 'Matters', 'Save'])
    await setLanguage('pl', { pl: () => Promise.resolve(polish) })
    expect([t('Leads'), t('Cases'), t('Save')]).toEqual(['Szanse', 'Matters', 'Zapisz'])
  })

  it('that is not there, or cannot be fetched, changes nothing; of two choices the last one counts', async () => {
    await expect(setLanguage('xx')).rejects.toThrow('no bundle')
    await expect(setLanguage('sw', { sw: () => Promise.reject(new Error('offline')) })).rejects.toThrow('offline')
    expect([getLanguage(), t('Leads')]).toEqual(['en', 'Leads'])
    const arrival = Promise.withResolvers<typeof polish>()
    const slow = setLanguage('de', { de: () => arrival.promise })
    await setLanguage('pl', { pl: () => Promise.resolve(polish) })
    arrival.resolve({ ...polish, Leads: 'Kunden' })
    await slow
    expect(t('Leads')).toBe('Klienci')
  })
})

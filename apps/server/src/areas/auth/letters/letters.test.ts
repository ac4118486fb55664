import { languageCodes } from '@outpost/contract/looks'
import { describe, expect, it } from 'vitest'
import { written } from './letters-for.ts'

/** Every sentence of the mails in a language, by its path. */
function sentencesOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'function') return path === '.hello' ? [[path, String(value('Awa'))]] : []
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([key, inner]) => sentencesOf(inner, `${path}.${key}`))
}
const english = new Map(sentencesOf(written.en))
const others = languageCodes.filter((code) => code !== 'en')

describe.each(others)('the mails about an account in %s', (code) => {
  const sentences = sentencesOf(written[code])

  it('have each sentence that the English ones have, in words of their own', () => {
    expect(sentences.map(([path]) => path)).toEqual([...english.keys()])
    expect(sentences.filter(([path, text]) => text.trim() === '' || text === english.get(path))).toEqual([])
  })

  it('ask above a link with a colon, as the link follows', () => {
    for (const path of ['.reset.1', '.verify.1', '.invite.1', '.newDevice.intro', '.newDevice.ask'])
      expect(new Map(sentences).get(path), path).toMatch(/:$/)
  })

  it('say the day of the week and the hour where the company is', () => {
    const said = written[code].moment?.(new Date('2026-11-28T21:05:00Z'), 'Africa/Nairobi')
    expect(said).toMatch(/^(dimanche|domingo|Jumapili)\b.* 29 .*2026.* 00:05$/)
  })
})

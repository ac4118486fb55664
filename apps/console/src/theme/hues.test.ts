import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hueClass, hueNames, hueOf } from './hues.ts'
import { contrast, mix, paletteOf } from '@outpost/rules/theme/palette'
import { themes } from '@outpost/rules/theme/themes'

const [light = '', dark = ''] = readFileSync(new URL('hues.css', import.meta.url), 'utf8').split('[data-scheme=dark]')
const coloursIn = (text: string) =>
  Object.fromEntries([...text.matchAll(/--hue-(\w+): (#[0-9a-f]{6})/g)].map(([, name, colour]) => [name, colour!]))

describe('the colours of statuses', () => {
  it.each([
    ['light', light],
    ['dark', dark],
  ] as const)('are all there in %s, apart from one another, and legible as tags', (scheme, text) => {
    const colours = coloursIn(text)
    expect(Object.keys(colours)).toEqual([...hueNames])
    expect(new Set(Object.values(colours)).size).toBe(hueNames.length)
    for (const theme of themes) {
      const { surface, raised } = paletteOf(theme, scheme)
      const low = hueNames.filter(
        (hue) => contrast(colours[hue]!, mix(surface, colours[hue]!, 0.1)) < 4.5 || contrast(colours[hue]!, raised) < 4.5,
      )
      expect(low).toEqual([])
    }
  })

  it('are found by the names that the server sends', () => {
    expect(['geekblue', 'SUCCESS', 'default', undefined, 'lime'].map((name) => hueOf(name))).toEqual([
      'geekblue',
      'green',
      'grey',
      'grey',
      'lime',
    ])
    expect(hueClass('gold')).toBe('hue hue-gold')
  })
})

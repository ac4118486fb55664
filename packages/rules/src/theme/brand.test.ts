import { describe, expect, it } from 'vitest'
import { faultOfColour, withColour } from './brand.ts'
import { lowContrastPairs } from './contrast.ts'
import { paletteOf } from './palette.ts'
import { themes } from './themes.ts'

const [outpost] = themes
const steps = ['00', '33', '66', '99', 'cc', 'ff']
const cube = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))

describe('a company’s own colour', () => {
  it('is taken only when every text passes AA, in the light and in the dark scheme', () => {
    const taken = cube.filter((colour) => faultOfColour(colour) === undefined)
    expect(taken.length).toBeGreaterThan(60)
    const low = taken.flatMap((colour) =>
      (['light', 'dark'] as const).flatMap((scheme) =>
        lowContrastPairs(paletteOf(withColour(outpost, colour), scheme)).map(({ name }) => `${colour} ${scheme} ${name}`),
      ),
    )
    expect(low).toEqual([])
    // The chosen colour itself, not one near it; and the dark scheme is of it, not the theme's.
    expect(taken.every((colour) => withColour(outpost, colour).light.primary === colour)).toBe(true)
    expect(taken.filter((colour) => withColour(outpost, colour).dark === outpost.dark)).toEqual([])
  })

  it('is refused with its contrast and a colour that would do', () => {
    expect(faultOfColour('#ffcc00')).toMatch(
      /^is too light to be read: its contrast is 1\.4:1, and WCAG AA asks for 4\.5:1\. #\w{6} would do$/,
    )
    const refused = cube.map((colour) => faultOfColour(colour)).filter((fault) => fault !== undefined)
    const better = refused.map((fault) => /#\w{6}/.exec(fault)?.[0] ?? '')
    expect(better.filter((colour) => faultOfColour(colour) !== undefined)).toEqual([])
    for (const none of ['', 'red', '#fff', '#12345g', '#0a56bf;}']) expect(faultOfColour(none)).toContain('must be written as #')
  })
})

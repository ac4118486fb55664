import { lowContrastPairs, neededContrast } from './contrast.ts'
import { contrast, mix, paletteOf } from './palette.ts'
import { themes, type Brand, type Scheme, type Theme } from './themes.ts'

const shape = /^#[0-9a-f]{6}$/i
const black = '#000000'
const white = '#ffffff'
/** Shares of black or white that are tried one after the other until all texts can be read. */
const shares = Array.from({ length: 51 }, (_, step) => step / 50)

/**
 * A theme in the colour that a company chose (#rrggbb) for the light scheme. The dark scheme has the same colour, lightened until every
 * text passes AA.
 */
export function withColour(theme: Theme, colour: string): Theme {
  const light = lightBrand(colour)
  const share = shares.find((one) => isReadable('dark', darkBrand(colour, one)))
  return { ...theme, light, dark: share === undefined ? theme.dark : darkBrand(colour, share) }
}

/** Why a colour does not do, in words after "Colour"; undefined when every text in it passes AA. Names the nearest darker one that would do. */
export function faultOfColour(colour: string): string | undefined {
  if (!shape.test(colour)) return 'must be written as # and six digits, such as #0a56bf'
  if (isReadable('light', lightBrand(colour))) return undefined
  const { surface, page } = paletteOf(themes[0], 'light')
  const ratio = Math.min(contrast(colour, surface), contrast(colour, page))
  const better = shares.map((share) => mix(colour, black, share)).find((darker) => isReadable('light', lightBrand(darker)))
  return `is too light to be read: its contrast is ${ratio.toFixed(1)}:1, and WCAG AA asks for ${neededContrast}:1. ${better ?? black} would do`
}

const isReadable = (scheme: Scheme, brand: Brand): boolean =>
  lowContrastPairs(paletteOf({ ...themes[0], [scheme]: brand }, scheme)).length === 0

const lightBrand = (colour: string): Brand => ({
  primary: colour,
  link: colour,
  topBar: mix(colour, black, 0.55),
  topBarText: white,
  avatar: colour,
})

const darkBrand = (colour: string, share: number): Brand => ({
  primary: mix(colour, white, share),
  link: mix(colour, white, Math.min(1, share + 0.1)),
  topBar: mix('#131b28', colour, 0.12),
  topBarText: '#e8edf4',
  avatar: colour,
})

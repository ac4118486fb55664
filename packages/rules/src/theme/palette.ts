import type { Brand, Scheme, Theme } from './themes.ts'

/** Every colour of the console, in one scheme of one theme; theme.test.ts checks their contrast. */
export interface Palette extends Brand {
  /** Text on primary, error and spotlight surfaces. */
  onSolid: string
  primaryHover: string
  primaryActive: string
  /** Background of selected rows and menu entries. */
  primarySoft: string
  page: string
  surface: string
  raised: string
  text: string
  textSoft: string
  placeholder: string
  /** Border of controls, 3:1 against the surface. */
  control: string
  line: string
  success: string
  successSoft: string
  warning: string
  warningSoft: string
  error: string
  errorSoft: string
  spotlight: string
}

type Neutrals = Omit<Palette, keyof Brand | 'primaryHover' | 'primaryActive' | 'primarySoft'>

const neutrals: Record<Scheme, Neutrals> = {
  light: {
    onSolid: '#ffffff',
    page: '#f4f6f9',
    surface: '#ffffff',
    raised: '#ffffff',
    text: '#17202e',
    textSoft: '#54606f',
    placeholder: '#667182',
    control: '#8590a0',
    line: '#dfe4eb',
    success: '#237804',
    successSoft: '#eefbe7',
    warning: '#8a5200',
    warningSoft: '#fff7e0',
    error: '#c4121f',
    errorSoft: '#fff0ef',
    spotlight: '#263241',
  },
  dark: {
    onSolid: '#0b1119',
    page: '#0e141c',
    surface: '#151d28',
    raised: '#1c2633',
    text: '#e4eaf2',
    textSoft: '#a7b4c4',
    placeholder: '#8d9bad',
    control: '#667589',
    line: '#2a3646',
    success: '#6cc24a',
    successSoft: '#16301a',
    warning: '#e3b341',
    warningSoft: '#33290f',
    error: '#ff7b72',
    errorSoft: '#3a1c1f',
    spotlight: '#dce4ee',
  },
}

/** The complete palette of a theme in one scheme: the brand's colours, the shared neutrals and mixtures of both. */
export function paletteOf(theme: Theme, scheme: Scheme): Palette {
  const brand = theme[scheme]
  const base = neutrals[scheme]
  return {
    ...brand,
    ...base,
    primaryHover: scheme === 'light' ? mix(brand.primary, '#000000', 0.14) : mix(brand.primary, '#ffffff', 0.16),
    primaryActive: mix(brand.primary, '#000000', scheme === 'light' ? 0.28 : 0.1),
    primarySoft: mix(base.surface, brand.primary, scheme === 'light' ? 0.08 : 0.14),
  }
}

/** Mixes `share` of colour b into colour a, both #rrggbb. */
export function mix(a: string, b: string, share: number): string {
  const [from, to] = [channels(a), channels(b)]
  return `#${from
    .map((v, i) =>
      Math.round(v + ((to[i] ?? v) - v) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [r, g, b] = channels(colour).map((v) => {
    const s = v / 255
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

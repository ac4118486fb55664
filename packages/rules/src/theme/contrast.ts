import { contrast, type Palette } from './palette.ts'

/** What text needs against its ground: WCAG 2.2, success criterion 1.4.3, level AA. */
export const neededContrast = 4.5

interface Pair {
  name: string
  text: string
  ground: string
}

/** All pairs of a palette that carry text. */
export function textPairs(p: Palette): Pair[] {
  const pairs: [name: string, text: string, ground: string][] = [
    ['text on page', p.text, p.page],
    ['text on surface', p.text, p.surface],
    ['text on raised', p.text, p.raised],
    ['soft text on page', p.textSoft, p.page],
    ['soft text on surface', p.textSoft, p.surface],
    ['soft text on raised', p.textSoft, p.raised],
    ['soft text on selection', p.textSoft, p.primarySoft],
    ['placeholder', p.placeholder, p.surface],
    ['placeholder on raised', p.placeholder, p.raised],
    ['button', p.onSolid, p.primary],
    ['button hover', p.onSolid, p.primaryHover],
    ['button active', p.onSolid, p.primaryActive],
    ['link on page', p.link, p.page],
    ['link on surface', p.link, p.surface],
    ['link on raised', p.link, p.raised],
    ['link on selection', p.link, p.primarySoft],
    ['primary as text', p.primary, p.surface],
    ['text on selection', p.text, p.primarySoft],
    ['top bar', p.topBarText, p.topBar],
    ['avatar', '#ffffff', p.avatar],
    ['badge', p.onSolid, p.error],
    ['danger button', p.onSolid, p.error],
    ['tooltip', p.onSolid, p.spotlight],
    ['success', p.success, p.surface],
    ['success tag', p.success, p.successSoft],
    ['warning', p.warning, p.surface],
    ['warning tag', p.warning, p.warningSoft],
    ['error', p.error, p.surface],
    ['error on page', p.error, p.page],
    ['error tag', p.error, p.errorSoft],
    ['text on error tag', p.text, p.errorSoft],
    ['text on warning tag', p.text, p.warningSoft],
    ['text on success tag', p.text, p.successSoft],
  ]
  return pairs.map(([name, text, ground]) => ({ name, text, ground }))
}

/** The pairs that are harder to read than AA allows. */
export const lowContrastPairs = (palette: Palette): Pair[] =>
  textPairs(palette).filter(({ text, ground }) => contrast(text, ground) < neededContrast)

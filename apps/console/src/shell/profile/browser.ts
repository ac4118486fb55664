import { t } from '../../session/labels.ts'

const browsers: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg\w*\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]
const systems: [name: string, sign: RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
]

/** "Chrome on Android": enough for people to tell their own sessions apart. */
export function browserOf(userAgent: string | null): string {
  const find = (list: [string, RegExp][]): string | undefined => list.find(([, sign]) => sign.test(userAgent ?? ''))?.[0]
  const [browser, system] = [find(browsers), find(systems)]
  if (!browser) return system ?? t('Unknown browser')
  return system ? t('{{browser}} on {{system}}', { browser, system }) : browser
}

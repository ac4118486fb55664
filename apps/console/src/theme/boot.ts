import { schemeKey } from './boot-key.ts'
import { paletteOf } from '@outpost/rules/theme/palette'
import { themes } from '@outpost/rules/theme/themes'

/**
 * Source of the first half of the boot script, a classic one in <head> (the security policy forbids inline ones): it selects theme and
 * scheme before the first paint, so that no page flashes in the wrong colours.
 */
export function themeScript(): string {
  const byHost = Object.fromEntries(themes.flatMap((theme) => theme.hosts.map((host) => [host, theme.key])))
  const pages = Object.fromEntries(themes.map((theme) => [theme.key, [paletteOf(theme, 'light').page, paletteOf(theme, 'dark').page]]))
  return `(function () {
  var hosts = ${JSON.stringify(byHost)}
  var pages = ${JSON.stringify(pages)}
  var root = document.documentElement
  var name = location.hostname.toLowerCase()
  var key = hosts[name] || hosts[name.split('.')[0]] || '${themes[0].key}'
  var stored = null
  try { stored = localStorage.getItem('${schemeKey}') } catch (error) { stored = null }
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.brand = key
  root.dataset.scheme = dark ? 'dark' : 'light'
  root.style.colorScheme = dark ? 'dark' : 'light'
  root.style.backgroundColor = pages[key][dark ? 1 : 0]
})()
`
}

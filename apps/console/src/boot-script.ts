import { hintKey } from './session/boot-names.ts'
import { earlyScript } from './session/early-script.ts'
import { themeScript } from './theme/boot.ts'

/** Source of the boot script, which runs before the page is drawn and before the program is loaded. `behind`: addresses of what is drawn behind the sign-in. */
export const bootScript = (version: string, behind: readonly string[] = []): string =>
  [themeScript(), preloadScript(behind), earlyScript(version)].join(';\n')

/** On a device that probably has a session, what is behind the sign-in is loaded and compiled beside what comes before it, not after that has run. */
const preloadScript = (paths: readonly string[]): string => `(function (paths) {
  try { if (localStorage.getItem('${hintKey}') !== '1') return } catch (error) { return }
  paths.forEach(function (path) {
    var link = document.createElement('link')
    link.rel = path.endsWith('.css') ? 'preload' : 'modulepreload'
    if (path.endsWith('.css')) link.as = 'style'
    link.crossOrigin = ''
    link.href = path
    document.head.append(link)
  })
})(${JSON.stringify(paths)})`

import { themeByKey, themeForHost } from './themes.ts'
import type { Theme } from './themes.ts'

/** The theme of this page's host; in development ?theme=<key> selects any theme. */
export const currentTheme: Theme = chosenInDevelopment() ?? themeForHost(location.hostname)

function chosenInDevelopment(): Theme | undefined {
  const key = import.meta.env.DEV ? new URLSearchParams(location.search).get('theme') : null
  return key ? themeByKey(key) : undefined
}

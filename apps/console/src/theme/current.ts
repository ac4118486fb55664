import { themeByKey, themeForHost } from './themes.ts'
import type { Theme } from './themes.ts'

/** The theme of this page's host; in development ?theme=<key> shows any of them. */
export const currentTheme: Theme = chosenInDevelopment() ?? themeForHost(location.hostname)

function chosenInDevelopment(): Theme | undefined {
  const key = import.meta.env.DEV ? new URLSearchParams(location.search).get('theme') : null
  return key ? themeByKey(key) : undefined
}

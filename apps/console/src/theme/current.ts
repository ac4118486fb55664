import { themeByKey, themeForHost } from '@outpost/rules/theme/themes'
import type { Theme } from '@outpost/rules/theme/themes'

/** The theme of this page's host; in development ?theme=<key> selects any theme. */
export const currentTheme: Theme = chosenInDevelopment() ?? themeForHost(location.hostname)

function chosenInDevelopment(): Theme | undefined {
  const key = import.meta.env.DEV ? new URLSearchParams(location.search).get('theme') : null
  return key ? themeByKey(key) : undefined
}

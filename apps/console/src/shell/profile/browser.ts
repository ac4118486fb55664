import { readUserAgent } from '@outpost/contract/user-agent'
import { t } from '../../session/labels.ts'

/** "Chrome on Android": enough for people to tell their own sessions apart. */
export function browserOf(userAgent: string | null): string {
  const { browser, system } = readUserAgent(userAgent)
  if (!browser) return system ?? t('Unknown browser')
  return system ? t('{{browser}} on {{system}}', { browser, system }) : browser
}

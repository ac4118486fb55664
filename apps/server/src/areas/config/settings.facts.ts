import type { SettingItem } from '@outpost/contract/settings'
import { policies } from '../../kernel/session/policy.ts'
import { shortestPassword } from '../auth/index.ts'

const spanOf = (seconds: number): string => {
  const [unit, one] =
    seconds >= 2 * 86_400 ? (['days', 86_400] as const) : seconds > 3_600 ? (['hours', 3_600] as const) : (['minutes', 60] as const)
  return `${seconds / one} ${unit}`
}
const session = ({ idle, absolute }: { idle: number; absolute: number }): string =>
  `${spanOf(idle)} without use, ${spanOf(absolute)} at most`

/** What Outpost itself has settled about signing in: shown, as people ask for it, and changed by nobody. */
export const signInFacts: readonly (SettingItem & { section: string })[] = [
  {
    section: 'people',
    key: 'session-admin',
    label: 'Session of administrators',
    help: 'After this they sign in again. Set by Outpost.',
    now: session(policies.admin),
  },
  {
    section: 'people',
    key: 'session-office',
    label: 'Session in the office',
    help: 'After this people at a desk sign in again. Set by Outpost.',
    now: session(policies.office),
  },
  {
    section: 'people',
    key: 'session-field',
    label: 'Session in the field',
    help: 'Longer, as officers are offline for days; what is on the phone is locked all the same. Set by Outpost.',
    now: session(policies.field),
  },
  {
    section: 'people',
    key: 'password',
    label: 'Passwords',
    help: 'Common passwords, simple patterns and your company’s name are refused whatever the length. Set by Outpost.',
    now: `${shortestPassword} characters at least`,
  },
]

import { languageOptions } from '../../kernel/languages.ts'
import { choiceSetting, type AnySetting, type Setting } from '../../kernel/settings/define.ts'
import { offlineDays, sessionSettings } from '../../kernel/session/policy.ts'

const ofPeople = { section: 'people', level: 'company' } as const

/** What a company decides about passwords; never less than Outpost begins with. */
export const passwordSettings = {
  shortest: {
    ...ofPeople,
    name: 'passwordLength',
    label: 'Passwords have at least',
    help: 'Common passwords, simple patterns and your company’s name are refused whatever the length. Holds for new passwords.',
    unit: 'characters',
    min: 15,
    max: 64,
    standard: 15,
  },
  remembered: {
    ...ofPeople,
    name: 'passwordsRemembered',
    label: 'A new password differs from the last',
    help: 'So many former passwords may not be used again.',
    unit: 'passwords',
    min: 5,
    max: 24,
    standard: 5,
  },
} as const satisfies Record<string, Setting>

/** The time box of working as another user. */
export const impersonationMinutes: Setting = {
  ...ofPeople,
  name: 'impersonationMinutes',
  label: 'Working as another user ends after',
  help: 'It ends by itself; then the administrator works as themself again.',
  unit: 'minutes',
  min: 5,
  max: 60,
  standard: 30,
}

/** For who has chosen no language yet: an invited person. */
export const mailLanguage = choiceSetting({
  ...ofPeople,
  name: 'mailLanguage',
  label: 'Mails about accounts are in',
  help: 'Invitations, passwords and new devices. Who has chosen a language for the console is written to in that one.',
  options: languageOptions,
})

export const authSettings: AnySetting[] = [
  ...Object.values(sessionSettings).flatMap(({ idle, absolute }): Setting[] => [idle, absolute]),
  offlineDays,
  ...Object.values(passwordSettings),
  impersonationMinutes,
  mailLanguage,
]

import type { Setting } from '../../../kernel/settings/define.ts'

const ofBranch = { section: 'credit', level: 'branch' } as const

/** How often a client may be asked for consent, and how long they may answer; messages cost money and patience. */
export const consentSettings = {
  coolDownMinutes: {
    ...ofBranch,
    name: 'consentCoolDownMinutes',
    label: 'Consent: pause between two requests',
    help: 'So long a client is not asked again, whoever asks.',
    unit: 'minutes',
    min: 1,
    max: 1_440,
    standard: 1,
  },
  perDay: {
    ...ofBranch,
    name: 'consentRequestsPerDay',
    label: 'Consent: requests to one client',
    help: 'How often a client may be asked within 24 hours.',
    unit: 'a day',
    min: 1,
    max: 10,
    standard: 5,
  },
  validDays: {
    ...ofBranch,
    name: 'consentLinkDays',
    label: 'Consent: the link is open for',
    help: 'After this the client has to be asked again.',
    unit: 'days',
    min: 1,
    max: 30,
    standard: 7,
  },
} as const satisfies Record<string, Setting>

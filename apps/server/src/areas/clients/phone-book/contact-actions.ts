import { anySession } from '../../../kernel/area.ts'
import type { ActionDefinition } from '../../../kernel/types.ts'

/** Calls, texts or writes to whom a row is about, by what the person's own device has for it; nothing is sent from here. */
export const contactActions: readonly ActionDefinition[] = [
  {
    key: 'call',
    label: 'Call',
    open: 'tel::phonenumber',
    scope: 'row',
    access: anySession,
    visibleIf: { not: { eq: ['phonenumber', null] } },
  },
  {
    key: 'text',
    label: 'Write SMS',
    open: 'sms::phonenumber',
    scope: 'row',
    access: anySession,
    visibleIf: { not: { eq: ['phonenumber', null] } },
  },
  {
    key: 'mail',
    label: 'Write e-mail',
    open: 'mailto::emailAddress',
    scope: 'row',
    access: anySession,
    visibleIf: { not: { eq: ['emailAddress', null] } },
  },
]

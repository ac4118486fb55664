import type { FieldDefinition } from '../../../kernel/types.ts'
import { outcomeOptions } from '../lead.resource.ts'

const text = (label: string): FieldDefinition => ({ kind: 'text', label })

/** What an assessment came to, in lists beside a lead or a client. */
export const resultFields: Readonly<Record<string, FieldDefinition>> = {
  dateCreated: { kind: 'dateTime', label: 'When' },
  outcome: { kind: 'choice', label: 'Outcome', options: outcomeOptions },
  affordable: { kind: 'money', label: 'Affordable a month' },
  instalment: { kind: 'money', label: 'Instalment' },
}

/** By which rules it was made, and by whom. */
export const originFields: Readonly<Record<string, FieldDefinition>> = {
  calculator: text('Calculator'),
  ruleSetId: text('Rule set'),
  ruleSetVersion: text('Version'),
  who: text('By'),
}

import { fail, type FieldError } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { trimPhone } from '@outpost/rules/phone'
import { dayOf } from '@outpost/rules/time-zone'
import { isEmail } from '@outpost/rules/validation'
import { dayText } from '../../kernel/days.ts'
import { readPhone } from '../../kernel/phone.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { valuesOfLead } from './client.of-lead.ts'
import { papersJob } from './client.papers.job.ts'

interface Contact {
  kind: string
  value: string
}
interface Document {
  kind: string
  number: string | null
  issuedOn: Date | null
  expiresOn: Date | null
}
interface Identifier {
  kind: string
  number: string
}
/** A client as it is written: its row, and the lines that a body gives. */
type ClientInput = ModelRow<'client'> & { contacts: Contact[]; documents: Document[]; identifiers: Identifier[] }

/** Last look at a client before it is written: numbers in one form, papers and dates that can be. */
export async function prepareClient(ctx: Ctx, write: PrepareWrite<ModelRow<'client'>>): Promise<Partial<ModelRow<'client'>>> {
  if (write.kind === 'remove') return {}
  const input: Partial<ClientInput> = write.input
  const phone = input.phonenumber === undefined ? {} : { trimmedPhonenumber: readPhone(ctx, 'phonenumber', input.phonenumber) }
  if (input.contactNumber) readPhone(ctx, 'contactNumber', input.contactNumber)
  const faults = [
    ...dateFaults(ctx, input),
    ...(input.contacts ?? []).flatMap((contact, place) => contactFaults(ctx, contact, `contacts.${place}.value`)),
    ...(input.documents ?? []).flatMap(documentFaults),
    ...twiceFaults(input.identifiers ?? []),
  ]
  if (faults.length > 0) fail('INVALID', { fields: faults })
  if (input.documents?.some(({ expiresOn }) => expiresOn)) papersJob.plan(ctx)
  if (write.kind !== 'create') return phone
  const ofLead: Partial<ClientInput> = input.leadId ? await valuesOfLead(ctx, input.leadId, input) : {}
  return { ...ofLead, ...phone, assignedUserId: input.assignedUserId ?? ofLead.assignedUserId ?? ctx.user.id }
}

function dateFaults({ company }: Ctx, { dateOfBirth, employedSince }: Partial<ClientInput>): FieldError[] {
  return Object.entries({ dateOfBirth, employedSince }).flatMap(([field, day]) =>
    day && dayText(day) > dayOf(Date.now(), company.timeZone) ? [{ field, message: 'may not be in the future' }] : [],
  )
}

function contactFaults({ company }: Ctx, { kind, value }: Contact, field: string): FieldError[] {
  if (kind === 'E-mail') return isEmail(value) ? [] : [{ field, message: 'is not an e-mail address' }]
  return trimPhone(value, company.country) === null
    ? [{ field, message: `is not a phone number of ${company.country} nor an international one` }]
    : []
}

function documentFaults({ issuedOn, expiresOn }: Document, place: number): FieldError[] {
  return issuedOn && expiresOn && dayText(expiresOn) < dayText(issuedOn)
    ? [{ field: `documents.${place}.expiresOn`, message: 'may not be before the day of issue' }]
    : []
}

function twiceFaults(identifiers: readonly Identifier[]): FieldError[] {
  const keys = identifiers.map(({ kind, number }) => `${kind} ${number.trim().toUpperCase()}`)
  return keys.flatMap((key, place) =>
    keys.indexOf(key) < place ? [{ field: `identifiers.${place}.number`, message: 'is given twice' }] : [],
  )
}

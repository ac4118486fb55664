import type { Attention } from '../../offline/shapes.ts'
import type { Visit } from '../../offline/visit-change.ts'
import { formatDateTime } from '../../view/formats.ts'

/** What happened to a change, in the words of the person who made it. */
export interface AttentionWords { title: string, advice: string }

const byCode: Readonly<Record<string, AttentionWords>> = {
  DUPLICATE_LEAD: { title: 'Duplicate email or phone number.', advice: 'Unable to create lead, lead already exists. Open the existing one, add your values to it, or correct the number and send again.' },
  VALIDATION: { title: 'Some values are not valid', advice: 'Correct them and send the change again.' },
  FORBIDDEN: { title: 'You may not make this change any more', advice: 'Your rights or your branch changed since. Ask your manager, or give the change up.' },
  GONE: { title: 'The record was removed meanwhile', advice: 'Restore it with your values as a new record, or give the change up.' },
  STALE_DELETE: { title: 'Somebody changed the record you deleted', advice: 'Look at it before you delete it again.' },
  STATUS: { title: 'The status cannot follow the present one', advice: 'The record moved on since. Choose another status, or give the change up.' },
  MERGED: { title: 'Saved, but some fields were changed by somebody else too', advice: 'The office\u2019s values were kept. Take yours where they are right.' },
  TOO_LARGE: { title: 'The change is too large to send', advice: 'Shorten it and send it again, or export it.' },
  ERROR: { title: 'The server could not take this change', advice: 'It failed several times; the office was told. Try again later, or export it.' },
}

export const wordsFor = (attention: Pick<Attention, 'code'>): AttentionWords => byCode[attention.code] ?? { title: 'The change was refused', advice: 'Correct it and send it again, or give it up.' }

const labels: Readonly<Record<string, string>> = {
  firstName: 'First name', lastName: 'Last name', phonenumber: 'Phone', emailAddress: 'E-mail', contactNumber: 'Other phone', idNumber: 'ID number',
  empNumber: 'Employee number', employer: 'Employer', type: 'Type', source: 'Source', status: 'Status', statusReason: 'Reason', location: 'Location',
  latitude: 'Latitude', longitude: 'Longitude', lineone: 'Street', city: 'Town', postcode: 'Postcode', state: 'Province or county', country: 'Country',
  countryCode: 'Country code', notes: 'Notes', visit: 'Visit',
}

export const labelOf = (field: string): string => labels[field] ?? field

/** A visit in the words of who made it: its status, its note and when. */
function visitWords({ statusText, reason, deviceTime }: Visit): string {
  return [statusText, reason && `“${reason}”`, formatDateTime(deviceTime)].filter(Boolean).join(', ')
}

/** A value as text; nothing as a dash. */
export function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'statusText' in value) return visitWords(value as Visit)
  if (value === null || value === undefined || value === '') return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Fields of a change that a person may look at and correct, in a sensible order. */
export function editableFields(attention: Pick<Attention, 'change' | 'mine'>): string[] {
  const touched = attention.change.snapshot ?? attention.change.patch
  return Object.keys(labels).filter((field) => field in touched && !['status', 'source', 'latitude', 'longitude', 'visit'].includes(field))
}

export interface Difference { field: string, mine: unknown, theirs: unknown }

/** Where my values and the server's differ; every value of mine when there is no server copy. */
export function differencesOf({ conflicts, change, mine, theirs }: Pick<Attention, 'conflicts' | 'change' | 'mine' | 'theirs'>): Difference[] {
  if (conflicts.length > 0) return conflicts.map(({ field, mine: my, theirs: their }) => ({ field, mine: my, theirs: their }))
  const given = ['status', 'source']
  const fields = Object.keys(change.snapshot ?? change.patch).filter((field) => field in labels && !(change.snapshot && given.includes(field)))
  return fields.map((field) => ({ field, mine: mine[field], theirs: theirs?.[field] })).filter(({ mine: my, theirs: their }) => textOf(my) !== textOf(their))
}

import type { FieldError } from '@outpost/contract/errors'
import type { Row } from '../data/records.ts'
import { showVisit } from './visit-change.ts'

export interface IndexWords { phone?: string, email?: string }

/** What the device must know of a kind of entity to work with it without the server. */
export interface EntityKind {
  type: string
  label: string
  /** Kept for reading only: changing it needs a connection. */
  isReadOnly?: boolean
  /** Values the duplicate rule compares; of a server row they are ready, of a local one they are worked out. */
  index(row: Row, options: { isLocal: boolean, country: string }): Promise<IndexWords>
  /** A new record's values that the server would give; also refuses what the server would refuse. */
  create(values: Row, options: { userName: string, userId: string }): Row
  check(values: Row): FieldError[]
  /** Fields the search looks into. */
  search: readonly string[]
  title(row: Row): string
  /** Fields the server works out from others, for values that only the device has. */
  derive(row: Row): Row
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '')

async function phoneWord(row: Row, country: string): Promise<string> {
  const { trimPhone } = await import('@outpost/rules/phone')
  const typed = textOf(row.phonenumber)
  return trimPhone(typed, textOf(row.countryCode) || country) ?? typed.replace(/\D/g, '')
}

const nameOf = (row: Row): string => [row.firstName, row.lastName].map(textOf).filter(Boolean).join(' ')

const lead: EntityKind = {
  type: 'lead',
  label: 'Lead',
  index: async (row, { isLocal, country }) => ({
    phone: isLocal ? await phoneWord(row, country) : textOf(row.trimmedPhonenumber) || await phoneWord(row, country),
    email: textOf(row.emailAddress).toLowerCase(),
  }),
  create: (values, { userName, userId }) => ({
    ...values, status: 'New', source: values.source ?? 'UI', dateCreated: new Date().toISOString(), consentStatus: 'NONE PROVIDED', affordabilityOutcome: 'NONE', leadCreatedBy: userName, createdByUserId: userId,
  }),
  check: (values) => ['firstName', 'lastName', 'phonenumber']
    .filter((field) => field in values && textOf(values[field]) === '')
    .map((field) => ({ field, message: 'This field is needed.' })),
  search: ['firstName', 'lastName', 'phonenumber', 'trimmedPhonenumber', 'emailAddress', 'idNumber', 'empNumber', 'city', 'location', 'status'],
  title: (row) => nameOf(row) || 'Lead',
  derive: (row) => ({ ...row, fullName: nameOf(row) }),
}

const activity: EntityKind = {
  type: 'activity',
  label: 'Activity',
  isReadOnly: true,
  index: async () => ({}),
  create: (values) => values,
  check: () => [],
  search: ['name', 'description', 'location'],
  title: (row) => textOf(row.name) || 'Activity',
  derive: showVisit,
}

/** The kinds kept on the device, by entity type. */
export const entityKinds: Readonly<Record<string, EntityKind>> = { lead, activity }

import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import type { AnyResource, Ctx } from '../../apps/server/src/kernel/types.ts'
import { fail } from '@outpost/contract/errors'
import { minorUnits } from '@outpost/rules/currency'
import { tables } from '../../packages/platform/generated/tables.ts'
import type { TestDatabase } from '../support/db.ts'

const column = (type: string, native: string, over: object = {}) => ({
  type,
  native,
  isRequired: true,
  isList: false,
  hasDefault: false,
  ...over,
})
const uuid = column('String', 'Uuid')
const text = column('String', 'String')
const optional = { isRequired: false }
const own = { hasDefault: true }
const record = { companyId: uuid, id: column('String', 'Uuid', own), tenantId: uuid }

/** Tables of a small ledger, which no migration makes: the model's names and columns as the generator writes them. */
Object.assign(tables, {
  journalAccount: { table: 'journal_account', columns: { ...record, name: text } },
  journalEntry: {
    table: 'journal_entry',
    columns: {
      ...record,
      name: text,
      kindId: column('String', 'Uuid', optional),
      currencyCode: column('String', 'String', optional),
      fee: column('Decimal', 'Decimal', optional),
      version: column('BigInt', 'BigInt', own),
      syncSeq: column('BigInt', 'BigInt', optional),
      dateCreated: column('DateTime', 'Timestamptz', own),
      dateModified: column('DateTime', 'Timestamptz', own),
      deletedAt: column('DateTime', 'Timestamptz', optional),
    },
  },
  journalLine: {
    table: 'journal_line',
    columns: {
      ...record,
      entryId: uuid,
      position: column('Int', 'Int'),
      accountId: uuid,
      amount: column('Decimal', 'Decimal'),
      note: { ...text, isRequired: false },
      side: text,
    },
  },
  journalKind: {
    table: 'journal_kind',
    columns: {
      ...record,
      name: text,
      colour: text,
      active: column('Int', 'SmallInt'),
      preset: column('Boolean', 'Boolean'),
      position: column('Int', 'Int'),
    },
  },
  journalReader: { table: 'journal_reader', columns: { companyId: uuid, journalEntryId: uuid, userId: uuid } },
})

const key =
  '"companyId" uuid not null, "id" uuid not null default gen_random_uuid(), "tenantId" uuid not null, primary key ("companyId", "id")'

/** Makes the ledger's tables, behind the walls that every table of a company has. */
export async function makeLedger({ admin }: TestDatabase): Promise<void> {
  await admin.query(`
    create table public.journal_account (${key}, "name" text not null);
    create table public.journal_kind (${key}, "name" text not null, "colour" text not null, "active" smallint not null, "preset" boolean not null, "position" int not null);
    create table public.journal_entry (${key}, "name" text not null, "kindId" uuid, "currencyCode" text, "fee" numeric(18, 4), "version" bigint not null default 1, "syncSeq" bigint,
      "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3));
    create table public.journal_line (${key}, "entryId" uuid not null, "position" int not null, "accountId" uuid not null, "amount" numeric(18, 4) not null, "note" text, "side" text not null,
      foreign key ("companyId", "entryId") references public.journal_entry ("companyId", "id") on delete cascade,
      foreign key ("companyId", "accountId") references public.journal_account ("companyId", "id"));
    create table public.journal_reader ("companyId" uuid not null, "journalEntryId" uuid not null, "userId" uuid not null, primary key ("companyId", "journalEntryId", "userId"),
      foreign key ("companyId", "journalEntryId") references public.journal_entry ("companyId", "id") on delete cascade);
    call ctx.protect('journal_account', 'tenant'); call ctx.protect('journal_kind', 'tenant'); call ctx.protect('journal_entry', 'tenant'); call ctx.protect('journal_line', 'tenant'); call ctx.protect('journal_reader', 'company')`)
}

// Their models are no models of Prisma's: what ties a definition to its model's row is not to be had here.
const define = (definition: object): AnyResource => defineResource(definition as never) as unknown as AnyResource

export const user = define({
  model: 'user',
  one: 'user',
  many: 'users',
  label: 'User',
  labelMany: 'Users',
  title: 'fullName',
  fields: { fullName: { kind: 'text', label: 'Name', sql: `concat_ws(' ', t."firstName", t."lastName")`, readOnly: true } },
  list: { columns: ['fullName'], sort: ['fullName', 'ASC'], size: 100 },
})
export const account = define({
  model: 'journalAccount',
  one: 'account',
  many: 'accounts',
  label: 'Account',
  labelMany: 'Accounts',
  title: 'name',
  isScoped: true,
  fields: { name: { kind: 'text', label: 'Name', required: true } },
  list: { columns: ['name'], sort: ['name', 'ASC'], size: 100 },
})
/** The company's own kinds of entry, which entries choose from. */
export const entryKind = define({
  model: 'journalKind',
  one: 'entryKind',
  many: 'entryKinds',
  label: 'Kind',
  labelMany: 'Kinds',
  title: 'name',
  isScoped: true,
  choices: { colour: 'colour', active: 'active', preset: 'preset', order: 'position' },
  fields: { name: { kind: 'text', label: 'Name', required: true } },
  list: { columns: ['name'], sort: ['name', 'ASC'], size: 100 },
})
export const journalLine = define({
  model: 'journalLine',
  one: 'journalLine',
  many: 'lines',
  label: 'Line',
  labelMany: 'Lines',
  title: 'note',
  isScoped: true,
  fields: {
    accountId: { kind: 'reference', label: 'Account', to: 'account', required: true },
    amount: { kind: 'money', label: 'Amount', required: true, currency: 'currencyCode' },
    side: {
      kind: 'choice',
      label: 'Side',
      required: true,
      defaultValue: 'debit',
      options: [
        { value: 'debit', label: 'Debit' },
        { value: 'credit', label: 'Credit' },
      ],
    },
    note: { kind: 'text', label: 'Note', maxLength: 80, requiredIf: { eq: ['side', 'credit'] } },
  },
  list: { columns: ['accountId', 'amount', 'side', 'note'], sort: ['amount', 'ASC'], size: 100 },
})

interface Line {
  amount: number
  side: string
}
/** What is booked on one side is booked on the other, to the smallest unit. */
function balance(
  { company }: Ctx,
  { kind, input, before }: { kind: string; input: { lines?: Line[]; currencyCode?: string }; before?: { currencyCode?: string } },
): object {
  if (kind === 'remove' || !input.lines) return {}
  const currency = input.currencyCode ?? before?.currencyCode ?? company.currency
  const sum = input.lines.reduce((total, { amount, side }) => total + (side === 'debit' ? 1 : -1) * minorUnits(Number(amount), currency), 0)
  return sum === 0 ? {} : fail('INVALID', { fields: [{ field: 'lines', message: 'do not balance' }] })
}

export const journalEntry = define({
  model: 'journalEntry',
  one: 'journalEntry',
  many: 'journalEntries',
  label: 'Journal entry',
  labelMany: 'Journal entries',
  title: 'name',
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  offline: 'read-write',
  fields: {
    name: { kind: 'text', label: 'Name', required: true },
    kindId: { kind: 'choice', label: 'Kind', from: entryKind, isPreset: true },
    currencyCode: { kind: 'text', label: 'Currency', maxLength: 3 },
    fee: { kind: 'money', label: 'Fee', currency: 'company' },
    lines: { kind: 'lines', label: 'Lines', of: journalLine, by: 'entryId', min: 2, max: 5 },
    readerIds: { kind: 'multiReference', label: 'Readers', to: 'user', through: 'journalReader' },
  },
  list: { columns: ['name', 'kindId', 'currencyCode', 'lines', 'readerIds'], sort: ['dateCreated', 'DESC'], size: 25 },
  actions: [
    {
      route: 'entries.update',
      key: 'kind',
      label: 'Change kind',
      scope: 'row',
      form: { kindId: { kind: 'choice', label: 'Kind', from: entryKind, required: true } },
    },
  ],
  prepare: balance,
})

import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { leadParts } from '@outpost/rules/leads/lead-merge'
import type { Belongings } from '../../../kernel/merging/belongings.ts'
import {
  mergeInputOf,
  mergeRecords,
  mergesOf,
  undoMergeOf,
  type MergeInput,
  type Merging,
  type Pair,
  type Row,
} from '../../../kernel/merging/merging.ts'
import { updateRecord } from '../../../kernel/resource/records.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { lead } from '../lead.resource.ts'
import { returnStatus } from '../lead.return.ts'

/**
 * What goes with a lead. Status log, assignments, consents and assessments stay as they were made and are read through
 * lead.family.ts.
 */
const belongings: Belongings = {
  activities: {
    table: 'activity_lead',
    column: 'leadId',
    isPair: true,
    of: { table: 'activity', one: 'activity', column: 'activityId' },
  },
  addresses: { table: 'lead_address', column: 'leadId', isFiled: true },
  drafts: { table: 'onboarding_draft', column: 'leadId' },
  clients: { table: 'client', column: 'leadId', one: 'client', isSynced: true },
  cases: { table: 'sales_case', column: 'leadId', one: 'case', isSynced: true },
  tasks: { table: 'task', column: 'leadId', one: 'task', isSynced: true },
  applications: { table: 'loan_application', column: 'leadId', one: 'loanApplication', isSynced: true },
  formAnswers: { table: 'web_form_answer', column: 'leadId', one: 'webFormAnswer', isSynced: true },
  files: { table: 'stored_file', column: 'ownerId', typeColumn: 'ownerType' },
  recordFiles: { table: 'record_file', column: 'objectId', typeColumn: 'objectType', isFiled: true },
}

/** Two leads of one person; what takes over the client of a lead takes its status too. */
const merging: Merging = {
  resource: lead,
  table: 'lead_merge',
  parts: leadParts,
  shows: 'phonenumber',
  belongings,
  refuse: refuseTwoClients,
  also: ({ winner, loser, taken, moved }) => ({
    ...contactMark({ winner, loser }, taken),
    ...(moved['clients']?.length ? statusOf({ winner, loser }) : {}),
  }),
  write: setValues,
  tied: { status: ['statusReason', 'statusSince'] },
}

export const mergeInput = mergeInputOf(merging)
export const mergeLeads = (ctx: Ctx, input: MergeInput) => mergeRecords(ctx, merging, input)
export const undoMerge = (ctx: Ctx, { id }: { id: string }) => undoMergeOf(ctx, merging, id)
export const leadMerges = (ctx: Ctx, { id }: { id: string }) => mergesOf(ctx, merging, id)

/** Merges the leads of two clients who are one person, in the running transaction; gives the id of the merge. */
export async function leadsAsOne(ctx: Ctx, pair: { winnerId: string; loserId: string }): Promise<string> {
  return (await mergeRecords(ctx, merging, { ...pair, take: [] })).data.merge.Id
}

/** Parts the leads again, unless somebody did already. */
export async function leadsApart(ctx: Ctx, id: string): Promise<void> {
  const open = await ctx.sql.maybe(
    sql`select from lead_merge where "companyId" = ${ctx.company.id} and "id" = ${id}::uuid and "undoneAt" is null`,
  )
  if (open) await undoMergeOf(ctx, merging, id)
}

/** A contact point that nobody has confirmed stays unconfirmed in the lead that takes it; a merge alone changes none. */
function contactMark({ winner, loser }: Pair, taken: Row): Row {
  const isTaken = ['trimmedPhonenumber', 'emailAddress', 'contactNumber'].some((key) => Object.hasOwn(taken, key))
  const from = isTaken && winner['contactChangedAt'] === null ? loser : winner
  return isTaken
    ? { contactChangedAt: from['contactChangedAt'] ?? null, contactChangedByUserId: from['contactChangedByUserId'] ?? null }
    : {}
}

/** What takes over the client of a lead takes that lead's status, since then. */
function statusOf({ winner, loser }: Pair): Row {
  if (winner['status'] === loser['status']) return {}
  return { status: loser['status'], statusReason: loser['statusReason'] ?? null, statusSince: loser['statusSince'] }
}

/** Writes values that a merge or its undoing gives; a status was reached before, by the other lead. */
async function setValues(ctx: Ctx, id: string, { status, statusReason = null, statusSince, ...values }: Row): Promise<void> {
  if (status !== undefined)
    await returnStatus(ctx, id, { status: String(status), reason: statusReason as string | null, since: String(statusSince) }, values)
  else if (Object.keys(values).length > 0) await updateRecord(ctx, lead, id, values)
}

async function refuseTwoClients(ctx: Ctx, { winner, loser }: Pair): Promise<void> {
  const { clients } = await ctx.sql.one<{ clients: number }>(sql`
    select count(*)::int as clients from client where "companyId" = ${ctx.company.id} and "leadId" = any(${[winner['id'], loser['id']]}::uuid[]) and "deletedAt" is null`)
  if (clients > 1) fail('CONFLICT', { message: 'Both leads are clients already. Merge the two clients: their leads become one with them.' })
}

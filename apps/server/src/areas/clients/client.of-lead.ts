import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import { resourceNamed } from '../../kernel/resource/define.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import type { Ctx } from '../../kernel/types.ts'

/** What a client takes over from the lead, column by column, where nobody says otherwise. */
export const takenOver = [
  'firstName',
  'lastName',
  'phonenumber',
  'contactNumber',
  'emailAddress',
  'idNumber',
  'empNumber',
  'employer',
  'type',
  'assignedUserId',
  'location',
  'lineone',
  'city',
  'postcode',
  'state',
  'country',
  'latitude',
  'longitude',
] as const

/** Leads lie above clients: they name clients, so they are found by their name. */
const leads = () => resourceNamed('lead') ?? fail('NOT_FOUND')

/**
 * What a new client has of the lead that it is made of: its branch, what the input leaves empty, and the addresses of onboarding. A lead is one
 * client at most. A lead beyond the caller's reach gives nothing: it is refused as any reference.
 */
export async function valuesOfLead(ctx: Ctx, leadId: string, input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const isVisible = await ctx.sql.maybe(sql`select from lead t where ${visibleRows(ctx, leads())} and t."id" = ${leadId}::uuid`)
  if (!isVisible) return {}
  const made = await ctx.sql.maybe<{ id: string }>(
    sql`select "id" from client where "companyId" = ${ctx.company.id} and "leadId" = ${leadId}::uuid and "deletedAt" is null`,
  )
  if (made) fail('ALREADY_EXISTS', { message: 'This lead is a client already.', details: { clientId: made.id } })
  const lead = await getRecord(ctx, leads(), leadId)
  const taken = Object.fromEntries(takenOver.filter((key) => (input[key] ?? null) === null).map((key) => [key, lead[key] ?? null]))
  const phone = 'phonenumber' in taken ? { trimmedPhonenumber: lead['trimmedPhonenumber'] ?? null } : {}
  const addresses = ((input['addresses'] ?? []) as unknown[]).length > 0 ? {} : { addresses: await addressesOf(ctx, leadId) }
  return { ...taken, ...phone, ...addresses, tenantId: lead['tenantId'] }
}

/** Addresses captured at onboarding, as lines of the client. */
function addressesOf(ctx: Ctx, leadId: string): Promise<Record<string, unknown>[]> {
  return ctx.sql.query(sql`
    select initcap("kind") as kind, "lineone", "city", "state", "postcode", "country" from lead_address
    where "companyId" = ${ctx.company.id} and "leadId" = ${leadId}::uuid and "kind" in ('HOME', 'WORK', 'POST') order by "dateCreated", "id" limit 20`)
}

/** The lead that a new client was made of becomes Converted with it, where its lifecycle allows that; else there is no client either. */
export async function convertItsLead(
  ctx: Ctx,
  { id, record: { leadId } }: { id: string; record: Readonly<Record<string, unknown>> },
): Promise<void> {
  if (typeof leadId !== 'string') return
  const lead = await getRecord(ctx, leads(), leadId)
  if (lead['status'] !== 'Converted') await updateRecord(ctx, leads(), leadId, { status: 'Converted', statusReason: null })
  audit(ctx, { action: 'lead.convert', objectType: 'lead', objectId: leadId, after: { clientId: id } })
}

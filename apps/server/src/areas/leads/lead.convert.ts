import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import { getRecord, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { createClient } from '../clients/index.ts'
import { clientOf } from './credit/lead.decision.ts'
import { lead } from './lead.resource.ts'
import { refuseTransition } from './lead.rules.ts'

/** What a client takes over from the lead, column by column; nobody types it again. */
const takenOver = [
  'firstName',
  'lastName',
  'phonenumber',
  'trimmedPhonenumber',
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

/**
 * Makes a client of a lead in the running transaction, once, and sets the lead Converted where its lifecycle allows it.
 * The door for areas that begin something with the new client (an application, a loan): they call this and go on.
 */
export function convertLead(ctx: Ctx, id: string): Promise<{ lead: WireRecord; client: WireRecord }> {
  return withStream(ctx, async (inner) => {
    const before = await getRecord(inner, lead, id)
    const existing = await clientOf(inner, id)
    if (existing) fail('ALREADY_EXISTS', { message: 'This lead is a client already.', details: { clientId: existing } })
    // A lead whose lifecycle does not allow it is refused before a client is made, not after.
    const isConverted = before['status'] === 'Converted'
    if (!isConverted) await refuseTransition(inner, before, 'Converted')
    const taken = Object.fromEntries(takenOver.map((key) => [key, before[key] ?? null]))
    const values = { ...taken, tenantId: String(before['tenantId']), leadId: id }
    const client = await createClient(inner, { values, addresses: await addressesOf(inner, id) })
    if (!isConverted) await updateRecord(inner, lead, id, { status: 'Converted', statusReason: null })
    audit(inner, { action: 'lead.convert', objectType: 'lead', objectId: id, after: { clientId: client.Id } })
    return { lead: await getRecord(inner, lead, id), client }
  })
}

/** Addresses captured at onboarding, as lines of the client. */
async function addressesOf(ctx: Ctx, leadId: string): Promise<Record<string, unknown>[]> {
  return ctx.sql.query(sql`
    select initcap("kind") as kind, "lineone", "city", "state", "postcode", "country" from lead_address
    where "companyId" = ${ctx.company.id} and "leadId" = ${leadId} and "kind" in ('HOME', 'WORK', 'POST') order by "dateCreated", "id" limit 20`)
}

/** POST /api/leads/:id/convert. */
export async function convert(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const made = await convertLead(ctx, id)
  return { data: { ...made }, message: `${String(made.client['fullName'])} is a client now.` }
}

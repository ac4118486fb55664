import { fail } from '@outpost/contract/errors'
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
    const client = await createClient(inner, { ...taken, tenantId: String(before['tenantId']), leadId: id })
    if (!isConverted) await updateRecord(inner, lead, id, { status: 'Converted', statusReason: null })
    audit(inner, { action: 'lead.convert', objectType: 'lead', objectId: id, after: { clientId: client.Id } })
    return { lead: await getRecord(inner, lead, id), client }
  })
}

/** POST /api/leads/:id/convert. */
export async function convert(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const made = await convertLead(ctx, id)
  return { data: { ...made }, message: `${String(made.client['fullName'])} is a client now.` }
}

import { fail } from '@outpost/contract/errors'
import { getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { createClient } from '../clients/index.ts'
import { clientOf } from './credit/lead.decision.ts'
import { lead } from './lead.resource.ts'
import { refuseTransition } from './lead.rules.ts'

/**
 * Makes a client of a lead in the running transaction, once: the new client takes over what the lead says, and the lead becomes Converted with it
 * (clients/client.of-lead.ts, as for a client that is entered with its lead). The door for areas that begin something with the new client.
 */
export function convertLead(ctx: Ctx, id: string): Promise<{ lead: WireRecord; client: WireRecord }> {
  return withStream(ctx, async (inner) => {
    const before = await getRecord(inner, lead, id)
    const existing = await clientOf(inner, id)
    if (existing) fail('ALREADY_EXISTS', { message: 'This lead is a client already.', details: { clientId: existing } })
    // A lead whose lifecycle does not allow it is refused before a client is made, not after.
    if (before['status'] !== 'Converted') await refuseTransition(inner, before, 'Converted')
    const client = await createClient(inner, id)
    return { lead: await getRecord(inner, lead, id), client }
  })
}

/** POST /api/leads/:id/convert. */
export async function convert(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const made = await convertLead(ctx, id)
  return { data: { ...made }, message: `${String(made.client['fullName'])} is a client now.` }
}

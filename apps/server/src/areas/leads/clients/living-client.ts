import { sql } from '@outpost/platform/db/sql'
import { client, type OtherPerson } from '../../clients/index.ts'

/** Who is a client already is no new lead; the client that was made of a lead is nobody else. */
export const livingClient: OtherPerson = {
  resource: () => client,
  permission: 'CLIENTS',
  counts: (leadId) => sql`(${leadId ?? null}::uuid is null or t."leadId" is distinct from ${leadId ?? null}::uuid)`,
}

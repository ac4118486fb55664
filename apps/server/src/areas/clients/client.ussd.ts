import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { client } from './client.resource.ts'

export const deregisterInput = z.strictObject({ id: idSchema, reason: z.string().trim().min(1, 'is required').max(300) })

/**
 * Clears what secures a client's USSD: PIN and device, and the lock after wrong tries, which may exist before there is a PIN (wrong ID numbers).
 * Why is kept in the audit, who asked too.
 */
export function deregisterUssd(ctx: Ctx, { id, reason }: z.infer<typeof deregisterInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const { ussdSecuredAt, isUssdLocked } = await getRecord(inner, client, id)
    if (ussdSecuredAt === null && isUssdLocked !== true) fail('CONFLICT', { message: 'This client has no USSD security to clear.' })
    await updateRecord(inner, client, id, { ussdPinHash: null, ussdDevice: null, ussdSecuredAt: null })
    await inner.sql.exec(sql`delete from ussd_pin_try where "companyId" = ${ctx.company.id} and "clientId" = ${id}::uuid`)
    audit(inner, { action: 'client.deregisterUssd', objectType: 'client', objectId: id, after: { reason } })
    return { data: { client: await getRecord(inner, client, id) }, message: 'USSD security cleared' }
  })
}

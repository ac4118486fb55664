import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { session } from '../../kernel/session/services.ts'
import { endOneSession } from '../../kernel/session/sessions.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { syncDevice } from './device.resource.ts'

/**
 * Ends the session under which a device last reported, at once and everywhere; others of its person go on. At its next contact the device
 * forgets what it holds of the office's records; until then they are sealed. What it holds unsent stays on it, sealed. CONFLICT where it has not reported since sessions are noted.
 */
export async function signOutDevice(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, syncDevice, id)
  const device = await ctx.sql.maybe<{ userId: string; sessionId: string | null }>(sql`
    update sync_device set "signedOutAt" = now(), "signedOutByUserId" = ${ctx.user.id}
    where "companyId" = ${ctx.company.id} and "id" = ${id} and "signedOutAt" is null returning "userId", "sessionId"`)
  if (device) await endSessionOf(ctx, id, device)
  return { data: { Id: id }, message: 'The device is signed out' }
}

async function endSessionOf(ctx: Ctx, id: string, { userId, sessionId }: { userId: string; sessionId: string | null }): Promise<void> {
  if (sessionId === null)
    return fail('CONFLICT', {
      message: 'This device has not said yet under which session it works. Deactivate the person, or wait for its next report.',
    })
  audit(ctx, { action: 'sync.signOut', objectType: 'sync_device', objectId: id, after: { userId } })
  await endOneSession(session(), { companyId: ctx.company.id, id: sessionId, userId }, 'wiped')
}

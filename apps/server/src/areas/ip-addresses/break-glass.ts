import { appendAudit } from '@outpost/platform/audit'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import { enqueue } from '@outpost/platform/outbox'
import { mayAny } from '@outpost/rules/people/permission'
import { isAllowed } from '../../kernel/session/addresses.ts'
import { later } from '../../kernel/session/clock.ts'
import type { Identity } from '../../kernel/session/identity.ts'
import type { SessionServices } from '../../kernel/session/services.ts'

/** The job that mails those who may let somebody in. */
export const letInJobName = 'ipAddresses.letIn'
/** How long the link in the mail counts, and how long the administrator may work from there. */
export const letInSeconds = { link: 3_600, stay: 3_600 } as const
const mostADay = 3

/**
 * Somebody with the right to change the lists of addresses, who has shown who they are, is refused for where they call from: the
 * group's global administrators are asked by mail to let them in. One request an hour, three a day. True when one is under way.
 */
export async function askToBeLetIn(services: SessionServices, identity: Identity, ip: string): Promise<boolean> {
  const { person, company, ranges, permissions, isGlobalAdministrator } = identity
  if (!services.hasIpLists || isAllowed(ranges, ip) || person.companyId !== company.id) return false
  if (!isGlobalAdministrator && !mayAny({ permissions, isGlobalAdministrator }, ['ADMIN/IPADDRESSES/EDIT'])) return false
  const [companyId, userId] = [company.id, person.id]
  return services.store.write(companyId, async (db) => {
    await takeTurn(db, `break glass ${userId}`)
    const now = later(services.clock)
    const { recent, today } = await db.one<{ recent: number; today: number }>(sql`
      select count(*) filter (where "expiresAt" > ${now})::int as recent, count(*)::int as today from break_glass
      where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid and "dateCreated" > ${now}::timestamptz - interval '1 day'`)
    if (recent > 0) return true
    if (today >= mostADay) return false
    const { id } = await db.one<{ id: string }>(sql`
      insert into break_glass ("companyId", "userId", "ip", "dateCreated", "expiresAt")
      values (${companyId}::uuid, ${userId}::uuid, ${ip}, ${now}, ${later(services.clock, letInSeconds.link)}) returning "id"`)
    await enqueue(db, { companyId, userId: null, type: letInJobName, payload: { id } })
    await appendAudit(db, { companyId, userId, action: 'ipAddress.breakGlassAsked', objectType: 'user', objectId: userId, after: { ip } })
    return true
  })
}

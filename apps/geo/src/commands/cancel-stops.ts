import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Parameters } from './catalogue.ts'
import { dangerOf } from './danger.ts'

/** Cancels unsent commands that may stop the vehicle: after engineResume nobody wants an older stop to follow. */
export async function cancelUnsentStops(db: Sql, { companyId, deviceId }: { companyId: string; deviceId: string }): Promise<void> {
  const waiting = await db.query<{ id: string; type: string; parameters: Parameters }>(sql`
    select "id", "type", "parameters" from geo.command where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "state" in ('asked', 'queued') for update`)
  const ids = waiting.filter(({ type, parameters }) => dangerOf(type, parameters) === 'interlock').map(({ id }) => id)
  if (ids.length > 0)
    await db.exec(
      sql`update geo.command set "state" = 'cancelled', "endedAt" = now(), "reason" = 'The engine was let run again' where "companyId" = ${companyId} and "id" = any(${ids}::uuid[])`,
    )
}

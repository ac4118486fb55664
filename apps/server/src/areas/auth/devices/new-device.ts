import { readUserAgent } from '@outpost/contract/user-agent'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { SessionServices } from '../../../kernel/session/services.ts'
import type { RequestInfo } from '../../../kernel/types.ts'
import { isKnownDevice } from '../cookies.ts'
import { isRemembered } from './devices.ts'

/**
 * True when the person has signed in before, but not from here: neither the browser carries their mark nor is the
 * program's device theirs. The very first sign-in is new to nobody.
 */
export async function isNewDeviceOf(
  db: Sql,
  services: SessionServices,
  { companyId, userId, deviceId }: { companyId: string; userId: string; deviceId: string | null },
  facts: RequestInfo,
): Promise<boolean> {
  if (isKnownDevice(services, facts, [userId])) return false
  if (deviceId !== null && (await isRemembered(db, { companyId, userId, deviceId }))) return false
  const before = await db.maybe(sql`
    select 1 as one from login_event where "companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid and "kind" = 'login' limit 1`)
  return before !== undefined
}

/** "Chrome on Android", as mails and the office's lists say it. */
export function describeDevice(userAgent: string | null, { on, unknown } = { on: ' on ', unknown: 'Unknown browser' }): string {
  const { browser, system } = readUserAgent(userAgent)
  return [browser ?? (system ? '' : unknown), system ?? ''].filter((word) => word !== '').join(on)
}

import { geoAudience, geoPermissions } from '@outpost/contract/geo/calls'
import { session } from '../session/services.ts'
import type { Ctx } from '../types.ts'

const tokenSeconds = 60

/** What the geo service is shown for a caller: company, reach, person and those of their rights that concern it, for a minute. */
export function serviceToken(ctx: Ctx): string {
  const { company, scope, user, realUser, tenant, permissions } = ctx
  return session().tokens.signService(
    geoAudience,
    {
      sub: user.id,
      act: realUser.id,
      cid: company.id,
      tid: tenant.id,
      scope,
      tz: company.timeZone,
      permissions: ctx.isGlobalAdministrator ? ['*'] : [...permissions].filter((path) => geoPermissions.has(path)),
    },
    tokenSeconds,
  )
}

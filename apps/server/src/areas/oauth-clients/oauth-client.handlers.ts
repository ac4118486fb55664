import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { numberOr } from '@outpost/contract/input'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { announce } from '../../kernel/realtime/announce.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { later } from '../../kernel/session/clock.ts'
import { hashSecret, makeSecret } from '../../kernel/session/tokens/opaque.ts'
import { requireWholeCompany } from '../../kernel/session/reach.ts'
import { reachChanged } from '../../kernel/session/rights.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { restore } from '../../kernel/resource/operations.ts'
import { oauthClient } from './oauth-client.resource.ts'

export const newSecretInput = z.strictObject({ id: idSchema, overlapHours: numberOr(z.int().min(0).max(168), 24) })
/** The whole secret, shown this once. */
export const newSecretAnswer = z.strictObject({ secret: z.string() })

/** A mark that scanners for leaked secrets find. */
const mark = 'ocs_'

/** A new secret; the old one is taken too for `overlapHours`, so that the other program can change over without a gap. */
export async function newSecret(ctx: Ctx, { id, overlapHours }: z.infer<typeof newSecretInput>): Promise<Answer> {
  requireWholeCompany(ctx)
  const { clientType } = await getRecord(ctx, oauthClient, id)
  if (clientType !== 'confidential') fail('CONFLICT', { message: 'A public client has no secret.' })
  const { clock } = session()
  const secret = `${mark}${makeSecret()}`
  const row = await ctx.sql.maybe<{ formerUntil: Date | null }>(sql`
    update oauth_client set
      "formerSecretHash" = case when ${overlapHours}::int > 0 then "secretHash" end,
      "formerUntil" = case when ${overlapHours}::int > 0 and "secretHash" is not null then ${later(clock, overlapHours * 3_600)}::timestamptz end,
      "secretHash" = ${hashSecret(secret)}, "secretToldAt" = ${later(clock)}, "version" = "version" + 1, "dateModified" = ${later(clock)}
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "deletedAt" is null returning "formerUntil"`)
  if (!row) return fail('NOT_FOUND')
  const hours = row.formerUntil === null ? 0 : overlapHours
  audit(ctx, { action: 'oauthClient.secret', objectType: 'oauthClient', objectId: id, after: { overlapHours: hours } })
  announce(ctx, { one: 'oauthClient' }, [id], 'updated')
  return { data: { secret }, message: hours === 0 ? 'Secret made' : `Secret replaced; the old one works for ${hours} more hours` }
}

const restored = restore(oauthClient)
/** Brought back, its people may go on at once. */
export const restoreOauthClients: typeof restored = {
  ...restored,
  run: async (ctx, input, facts) => {
    reachChanged(ctx)
    return restored.run(ctx, input, facts)
  },
}

import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { restore } from '../../kernel/resource/operations.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { reachChanged } from '../../kernel/session/rights.ts'
import type { Ctx, Operation } from '../../kernel/types.ts'
import { ipAddress } from './ip-address.resource.ts'
import { refuseOwnLockOut, refuseUnlessConfirmed } from './lock-out.ts'
import type { Rule } from './workers.ts'

const restored = restore(ipAddress)
const input = z.strictObject({ ids: z.array(idSchema).min(1).max(500), mayLockOut: z.boolean().nullish() })

/** Brought back entries hold at once, as new ones do: never against the caller, and against others only when the call says so. */
export const restoreUnlessLockedOut: Operation<z.infer<typeof input>> = {
  ...restored,
  input,
  run: async (ctx, { ids, mayLockOut }, facts) => {
    const change = { ids: [], rules: await deletedOf(ctx, ids) }
    await refuseOwnLockOut(ctx, change)
    await refuseUnlessConfirmed(ctx, change, mayLockOut ?? false)
    const answer = await restored.run(ctx, { ids }, facts)
    // Also against what was changed at the same moment.
    await refuseOwnLockOut(ctx)
    reachChanged(ctx)
    return answer
  },
}

/** Entries that are gone, as they would hold again. */
const deletedOf = (ctx: Ctx, ids: readonly string[]) =>
  ctx.sql.query<Rule & Record<string, unknown>>(sql`
    select "range", "appliesTo", "roleId", "userId" from ip_rule
    where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[]) and "deletedAt" is not null`)

import { z } from 'zod'
import { remove } from '../../kernel/resource/operations.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Operation } from '../../kernel/types.ts'
import { ipAddress } from './ip-address.resource.ts'
import { refuseOwnLockOut, refuseUnlessConfirmed } from './lock-out.ts'

const removed = remove(ipAddress)
const input = z.strictObject({ ids: z.array(idSchema).min(1).max(500), mayLockOut: z.boolean().nullish() })

/** Deletes entries, all at once: never against the caller, and against others only when the call says so. */
export const removeUnlessLockedOut: Operation<z.infer<typeof input>> = {
  ...removed,
  input,
  run: async (ctx, { ids, mayLockOut }, facts) => {
    const change = { ids: ids.map((id) => id.toLowerCase()) }
    await refuseOwnLockOut(ctx, change)
    await refuseUnlessConfirmed(ctx, change, mayLockOut ?? false)
    return removed.run(ctx, { ids }, facts)
  },
}

import { isDeepStrictEqual } from 'node:util'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { z } from 'zod'
import { getRecord, removeRecords, restoreRecords, updateRecord } from '../../kernel/resource/records.ts'
import { writeSchemas, type RecordInput } from '../../kernel/resource/schema.ts'
import { rightsChanged } from '../../kernel/session/rights.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { heldRightsOf, refuseHigher } from '../users/index.ts'
import { apiUser } from './api-user.resource.ts'
import type { manyInput } from './api-key.input.ts'

export const updateInput = writeSchemas(apiUser).update

/** Changes an API user; what it may then holds within five seconds. */
export async function updateApiUser(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const id = String(input.id)
  const before = await getRecord(ctx, apiUser, id)
  refuseHigher(ctx, await heldRightsOf(ctx, [id]))
  const saved = await updateRecord(ctx, apiUser, id, input)
  if (!isDeepStrictEqual([saved['permissions'], saved['tenants']], [before['permissions'], before['tenants']])) rightsChanged(ctx, [id])
  return { data: { apiUser: saved }, message: 'API user updated successfully' }
}

/** Deactivates API users, all or none: their keys get nobody in any more. */
export async function removeApiUsers(ctx: Ctx, { ids }: z.infer<typeof manyInput>): Promise<Answer> {
  await refuseHigherOnes(ctx, ids)
  await removeRecords(ctx, apiUser, ids)
  rightsChanged(ctx, ids)
  return { data: { ids }, message: ids.length === 1 ? 'API user deactivated' : `${ids.length} API users deactivated` }
}

/** Brings deactivated API users back, all or none, with the keys that are not over. */
export async function restoreApiUsers(ctx: Ctx, { ids }: z.infer<typeof manyInput>): Promise<Answer> {
  const restored = await restoreRecords(ctx, apiUser, ids)
  refuseHigher(ctx, await heldRightsOf(ctx, ids))
  await ctx.sql.exec(sql`update app_user set "status" = 1 where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[])`)
  rightsChanged(ctx, ids)
  return { data: { apiUsers: restored }, message: ids.length === 1 ? 'API user restored' : `${ids.length} API users restored` }
}

/** A right that the caller lacks is named only for API users he can see at all. */
async function refuseHigherOnes(ctx: Ctx, ids: readonly string[]): Promise<void> {
  for (const id of ids) await getRecord(ctx, apiUser, id)
  const held = await heldRightsOf(ctx, ids)
  if (held.length < ids.length) fail('NOT_FOUND')
  refuseHigher(ctx, held)
}

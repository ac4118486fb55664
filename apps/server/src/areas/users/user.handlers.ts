import { isDeepStrictEqual } from 'node:util'
import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { createRecord, getRecord, removeRecords, restoreRecords, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { idSchema, writeSchemas, type RecordInput } from '../../kernel/resource/schema.ts'
import { rightsChanged } from '../../kernel/session/rights.ts'
import { session } from '../../kernel/session/services.ts'
import { endSessionsOf } from '../../kernel/session/sessions.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { requestAuthMail } from '../auth/index.ts'
import { invited } from './invitations.ts'
import { giveWorkBack, handOverWork } from './handover.ts'
import { countOpenWork } from './open-work.ts'
import { user } from './user.resource.ts'
import { withAnAdministratorLeft, refuseHigher, heldRightsOf, type HeldRights } from './user.rules.ts'

export const createInput = writeSchemas(user).create
export const updateInput = writeSchemas(user).update
const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Creates a user, who is invited by mail to choose a password: none ever passes through here. */
export async function createUser(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const made = await createRecord(ctx, user, withTenants(ctx, input), invited())
  await requestAuthMail(ctx.sql, { companyId: ctx.company.id, userId: made.Id, kind: 'invite' })
  return { data: { user: made }, message: 'User created successfully. An invitation is on its way.' }
}

/** A new user works somewhere: where the input says, or where the caller does. */
export function withTenants({ tenant }: Pick<Ctx, 'tenant'>, input: RecordInput): RecordInput {
  const [main, given] = [text(input.tenantId), (input.tenants ?? []) as string[]]
  const tenants = withMain(given, main ?? (given.length > 0 ? undefined : tenant.id))
  return { ...input, tenants, tenantId: main ?? tenants[0] }
}

const withMain = (ids: string[], main: string | undefined) => (main === undefined || ids.includes(main) ? ids : [main, ...ids])

/** Changes a user; what roles or tenants change holds within five seconds. */
export async function updateUser(ctx: Ctx, { tenantId, ...input }: RecordInput): Promise<Answer> {
  const id = String(input.id)
  const before = await getRecord(ctx, user, id)
  const held = (await heldRightsOf(ctx, [id]))[0] ?? fail('NOT_FOUND')
  refuseHigher(ctx, [held])
  const main = mainTenant({
    asked: text(tenantId),
    tenantIds: (input.tenants as string[] | undefined) ?? held.tenantIds,
    present: String(before['tenantId']),
  })
  return withAnAdministratorLeft(ctx, [held], async () => {
    const saved = await updateRecord(ctx, user, id, { ...input, ...main })
    if (!isDeepStrictEqual(rightsOf(saved), rightsOf(before))) rightsChanged(ctx, [id])
    if (saved['emailAddress'] !== before['emailAddress']) await movedAddress(ctx, id)
    return { data: { user: saved }, message: 'User updated successfully' }
  })
}

const rightsOf = ({ roles, tenants, permissions }: WireRecord) => [roles, tenants, permissions]

/** Links to the old address are dead, see one-time.ts; whoever is signed in by it signs in again, and the new one is confirmed. */
async function movedAddress(ctx: Ctx, userId: string): Promise<void> {
  const companyId = ctx.company.id
  await requestAuthMail(ctx.sql, { companyId, userId, kind: 'verify' })
  ctx.afterCommit(async () => {
    await endSessionsOf(session(), { companyId, userId, exceptSessionId: ctx.sessionId }, 'replaced')
  })
}

/** The main tenant is always one of the user's. */
function mainTenant({ asked, tenantIds, present }: { asked: string | undefined; tenantIds: string[]; present: string }): {
  tenantId?: string
} {
  if (tenantIds.length === 0) failField('tenants', 'at least one is required')
  if (asked && !tenantIds.includes(asked)) failField('tenantId', 'is not one of the user’s tenants')
  const wanted = asked || (tenantIds.includes(present) ? present : tenantIds[0])
  return wanted === undefined || wanted === present ? {} : { tenantId: wanted }
}

export const manyInput = z.strictObject({ userIds: z.array(idSchema).min(1).max(500) })

export const deactivateInput = manyInput.extend({
  /** Who takes over the open work. */
  toUserId: idSchema.nullish(),
  /** The open work stays where it is. */
  leaveWork: z.boolean().nullish(),
})

export const openWorkInput = z.strictObject({ ids: manyInput.shape.userIds })

/** What users would leave behind, asked before they are deactivated. */
export async function openWork(ctx: Ctx, { ids }: z.infer<typeof openWorkInput>): Promise<Answer> {
  await heldRightsInSight(ctx, [...new Set(ids.map((id) => id.toLowerCase()))])
  return { data: await countOpenWork(ctx, ids) }
}

/** Deactivates users, all or none; their open work goes to somebody, their sessions end at once. Never oneself, never the last administrator. */
export async function deactivateUsers(ctx: Ctx, { userIds, ...choice }: z.infer<typeof deactivateInput>): Promise<Answer> {
  const ids = [...new Set(userIds.map((id) => id.toLowerCase()))]
  if (ids.includes(ctx.user.id) || ids.includes(ctx.realUser.id)) {
    fail('FORBIDDEN', { message: 'You cannot deactivate yourself.', fields: [{ field: 'userIds', message: 'holds your own id' }] })
  }
  const standings = await heldRightsInSight(ctx, ids)
  refuseHigher(ctx, standings)
  const handed = await handOverWork(ctx, ids, choice)
  await withAnAdministratorLeft(ctx, standings, () => removeRecords(ctx, user, ids))
  const companyId = ctx.company.id
  ctx.afterCommit(async () => {
    for (const userId of ids) await endSessionsOf(session(), { companyId, userId }, 'disabled')
  })
  return {
    data: { userIds: ids },
    message: `${ids.length === 1 ? 'User deactivated' : `${ids.length} users deactivated`}${handed && `.${handed}`}`,
  }
}

/** A right that one may not touch is named only for users one can see at all. */
export async function heldRightsInSight(ctx: Ctx, ids: readonly string[]): Promise<HeldRights[]> {
  const seen = await ctx.sql.query(sql`select t."id" from app_user t where ${visibleRows(ctx, user)} and t."id" = any(${ids}::uuid[])`)
  return seen.length < ids.length ? fail('NOT_FOUND') : heldRightsOf(ctx, ids)
}

/** Brings deactivated users back, all or none. */
export async function restoreUsers(ctx: Ctx, { userIds }: z.infer<typeof manyInput>): Promise<Answer> {
  const restored = await restoreRecords(ctx, user, userIds)
  const ids = restored.map(({ Id }) => Id)
  refuseHigher(ctx, await heldRightsOf(ctx, ids))
  await ctx.sql.exec(sql`update app_user set "status" = 1 where "companyId" = ${ctx.company.id}::uuid and "id" = any(${ids}::uuid[])`)
  await giveWorkBack(ctx, ids)
  return { data: { userIds: ids }, message: ids.length === 1 ? 'User restored' : `${ids.length} users restored` }
}

const words = z.string().trim().max(254).nullish()
export const existInput = z.strictObject({ emailAddress: words, userName: words, mobile: words, Id: idSchema.optional() })

/** Whether another user of the company, active or not, has one of these; data.exists and the fields it is about. */
export async function userExists(ctx: Ctx, { emailAddress, userName, mobile, Id }: z.infer<typeof existInput>): Promise<Answer> {
  const found = await ctx.sql.one<Record<'emailAddress' | 'userName' | 'mobile', boolean>>(sql`
    select coalesce(bool_or("emailAddress" = lower(${emailAddress ?? null}::text)), false) as "emailAddress",
      coalesce(bool_or(lower("userName") = lower(${userName ?? null}::text)), false) as "userName",
      coalesce(bool_or(regexp_replace("mobile", '[^0-9]', '', 'g') = nullif(regexp_replace(${mobile ?? null}::text, '[^0-9]', '', 'g'), '')), false) as mobile
    from app_user where "companyId" = ${ctx.company.id}::uuid and "id" is distinct from ${Id ?? null}::uuid`)
  const fields = Object.entries(found)
    .filter(([, isTaken]) => isTaken)
    .map(([field]) => field)
  return { data: { exists: fields.length > 0, fields } }
}

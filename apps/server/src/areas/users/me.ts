import { fail, failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { ignoredNames } from '../../kernel/resource/define.ts'
import { getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { checkInput, idSchema, writeSchemas } from '../../kernel/resource/schema.ts'
import { ctxElsewhere } from '../../kernel/session/elsewhere.ts'
import { identityOf, toConsoleUser } from '../../kernel/session/layout.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx, RequestInfo } from '../../kernel/types.ts'
import { requirePassword, setPassword } from '../auth/index.ts'
import { user } from './user.resource.ts'
import { refuseHigher, heldRightsOf } from './user.rules.ts'

/** The user as the console keeps one, with rights and tenants: one's own, or, with ADMIN/USERS, of a user in reach. */
export async function consoleUser(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  if (id === ctx.user.id) return { data: { user: { ...toConsoleUser(await identityOf(ctx)), ...(await contactOf(ctx)) } } }
  if ((await identityOf(ctx)).mustChangePassword) fail('MUST_CHANGE_PASSWORD')
  if (!holdsAny(ctx, 'ADMIN/USERS')) fail('FORBIDDEN')
  const { mobile, jobTitle } = await getRecord(ctx, user, id)
  const identity = await session()
    .identities.load({ companyId: ctx.company.id, userId: id, sessionId: null, tenantId: null })
    .catch(() => fail('NOT_FOUND'))
  return { data: { user: { ...toConsoleUser(identity), mobile, jobTitle } } }
}

/** Read where the user is at home, which for staff of a group is not the company worked in. */
function contactOf({ user: { companyId, id } }: Ctx): Promise<object> {
  return session().store.sql.one(
    sql`select "mobile", "jobTitle", "tenantId", "version" from app_user where "companyId" = ${companyId}::uuid and "id" = ${id}::uuid`,
  )
}

const shapeOf = <Key extends string>(keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, z.unknown().optional()])) as Record<Key, z.ZodOptional<z.ZodUnknown>>
const ownFields = ['firstName', 'lastName', 'mobile', 'jobTitle', 'version'] as const
/** What the administration changes: one's own profile may only repeat it. */
const officeFields = ['userName', 'emailAddress', 'tenantId'] as const
/** What else a profile holds when it is read, beside the names of a user. */
const toldFields = ['Id', 'picture', 'roles', 'tenants', 'permissions', 'rolepermissions', 'selectedTenant', 'tours', 'preferences']
/** What users change about themselves; name, address and rights are the administration's. A profile that was read may be sent back. */
export const profileInput = z.strictObject({
  ...shapeOf([...ignoredNames(user), ...toldFields]),
  ...shapeOf(officeFields),
  ...shapeOf(ownFields),
  id: idSchema,
})

export async function updateProfile(ctx: Ctx, input: z.infer<typeof profileInput>): Promise<Answer> {
  if (input.id !== ctx.user.id) fail('FORBIDDEN', { fields: [{ field: 'id', message: 'is not the signed-in user' }] })
  const home = ctx.user.companyId === ctx.company.id ? ctx : await atHome(ctx)
  // One's own record is in sight whatever tenant is selected, see userInReach.
  const before = await getRecord(home, user, ctx.user.id)
  const others = officeFields.filter((key) => input[key] !== undefined && input[key] !== before[key])
  if (others.length > 0) fail('INVALID', { fields: others.map((field) => ({ field, message: 'is changed by the administration' })) })
  const own = Object.fromEntries(ownFields.map((key) => [key, input[key]]))
  const saved = await updateRecord(home, user, ctx.user.id, checkInput(writeSchemas(user).update, { ...own, id: input.id }))
  session().changed({ companyId: ctx.user.companyId, userId: ctx.user.id })
  return { data: { user: saved }, message: 'Profile updated successfully' }
}

/** The caller where they are at home: for staff of a group, in the group. */
export async function atHome(ctx: Ctx): Promise<Ctx> {
  const id = ctx.user.companyId
  const { name, shortCode, type } = await session().store.sql.one<{ name: string; shortCode: string; type: number }>(sql`
    select "name", "shortCode", "type" from tenant where "companyId" = ${id}::uuid and "id" = ${id}::uuid`)
  const tenant = { id, companyId: id, parentId: null, name, shortCode, type, path: [id], locationRequired: false }
  return ctxElsewhere(ctx, { company: { ...ctx.company, id, name }, tenant })
}

const secret = z.string().min(1).max(1_000)
export const passwordInput = z.strictObject({ id: idSchema, password: secret, oldPassword: secret.optional() })

/**
 * One's own password, with the old one; or, with ADMIN/USERS/EDIT, that of a user in reach, who is asked for a new one
 * at the next sign-in. Ends the other sessions. Stops with INVALID (oldPassword) or WEAK_PASSWORD.
 */
export async function changePassword(
  ctx: Ctx,
  { id, password, oldPassword }: z.infer<typeof passwordInput>,
  facts: RequestInfo,
): Promise<Answer> {
  if (id === ctx.user.id) await changeOwn(ctx, { password, oldPassword }, facts)
  else await changeOther(ctx, id, password)
  return { data: {}, message: 'Password changed successfully' }
}

async function changeOwn(
  ctx: Ctx,
  { password, oldPassword }: Pick<z.infer<typeof passwordInput>, 'password' | 'oldPassword'>,
  facts: RequestInfo,
): Promise<void> {
  const {
    user: { companyId, id: userId },
    sessionId,
  } = ctx
  if (oldPassword === undefined) return failField('oldPassword', 'is required')
  await requirePassword(ctx, { password: oldPassword, field: 'oldPassword' }, facts)
  await setPassword({ companyId, userId, password, changedBy: userId, exceptSessionId: sessionId })
}

async function changeOther(ctx: Ctx, userId: string, password: string): Promise<void> {
  if ((await identityOf(ctx)).mustChangePassword) fail('MUST_CHANGE_PASSWORD')
  if (!holdsAny(ctx, 'ADMIN/USERS/EDIT')) fail('FORBIDDEN')
  await getRecord(ctx, user, userId)
  refuseHigher(ctx, await heldRightsOf(ctx, [userId]))
  await setPassword({ companyId: ctx.company.id, userId, password, changedBy: ctx.user.id, mustChange: true })
}

const progress = {
  status: z.enum(['started', 'done', 'skipped']),
  step: z.int().min(0).max(1_000).optional(),
  version: z.int().min(0).max(100_000).optional(),
}
/** How far the caller is in one tour: its name and its state. */
export const tourInput = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[\w./:-]{1,60}$/, 'may hold letters, digits and . / : - _ only'),
  ...progress,
})
const maxTours = 100

/** Remembers a tour with the user, so that it is not offered on every device again. */
export async function saveTour({ user: { companyId, id } }: Ctx, { name, ...state }: z.infer<typeof tourInput>): Promise<Answer> {
  const services = session()
  const tour = JSON.stringify({ [name]: { ...state, at: new Date().toISOString() } })
  const row = await services.store.write(null, (db) =>
    db.maybe<{ tours: object }>(sql`
    update app_user set "tours" = "tours" || ${tour}::jsonb where "companyId" = ${companyId}::uuid and "id" = ${id}::uuid
      and ("tours" ? ${name} or (select count(*) from jsonb_object_keys("tours")) < ${maxTours}) returning "tours"`),
  )
  if (!row) failField('name', `there are ${maxTours} tours already`)
  services.changed({ companyId, userId: id })
  return { data: { tours: row.tours } }
}

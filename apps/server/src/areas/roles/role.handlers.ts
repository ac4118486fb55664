import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { createRecord, getRecord, removeRecords, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { checkInput, idSchema, writeSchemas } from '../../kernel/resource/schema.ts'
import { rightsChanged } from '../../kernel/session/rights.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { role } from './role.resource.ts'
import { readPermissions, refuseRoleChange, refuseWider } from './role.rules.ts'

const hierarchies = z.array(z.union([z.string().max(200), z.object({ hierarchy: z.string().max(200) })])).max(1_000).optional()
/** A role with its permissions, as paths or as records that carry one; the rest is checked by the resource. */
export const createInput = z.looseObject({ permissions: hierarchies })
export const updateInput = createInput.extend({ id: idSchema })

const pathsOf = (given: z.infer<typeof hierarchies>) => given && readPermissions(given.map((one) => (typeof one === 'string' ? one : one.hierarchy)))
const heldBy = (record: WireRecord) => (record['permissions'] as { hierarchy: string }[]).map(({ hierarchy }) => hierarchy)

export async function createRole(ctx: Ctx, { permissions, ...body }: z.infer<typeof createInput>): Promise<Answer> {
  return { data: { role: await insertRole(ctx, body, pathsOf(permissions) ?? []) }, message: 'Role created successfully' }
}

async function insertRole(ctx: Ctx, body: object, permissions: string[]): Promise<WireRecord> {
  refuseWider(ctx, permissions)
  const { Id } = await createRecord(ctx, role, checkInput(writeSchemas(role).create, body))
  await setPermissions(ctx, Id, [], permissions)
  return getRecord(ctx, role, Id)
}

/** Changes a role; who has it works under the new rights within five seconds. */
export async function updateRole(ctx: Ctx, { id, permissions, ...body }: z.infer<typeof updateInput>): Promise<Answer> {
  const before = await getRecord(ctx, role, id)
  const [held, wanted] = [heldBy(before), pathsOf(permissions)]
  refuseRoleChange(ctx, { name: String(before['name']), systemRole: before['systemRole'] as string | null, permissions: held }, wanted)
  await updateRecord(ctx, role, id, checkInput(writeSchemas(role).update, { ...body, id }))
  if (wanted && await setPermissions(ctx, id, held, wanted)) rightsChanged(ctx, await holdersOf(ctx, id))
  return { data: { role: await getRecord(ctx, role, id) }, message: 'Role updated successfully' }
}

/** Sets exactly these permissions; false when they were so already. */
async function setPermissions(ctx: Ctx, roleId: string, before: readonly string[], after: readonly string[]): Promise<boolean> {
  const [added, dropped] = [after.filter((one) => !before.includes(one)), before.filter((one) => !after.includes(one))]
  if (added.length + dropped.length === 0) return false
  await ctx.sql.exec(sql`delete from role_permission where "companyId" = ${ctx.company.id}::uuid and "roleId" = ${roleId}::uuid and "hierarchy" = any(${dropped}::text[])`)
  await ctx.sql.exec(sql`
    insert into role_permission ("companyId", "roleId", "hierarchy") select ${ctx.company.id}::uuid, ${roleId}::uuid, p
    from unnest(${added}::text[]) p on conflict do nothing`)
  audit(ctx, { action: 'role.permissions', objectType: 'role', objectId: roleId, before: { dropped }, after: { added } })
  return true
}

async function holdersOf(ctx: Ctx, roleId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ userId: string }>(sql`select "userId" from user_role where "companyId" = ${ctx.company.id}::uuid and "roleId" = ${roleId}::uuid`)
  return rows.map(({ userId }) => userId)
}

export const cloneInput = z.strictObject({ id: idSchema, name: z.string().trim().min(1).max(60) })

/** A new role with the rights of another one. */
export async function cloneRole(ctx: Ctx, { id, name }: z.infer<typeof cloneInput>): Promise<Answer> {
  const original = await getRecord(ctx, role, id)
  const made = await insertRole(ctx, { name, description: original['description'] ?? null }, heldBy(original))
  return { data: { role: made }, message: 'Role copied' }
}

export const removeInput = z.strictObject({ id: idSchema })

export async function removeRole(ctx: Ctx, { id }: z.infer<typeof removeInput>): Promise<Answer> {
  await ctx.sql.exec(sql`delete from saved_view where "companyId" = ${ctx.company.id}::uuid and "scope" = 'role' and "roleId" = ${id}::uuid`)
  await removeRecords(ctx, role, [id])
  return { data: { ids: [id] }, message: 'Role deleted successfully' }
}

export const compareInput = z.strictObject({ a: idSchema, b: idSchema })

/** Two roles side by side: what only one may, and what both may. */
export async function compareRoles(ctx: Ctx, { a, b }: z.infer<typeof compareInput>): Promise<Answer> {
  if (a === b) fail('INVALID', { fields: [{ field: 'b', message: 'is the same role as a' }] })
  const [one, other] = [await getRecord(ctx, role, a), await getRecord(ctx, role, b)]
  const [first, second] = [heldBy(one), heldBy(other)]
  return {
    data: {
      a: { Id: one.Id, name: one['name'] }, b: { Id: other.Id, name: other['name'] },
      onlyA: first.filter((path) => !second.includes(path)), onlyB: second.filter((path) => !first.includes(path)),
      both: first.filter((path) => second.includes(path)),
    },
  }
}

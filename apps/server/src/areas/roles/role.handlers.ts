import { isDeepStrictEqual } from 'node:util'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { createRecord, getRecord, removeRecords, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema, writeSchemas, type RecordInput } from '../../kernel/resource/schema.ts'
import { rightsChanged } from '../../kernel/session/rights.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { role } from './role.resource.ts'
import { readPermissions, refuseRoleChange } from './role.rules.ts'

const heldBy = (record: WireRecord) => (record['permissions'] as { hierarchy: string }[]).map(({ hierarchy }) => hierarchy)

export const updateInput = writeSchemas(role).update

/** Changes a role; who has it works under the new rights within five seconds. */
export async function updateRole(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const id = String(input.id)
  const before = await getRecord(ctx, role, id)
  const [held, wanted] = [heldBy(before), input.permissions === undefined ? undefined : readPermissions(input.permissions as string[])]
  refuseRoleChange(ctx, { name: String(before['name']), systemRole: before['systemRole'] as string | null, permissions: held }, wanted)
  const saved = await updateRecord(ctx, role, id, input)
  if (!isDeepStrictEqual(saved['permissions'], before['permissions'])) rightsChanged(ctx, await holdersOf(ctx, id))
  return { data: { role: saved }, message: 'Role updated successfully' }
}

async function holdersOf(ctx: Ctx, roleId: string): Promise<string[]> {
  const rows = await ctx.sql.query<{ userId: string }>(
    sql`select "userId" from user_role where "companyId" = ${ctx.company.id}::uuid and "roleId" = ${roleId}::uuid`,
  )
  return rows.map(({ userId }) => userId)
}

export const cloneInput = z.strictObject({ id: idSchema, name: z.string().trim().min(1).max(60) })

/** A new role with the rights of another one. */
export async function cloneRole(ctx: Ctx, { id, name }: z.infer<typeof cloneInput>): Promise<Answer> {
  const original = await getRecord(ctx, role, id)
  const { description = null, asksSecondFactor } = original
  const made = await createRecord(ctx, role, { name, description, asksSecondFactor, permissions: heldBy(original) })
  return { data: { role: made }, message: 'Role copied' }
}

export const removeInput = z.strictObject({ id: idSchema })

export async function removeRole(ctx: Ctx, { id }: z.infer<typeof removeInput>): Promise<Answer> {
  await ctx.db.savedView.deleteMany({ where: { companyId: ctx.company.id, scope: 'role', roleId: id } })
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
      a: { Id: one.Id, name: one['name'] },
      b: { Id: other.Id, name: other['name'] },
      onlyA: first.filter((path) => !second.includes(path)),
      onlyB: second.filter((path) => !first.includes(path)),
      both: first.filter((path) => second.includes(path)),
    },
  }
}

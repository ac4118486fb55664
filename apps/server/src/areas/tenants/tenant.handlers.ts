import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { createRecord, getRecord, removeRecords, updateRecord } from '../../kernel/resource/records.ts'
import { idSchema, writeSchemas, type RecordInput } from '../../kernel/resource/schema.ts'
import { reachChanged } from '../../kernel/session/rights.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { foundCompany, type NewCompany } from './company.ts'
import { locateUser } from './tenant.location.ts'
import { tenant } from './tenant.resource.ts'
import { lockTree } from './tenant.rules.ts'

/** The four kinds of tenant. */
export function tenantTypes(): Answer {
  const names = ['Group', 'Company', 'Branch', 'Team']
  return { data: { tenanttypes: names.map((name, index) => ({ Id: index + 1, name })) } }
}

/** A branch or team below a parent of the caller's reach, or, for a global administrator, a company of the group. */
export const createInput = writeSchemas(tenant).create

export async function createTenant(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const made = input['type'] === 2 ? await foundCompany(ctx, input as unknown as NewCompany) : await createPlain(ctx, input)
  return { data: { tenant: made }, message: 'Tenant created successfully' }
}

function createPlain(ctx: Ctx, input: Record<string, unknown>) {
  return ctx.transaction(async (inner) => {
    await lockTree(inner)
    reachChanged(inner)
    return createRecord(inner, tenant, input)
  })
}

export const updateInput = writeSchemas(tenant).update

/** Changes a tenant; a new parent takes along everything below, in one statement. */
export async function updateTenant(ctx: Ctx, input: RecordInput): Promise<Answer> {
  const id = String(input['id'])
  if (input['parentId'] !== undefined) await lockTree(ctx)
  const before = await getRecord(ctx, tenant, id)
  const saved = await updateRecord(ctx, tenant, id, input)
  if (saved['parentId'] !== before['parentId']) {
    await moveBelow(ctx, id)
    reachChanged(ctx)
  }
  return { data: { tenant: saved }, message: 'Tenant updated successfully' }
}

/** Gives everything below a moved tenant its new path. */
async function moveBelow(ctx: Ctx, id: string): Promise<void> {
  await ctx.sql.exec(sql`
    update tenant t set "path" = top."path" || t."path"[array_position(t."path", top."id") + 1:], "version" = t."version" + 1, "dateModified" = now()
    from tenant top where top."companyId" = ${ctx.company.id}::uuid and top."id" = ${id}::uuid
      and t."companyId" = top."companyId" and t."path" @> array[top."id"] and t."id" <> top."id"`)
}

export const removeInput = z.strictObject({ id: idSchema })

export async function removeTenant(ctx: Ctx, { id }: z.infer<typeof removeInput>): Promise<Answer> {
  await lockTree(ctx)
  await removeRecords(ctx, tenant, [id])
  reachChanged(ctx)
  return { data: { ids: [id] }, message: 'Tenant deleted successfully' }
}

export const userInput = z.strictObject({ userId: idSchema })

/** Where work of a user takes place when it names no place; empty texts and zeros when nothing is known. */
export async function locationOf(ctx: Ctx, { userId }: z.infer<typeof userInput>): Promise<Answer> {
  const inReach = userInReach(ctx, 'u') ?? sql`true`
  const user =
    userId === ctx.user.id ||
    (await ctx.sql.maybe(sql`
    select 1 as one from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid and ${inReach}`))
  if (!user) fail('NOT_FOUND')
  return { data: { location: (await locateUser(ctx, userId)) ?? { location: '', lat: '0', lng: '0' } } }
}

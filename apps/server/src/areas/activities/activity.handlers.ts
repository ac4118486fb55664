import { fail } from '@outpost/contract/errors'
import { toTenantOptions } from '@outpost/rules/option-label'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { createRecord, getRecord, updateRecord } from '../../kernel/resource/records.ts'
import { checkInput, writeSchemas } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { activity } from './activity.resource.ts'

const idsOrRecords = z.array(z.union([z.uuid(), z.object({ Id: z.uuid() })])).max(200).optional()
/** An activity with its agents and leads, by id or as records that carry one; the rest is checked by the resource. */
export const activityInput = z.looseObject({ assignedUsers: idsOrRecords, leads: idsOrRecords })
export const activityUpdate = activityInput.extend({ id: z.uuid() })

const idsOf = (given: z.infer<typeof idsOrRecords>) => given?.map((one) => (typeof one === 'string' ? one : one.Id))

export async function createActivity(ctx: Ctx, { assignedUsers, leads, ...body }: z.infer<typeof activityInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const made = await createRecord(inner, activity, checkInput(writeSchemas(activity).create, body))
    await link(inner, made.Id, { users: idsOf(assignedUsers) ?? [inner.user.id], leads: idsOf(leads) ?? [] })
    return { data: { activity: await getRecord(inner, activity, made.Id) }, message: 'Activity created successfully' }
  })
}

export async function updateActivity(ctx: Ctx, { id, assignedUsers, leads, ...body }: z.infer<typeof activityUpdate>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    await updateRecord(inner, activity, id, checkInput(writeSchemas(activity).update, { ...body, id }))
    await link(inner, id, { users: idsOf(assignedUsers), leads: idsOf(leads) })
    return { data: { activity: await getRecord(inner, activity, id) }, message: 'Activity Updated Successfully.' }
  })
}

interface Links { users: string[] | undefined, leads: string[] | undefined }

/** Sets agents and leads to exactly the given ones; undefined leaves them. All must be of the company and in reach. */
async function link(ctx: Ctx, activityId: string, { users, leads }: Links): Promise<void> {
  const company = ctx.company.id
  const [{ tenantId }] = [await ctx.sql.one<{ tenantId: string }>(sql`select "tenantId" from activity where "companyId" = ${company} and "id" = ${activityId}`)]
  if (users) {
    await ctx.sql.exec(sql`delete from activity_assignment where "companyId" = ${company} and "activityId" = ${activityId} and not ("userId" = any(${users}::uuid[]))`)
    const known = await ctx.sql.exec(sql`
      insert into activity_assignment ("companyId", "id", "tenantId", "activityId", "userId")
      select ${company}::uuid, gen_random_uuid(), ${tenantId}::uuid, ${activityId}::uuid, u."id" from app_user u
      where u."companyId" = ${company} and u."id" = any(${users}::uuid[]) and u."deletedAt" is null
      on conflict ("companyId", "activityId", "userId") do update set "tenantId" = excluded."tenantId"`)
    if (known < new Set(users).size) fail('INVALID', { fields: [{ field: 'assignedUsers', message: 'names a user that does not exist' }] })
  }
  if (leads) {
    await ctx.sql.exec(sql`delete from activity_lead where "companyId" = ${company} and "activityId" = ${activityId} and not ("leadId" = any(${leads}::uuid[]))`)
    const known = await ctx.sql.exec(sql`
      insert into activity_lead ("companyId", "activityId", "leadId", "tenantId")
      select ${company}::uuid, ${activityId}::uuid, l."id", ${tenantId}::uuid from lead l
      where l."companyId" = ${company} and l."id" = any(${leads}::uuid[]) and l."deletedAt" is null
      on conflict do nothing`)
    const held = known === leads.length || (await ctx.sql.one<{ n: number }>(sql`
      select count(*)::int as n from activity_lead where "companyId" = ${company} and "activityId" = ${activityId}`)).n === new Set(leads).size
    if (!held) fail('INVALID', { fields: [{ field: 'leads', message: 'names a lead that does not exist' }] })
  }
}

type OptionTable = 'activity_type' | 'activity_status'

/** Active options of the caller's tenant and its parents; another tenant's carry its short code in brackets. */
export function optionsOf(table: OptionTable, many: string) {
  return async (ctx: Ctx): Promise<Answer> => {
    const from = table === 'activity_type' ? sql`activity_type` : sql`activity_status`
    const extra = table === 'activity_type' ? sql`` : sql`, o."default", o."meaning", o."position"`
    const rows = await ctx.sql.query<{ Id: string, name: string, tenantId: string, shortCode: string }>(sql`
      select o."id" as "Id", o."name", o."tenantId", o."status", o."colour" ${extra}, b."shortCode" from ${from} o
      join tenant b on b."companyId" = o."companyId" and b."id" = o."tenantId"
      where o."companyId" = ${ctx.company.id} and o."status" = 1 and (o."tenantId" = any(${ctx.tenant.path}::uuid[]) or ${ctx.tenant.type === 2})`)
    const codes = new Map(rows.map((row) => [row.tenantId, row.shortCode]))
    return { data: { [many]: toTenantOptions(rows, ctx.tenant.id, codes) } }
  }
}

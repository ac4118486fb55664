import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { companyDay } from '../days.ts'
import { userName } from '../names.ts'
import { getRecord } from '../resource/records.ts'
import type { AnyResource, Answer, Ctx, PanelDefinition } from '../types.ts'

/** Where a record is filed and who looks after it. */
export interface Place {
  tenantId: string
  userId: string | null
}

export interface Transfer {
  one: string
  id: string
  from: Place
  to: Place
  reason?: string | null
  /** Product of a loan. */
  label?: string | null
}

/** Keeps that a record went to another branch or person, on the company's day of today. Nothing where nothing changed. */
export async function noteTransfer(ctx: Ctx, { one, id, from, to, reason = null, label = null }: Transfer): Promise<void> {
  if (from.tenantId === to.tenantId && from.userId === to.userId) return
  await ctx.sql.exec(sql`
    insert into record_transfer ("companyId", "id", "objectType", "objectId", "label", "fromTenantId", "toTenantId", "fromUserId", "toUserId", "reason", "transferredByUserId", "realUserId", "transferredOn")
    values (${ctx.company.id}::uuid, uuidv7(), ${one}, ${id}::uuid, ${label}, ${from.tenantId}::uuid, ${to.tenantId}::uuid, ${from.userId}::uuid, ${to.userId}::uuid, ${reason},
      ${ctx.user.id}::uuid, ${ctx.realUser.id}::uuid, ${companyDay(ctx)}::date)`)
}

const text = z.string().nullable()
export const transfersAnswer = z.strictObject({
  transfers: z.array(
    z.strictObject({
      Id: identifierSchema,
      transferredOn: z.iso.date(),
      dateCreated: z.iso.datetime(),
      fromBranch: text,
      toBranch: text,
      fromOfficer: text,
      toOfficer: text,
      reason: text,
      who: text,
    }),
  ),
})

/** Where a record was before, newest first. */
export async function transfersOf(ctx: Ctx, resource: AnyResource, id: string): Promise<Answer> {
  await getRecord(ctx, resource, id)
  const branch = (column: 'fromTenantId' | 'toTenantId') =>
    sql`(select n."name" from tenant n where n."companyId" = t."companyId" and n."id" = ${column === 'fromTenantId' ? sql`t."fromTenantId"` : sql`t."toTenantId"`})`
  const transfers = await ctx.sql.query(sql`
    select t."id" as "Id", to_char(t."transferredOn", 'YYYY-MM-DD') as "transferredOn", t."dateCreated", ${branch('fromTenantId')} as "fromBranch", ${branch('toTenantId')} as "toBranch",
      ${userName(sql`t."companyId"`, sql`t."fromUserId"`)} as "fromOfficer", ${userName(sql`t."companyId"`, sql`t."toUserId"`)} as "toOfficer", t."reason",
      ${userName(sql`t."companyId"`, sql`t."transferredByUserId"`)} as who
    from record_transfer t where t."companyId" = ${ctx.company.id}::uuid and t."objectType" = ${resource.one} and t."objectId" = ${id}::uuid
    order by t."dateCreated" desc, t."id" desc limit 200`)
  return { data: { transfers } }
}

const words = (label: string) => ({ kind: 'text', label }) as const

/** Tab with where a record was before. */
export const transfersPanel = (route: string, one: string): PanelDefinition => ({
  key: 'transfers',
  title: 'Transfers',
  route,
  value: 'transfers',
  fields: {
    transferredOn: { kind: 'date', label: 'On' },
    fromBranch: words('From branch'),
    toBranch: words('To branch'),
    fromOfficer: words('From officer'),
    toOfficer: words('To officer'),
    reason: words('Reason'),
    who: words('By'),
    dateCreated: { kind: 'dateTime', label: 'When' },
  },
  empty: { title: `This ${one} was never given to another branch or officer` },
})

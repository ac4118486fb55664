import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { trimPhone } from '@outpost/rules/phone'
import { z } from 'zod'
import { listRecords } from '../../kernel/resource/read/list.ts'
import { createRecord, getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { client } from './client.resource.ts'

export const searchInput = z.strictObject({ name: z.string().trim().min(1).max(100) })

/** Clients whose name, number or address holds the text; at most 50, newest first. */
export function searchClients(ctx: Ctx, { name }: z.infer<typeof searchInput>): Promise<Answer> {
  return listRecords(ctx, client, { search: name, page: 1, size: 50 })
}

export const phoneInput = z.strictObject({ phone: z.string().trim().min(1).max(25) })

/** The caller's client with this mobile number, however it is written. */
export async function clientByPhone(ctx: Ctx, { phone }: z.infer<typeof phoneInput>): Promise<Answer> {
  const trimmed =
    trimPhone(phone, ctx.company.country) ?? fail('INVALID', { fields: [{ field: 'phone', message: 'is not a phone number' }] })
  const found = await ctx.sql.maybe<{ id: string }>(sql`
    select "id" from client where "companyId" = ${ctx.company.id} and "trimmedPhonenumber" = ${trimmed} and "deletedAt" is null order by "dateCreated" desc limit 1`)
  return { data: { client: await getRecord(ctx, client, found?.id ?? fail('NOT_FOUND')) } }
}

/** Columns of a client as a lead holds them, with the tenant they are filed under. */
export type NewClient = Readonly<Record<string, unknown>> & { tenantId: string; leadId: string }

/** Files a client in the running transaction. ALREADY_EXISTS when the lead has one. */
export function createClient(ctx: Ctx, values: NewClient): Promise<WireRecord> {
  return createRecord(ctx, client, {}, { ...values, createdByUserId: ctx.user.id })
}

import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { client } from './client.resource.ts'

export const affordabilityInput = z.strictObject({ search: z.string().max(200).optional() })

const money = z.number().nullable()
const text = z.string().nullable()
export const affordabilityAnswer = z.strictObject({
  clients: z.array(
    z.strictObject({
      Id: identifierSchema,
      fullName: z.string(),
      phonenumber: z.string(),
      employer: text,
      leadId: identifierSchema.nullable(),
      runId: identifierSchema,
      outcome: z.string(),
      affordable: money,
      instalment: money,
      calculator: z.string(),
      ruleSetId: z.string(),
      ruleSetVersion: z.string(),
      assessedAt: z.iso.datetime(),
      isOutdated: z.boolean(),
    }),
  ),
})

const most = 100

/**
 * Clients in reach that were assessed, each with the last assessment of the person, as a client or as a lead, and of those merged into
 * them, newest first. `isOutdated`: older
 * than the days that an assessment holds in the company.
 */
export async function clientAffordability(ctx: Ctx, { search = '' }: z.infer<typeof affordabilityInput>): Promise<Answer> {
  const pattern = `%${search
    .trim()
    .toUpperCase()
    .replace(/[\\%_]/g, '\\$&')}%`
  const clients = await ctx.sql.query(sql`
    select t."id" as "Id", concat_ws(' ', t."firstName", t."lastName") as "fullName", t."phonenumber", t."employer", t."leadId", r."id" as "runId", r."outcome",
      r."affordable"::float8 as affordable, r."instalment"::float8 as instalment, r."calculator", r."ruleSetId", r."ruleSetVersion", r."dateCreated" as "assessedAt",
      r."dateCreated" < now() - make_interval(days => (select coalesce(c."assessmentDays", 90)::int from tenant c where c."companyId" = t."companyId" and c."id" = t."companyId")) as "isOutdated"
    from client t cross join lateral (
      with recursive family(id) as (
        select t."leadId" union select m."loserId" from lead_merge m join family f on f.id = m."winnerId" where m."companyId" = t."companyId" and m."undoneAt" is null),
      self(id) as (
        select t."id" union select m."loserId" from client_merge m join self s on s.id = m."winnerId" where m."companyId" = t."companyId" and m."undoneAt" is null)
      select a.* from affordability_run a where a."companyId" = t."companyId" and (a."leadId" = any(array(select id from family)) or a."clientId" = any(array(select id from self))) order by a."dateCreated" desc, a."id" desc limit 1) r
    where ${visibleRows(ctx, client)} and t."searchText" like ${pattern}
    order by r."dateCreated" desc, t."id" limit ${most}`)
  return { data: { clients } }
}

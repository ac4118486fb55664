import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import { session } from '../../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { describeDevice } from './new-device.ts'

/** How one signed in or tried to; the reason of an impersonation is the administration's. `e`: the row of login_event. */
export const wayOf = sql`case when e."kind" in ('login', 'refused') then
  case when e."detail" in ('code', 'biometric', 'passkey', 'saml') then e."detail" when e."detail" = 'second factor' then 'second-factor' else 'password' end end`

/** The place of an address, where the company has given it a name; the narrowest range that holds it. */
export const placeOf = sql`(
  select r."name" from ip_rule r where r."companyId" = e."companyId" and r."deletedAt" is null
    and case when pg_input_is_valid(e."ip", 'inet') and pg_input_is_valid(r."range", 'inet') then e."ip"::inet <<= r."range"::inet else false end
  order by masklen(r."range"::inet) desc, r."id" limit 1)`

/** The longest that a history goes back at once. */
const most = 100

/** What happened at the door of an account, the newest first. */
export async function readSignIns(db: Pick<Sql, 'query'>, { companyId, userId }: { companyId: string; userId: string }): Promise<object[]> {
  const rows = await db.query<{ userAgent: string | null }>(sql`
    select e."id" as "Id", e."dateCreated", e."kind" as outcome, ${wayOf} as way, e."ip", ${placeOf} as place, e."userAgent", e."isNewDevice"
    from login_event e where e."companyId" = ${companyId}::uuid and e."userId" = ${userId}::uuid
    order by e."dateCreated" desc, e."id" desc limit ${most}`)
  return rows.map((row) => ({ ...row, device: row.userAgent === null ? null : describeDevice(row.userAgent) }))
}

/** The caller's own. */
export async function ownSignIns({ user }: Ctx): Promise<Answer> {
  return { data: { signIns: await readSignIns(session().store.sql, { companyId: user.companyId, userId: user.id }) } }
}

export const signInsAnswer = z.strictObject({
  signIns: z.array(
    z.strictObject({
      Id: identifierSchema,
      dateCreated: z.iso.datetime(),
      /** login | refused | logout | impersonation | refresh-reuse */
      outcome: z.string(),
      /** password | second-factor | code | biometric | passkey | saml; null where nobody signed in */
      way: z.string().nullable(),
      ip: z.string().nullable(),
      /** The name that the company gave the address, if it did. */
      place: z.string().nullable(),
      userAgent: z.string().nullable(),
      device: z.string().nullable(),
      isNewDevice: z.boolean(),
    }),
  ),
})

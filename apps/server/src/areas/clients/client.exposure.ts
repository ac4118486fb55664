import { identifierSchema } from '@outpost/contract/input'
import { empty, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Answer, Ctx, PanelDefinition } from '../../kernel/types.ts'
import { client } from './client.resource.ts'

export const exposureAnswer = z.strictObject({
  clients: z.array(
    z.strictObject({
      Id: identifierSchema,
      name: z.string(),
      reasons: z.string(),
      ties: z.array(z.string()),
      phonenumber: z.string(),
      status: z.string(),
      city: z.string().nullable(),
      agent: z.string().nullable(),
    }),
  ),
})

const most = 100
/** The last nine digits identify a number however its country is written; numbers of fewer than seven digits are not compared. */
const tail = (number: Statement) => sql`nullif(right(regexp_replace(coalesce(${number}, '0'), '[^0-9]', '', 'g'), 9), '0')`

/** Guarantors of clients in their applications, for whoever may see applications. */
const guarantors = (ctx: Ctx): Statement =>
  holdsAny(ctx, 'SALES/LEADS', 'LOAN/DISBURSEMENTS')
    ? sql`union all select c."id", g."name", ${tail(sql`g."phonenumber"`)}, nullif(g."idNumber", ''), true from application_guarantor g
        join loan_application a on a."companyId" = g."companyId" and a."id" = g."applicationId" and a."deletedAt" is null
        join client c on c."companyId" = a."companyId" and (c."id" = a."clientId" or a."clientId" is null and c."leadId" = a."leadId")
      where g."companyId" = ${ctx.company.id}::uuid`
    : empty

/**
 * Clients in the caller's reach who are tied to this one, each with the reasons: a phone number or an address that both have, next of
 * kin or a guarantor they share (of the client or of an application), or one standing by the other. What ties most comes first. A place
 * of work ties nobody: colleagues share it.
 */
export async function clientExposure(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, client, id)
  const company = sql`${ctx.company.id}::uuid`
  const clients = await ctx.sql.query(sql`
    with me as (select * from client where "companyId" = ${company} and "id" = ${id}::uuid),
    number(tail) as (
      select ${tail(sql`n.v`)} from (select unnest(array["phonenumber", "contactNumber"]) v from me
        union all select "value" from client_contact where "companyId" = ${company} and "clientId" = ${id}::uuid and "kind" <> 'E-mail') n),
    mine as (select array(select tail from number where length(tail) >= 7) as tails),
    person("clientId", "name", tail, "idNumber", "isGuarantor") as (
      select "clientId", "name", ${tail(sql`"phonenumber"`)}, nullif("idNumber", ''), "isGuarantor" from client_kin where "companyId" = ${company}
      ${guarantors(ctx)}),
    kin as (select distinct "name", tail, "idNumber", "isGuarantor" from person where "clientId" = ${id}::uuid),
    place("clientId", lineone, city) as (
      select "clientId", lower(trim("lineone")), lower(trim(coalesce("city", ''))) from (
        select "id" as "clientId", "lineone", "city" from client where "companyId" = ${company}
        union all select "clientId", "lineone", "city" from client_address where "companyId" = ${company} and "kind" <> 'Work') a where trim("lineone") <> ''),
    found("clientId", reason) as (
      select c."id", 'same phone' from client c, mine where c."companyId" = ${company} and (${tail(sql`c."phonenumber"`)} = any(mine.tails) or ${tail(sql`c."contactNumber"`)} = any(mine.tails))
      union select c."clientId", 'same phone' from client_contact c, mine where c."companyId" = ${company} and c."kind" <> 'E-mail' and ${tail(sql`c."value"`)} = any(mine.tails)
      union select p."clientId", 'same address' from place p join place own using (lineone, city) where own."clientId" = ${id}::uuid
      union select k."clientId", concat(case when k."isGuarantor" or kin."isGuarantor" then 'same guarantor' else 'same next of kin' end, ' (', kin."name", ')')
        from person k join kin on (length(kin.tail) >= 7 and k.tail = kin.tail) or k."idNumber" = kin."idNumber"
      union select k."clientId", case when k."isGuarantor" then 'has this client as guarantor' else 'has this client as next of kin' end
        from person k, me, mine where k.tail = any(mine.tails) or k."idNumber" = nullif(me."idNumber", '')
      union select c."id", case when kin."isGuarantor" then 'is guarantor of this client' else 'is next of kin of this client' end
        from client c join kin on (length(kin.tail) >= 7 and ${tail(sql`c."phonenumber"`)} = kin.tail) or c."idNumber" = kin."idNumber" where c."companyId" = ${company})
    select t."id" as "Id", concat_ws(' ', t."firstName", t."lastName") as name, string_agg(f.reason, ', ' order by f.reason) as reasons, array_agg(f.reason order by f.reason) as ties, t."phonenumber", t."status", t."city",
      (select nullif(concat_ws(' ', u."firstName", u."lastName"), '') from app_user u where u."companyId" = t."companyId" and u."id" = t."assignedUserId") as agent
    from client t join found f on f."clientId" = t."id" where ${visibleRows(ctx, client)} and t."id" <> ${id}::uuid
    group by t."companyId", t."id" order by count(*) desc, 2, 1 limit ${most}`)
  return { data: { clients } }
}

/** Tab of a client with those tied to them. */
export const exposurePanel: PanelDefinition = {
  key: 'exposure',
  title: 'Ties',
  route: 'clients.exposure',
  value: 'clients',
  open: '/clients/:id/view',
  ties: 'ties',
  fields: {
    name: { kind: 'text', label: 'Client' },
    reasons: { kind: 'text', label: 'Because of' },
    phonenumber: { kind: 'phone', label: 'Phone' },
    status: { kind: 'text', label: 'Status' },
    city: { kind: 'text', label: 'Town' },
    agent: { kind: 'text', label: 'Agent' },
  },
  empty: { title: 'No other client has the same phone, address or guarantor' },
}

import { identifier, sql } from '@outpost/platform/db/sql'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import { getRecord } from '../../../kernel/resource/records.ts'
import type { AnyResource, Answer, Ctx } from '../../../kernel/types.ts'

const maxShown = 20
/** Points a candidate needs: a shared number, address or document is enough alone, a like name needs a like place. */
const leastScore = 45

/**
 * Records of people (leads, clients) in the caller's reach that may be the same person, likeliest first, each with its reasons. The
 * search index of the company proposes (`search.<table>_duplicate`, `search.<table>_similar`); who may be seen is checked again here.
 */
export async function duplicatesOf(ctx: Ctx, resource: AnyResource, id: string): Promise<Answer> {
  const found = await getRecord(ctx, resource, id)
  const table = identifier(resource.table)
  const texts = (...keys: string[]) =>
    keys.map((key) => found[key]).filter((value): value is string => typeof value === 'string' && value !== '')
  const name = `${String(found['firstName'])} ${String(found['lastName'])}`.toUpperCase()
  const duplicates = await ctx.sql.query(sql`
    with found as (
      select id from ${identifier('search', `${resource.table}_duplicate`)}(${texts('trimmedPhonenumber')}::text[], ${texts('emailAddress')}::text[], ${texts('idNumber')}::text[])
      union select id from ${identifier('search', `${resource.table}_similar`)}(${name}, 200) id),
    me as (select * from ${table} where "companyId" = ${ctx.company.id} and "id" = ${id}),
    judged as (
      select t.*, similarity(upper(t."firstName" || ' ' || t."lastName"), ${name}) as likeness,
        t."trimmedPhonenumber" = me."trimmedPhonenumber" or right(regexp_replace(coalesce(t."contactNumber", ''), '[^0-9]', '', 'g'), 9) = right(me."trimmedPhonenumber", 9) as phone,
        t."emailAddress" = me."emailAddress" as email, t."idNumber" = me."idNumber" as document, lower(trim(t."city")) = lower(trim(me."city")) as "isSameTown",
        t."employer" = me."employer" as "isSameEmployer",
        111.2 * sqrt(power(t."latitude" - me."latitude", 2) + power((t."longitude" - me."longitude") * cos(radians(me."latitude"::float8)), 2)) as km
      from ${table} t, me where ${visibleRows(ctx, resource)} and t."id" in (select id from found) and t."id" <> ${id}),
    scored as (
      select *, (case when phone then 60 else 0 end + case when email then 60 else 0 end + case when document then 60 else 0 end + 40 * likeness
        + case when "isSameTown" then 15 else 0 end + case when "isSameEmployer" then 10 else 0 end + case when km < 1 then 15 else 0 end)::int as score from judged)
    select ${id}::text as a, "id" as b, "id" as "Id", concat_ws(' ', "firstName", "lastName") as name, "phonenumber", "status", "city", "dateCreated", least(score, 100) as score,
      concat_ws(', ', case when phone then 'same phone' end, case when email then 'same e-mail' end, case when document then 'same ID number' end,
        case when likeness = 1 then 'same name' when likeness > 0.5 then 'like name' end, case when "isSameTown" then 'same town' end, case when "isSameEmployer" then 'same employer' end,
        case when km < 1 then 'under 1 km apart' end) as reasons
    from scored where score >= ${leastScore} order by score desc, "dateCreated" limit ${maxShown}`)
  return { data: { duplicates } }
}

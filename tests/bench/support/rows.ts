import pg from 'pg'
import { demoId } from '../../../prisma/seed/random.ts'

export const companyId = demoId('sunrise')

/**
 * Fills Sunrise Credit up to so many leads, made by Postgres itself from its demo leads: other names, phones, times,
 * ids. The indexes are built anew at the end and the search text is written beside the row: several times faster.
 */
export async function addLeads(admin: pg.Pool, count: number): Promise<void> {
  const client = await admin.connect()
  try {
    const { rows } = await client.query<{ have: number }>('select count(*)::int as have from lead where "companyId" = $1', [companyId])
    const have = rows[0]?.have ?? 0
    if (have >= count) return
    const begun = performance.now()
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes where tablename = 'lead' and indexname <> 'lead_pkey'`,
    )
    await client.query(
      `begin; set local maintenance_work_mem = '512MB'; set local synchronous_commit = off; alter table lead disable trigger user`,
    )
    for (const { name } of indexes) await client.query(`drop index ${pg.escapeIdentifier(name)}`)
    await client.query(fillStatement, [companyId, have, count, Math.min(have, 2_000)])
    for (const { definition } of indexes) await client.query(definition)
    await client.query('alter table lead enable trigger user; commit')
    await client.query('vacuum analyze lead')
    console.log(`${count - have} leads made in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  } finally {
    client.release()
  }
}

const fillStatement = `
  with pattern as (
    select *, row_number() over () - 1 as number from (select * from lead where "companyId" = $1 order by "id" limit $4::int) demo
  ), made as (
    select n, md5(n::text) as word from generate_series($2::int + 1, $3::int) n
  )
  insert into lead ("companyId", "id", "tenantId", "firstName", "lastName", "emailAddress", "phonenumber", "trimmedPhonenumber", "countryCode", "contactNumber",
    "idNumber", "empNumber", "employer", "type", "source", "status", "assignedUserId", "createdByUserId", "leadCreatedBy", "location", "lineone", "city",
    "postcode", "state", "country", "latitude", "longitude", "consentStatus", "affordabilityOutcome", "syncSeq", "dateCreated", "dateModified", "searchText")
  select "companyId", gen_random_uuid(), "tenantId", "firstName", "lastName" || ' ' || initcap(left(word, 6)), word || '@mail.test',
    '07' || lpad(n::text, 8, '0'), '2547' || lpad(n::text, 8, '0'), "countryCode", '07' || lpad(n::text, 8, '0'), lpad(n::text, 8, '3'), 'E' || n, "employer",
    "type", "source", "status", "assignedUserId", "createdByUserId", "leadCreatedBy", "location", "lineone", "city", "postcode", "state", "country", "latitude",
    "longitude", "consentStatus", "affordabilityOutcome", n, now() - n * interval '3 seconds', now() - n * interval '3 seconds',
    upper(concat_ws(' ', "firstName", "lastName", initcap(left(word, 6)), '07' || lpad(n::text, 8, '0'), '2547' || lpad(n::text, 8, '0'), word || '@mail.test', 'E' || n))
  from made join pattern on pattern.number = made.n % $4::int`

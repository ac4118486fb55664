import type pg from 'pg'
import { demoId } from '../../../prisma/seed/random.ts'

export const companyId = demoId('sunrise')

/**
 * Fills Sunrise Credit up to so many leads, made by Postgres itself from its demo leads: other names, phones, times,
 * ids. The search index is built anew at the end, which is several times faster than keeping it up.
 */
export async function addLeads(admin: pg.Pool, count: number): Promise<void> {
  const client = await admin.connect()
  try {
    const { rows } = await client.query<{ have: number }>('select count(*)::int as have from lead where "companyId" = $1', [companyId])
    const have = rows[0]?.have ?? 0
    if (have >= count) return
    const { rows: kept } = await client.query<{ definition: string }>(`select indexdef as definition from pg_indexes where indexname = 'lead_search'`)
    await client.query(`begin; select set_config('app.company', $$${companyId}$$, true), set_config('app.stream', $$${companyId}$$, true);
      set local maintenance_work_mem = '512MB'; drop index lead_search`)
    await client.query(fillStatement, [companyId, have, count])
    await client.query(kept[0]?.definition ?? '')
    await client.query('commit')
    await client.query('vacuum analyze lead')
  } finally {
    client.release()
  }
}

const fillStatement = `
  with pattern as (
    select *, row_number() over (order by "id") - 1 as number, count(*) over () as patterns from lead where "companyId" = $1
  ), made as (
    select n, md5(n::text) as word from generate_series($2::int + 1, $3::int) n
  )
  insert into lead ("companyId", "id", "tenantId", "firstName", "lastName", "emailAddress", "phonenumber", "trimmedPhonenumber", "countryCode", "contactNumber",
    "idNumber", "empNumber", "employer", "type", "source", "status", "assignedUserId", "createdByUserId", "leadCreatedBy", "location", "lineone", "city",
    "postcode", "state", "country", "latitude", "longitude", "consentStatus", "affordabilityOutcome", "syncSeq", "dateCreated", "dateModified")
  select "companyId", gen_random_uuid(), "tenantId", "firstName", "lastName" || ' ' || initcap(left(word, 6)), word || '@mail.test',
    '07' || lpad(n::text, 8, '0'), '2547' || lpad(n::text, 8, '0'), "countryCode", '07' || lpad(n::text, 8, '0'), lpad(n::text, 8, '3'), 'E' || n, "employer",
    "type", "source", "status", "assignedUserId", "createdByUserId", "leadCreatedBy", "location", "lineone", "city", "postcode", "state", "country", "latitude",
    "longitude", "consentStatus", "affordabilityOutcome", n, now() - n * interval '3 seconds', now() - n * interval '3 seconds'
  from made join pattern on pattern.number = made.n % pattern.patterns`

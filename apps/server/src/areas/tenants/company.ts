import { randomUUIDv7 } from 'node:crypto'
import { fail, failField } from '@outpost/contract/errors'
import { defaultActivityStatuses, defaultActivityTypes } from '@outpost/rules/people/company-defaults'
import { sql } from '@outpost/platform/db/sql'
import { audit } from '../../kernel/audit.ts'
import { updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { ctxElsewhere } from '../../kernel/session/elsewhere.ts'
import { session } from '../../kernel/session/services.ts'
import type { Ctx } from '../../kernel/types.ts'
import { seedRoles } from '../roles/index.ts'
import { tenant } from './tenant.resource.ts'
import { readCodes } from './tenant.rules.ts'

/** Checked input of a tenant of type 2. */
export interface NewCompany {
  name: string
  shortCode: string
  parentId?: string | null
  country?: string | null
  currency?: string | null
  timeZone?: string | null
  [field: string]: unknown
}

/**
 * Founds a company below the caller's group, behind walls of its own: roles, sync stream, activity types and
 * statuses. Only a global administrator may; the group is the parent.
 */
export async function foundCompany(ctx: Ctx, input: NewCompany): Promise<WireRecord> {
  const group = await groupOf(ctx)
  if (!ctx.isGlobalAdministrator || !group)
    return fail('FORBIDDEN', { message: 'Only a global administrator of a group may found a company.' })
  if (input.parentId && input.parentId !== group.id) failField('parentId', 'must be your group')
  const { country, currency, timeZone } = requireCodes(input)
  const [id, { name, shortCode }] = [randomUUIDv7(), input]
  const elsewhere = await ctxElsewhere(ctx, {
    company: { id, name, country, currency, timeZone },
    tenant: { id, companyId: id, parentId: null, name, shortCode, type: 2, path: [id], locationRequired: false },
  })
  return elsewhere.transaction(async (inner) => {
    await inner.sql.exec(sql`
      insert into tenant ("companyId", "id", "groupId", "type", "name", "shortCode", "path", "country", "currency", "timeZone")
      values (${id}::uuid, ${id}::uuid, ${group.id}::uuid, 2, ${name}, ${shortCode}, array[${id}::uuid], ${country}, ${currency}, ${timeZone})`)
    await inner.sql.exec(sql`insert into sync_stream ("companyId") values (${id}::uuid)`)
    await seedRoles(inner.sql, id)
    await insertActivityOptions(inner)
    audit(inner, { action: 'tenant.found', objectType: 'tenant', objectId: id, after: { name, shortCode, groupId: group.id } })
    inner.afterCommit(() => session().changed({ companyId: group.id }))
    const { Id: _, type: __, parentId: ___, ...rest } = input
    return updateRecord(inner, tenant, id, { ...rest, country, currency, timeZone })
  })
}

async function groupOf({ user }: Ctx): Promise<{ id: string } | undefined> {
  return session().store.sql.maybe<{ id: string }>(sql`
    select "id" from tenant where "companyId" = ${user.companyId}::uuid and "id" = ${user.companyId}::uuid and "type" = 1 and "deletedAt" is null`)
}

function requireCodes(input: NewCompany): { country: string; currency: string; timeZone: string } {
  const missing = (['country', 'currency', 'timeZone'] as const).filter((field) => !input[field])
  if (missing.length > 0) fail('INVALID', { fields: missing.map((field) => ({ field, message: 'is required for a company' })) })
  const { country, currency, timeZone } = {
    ...input,
    ...readCodes({ country: input.country ?? null, currency: input.currency ?? null, timeZone: input.timeZone ?? null }),
  }
  return { country: country ?? '', currency: currency ?? '', timeZone: timeZone ?? '' }
}

async function insertActivityOptions({ sql: db, company: { id } }: Ctx): Promise<void> {
  await db.exec(sql`
    insert into activity_type ("companyId", "id", "tenantId", "name", "colour", "default", "duration", "geofenceRadius", "position")
    select ${id}::uuid, gen_random_uuid(), ${id}::uuid, o ->> 'name', o ->> 'colour', (o ->> 'default')::boolean, (o ->> 'duration')::int, (o ->> 'geofenceRadius')::int, place
    from jsonb_array_elements(${JSON.stringify(defaultActivityTypes)}::jsonb) with ordinality as given(o, place)`)
  await db.exec(sql`
    insert into activity_status ("companyId", "id", "tenantId", "name", "meaning", "colour", "default", "position")
    select ${id}::uuid, gen_random_uuid(), ${id}::uuid, o ->> 'name', o ->> 'meaning', o ->> 'colour', (o ->> 'default')::boolean, place
    from jsonb_array_elements(${JSON.stringify(defaultActivityStatuses)}::jsonb) with ordinality as given(o, place)`)
}

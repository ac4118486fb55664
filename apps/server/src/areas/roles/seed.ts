import { randomUUIDv7 } from 'node:crypto'
import { defaultRoles } from '@outpost/rules/people/company-defaults'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'

/** Writes the system roles and their default permissions for a new company, in the transaction that `db` belongs to. */
export async function seedRoles(db: Sql, companyId: string): Promise<void> {
  const roles = JSON.stringify(defaultRoles('company').map((role) => ({ ...role, id: randomUUIDv7() })))
  await db.exec(sql`
    insert into role ("companyId", "id", "name", "systemRole") select ${companyId}::uuid, r."id", r."name", r."systemRole"
    from jsonb_to_recordset(${roles}::jsonb) as r("id" uuid, "name" text, "systemRole" text)`)
  await db.exec(sql`
    insert into role_permission ("companyId", "roleId", "hierarchy") select ${companyId}::uuid, r."id", p
    from jsonb_to_recordset(${roles}::jsonb) as r("id" uuid, "permissions" jsonb), jsonb_array_elements_text(r."permissions") p`)
}

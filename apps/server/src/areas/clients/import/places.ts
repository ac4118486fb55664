import type { FieldError } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../../kernel/types.ts'

/** What the names of branches and agents in a file mean, within the caller's reach. */
export interface Places {
  branch(name: string): { id?: string; problems: FieldError[] }
  agent(name: string): { id?: string; problems: FieldError[] }
}

const low = (text: string) => text.trim().toLowerCase()

/** Reads the branches in the caller's reach (by name or short code) and the people who work in them (by name, user name or address). */
export async function readPlaces({ sql: db, company, scope }: Ctx): Promise<Places> {
  const reach = scope === '*' ? [] : [...scope]
  const branches = await db.query<{ id: string; names: string[] }>(sql`
    select "id", array[lower("name"), lower(coalesce("shortCode", ''))] as names from tenant
    where "companyId" = ${company.id}::uuid and "deletedAt" is null and "status" = 1 and (${scope === '*'} or "id" = any(${reach}::uuid[]))`)
  const agents = await db.query<{ id: string; names: string[] }>(sql`
    select u."id", array[lower(u."emailAddress"), lower(u."userName"), lower(concat_ws(' ', u."firstName", u."lastName"))] as names from app_user u
    where u."companyId" = ${company.id}::uuid and u."deletedAt" is null and u."status" = 1 and (${scope === '*'} or exists (
      select from user_tenant ut where ut."companyId" = u."companyId" and ut."userId" = u."id" and ut."tenantId" = any(${reach}::uuid[])))`)
  return {
    branch: finder(branches, {
      field: 'branch',
      nobody: 'no such branch in your reach',
      several: 'several are called so; give the short code',
    }),
    agent: finder(agents, {
      field: 'agent',
      nobody: 'nobody in your reach is called so',
      several: 'several are called so; give the e-mail address',
    }),
  }
}

function finder(
  rows: readonly { id: string; names: string[] }[],
  { field, nobody, several }: { field: string; nobody: string; several: string },
): Places['branch'] {
  const known = new Map<string, Set<string>>()
  for (const { id, names } of rows) for (const name of names) if (name !== '') known.set(name, (known.get(name) ?? new Set()).add(id))
  return (name) => {
    const [id, other] = known.get(low(name)) ?? []
    if (id === undefined) return { problems: [{ field, message: `${name.slice(0, 60)}: ${nobody}` }] }
    return other === undefined ? { id, problems: [] } : { problems: [{ field, message: `${name.slice(0, 60)}: ${several}` }] }
  }
}

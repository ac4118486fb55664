import { sql } from '@outpost/platform/db/sql'
import type { RoleFacts } from '../../kernel/session/policy.ts'
import type { SessionServices } from '../../kernel/session/services.ts'

/** A user as sign-in sees one, before a company is known. */
export interface Account {
  companyId: string
  id: string
  userName: string
  emailAddress: string
  firstName: string
  status: number
  passwordHash: string | null
  nextTryAt: Date | null
  /** sent | revoked, until the first password. */
  invitation: string | null
  /** Of the console, where the person chose one. */
  language: string | null
  roles: RoleFacts[]
}

/** Whose factor or passkey it is: people have them at home, whichever company they work in. */
export interface Owner {
  companyId: string
  userId: string
}

/** The same address may work for several companies; more than these are not tried. */
const maxAccounts = 5

const columns = sql`u."companyId", u."id", u."userName", u."emailAddress", u."firstName", u."status", u."invitation", u."preferences" ->> 'language' as language, c."passwordHash", c."nextTryAt",
  coalesce((select json_agg(json_build_object('name', r."name", 'systemRole', r."systemRole"))
    from user_role ur join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null
    where ur."companyId" = u."companyId" and ur."userId" = u."id"), '[]') as roles`

/** Accounts of an e-mail address or user name, the one used last first; deleted ones do not exist. */
export function findAccounts({ store }: SessionServices, name: string): Promise<Account[]> {
  const given = name.trim()
  return store.sql.query<Account>(sql`
    select ${columns} from app_user u left join credential c on c."companyId" = u."companyId" and c."userId" = u."id"
    where (u."emailAddress" = ${given.toLowerCase()} or u."userName" in (${given}, ${given.toLowerCase()})) and u."deletedAt" is null
      and not u."isProgram"
    order by u."lastSeenAt" desc nulls last, u."id" limit ${maxAccounts}`)
}

export function findAccount({ store }: SessionServices, companyId: string, userId: string): Promise<Account | undefined> {
  return store.sql.maybe<Account>(sql`
    select ${columns} from app_user u left join credential c on c."companyId" = u."companyId" and c."userId" = u."id"
    where u."companyId" = ${companyId}::uuid and u."id" = ${userId}::uuid and u."deletedAt" is null`)
}

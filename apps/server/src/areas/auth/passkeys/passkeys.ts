import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { takeTurn } from '@outpost/platform/db/turn'
import type { Sql } from '@outpost/platform/types'
import { later } from '../../../kernel/session/clock.ts'
import type { SessionServices } from '../../../kernel/session/services.ts'
import type { Owner } from '../accounts.ts'

/** A passkey as sign-in needs it. */
export interface Passkey extends Owner {
  id: string
  credentialId: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  rpId: string
  transports: string[]
}

/** Nobody can tell more than these apart. */
const most = 20
const columns = sql`"companyId", "id", "userId", "credentialId", "publicKey", "counter"::float8 as "counter", "rpId", "transports"`
const ownedBy = ({ companyId, userId }: Owner) => sql`"companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid`

/** The passkey behind a credential, whoever's it is. */
export async function findPasskey({ store }: SessionServices, credentialId: string): Promise<Passkey | undefined> {
  return store.sql.maybe<Passkey>(sql`select ${columns} from passkey where "credentialId" = ${credentialId}`)
}

export function passkeysOf({ store }: SessionServices, owner: Owner): Promise<Passkey[]> {
  return store.sql.query<Passkey>(sql`select ${columns} from passkey where ${ownedBy(owner)} order by "id"`)
}

/** As the profile shows them. */
export function listOf({ store }: SessionServices, owner: Owner): Promise<object[]> {
  return store.sql.query(sql`
    select "id" as "Id", "credentialId", "name", "rpId" as host, "isBackedUp", "dateCreated", "lastUsedAt" from passkey
    where ${ownedBy(owner)} order by "dateCreated", "id"`)
}

export interface NewPasskey extends Omit<Passkey, 'id'> {
  name: string
  isBackedUp: boolean
}

/** Keeps a new passkey. Stops with CONFLICT when it is somebody's already, or the person has too many. */
export async function insertPasskey(db: Sql, { clock }: SessionServices, passkey: NewPasskey): Promise<string> {
  const { companyId, userId, credentialId, publicKey, counter, rpId, transports, isBackedUp, name } = passkey
  // One after the other: five at once must not go over the limit together.
  await takeTurn(db, `passkey ${userId}`)
  const { count } = await db.one<{ count: number }>(sql`select count(*)::int as count from passkey where ${ownedBy(passkey)}`)
  if (count >= most) fail('CONFLICT', { message: `You have ${most} passkeys already. Remove one first.` })
  const made = await db.maybe<{ id: string }>(sql`
    insert into passkey ("companyId", "id", "userId", "credentialId", "publicKey", "counter", "rpId", "transports", "isBackedUp", "name", "dateCreated")
    values (${companyId}::uuid, uuidv7(), ${userId}::uuid, ${credentialId}, ${Buffer.from(publicKey)}, ${counter}, ${rpId}, ${transports}::text[],
      ${isBackedUp}, ${name}, ${later(clock)})
    on conflict ("credentialId") do nothing returning "id"`)
  return made ? made.id : fail('CONFLICT', { message: 'This passkey is known already.' })
}

/** Writes a use down; false when the passkey is gone, or its count did not rise: then there are two of it. */
export async function recordPasskeyUse(
  db: Sql,
  { clock }: SessionServices,
  { passkey, counter, isBackedUp }: { passkey: Passkey; counter: number; isBackedUp: boolean },
): Promise<boolean> {
  const used = await db.exec(sql`
    update passkey set "counter" = ${counter}, "isBackedUp" = ${isBackedUp}, "lastUsedAt" = ${later(clock)}
    where "companyId" = ${passkey.companyId}::uuid and "id" = ${passkey.id}::uuid
      and ("counter" < ${counter} or ("counter" = 0 and ${counter} = 0))`)
  return used === 1
}

/** Takes passkeys away: one, those made since, or all; gives their number. */
export function removePasskeys(db: Sql, owner: Owner, which: { id?: string; since?: Date } = {}): Promise<number> {
  const { id = null, since = null } = which
  return db.exec(sql`
    delete from passkey where ${ownedBy(owner)} and (${id}::uuid is null or "id" = ${id}::uuid)
      and (${since}::timestamptz is null or "dateCreated" >= ${since}::timestamptz)`)
}

import { createHmac, randomBytes } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { appendAudit } from '@outpost/platform/audit'
import { sql } from '@outpost/platform/db/sql'
import { deriveKeys } from '@outpost/platform/keys'
import { sealText, unsealWithAny } from '@outpost/platform/seal'
import type { Sql } from '@outpost/platform/types'
import { Secret, TOTP } from 'otpauth'
import { later } from '../../../kernel/session/clock.ts'
import type { SessionServices } from '../../../kernel/session/services.ts'
import type { Owner } from '../accounts.ts'
import { requestNotice } from '../devices/notice.job.ts'
import type { Notice } from '../letters/letters.ts'
import { removePasskeys } from '../passkeys/passkeys.ts'

/** Authenticators know no other: SHA-1, six digits, half a minute. */
const period = 30
const issuer = 'Outpost'
/** Codes of the half minute before and after count too: clocks of phones differ. */
const tolerance = 1
const freeFailures = 5
const longestWaitSeconds = 3_600
const recoveryCount = 10
/** Without letters that look like digits. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

export interface FactorState {
  isOn: boolean
  isRequired: boolean
  since: string | null
  recoveryCodesLeft: number
}

/** Whether a person has a second factor, and whether a role asks for one. */
export async function factorOf({ store }: SessionServices, { companyId, userId }: Owner): Promise<FactorState> {
  return store.sql.one<FactorState>(sql`
    select f."confirmedAt" is not null as "isOn", f."confirmedAt" as since,
      exists (select from user_role m join role r on r."companyId" = m."companyId" and r."id" = m."roleId" and r."deletedAt" is null
        where m."companyId" = ${companyId}::uuid and m."userId" = ${userId}::uuid and r."asksSecondFactor") as "isRequired",
      (select count(*)::int from recovery_code c
        where c."companyId" = ${companyId}::uuid and c."userId" = ${userId}::uuid and c."usedAt" is null) as "recoveryCodesLeft"
    from (select 1) one left join second_factor f on f."companyId" = ${companyId}::uuid and f."userId" = ${userId}::uuid`)
}

export interface Enrolment {
  secret: string
  uri: string
}

/**
 * Makes a secret for an authenticator, which counts only once a code has proven it. Each start makes another one: who
 * saw an earlier one must not share what is confirmed later. Stops with CONFLICT when there is a confirmed one.
 */
export async function startEnrolment(services: SessionServices, owner: Owner, label: string): Promise<Enrolment> {
  const secret = new Secret({ size: 20 })
  const started = await services.store.write(null, (db) =>
    db.maybe(sql`
      insert into second_factor ("companyId", "userId", "sealedSecret", "dateCreated")
      values (${owner.companyId}::uuid, ${owner.userId}::uuid, ${sealText(keysOf(services, 'second-factor')[0], secret.base32, sealedFor(owner))}, ${later(services.clock)})
      on conflict ("companyId", "userId") do update set "sealedSecret" = excluded."sealedSecret", "dateCreated" = excluded."dateCreated"
        where second_factor."confirmedAt" is null
      returning 1 as one`),
  )
  if (!started) fail('CONFLICT', { message: 'You have an authenticator already. Remove it first.' })
  return { secret: secret.base32, uri: totpOf(secret.base32, label).toString() }
}

interface FactorRow {
  sealedSecret: Buffer
  isConfirmed: boolean
  lastStep: number
  failedCount: number
  nextTryAt: Date | null
}
export type CodeVerdict = 'good' | 'confirmed' | 'recovery' | 'wrong' | 'held'

/**
 * Takes a code of the authenticator or a recovery code, each once. `confirmed` is the first code of a new secret. The row
 * is locked, so that guesses at the same time are counted one by one; after five wrong ones each waits longer, up to an hour.
 */
export async function takeCode(db: Sql, services: SessionServices, owner: Owner, code: string): Promise<CodeVerdict> {
  const now = services.clock.now()
  const row = await db.maybe<FactorRow>(sql`
    select "sealedSecret", "confirmedAt" is not null as "isConfirmed", "lastStep"::int as "lastStep", "failedCount", "nextTryAt"
    from second_factor where ${ownedBy(owner)} for update`)
  if (!row) return 'wrong'
  if (row.nextTryAt && row.nextTryAt.getTime() > now) return 'held'
  const typed = code.replace(/[\s-]/g, '').toLowerCase()
  const verdict = /^\d{6}$/.test(typed)
    ? await takeTotp(db, services, owner, { row, typed })
    : row.isConfirmed && (await takeRecoveryCode(db, services, owner, typed))
      ? 'recovery'
      : 'wrong'
  await countTry(db, services, owner, verdict === 'wrong' ? row.failedCount + 1 : 0)
  return verdict
}

async function takeTotp(
  db: Sql,
  services: SessionServices,
  owner: Owner,
  { row, typed }: { row: FactorRow; typed: string },
): Promise<CodeVerdict> {
  const now = services.clock.now()
  const secret = unsealWithAny(keysOf(services, 'second-factor'), row.sealedSecret, sealedFor(owner))
  const delta = totpOf(secret, '').validate({ token: typed, timestamp: now, window: tolerance })
  if (delta === null) return 'wrong'
  const step = Math.floor(now / 1_000 / period) + delta
  // A code that was read over the shoulder is worth nothing once it was used.
  if (step <= row.lastStep) return 'wrong'
  await db.exec(sql`
    update second_factor set "lastStep" = ${step}, "confirmedAt" = coalesce("confirmedAt", ${later(services.clock)}) where ${ownedBy(owner)}`)
  return row.isConfirmed ? 'good' : 'confirmed'
}

async function takeRecoveryCode(db: Sql, services: SessionServices, owner: Owner, typed: string): Promise<boolean> {
  const used = await db.maybe(sql`
    update recovery_code set "usedAt" = ${later(services.clock)}
    where ${ownedBy(owner)} and "codeHash" = any(${hashesOf(services, owner, typed)}::bytea[]) and "usedAt" is null returning 1 as one`)
  return used !== undefined
}

function countTry(db: Sql, services: SessionServices, owner: Owner, failures: number): Promise<unknown> {
  const wait = failures < freeFailures ? 0 : Math.min(longestWaitSeconds, 2 ** (failures - freeFailures + 1))
  return db.exec(sql`
    update second_factor set "failedCount" = ${failures}, "nextTryAt" = ${wait === 0 ? null : later(services.clock, wait)}::timestamptz
    where ${ownedBy(owner)}`)
}

/** Ten fresh recovery codes; those before them are no good any more. */
export async function makeRecoveryCodes(db: Sql, services: SessionServices, owner: Owner): Promise<string[]> {
  const codes = Array.from({ length: recoveryCount }, () =>
    [...randomBytes(10)].map((byte) => letters.charAt(byte % letters.length)).join(''),
  )
  await db.exec(sql`delete from recovery_code where ${ownedBy(owner)}`)
  await db.exec(sql`
    insert into recovery_code ("companyId", "id", "userId", "codeHash", "dateCreated")
    select ${owner.companyId}::uuid, uuidv7(), ${owner.userId}::uuid, hash, ${later(services.clock)}
    from unnest(${codes.map((code) => hashesOf(services, owner, code)[0])}::bytea[]) hash`)
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

/** Takes authenticator and recovery codes away; false when there was no confirmed one. */
export async function removeFactor(db: Sql, owner: Owner): Promise<boolean> {
  await db.exec(sql`delete from recovery_code where ${ownedBy(owner)}`)
  const gone = await db.maybe<{ wasOn: boolean }>(
    sql`delete from second_factor where ${ownedBy(owner)} returning "confirmedAt" is not null as "wasOn"`,
  )
  return gone?.wasOn ?? false
}

/** Takes away what was set up at `since` or after: the authenticator with all its codes, or recovery codes made anew. */
export async function removeFactorSince(db: Sql, owner: Owner, since: Date): Promise<void> {
  const isNew = await db.maybe(
    sql`select 1 as one from second_factor where ${ownedBy(owner)} and coalesce("confirmedAt", "dateCreated") >= ${since}`,
  )
  if (isNew) await removeFactor(db, owner)
  else await db.exec(sql`delete from recovery_code where ${ownedBy(owner)} and "dateCreated" >= ${since}`)
}

/** An administrator removes the second factors and passkeys of users who lost their phone; each user gets a mail about it. */
export async function resetSecondFactors(
  services: SessionServices,
  { companyId, userIds, by }: { companyId: string; userIds: readonly string[]; by: { id: string } },
): Promise<void> {
  await services.store.write(companyId, async (db) => {
    for (const userId of userIds) {
      const owner = { companyId, userId }
      if (await removeFactor(db, owner)) await noteChange(db, owner, { by: by.id, what: 'factor-reset' })
      if ((await removePasskeys(db, owner)) > 0) await noteChange(db, owner, { by: by.id, what: 'passkeys-reset' })
    }
  })
}

/** Writes a change of the factor down and mails it to its owner: it may not have been the owner. */
export async function noteChange(db: Sql, owner: Owner, { by, what }: { by: string; what: Notice }): Promise<void> {
  await appendAudit(db, { companyId: owner.companyId, userId: by, action: `user.${what}`, objectType: 'user', objectId: owner.userId })
  await requestNotice(db, { ...owner, what })
}

const ownedBy = ({ companyId, userId }: Owner) => sql`"companyId" = ${companyId}::uuid and "userId" = ${userId}::uuid`
const sealedFor = ({ companyId, userId }: Owner) => `${companyId} ${userId}`
const keysOf = ({ secrets }: SessionServices, purpose: string) => deriveKeys(secrets, purpose)
/** By the master secret, then by those before it. */
const hashesOf = (services: SessionServices, owner: Owner, code: string) =>
  keysOf(services, 'recovery-code').map((key) =>
    createHmac('sha256', key)
      .update(`${sealedFor(owner)} ${code}`)
      .digest(),
  )

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period })
}

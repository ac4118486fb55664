import { sql } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import { later, type Clock } from '../clock.ts'
import type { Moment } from '../identity-query.ts'
import { hashSecret, isSecretShaped, makeSecret } from './opaque.ts'

/** What a single-use secret is good for, and for how many seconds. */
export const oneTimeSeconds = {
  reset: 3_600,
  verify: 7 * 86_400,
  code: 60,
  step: 300,
  ticket: 30,
  file: 300,
  notMe: 7 * 86_400,
  passkey: 300,
  saml: 120,
  confirm: 300,
} as const
export type OneTimePurpose = keyof typeof oneTimeSeconds

/**
 * The account as a secret in somebody's mailbox or address bar knows it: another address, or a password set in
 * whatever way, ends what was sent before. Sessions carry the rest themselves.
 */
const boundToAccount: readonly OneTimePurpose[] = ['reset', 'verify', 'code', 'step', 'passkey', 'saml', 'confirm']
const accountOf = (companyId: Statement, userId: Statement) => sql`(
  select md5(concat_ws(' ', u."emailAddress", extract(epoch from c."changedAt"))) from app_user u
  left join credential c on c."companyId" = u."companyId" and c."userId" = u."id" where u."companyId" = ${companyId} and u."id" = ${userId})`
const stands = sql`("purpose" <> all(${boundToAccount}::text[])
  or "data" ->> 'account' = ${accountOf(sql`one_time_token."companyId"`, sql`one_time_token."userId"`)})`
const isGood = (purpose: OneTimePurpose, secret: string, now: Date) => sql`
  "tokenHash" = ${hashSecret(secret)} and "purpose" = ${purpose} and "usedAt" is null and "expiresAt" > ${now} and ${stands}`

export interface OneTimeRow {
  companyId: string
  userId: string
  sessionId: string | null
  purpose: OneTimePurpose
  data: Record<string, unknown>
  dateCreated: Moment
  expiresAt: Moment
  usedAt: Moment | null
}

export interface NewOneTime {
  purpose: OneTimePurpose
  companyId: string
  userId: string
  sessionId?: string | null
  data?: Record<string, unknown>
}

/** Stores the hash of a fresh single-use secret and returns the secret, which is never seen again. */
export async function issueOneTime(db: Sql, clock: Clock, { purpose, companyId, userId, sessionId, data }: NewOneTime): Promise<string> {
  const secret = makeSecret()
  await db.exec(sql`
    insert into one_time_token ("companyId", "tokenHash", "purpose", "userId", "sessionId", "data", "dateCreated", "expiresAt")
    values (${companyId}::uuid, ${hashSecret(secret)}, ${purpose}, ${userId}::uuid, ${sessionId ?? null}::uuid,
      ${JSON.stringify(data ?? {})}::jsonb || jsonb_build_object('account', ${accountOf(sql`${companyId}::uuid`, sql`${userId}::uuid`)}), ${later(clock)}, ${later(clock, oneTimeSeconds[purpose])})`)
  return secret
}

/** Uses a secret up; undefined when it is unknown, late, of another purpose, was used before or the account has changed since. */
export async function redeemOneTime(db: Sql, clock: Clock, purpose: OneTimePurpose, secret: string): Promise<OneTimeRow | undefined> {
  if (!isSecretShaped(secret)) return undefined
  const now = later(clock)
  return db.maybe<OneTimeRow>(sql`update one_time_token set "usedAt" = ${now} where ${isGood(purpose, secret, now)} returning *`)
}

/** What redeemOneTime would give, without using the secret up. */
export async function peekOneTime(db: Sql, clock: Clock, purpose: OneTimePurpose, secret: string): Promise<OneTimeRow | undefined> {
  if (!isSecretShaped(secret)) return undefined
  return db.maybe<OneTimeRow>(sql`select * from one_time_token where ${isGood(purpose, secret, later(clock))}`)
}

/** The row behind a secret whatever its state; distinguishes a second use from an invented secret. */
export async function findOneTime(db: Sql, purpose: OneTimePurpose, secret: string): Promise<OneTimeRow | undefined> {
  if (!isSecretShaped(secret)) return undefined
  return db.maybe<OneTimeRow>(sql`select * from one_time_token where "tokenHash" = ${hashSecret(secret)} and "purpose" = ${purpose}`)
}

/**
 * Writes down that a secret was used which has no row of its own, because anybody may ask for one; false when it was used
 * before. The caller has made sure that it is ours and not late.
 */
export async function recordUse(
  db: Sql,
  clock: Clock,
  { purpose, companyId, userId, secret }: Pick<NewOneTime, 'purpose' | 'companyId' | 'userId'> & { secret: string },
): Promise<boolean> {
  const now = later(clock)
  const written = await db.exec(sql`
    insert into one_time_token ("companyId", "tokenHash", "purpose", "userId", "dateCreated", "expiresAt", "usedAt")
    values (${companyId}::uuid, ${hashSecret(secret)}, ${purpose}, ${userId}::uuid, ${now}, ${later(clock, oneTimeSeconds[purpose])}, ${now})
    on conflict ("tokenHash") do nothing`)
  return written === 1
}

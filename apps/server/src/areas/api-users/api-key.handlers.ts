import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { userName } from '../../kernel/names.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { hashApiKey, makeApiKey } from '../../kernel/session/tokens/api-keys.ts'
import { rightsChanged } from '../../kernel/session/rights.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { heldRightsOf, refuseHigher } from '../users/index.ts'
import { apiUser } from './api-user.resource.ts'
import type { newKeyInput, rotateInput } from './api-key.input.ts'

/** A key of more is a key that nobody knows the use of. */
const maxKeys = 10

const now = () => new Date(session().clock.now())

/** Keys of an API user, the newest first; never what they are, only the letters that tell them apart. */
export async function keysOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, apiUser, id)
  const keys = await ctx.sql.query(sql`
    select k."id" as "Id", k."name", k."prefix", k."dateCreated", k."expiresAt", k."lastUsedAt", k."lastUsedIp",
      case when k."revokedAt" is not null then 'revoked' when k."expiresAt" <= ${now()} then 'ended' else 'valid' end as state,
      ${userName(sql`k."companyId"`, sql`k."createdByUserId"`)} as "createdBy"
    from api_key k where k."companyId" = ${ctx.company.id}::uuid and k."userId" = ${id}::uuid order by k."dateCreated" desc, k."id" desc`)
  return { data: { keys } }
}

/** A new key of an API user, shown this once. */
export async function createKey(ctx: Ctx, { id, name, days }: z.infer<typeof newKeyInput>): Promise<Answer> {
  await holdApiUser(ctx, id)
  const data = await insertKey(ctx, { userId: id, name, days })
  return { data, message: 'Key created' }
}

/** A successor of a key; the old one goes on for `overlapHours`, so that the other system can change over without a gap. */
export async function rotateKey(ctx: Ctx, { id, days, overlapHours }: z.infer<typeof rotateInput>): Promise<Answer> {
  const old = await holdKey(ctx, id)
  const ends = new Date(now().getTime() + overlapHours * 3_600_000)
  await ctx.sql.exec(sql`
    update api_key set "expiresAt" = least("expiresAt", ${ends}) where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
  const data = await insertKey(ctx, { userId: old.userId, name: old.name, days })
  audit(ctx, {
    action: 'apiKey.rotate',
    objectType: 'apiUser',
    objectId: old.userId,
    before: { prefix: old.prefix },
    after: { prefix: data.prefix, overlapHours },
  })
  rightsChanged(ctx, [old.userId])
  return { data, message: overlapHours === 0 ? 'Key replaced' : `Key replaced; the old one works for ${overlapHours} more hours` }
}

/** Ends a key at once. */
export async function revokeKey(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const { userId, prefix } = await holdKey(ctx, id)
  await ctx.sql.exec(sql`update api_key set "revokedAt" = ${now()} where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
  audit(ctx, { action: 'apiKey.revoke', objectType: 'apiUser', objectId: userId, before: { prefix } })
  rightsChanged(ctx, [userId])
  return { data: {}, message: 'Key revoked' }
}

interface HeldKey {
  userId: string
  name: string
  prefix: string
}

/** A valid key of an API user in reach, whose rights the caller holds too; locked with its API user. */
async function holdKey(ctx: Ctx, id: string): Promise<HeldKey> {
  const find = sql`
    select "userId", "name", "prefix" from api_key
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "revokedAt" is null and "expiresAt" > ${now()}`
  const key = (await ctx.sql.maybe<HeldKey>(find)) ?? fail('NOT_FOUND')
  await holdApiUser(ctx, key.userId)
  return (await ctx.sql.maybe<HeldKey>(find)) ?? fail('NOT_FOUND')
}

/** Who holds a key may all that its API user may: the caller must be able to do that himself. */
async function holdApiUser(ctx: Ctx, id: string): Promise<void> {
  await getRecord(ctx, apiUser, id)
  refuseHigher(ctx, await heldRightsOf(ctx, [id]))
  await ctx.sql.exec(sql`select from app_user where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for no key update`)
}

async function insertKey(ctx: Ctx, { userId, name, days }: { userId: string; name: string; days: number }) {
  const { valid } = await ctx.sql.one<{ valid: number }>(sql`
    select count(*)::int as valid from api_key
    where "companyId" = ${ctx.company.id}::uuid and "userId" = ${userId}::uuid and "revokedAt" is null and "expiresAt" > ${now()}`)
  if (valid >= maxKeys) fail('QUOTA_REACHED', { message: `An API user has ${maxKeys} keys at most. Revoke one first.` })
  const { key, prefix } = makeApiKey()
  const expiresAt = new Date(now().getTime() + days * 86_400_000)
  const { id } = await ctx.sql.one<{ id: string }>(sql`
    insert into api_key ("companyId", "id", "userId", "name", "prefix", "keyHash", "createdByUserId", "dateCreated", "expiresAt")
    values (${ctx.company.id}::uuid, uuidv7(), ${userId}::uuid, ${name}, ${prefix}, ${hashApiKey(key)}, ${ctx.user.id}::uuid, ${now()}, ${expiresAt})
    returning "id"`)
  audit(ctx, {
    action: 'apiKey.create',
    objectType: 'apiUser',
    objectId: userId,
    after: { prefix, name, expiresAt: expiresAt.toISOString() },
  })
  return { key, Id: id, prefix, expiresAt: expiresAt.toISOString() }
}

import { createHmac, randomBytes } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { isInRanges } from '@outpost/platform/http/address'
import { deriveKeys } from '@outpost/platform/keys'
import { sealText, unsealWithAny } from '@outpost/platform/seal'
import { isSignedStandard, writeSecret } from '@outpost/platform/standard-webhooks'
import { isIdentifier } from '@outpost/rules/validation'
import { audit } from '../audit.ts'
import { makeNamedCtx } from '../session/jobs.ts'
import { hashSecret, isSameText, makeSecret } from '../session/tokens/opaque.ts'
import { session } from '../session/services.ts'
import type { Ctx } from '../types.ts'
import { sharedReads } from './shared-reads.ts'
import { scheduleErasure } from './retention.ts'

/** How a provider shows that a call is its own: by signing the bytes it sends, or by where it calls from. */
export type Proof =
  | {
      kind: 'hmac'
      /** Name of the header. */ header: string
      algorithm: 'sha256' | 'sha512'
      encoding: 'hex' | 'base64'
      /** What comes before the signature, as `sha256=`. */ prefix?: string
    }
  | { kind: 'address' }
  /** By the Standard Webhooks scheme: id, time and bytes are signed, and five minutes later a message is too old. */
  | { kind: 'standardWebhooks' }

export interface NewConnection {
  provider: string
  /** What the provider is called, where several have connections of one kind. */ name?: string
  /** Addresses and ranges (CIDR) that may call; needed where the address is the proof. */ addresses?: readonly string[]
}
interface ConnectionRow {
  id: string
  sealedSecret: Buffer
  /** The secret before, while it counts. */
  sealedFormer: Buffer | null
  addresses: string[]
}

/** Opens a door of the company for a provider: `key` is part of the address it calls, `secret` is what it signs with. Both are shown this once. */
export async function openConnection(
  ctx: Ctx,
  { provider, name, addresses = [] }: NewConnection,
): Promise<{ Id: string; key: string; secret: string }> {
  const [key, secret] = [`${ctx.company.id}.${randomBytes(16).toString('base64url')}`, makeSecret()]
  const { id } = await ctx.sql.one<{ id: string }>(sql`
    insert into provider_connection ("companyId", "id", "provider", "name", "keyHash", "sealedSecret", "addresses", "userId")
    values (${ctx.company.id}::uuid, uuidv7(), ${provider}, ${name ?? null}, ${hashSecret(key)}, ${sealText(sealKeys()[0], secret, purposeOf(ctx, provider))}, ${[...addresses]}::text[], ${ctx.user.id}::uuid) returning "id"`)
  await scheduleErasure(ctx, id)
  audit(ctx, {
    action: 'provider.open',
    objectType: 'providerConnection',
    objectId: id,
    after: { provider, addresses, ...(name ? { name } : {}) },
  })
  return { Id: id, key, secret }
}

/** Closes it: from now on nobody gets in by its key. NOT_FOUND when there is no open one. */
export async function closeConnection(ctx: Ctx, id: string): Promise<void> {
  const closed = await ctx.sql.exec(
    sql`update provider_connection set "revokedAt" = now() where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "revokedAt" is null`,
  )
  if (closed === 0) fail('NOT_FOUND')
  audit(ctx, { action: 'provider.close', objectType: 'providerConnection', objectId: id })
}

/** Gives a connection another secret, shown this once; the one before counts for so many hours more. NOT_FOUND when it is closed. */
export async function rotateSecret(ctx: Ctx, id: string, hours: number): Promise<{ secret: string }> {
  const secret = makeSecret()
  const row = await ctx.sql.maybe<{ provider: string }>(sql`
    select "provider" from provider_connection where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "revokedAt" is null for update`)
  if (!row) return fail('NOT_FOUND')
  await ctx.sql.exec(sql`
    update provider_connection set "sealedFormer" = "sealedSecret", "formerUntil" = now() + ${hours} * interval '1 hour',
      "sealedSecret" = ${sealText(sealKeys()[0], secret, purposeOf(ctx, row.provider))}
    where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
  audit(ctx, { action: 'provider.rotate', objectType: 'providerConnection', objectId: id, after: { hours } })
  return { secret }
}

/** A secret as the Standard Webhooks scheme writes it. */
export const standardSecret = (secret: string): string => writeSecret(Buffer.from(secret, 'base64url'))

export interface Call {
  key: string
  raw: Buffer
  ip: string
  headers: Readonly<Record<string, string | undefined>>
}

/** The company and the connection that a call is for. Every refusal is the same TOKEN_INVALID: nobody learns which part was wrong. */
export async function admit(provider: string, proof: Proof, { key, raw, ip, headers }: Call): Promise<{ ctx: Ctx; connectionId: string }> {
  const [companyId = ''] = key.split('.')
  if (key.length > 120 || !isIdentifier(companyId)) fail('TOKEN_INVALID')
  const { ctx, row } =
    (await connectionOf(`${provider} ${key}`, () => readConnection(companyId, { provider, key }))) ?? fail('TOKEN_INVALID')
  const isFromThere = row.addresses.length === 0 ? proof.kind !== 'address' : isInRanges(ip, row.addresses)
  const opened = (sealed: Buffer) => unsealWithAny(sealKeys(), sealed, purposeOf(ctx, provider))
  const secrets = [row.sealedSecret, ...(row.sealedFormer ? [row.sealedFormer] : [])]
  const isSigned = proof.kind === 'address' || isSignedByAny(proof, secrets.map(opened), { raw, headers })
  return isFromThere && isSigned ? { ctx, connectionId: row.id } : fail('TOKEN_INVALID')
}

interface OpenConnection {
  ctx: Ctx
  row: ConnectionRow
}
/** Many callers of one door at once read it once: each gets what was read after it asked. */
const connectionOf = sharedReads<OpenConnection | undefined>()

async function readConnection(
  companyId: string,
  { provider, key }: { provider: string; key: string },
): Promise<OpenConnection | undefined> {
  const ctx = await makeNamedCtx(session(), { companyId, userId: null })
  const row = await ctx?.sql.maybe<ConnectionRow>(sql`
    select "id", "sealedSecret", case when "formerUntil" > now() then "sealedFormer" end as "sealedFormer", "addresses" from provider_connection
    where "companyId" = ${companyId}::uuid and "keyHash" = ${hashSecret(key)} and "provider" = ${provider} and "revokedAt" is null`)
  return ctx && row ? { ctx, row } : undefined
}

function isSignedByAny(
  proof: Exclude<Proof, { kind: 'address' }>,
  secrets: readonly string[],
  call: Pick<Call, 'raw' | 'headers'>,
): boolean {
  if (proof.kind === 'hmac') return secrets.some((secret) => isSignedBy(proof, secret, call))
  const keys = secrets.map((secret) => Buffer.from(secret, 'base64url'))
  return isSignedStandard(keys, { headers: call.headers, body: call.raw, now: Date.now() })
}

/** Over the bytes as they came, compared in constant time. */
function isSignedBy(
  { header, algorithm, encoding, prefix = '' }: Extract<Proof, { kind: 'hmac' }>,
  secret: string,
  { raw, headers }: Pick<Call, 'raw' | 'headers'>,
): boolean {
  const given = headers[header.toLowerCase()] ?? ''
  const wanted = `${prefix}${createHmac(algorithm, secret).update(raw).digest(encoding)}`
  return isSameText(given, wanted)
}

const sealKeys = () => deriveKeys(session().secrets, 'provider secrets')
const purposeOf = ({ company }: Ctx, provider: string) => `${company.id} ${provider}`

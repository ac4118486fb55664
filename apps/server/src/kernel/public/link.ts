import { randomBytes } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { identifier, sql, trusted } from '@outpost/platform/db/sql'
import { isIdentifier } from '@outpost/rules/validation'
import { z } from 'zod'
import { makeNamedCtx } from '../session/jobs.ts'
import { hashSecret } from '../session/tokens/opaque.ts'
import { session } from '../session/services.ts'
import type { Ctx } from '../types.ts'

/** The table and columns of links that are sent to people outside. */
export interface LinkTable {
  table: string
  /** Column of the secret's SHA-256. */
  hash: string
  /** Column of the time until which a link counts. */
  expires: string
  /** Column of the time when it was used. A link without it counts any number of times. */
  used?: string
  /** What a second use is refused with. */
  usedMessage?: string
}

/** A link that was opened, with the row that it belongs to. */
export interface OpenedLink {
  /** As the program, in the company that the link names. */
  ctx: Ctx
  id: string
  state: 'open' | 'expired' | 'used'
}

export const tokenSchema = z.string().min(40).max(200)

/** A fresh secret of a link, shown this once. It names the company, so that the row is found behind that company's wall. */
export const makeLinkToken = (companyId: string): string => `${companyId}.${randomBytes(32).toString('base64url')}`

/** The row behind a token, and whether it still counts; changes nothing. TOKEN_INVALID for what is no link. */
export async function openLink({ table, hash, expires, used }: LinkTable, token: string): Promise<OpenedLink> {
  const [companyId = ''] = token.split('.')
  if (!isIdentifier(companyId)) fail('TOKEN_INVALID')
  const ctx = (await makeNamedCtx(session(), { companyId, userId: null })) ?? fail('TOKEN_INVALID')
  const isUsed = used === undefined ? trusted('false') : sql`${identifier(used)} is not null`
  const row = await ctx.sql.maybe<{ id: string; isExpired: boolean; isUsed: boolean }>(sql`
    select "id", ${identifier(expires)} < now() as "isExpired", ${isUsed} as "isUsed" from ${identifier(table)}
    where "companyId" = ${companyId}::uuid and ${identifier(hash)} = ${hashSecret(token)}`)
  if (!row) return fail('TOKEN_INVALID')
  return { ctx, id: row.id, state: row.isExpired ? 'expired' : row.isUsed ? 'used' : 'open' }
}

/**
 * Does what the link is for, in one transaction, and marks it as used where it counts once: of several at the same moment one
 * succeeds. TOKEN_INVALID for a link that has expired, CONFLICT for one that was used.
 */
export async function submitByLink<Result>(
  link: LinkTable,
  { ctx, id, state }: OpenedLink,
  run: (ctx: Ctx, id: string) => Promise<Result>,
): Promise<Result> {
  if (state === 'expired') fail('TOKEN_INVALID')
  if (state === 'used') refuseSecondUse(link)
  return ctx.transaction(async (inner) => {
    const result = await run(inner, id)
    const { table, used } = link
    // After the work: whoever else does it at the same moment waits at a row of this work, and is then refused here.
    if (used !== undefined) {
      const marked = await inner.sql.exec(sql`
        update ${identifier(table)} set ${identifier(used)} = now()
        where "companyId" = ${inner.company.id}::uuid and "id" = ${id}::uuid and ${identifier(used)} is null`)
      if (marked === 0) refuseSecondUse(link)
    }
    return result
  })
}

function refuseSecondUse({ usedMessage = 'This link has been used already.' }: LinkTable): never {
  fail('CONFLICT', { message: usedMessage })
}

import { fail } from '@outpost/contract/errors'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { peekOneTime, redeemOneTime } from '../../kernel/session/tokens/one-time.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import { session } from '../../kernel/session/services.ts'
import type { Ctx, RequestInfo } from '../../kernel/types.ts'
import { readCookie } from './cookies.ts'
import { requirePassword } from './credentials.ts'

/** Of an input that asks who somebody is. One of the two is given, see `hasOneProof`. */
export const proofFields = {
  /** Of the account. */
  password: z.string().min(1).max(1_000).optional(),
  /** In its place: what a sign-in anew at the identity provider that vouched for this session came back with. It counts once. */
  confirmation: z.string().min(1).max(200).optional(),
}
export interface Proof {
  password?: string | undefined
  confirmation?: string | undefined
}
export const hasOneProof = ({ password, confirmation }: Proof): boolean => (password === undefined) !== (confirmation === undefined)
export const oneProof = { path: ['password'], error: 'is needed, or a confirmation in its place' }

/** Uses a proof up, in the transaction of what it was given for. Stops with TOKEN_INVALID when another call was first. */
export type Spend = (db: Sql) => Promise<void>

/**
 * Makes sure that it is the person who asks, and not just somebody at an open page or with a token of ten minutes. A confirmation stays
 * good until what it was given for is done: a mistyped code sends nobody to the provider again. Stops with INVALID (password),
 * TOO_MANY_REQUESTS or TOKEN_INVALID.
 */
export async function requireProof(ctx: Ctx, { password, confirmation = '' }: Proof, facts: RequestInfo): Promise<Spend> {
  if (password !== undefined) {
    await requirePassword(ctx, { password, field: 'password' }, facts)
    return async () => {}
  }
  const services = session()
  const row = await peekOneTime(services.store.sql, services.clock, 'confirm', confirmation)
  const browser = readCookie(services, facts, 'saml')
  const isSame = browser !== undefined && row?.data['browser'] === hashSecret(browser).toString('hex')
  // The code went through an address: it is worth nothing in another session, or in another browser with this one's token.
  if (!isSame || row.sessionId !== ctx.sessionId || row.userId !== ctx.user.id) return refuse()
  return async (db) => {
    if (!(await redeemOneTime(db, services.clock, 'confirm', confirmation))) refuse()
  }
}

const refuse = (): never => fail('TOKEN_INVALID', { message: 'This confirmation took too long, or was used before. Confirm it again.' })

import { fail } from '@outpost/contract/errors'
import type { Sql } from '@outpost/platform/types'
import { z } from 'zod'
import { session, type SessionServices } from '../../../kernel/session/services.ts'
import type { Answer, Ctx, RequestInfo } from '../../../kernel/types.ts'
import { findAccount, type Owner } from '../accounts.ts'
import { hasOneProof, oneProof, proofFields, requireProof, type Spend } from '../proof.ts'
import { factorOf, makeRecoveryCodes, noteChange, removeFactor, startEnrolment, takeCode, type CodeVerdict } from './second-factor.ts'

const code = z.string().trim().min(1).max(40)
export const startInput = z.strictObject(proofFields).refine(hasOneProof, oneProof)
export const codeInput = z.strictObject({ code })
export const provenInput = z.strictObject({ ...proofFields, code }).refine(hasOneProof, oneProof)

const ownerOf = ({ user }: Ctx): Owner => ({ companyId: user.companyId, userId: user.id })

/** The caller's second factor: whether it is on, whether a role asks for it, how many recovery codes are left. */
export async function secondFactor(ctx: Ctx): Promise<Answer> {
  return { data: { ...(await factorOf(session(), ownerOf(ctx))) } }
}

/** A secret for the caller's authenticator. It asks who they are: an open page is not enough to take an account over. */
export async function startSecondFactor(ctx: Ctx, input: z.infer<typeof startInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  await services.store.write(null, await requireProof(ctx, input, facts))
  const account = await findAccount(services, ctx.user.companyId, ctx.user.id)
  return { data: { ...(await startEnrolment(services, ownerOf(ctx), account?.emailAddress ?? '')) } }
}

/** The first code of the new authenticator switches it on; answers the recovery codes, this one time. */
export async function confirmSecondFactor(ctx: Ctx, input: z.infer<typeof codeInput>): Promise<Answer> {
  const services = session()
  if ((await factorOf(services, ownerOf(ctx))).isOn) fail('CONFLICT', { message: 'Your second factor is on already.' })
  return proven(ctx, services, input.code, {
    wanted: ['confirmed'],
    act: async (db, owner) => {
      await noteChange(db, owner, { by: owner.userId, what: 'factor-on' })
      return { recoveryCodes: await makeRecoveryCodes(db, services, owner) }
    },
  })
}

/** Ten new recovery codes in place of the ones before. */
export async function renewRecoveryCodes(ctx: Ctx, input: z.infer<typeof provenInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const spend = await requireProof(ctx, input, facts)
  return proven(ctx, services, input.code, {
    wanted: ['good', 'recovery'],
    spend,
    act: async (db, owner) => {
      await noteChange(db, owner, { by: owner.userId, what: 'recovery-codes' })
      return { recoveryCodes: await makeRecoveryCodes(db, services, owner) }
    },
  })
}

/** Switches the second factor off, unless a role asks for it. */
export async function endSecondFactor(ctx: Ctx, input: z.infer<typeof provenInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  if ((await factorOf(services, ownerOf(ctx))).isRequired) fail('FORBIDDEN', { message: 'Your role asks for a second factor.' })
  const spend = await requireProof(ctx, input, facts)
  return proven(ctx, services, input.code, {
    wanted: ['good', 'recovery'],
    spend,
    act: async (db, owner) => {
      await removeFactor(db, owner)
      await noteChange(db, owner, { by: owner.userId, what: 'factor-off' })
      return {}
    },
  })
}

interface Proven {
  wanted: CodeVerdict[]
  spend?: Spend
  act: (db: Sql, owner: Owner) => Promise<Record<string, unknown>>
}

/** Does something once the code is taken, in the same transaction; a wrong one is counted all the same. */
async function proven(ctx: Ctx, services: SessionServices, typed: string, { wanted, spend, act }: Proven): Promise<Answer> {
  const owner = ownerOf(ctx)
  const { verdict, data } = await services.store.write(owner.companyId, async (db) => {
    const taken = await takeCode(db, services, owner, typed)
    if (!wanted.includes(taken)) return { verdict: taken, data: undefined }
    await spend?.(db)
    return { verdict: taken, data: await act(db, owner) }
  })
  if (data) return { data }
  if (verdict === 'held') fail('TOO_MANY_REQUESTS')
  return fail('INVALID', { fields: [{ field: 'code', message: 'is not right, or was used before' }] })
}

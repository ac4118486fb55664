import { fail } from '@outpost/contract/errors'
import { z } from 'zod'
import { redeemOneTime } from '../../kernel/session/tokens/one-time.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import { session } from '../../kernel/session/services.ts'
import type { SessionProvider } from '../../kernel/session/sessions.ts'
import type { Answer, RequestInfo } from '../../kernel/types.ts'
import { answerSession, clearCookie, findAccount, issueStep, openFor, readCookie } from '../auth/index.ts'

export const samlLoginInput = z.strictObject({ code: z.string().max(200) })

/**
 * Opens the session that an assertion entitles to, in the browser that asked for it and nowhere else: somebody who is led here with
 * another's code gets nothing. A second factor is asked for as after a password. Stops with TOKEN_INVALID or USER_DISABLED.
 */
export async function samlLogin({ code }: z.infer<typeof samlLoginInput>, facts: RequestInfo): Promise<Answer> {
  const services = session()
  const row = await services.store.write(null, (db) => redeemOneTime(db, services.clock, 'saml', code))
  const browser = readCookie(services, facts, 'saml')
  const isSame = browser !== undefined && row?.data['browser'] === hashSecret(browser).toString('hex')
  const account = row && isSame ? await findAccount(services, row.companyId, row.userId) : undefined
  if (!account) return fail('TOKEN_INVALID', { message: 'This sign-in took too long, or began in another browser. Start again.' })
  if (account.status !== 1) fail('USER_DISABLED')
  const spent = clearCookie(services, 'saml')
  const provider = row?.data['provider'] as SessionProvider
  const step = await issueStep(services, account, {}, provider)
  if (step) return { ...step, cookies: [spent] }
  const opened = await openFor(services, account, facts, { kind: 'saml', provider })
  const answer = await answerSession(services, { account, opened, facts })
  return { ...answer, cookies: [...(answer.cookies ?? []), spent] }
}

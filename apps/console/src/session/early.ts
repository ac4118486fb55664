import { getTenantId, getToken } from './token.ts'

/** An answer that the boot script asked for: its status and its body. */
interface EarlyAnswer {
  status: number
  answer: unknown
}
type OfToken = Promise<(EarlyAnswer & { token: string }) | null>

interface Early {
  refresh?: Promise<EarlyAnswer | null>
  frame?: OfToken
  /** What the screen at this address asked for last time, by address, for this tenant. */
  answers?: Record<string, OfToken>
  tenantId?: string | null
  since?: number
}

declare global {
  /** Set by the boot script, see early-script.ts; null where no answer came. Frame and answers are those of a token. */
  var outpostEarly: Early | undefined
}

/** Milliseconds after which an early answer is not fresh any more. */
const freshMs = 15_000

/** The refresh that was asked for before the program was loaded, once: null where its answer was lost, undefined where none was asked for. */
export function takeEarlyRefresh(): Promise<EarlyAnswer | null> | undefined {
  const asked = globalThis.outpostEarly?.refresh
  delete globalThis.outpostEarly?.refresh
  return asked
}

/** The frame that was asked for with the token of that refresh, once; undefined when there is none, or another person has signed in since. */
export async function takeEarlyFrame(): Promise<EarlyAnswer | undefined> {
  const asked = globalThis.outpostEarly?.frame
  delete globalThis.outpostEarly?.frame
  const frame = await asked
  return frame && frame.token === getToken() ? frame : undefined
}

/** The answer to a GET of the first screen that the boot script asked for, once: undefined where there is none, for now and this tenant. */
export function takeEarlyAnswer(address: string): Promise<unknown> | undefined {
  const { answers, tenantId, since = 0 } = globalThis.outpostEarly ?? {}
  const asked = answers?.[address]
  if (!answers || !asked) return undefined
  delete answers[address]
  const isFresh = performance.now() - since < freshMs && tenantId === getTenantId()
  return isFresh ? asked.then((got) => (got?.status === 200 && got.token === getToken() ? got.answer : undefined)) : undefined
}

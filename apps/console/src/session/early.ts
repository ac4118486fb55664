import { getTenantId, getToken } from './token.ts'

/** An answer that the boot script asked for: its status and its body. */
interface EarlyAnswer {
  status: number
  answer: unknown
}

/** One that was asked for with a token; `at`: when the answer came, ms of the page. */
interface EarlyRead extends EarlyAnswer {
  token: string
  tenantId: string | null
  at: number
}

declare global {
  /** Set by the boot script, see early-script.ts; null where no answer came. Reads lie by their path. */
  var outpostEarly:
    | {
        refresh?: Promise<EarlyAnswer | null>
        layout?: Promise<EarlyRead | null>
        reads?: Record<string, Promise<EarlyRead | null>>
      }
    | undefined
}

/** The refresh that was asked for before the program was loaded, once: null where its answer was lost, undefined where none was asked for. */
export function takeEarlyRefresh(): Promise<EarlyAnswer | null> | undefined {
  const asked = globalThis.outpostEarly?.refresh
  delete globalThis.outpostEarly?.refresh
  return asked
}

/** The layout that was asked for with the token of that refresh, once; undefined when there is none, or another person has signed in since. */
export async function takeEarlyLayout(): Promise<EarlyAnswer | undefined> {
  const asked = globalThis.outpostEarly?.layout
  delete globalThis.outpostEarly?.layout
  const layout = await asked
  return layout && layout.token === getToken() ? layout : undefined
}

/** Whether the boot script has asked for what this address shows, and nobody has taken all of it yet. */
export const hasEarlyReads = (): boolean => Object.keys(globalThis.outpostEarly?.reads ?? {}).length > 0

/** An answer that lay longer is asked for again, as one in the cache of queries is. */
const freshMs = 15_000

/** The answer to a read that the boot script asked for, once; undefined when there is none, or it is old, refused, or of another person or tenant. */
export async function takeEarlyRead(path: string): Promise<unknown> {
  const asked = globalThis.outpostEarly?.reads?.[path]
  if (!asked) return undefined
  delete globalThis.outpostEarly?.reads?.[path]
  const got = await asked
  const isOurs = got?.status === 200 && got.token === getToken() && got.tenantId === getTenantId()
  return isOurs && performance.now() - got.at < freshMs ? got.answer : undefined
}

import { getToken } from './token.ts'

/** An answer that the boot script asked for: its status and its body. */
interface EarlyAnswer {
  status: number
  answer: unknown
}

declare global {
  /** Set by the boot script, see early-script.ts; null where no answer came. The frame is that of a token. */
  var outpostEarly: { refresh?: Promise<EarlyAnswer | null>; frame?: Promise<(EarlyAnswer & { token: string }) | null> } | undefined
}

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

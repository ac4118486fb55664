import type { Statement } from '../types.ts'

/** Texts that are kept by use; each of them lives on every connection. */
const most = { list: 500, write: 300 }
const names = { list: new Map<string, string>(), write: new Map<string, string>() }

/**
 * The statement under a name of its own: what comes again and again is parsed and planned once a connection. Its columns must
 * be named one by one, or a column that a migration adds would break it. Beyond so many texts a statement stays without a name.
 */
export function prepared({ text, values }: Statement, use: keyof typeof names): Statement {
  const known = names[use]
  let name = known.get(text)
  if (name === undefined && known.size < most[use]) known.set(text, (name = `${use}_${known.size + 1}`))
  return name === undefined ? { text, values } : { text, values, name }
}

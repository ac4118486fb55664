import { fail } from '@outpost/contract/errors'

/** A key and the longest value that is looked at, with the space Postgres writes after a colon. */
const windowSize = 96
const key = Buffer.from('"companyId"')

export interface OwnRowsOptions {
  companyId: string
  /** Called once when the bytes end before their end: a row of another company, or the service broke off. */
  broken?: (error: unknown) => void
}

/**
 * The bytes of a JSON answer as they come. Stops with GEO_UNAVAILABLE before the first byte of a row that is marked with another company; the service checks
 * every row itself, this is the second wall. A key inside of a text is escaped in JSON and so never read as one.
 */
export async function* ownRows(body: AsyncIterable<Uint8Array>, { companyId, broken }: OwnRowsOptions): AsyncGenerator<Uint8Array> {
  const own = companyId.toLowerCase()
  let kept: Buffer = Buffer.alloc(0)
  try {
    for await (const piece of body) {
      const bytes = kept.length === 0 ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength) : Buffer.concat([kept, piece])
      assertOwn(bytes, own)
      // A key may lie across two pieces: the end is looked at again with what follows.
      const sure = Math.max(0, bytes.length - windowSize)
      kept = bytes.subarray(sure)
      if (sure > 0) yield bytes.subarray(0, sure)
    }
  } catch (error) {
    broken?.(error)
    fail('GEO_UNAVAILABLE')
  }
  if (kept.length > 0) yield kept
}

function assertOwn(bytes: Buffer, own: string): void {
  for (let at = bytes.indexOf(key); at !== -1; at = bytes.indexOf(key, at + key.length)) {
    const [, value] = /^\s*:\s*"([^"]*)"/.exec(bytes.toString('latin1', at + key.length, at + windowSize)) ?? []
    if (value !== undefined && value.toLowerCase() !== own) throw new Error('the geo service answered with rows of another company')
  }
}

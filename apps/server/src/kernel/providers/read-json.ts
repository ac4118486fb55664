import { Failure } from '@outpost/contract/errors'

/** The JSON that a provider sent. INVALID when it is none: sending it again changes nothing. */
export function readJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    throw new Failure('INVALID', { fields: [{ field: 'body', message: 'is no JSON' }] })
  }
}

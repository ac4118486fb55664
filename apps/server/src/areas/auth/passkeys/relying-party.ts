import { isIP } from 'node:net'
import { fail } from '@outpost/contract/errors'
import { isOwnOrigin } from '../../../kernel/session/origin.ts'
import type { SessionServices } from '../../../kernel/session/services.ts'
import type { RequestInfo } from '../../../kernel/types.ts'

export interface RelyingParty {
  origin: string
  /** The host that passkeys are made for. */
  rpId: string
}

/**
 * Whom a passkey is shown to: the page that asks, which must be ours (PUBLIC_URL, or the host that was asked: themes go
 * by host). Stops with ORIGIN_FORBIDDEN, or NOT_CONFIGURED at an address without a name, where browsers have no passkeys.
 */
export function relyingParty({ publicUrl }: SessionServices, { origin = publicUrl, host }: RequestInfo): RelyingParty {
  if (!isOwnOrigin(origin, host, publicUrl)) fail('ORIGIN_FORBIDDEN')
  const { origin: own, hostname } = new URL(origin)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
    fail('NOT_CONFIGURED', { message: 'Passkeys need an address with a name, such as localhost.' })
  return { origin: own, rpId: hostname }
}

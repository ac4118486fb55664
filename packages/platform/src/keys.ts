import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto'

export interface TokenKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

/** Signs with `current`; also accepts its neighbours, so that processes before and after a rotation trust each other. */
export interface TokenKeys {
  current: TokenKey
  accepted: readonly TokenKey[]
}

/** DER header of an Ed25519 private key in PKCS #8; the 32 bytes of the seed follow it. */
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A 256-bit key for one purpose, derived from the master secret: every process of an installation derives the same. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'outpost', purpose, 32))
}

/** The master secret, and after it those that it replaced (SECRETS_BEFORE): what was made under a former one is still read. */
export type MasterSecrets = readonly [current: string, ...former: string[]]

/** The key of each secret for one purpose; the first one makes new things. */
export const deriveKeys = ([current, ...former]: MasterSecrets, purpose: string): readonly [Buffer, ...Buffer[]] => [
  deriveKey(current, purpose),
  ...former.map((secret) => deriveKey(secret, purpose)),
]

/**
 * The Ed25519 keys of access tokens. Raising `generation` (TOKEN_KEY_GENERATION) rotates the key without a new master secret; tokens of
 * the previous generation stay valid until they expire.
 */
export function deriveTokenKeys(secret: string, generation: number): TokenKeys {
  const make = (number: number): TokenKey => {
    const seed = deriveKey(secret, `access-token ${number}`)
    const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Header, seed]), format: 'der', type: 'pkcs8' })
    return { kid: `g${number}`, privateKey, publicKey: createPublicKey(privateKey) }
  }
  const current = make(generation)
  return { current, accepted: [current, make(generation - 1), make(generation + 1)] }
}

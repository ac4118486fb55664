import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a passkey answers differently from an honest device. */
export interface Faults {
  origin?: string
  rpId?: string
  challenge?: string
  /** False: nobody put a finger on it. */
  isVerified?: boolean
  counter?: number
  userHandle?: string
  type?: string
}

/** A device that keeps passkeys, in software: makes one as navigator.credentials.create() does, shows it as get() does. */
export interface Authenticator {
  credentialId: string
  create(options: { challenge: string; user: { id: string } }, faults?: Faults): object
  get(options: { challenge: string }, faults?: Faults): object
}

const flags = { present: 0x01, verified: 0x04, hasKey: 0x40 }
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url')

/** `isCounting`: false for those that never count, as phones do. */
export function makeAuthenticator({ origin = 'http://outpost.test', isCounting = true } = {}): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let handle = ''
  const counted = (faults: Faults): number => faults.counter ?? (isCounting ? (counter += 1) : 0)
  const clientData = (type: string, challenge: string, faults: Faults) =>
    Buffer.from(
      JSON.stringify({
        type: faults.type ?? type,
        challenge: faults.challenge ?? challenge,
        origin: faults.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authData = (faults: Faults, more = 0) => {
    const head = Buffer.alloc(5)
    head.writeUInt8(flags.present | (faults.isVerified === false ? 0 : flags.verified) | more)
    head.writeUInt32BE(counted(faults), 1)
    return Buffer.concat([sha256(faults.rpId ?? new URL(origin).hostname), head])
  }
  const shown = (response: object) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    response,
    clientExtensionResults: {},
  })
  return {
    credentialId: base64url(id),
    create: (options, faults = {}) => {
      handle = options.user.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, isoCBOR.encode(key as never)])
      const made = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(Buffer.concat([authData(faults, flags.hasKey), attested]))],
      ])
      return shown({
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge, faults)),
        attestationObject: base64url(isoCBOR.encode(made as never)),
        transports: ['internal'],
      })
    },
    get: (options, faults = {}) => {
      const [client, data] = [clientData('webauthn.get', options.challenge, faults), authData(faults)]
      return shown({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle: faults.userHandle ?? handle,
      })
    },
  }
}

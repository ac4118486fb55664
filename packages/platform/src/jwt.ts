import fastifyJwt, { type JWT } from '@fastify/jwt'
import Fastify from 'fastify'

export interface JwtKey {
  kid: string
  /** SPKI, PEM. */
  publicKey: string
  /** PKCS 8, PEM; of the key that signs. */
  privateKey?: string
}

export interface JwtRing {
  /** Signs by the first key that can; throws when none can. */
  sign(claims: Record<string, unknown>): string
  /** The claims of a token that one of the keys signed for the audience. Throws on all else. Its times are the caller's to judge. */
  verify(token: string): unknown
}

interface RingOptions {
  keys: readonly JwtKey[]
  issuer: string
  audience: string
}

/**
 * The keys of tokens as @fastify/jwt on an instance without a network, one namespace a key id, so that calls, sockets, jobs and the geo service
 * share it. Ed25519 alone, fixed issuer and audience.
 */
export async function openJwtRing({ keys, issuer, audience }: RingOptions): Promise<JwtRing> {
  const host = Fastify()
  for (const { kid, publicKey, privateKey } of keys) {
    await host.register(fastifyJwt, {
      namespace: kid,
      secret: { public: publicKey, ...(privateKey === undefined ? {} : { private: privateKey }) } as { public: string; private: string },
      sign: { algorithm: 'EdDSA', kid },
      // Time is checked by the callers, against their own clock.
      verify: {
        algorithms: ['EdDSA'],
        allowedIss: issuer,
        allowedAud: audience,
        ignoreExpiration: true,
        requiredClaims: ['iss', 'aud', 'iat', 'exp'],
      },
    })
  }
  await host.ready()
  const spaces = new Map(Object.entries(host.jwt as unknown as Record<string, JWT>))
  const signing = keys.find(({ privateKey }) => privateKey !== undefined)
  return {
    sign: (claims) => spaceOf(spaces, signing?.kid).sign(claims),
    verify: (token) => spaceOf(spaces, kidOf(token)).verify(token),
  }
}

function spaceOf(spaces: ReadonlyMap<string, JWT>, kid: string | undefined): JWT {
  const space = kid === undefined ? undefined : spaces.get(kid)
  if (!space) throw new Error('No key of this id')
  return space
}

function kidOf(token: string): string | undefined {
  const { kid } = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString('utf8')) as { kid?: unknown }
  return typeof kid === 'string' ? kid : undefined
}

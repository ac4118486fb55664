import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { sealText, unsealText } from '@outpost/platform/seal'

/** A fresh 256-bit secret as it travels; only its hash is stored. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database stores instead of a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** True for text that could be a secret of ours; spares the database the rest. */
export function isSecretShaped(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** Closes `text` so that only the holder of `secret` can read it again: the database alone cannot. */
export const seal = (secret: string, text: string): Buffer => sealText(sealKey(secret), text)

/** Opens what `seal` closed; throws when it was closed with another secret. */
export const unseal = (secret: string, sealed: Buffer): string => unsealText(sealKey(secret), sealed)

/** A short keyed mark of a text, for cookies that only we can have made. */
export function mark(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest().subarray(0, 18).toString('base64url')
}

export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

function sealKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'successor', 32))
}

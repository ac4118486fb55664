/** PBKDF2 rounds of new entries (security.md D9); an entry stores its own. */
export const unlockRounds = 600_000

export interface WrappedKey {
  salt: Uint8Array<ArrayBuffer>
  iv: Uint8Array<ArrayBuffer>
  wrapped: ArrayBuffer
  rounds: number
}

/** Creates a random 256-bit data key wrapped by the password; nothing else about the password is stored. */
export async function makeWrappedKey(password: string): Promise<WrappedKey> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt'])
  return wrapKey(key, password)
}

/** Unwraps the data key, not exportable; null when the password is wrong. */
export function openWrappedKey(wrapped: WrappedKey, password: string): Promise<CryptoKey | null> {
  return unwrap(wrapped, password, false)
}

/** Wraps the same data key with a new password; null when the old one is wrong. */
export async function rewrapKey(wrapped: WrappedKey, from: string, to: string): Promise<WrappedKey | null> {
  const key = await unwrap(wrapped, from, true)
  return key && wrapKey(key, to)
}

/** The same key wrapped by a secret that a passkey gives on this device, which needs no rounds: nobody guesses 256 bits. */
export type SecretWrapped = Pick<WrappedKey, 'salt' | 'iv' | 'wrapped'>

/** Wraps the data key for a passkey too; null when the password is wrong. */
export async function wrapForSecret(wrapped: WrappedKey, password: string, secret: ArrayBuffer): Promise<SecretWrapped | null> {
  const key = await unwrap(wrapped, password, true)
  if (!key) return null
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const outer = await keyOfSecret(secret, salt)
  return { salt, iv, wrapped: await crypto.subtle.wrapKey('raw', key, outer, { name: 'AES-GCM', iv }) }
}

/** Unwraps it with what the passkey gave, not exportable; null for another secret. */
export async function openWithSecret({ salt, iv, wrapped }: SecretWrapped, secret: ArrayBuffer): Promise<CryptoKey | null> {
  try {
    const outer = await keyOfSecret(secret, salt)
    return await crypto.subtle.unwrapKey('raw', wrapped, outer, { name: 'AES-GCM', iv }, 'AES-GCM', false, ['encrypt', 'decrypt'])
  } catch {
    return null
  }
}

async function keyOfSecret(secret: ArrayBuffer, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const method = { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode('outpost data key') }
  return crypto.subtle.deriveKey(method, material, { name: 'AES-GCM', length: 256 }, false, ['wrapKey', 'unwrapKey'])
}

async function wrapKey(key: CryptoKey, password: string): Promise<WrappedKey> {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const outer = await keyOfPassword(password, salt, unlockRounds)
  return { salt, iv, rounds: unlockRounds, wrapped: await crypto.subtle.wrapKey('raw', key, outer, { name: 'AES-GCM', iv }) }
}

async function unwrap({ salt, iv, rounds, wrapped }: WrappedKey, password: string, isExtractable: boolean): Promise<CryptoKey | null> {
  try {
    const outer = await keyOfPassword(password, salt, rounds)
    return await crypto.subtle.unwrapKey('raw', wrapped, outer, { name: 'AES-GCM', iv }, 'AES-GCM', isExtractable, ['encrypt', 'decrypt'])
  } catch {
    // AES-GCM refuses a wrong key: that is the password check. A damaged entry is refused as well.
    return null
  }
}

async function keyOfPassword(password: string, salt: Uint8Array<ArrayBuffer>, rounds: number): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(password.normalize('NFC'))
  const material = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey'])
  const method = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }
  return crypto.subtle.deriveKey(method, material, { name: 'AES-GCM', length: 256 }, false, ['wrapKey', 'unwrapKey'])
}

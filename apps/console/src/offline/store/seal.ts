/** A value encrypted with AES-GCM: only the signed-in person's data key opens it. */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>
  bytes: ArrayBuffer
}

const text = new TextEncoder()
const untext = new TextDecoder()

/** Encrypts a JSON value; `about` (type and id) is bound to it, so that rows cannot be swapped. Throws when it is not cloneable. */
export async function seal(key: CryptoKey, about: string, value: unknown): Promise<Sealed> {
  structuredClone(value)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const bytes = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: text.encode(about) },
    key,
    text.encode(JSON.stringify(value)),
  )
  return { iv, bytes }
}

/** Opens a sealed value; throws OperationError with another key or another `about`. */
export async function unseal<T>(key: CryptoKey, about: string, sealed: Sealed): Promise<T> {
  const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv, additionalData: text.encode(about) }, key, sealed.bytes)
  return JSON.parse(untext.decode(bytes)) as T
}

/** The same for bytes, such as a photo. */
export async function sealBytes(key: CryptoKey, about: string, content: ArrayBuffer): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return { iv, bytes: await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: text.encode(about) }, key, content) }
}

export const unsealBytes = (key: CryptoKey, about: string, { iv, bytes }: Sealed): Promise<ArrayBuffer> =>
  crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: text.encode(about) }, key, bytes)

/** 32 random bytes as base64, the secret of the duplicate hashes. */
export const newIndexSecret = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))

export const importIndexKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    Uint8Array.from(atob(secret), (c) => c.charCodeAt(0)),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )

/** A keyed hash as text: equal values can be found, but not guessed by trying all phone numbers. */
export async function indexHash(key: CryptoKey, value: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(value)))
  return btoa(String.fromCharCode(...bytes.slice(0, 16)))
}

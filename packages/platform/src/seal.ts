import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts `text` (AES-256-GCM) for one purpose; only the same key of 32 bytes and the same purpose can decrypt it. */
export function sealText(key: Buffer, text: string, purpose = ''): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Decrypts what one of several keys has sealed: the present one, or one before it. Throws when none has. */
export function unsealWithAny([current, ...former]: readonly [Buffer, ...Buffer[]], sealed: Buffer, purpose = ''): string {
  try {
    return unsealText(current, sealed, purpose)
  } catch (error) {
    const [next, ...rest] = former
    if (!next) throw error
    return unsealWithAny([next, ...rest], sealed, purpose)
  }
}

/** Decrypts what sealText encrypted; throws when key or purpose differ. */
export function unsealText(key: Buffer, sealed: Buffer, purpose = ''): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(purpose))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

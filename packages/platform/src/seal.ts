import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Closes `text` (AES-256-GCM) so that only the holder of the key of 32 bytes can read it again, and only for the same purpose. */
export function sealText(key: Buffer, text: string, purpose = ''): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Opens what sealText closed; throws when it was closed with another key or for another purpose. */
export function unsealText(key: Buffer, sealed: Buffer, purpose = ''): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(purpose))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

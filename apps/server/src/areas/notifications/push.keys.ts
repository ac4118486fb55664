import { createECDH } from 'node:crypto'
import { deriveKey } from '@outpost/platform/keys'

export interface VapidKeys {
  publicKey: string
  privateKey: string
}

/**
 * The keys by which push services know this installation (VAPID), derived from the master secret: every process has the
 * same, and they are kept as long as it is. With another secret the devices register anew.
 */
export function vapidKeys(secret: string): VapidKeys {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(deriveKey(secret, 'web push'))
  return { publicKey: curve.getPublicKey('base64url'), privateKey: curve.getPrivateKey('base64url') }
}

/** True where this browser has passkeys at all: it knows them, the page is safe, and its address has a name. */
export function isPasskeyOffered(): boolean {
  const isAddress = /^\[|^[\d.]+$/.test(location.hostname)
  return isSecureContext && !isAddress && typeof PublicKeyCredential === 'function'
}

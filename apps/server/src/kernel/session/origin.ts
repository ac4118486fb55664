/**
 * True for the origin of our own pages: that of PUBLIC_URL, or of the very host that was asked (themes go by host).
 * Which hosts are answered at all is set by HOSTS.
 */
export function isOwnOrigin(origin: string, host: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false
  const given = new URL(origin)
  return given.origin === new URL(publicUrl).origin || (given.host === host && /^https?:$/.test(given.protocol))
}

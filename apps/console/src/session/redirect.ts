/**
 * The target after sign-in: `redirectFrom` as a path of this origin, or null. Refuses anything that could lead elsewhere (another
 * origin, //host, back-slashes, control characters, javascript:) and the sign-in screens themselves.
 */
export function safeRedirect(value: unknown, origin: string): string | null {
  if (typeof value !== 'string' || !value.startsWith('/') || value.length > 2_000) return null
  if (/[\\\u0000-\u001f\u007f]/.test(value) || value.startsWith('//')) return null
  const url = URL.parse(value, origin)
  if (!url || url.origin !== origin || url.username || url.password) return null
  if (
    url.pathname.startsWith('//') ||
    /^\/(login|logout|token|not-authorized|offline|impersonate|end-impersonation)(\/|$)/i.test(url.pathname)
  )
    return null
  return url.pathname + url.search + url.hash
}

import type { FastifyHelmetOptions } from '@fastify/helmet'

/** Where the pages may load from beyond their own origin. */
export interface PagePolicy {
  /** Hosts of map tiles, e.g. https://tiles.example. */
  tileHosts?: readonly string[]
}

/** Headers of every answer (security.md D12); an API answer may neither load nor embed anything. */
export function answerHeaders({ isHttps }: { isHttps: boolean }): FastifyHelmetOptions {
  return {
    global: true,
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
  }
}

/** Permissions a page may ask its browser for. */
export const permissionsPolicy = 'geolocation=(self), camera=(), microphone=(), payment=(), usb=()'

/** Content-Security-Policy of the console's pages; the inline style is antd's, which injects its sheets at run time. */
export function pagePolicy({ tileHosts = [] }: PagePolicy = {}): string {
  const tiles = tileHosts.map((host) => ` ${host}`).join('')
  return [
    "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", `img-src 'self' data: blob:${tiles}`,
    // Browsers take 'self' for the socket on the same host too.
    `connect-src 'self'${tiles}`, "font-src 'self'", "worker-src 'self'", "manifest-src 'self'", "frame-src 'self' blob:",
    "form-action 'self'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'",
  ].join('; ')
}

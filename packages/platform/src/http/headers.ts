import type { FastifyHelmetOptions } from '@fastify/helmet'

/** Origins from which pages may load, besides their own. */
export interface PagePolicy {
  /** Hosts of map tiles, e.g. https://tiles.example. */
  tileHosts?: readonly string[]
  /** A site that a page may ask whether the internet is there, e.g. https://example.com/. */
  connectivityUrl?: string | undefined
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

/** Content-Security-Policy of the console's pages; inline styles are allowed for antd, which injects its sheets at run time. */
export function pagePolicy({ tileHosts = [], connectivityUrl }: PagePolicy = {}): string {
  const outside = connectivityUrl ? ` ${new URL(connectivityUrl).origin}` : ''
  const tiles = tileHosts.map((host) => ` ${host}`).join('')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${tiles}`,
    // For browsers 'self' includes the socket on the same host.
    `connect-src 'self'${tiles}${outside}`,
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self' blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

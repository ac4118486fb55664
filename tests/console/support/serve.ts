import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

/** The headers of security.md D12, so that a page that breaks the policy breaks here too. */
export const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws:; font-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self' blob:; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'"

/** Serves a built console on a free port as the server does: files, and index.html for every page address. */
export async function serveConsole(dist: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname))
    const file = join(dist, path)
    const isFile = existsSync(file) && statSync(file).isFile()
    if (!isFile && (extname(path) || path.startsWith('/api'))) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"success":false,"code":"NOT_FOUND","status":404,"message":"Not found."}')
      return
    }
    const served = isFile ? file : join(dist, 'index.html')
    response.writeHead(200, {
      'content-type': types[extname(served)] ?? 'application/octet-stream',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
    })
    createReadStream(served).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'

/** Serves the page of a folder, and everything below /api from the server: both under one origin, as the console is. */
export async function serveThrough(folder: string, target: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    if (!url.startsWith('/api')) {
      const name = url.endsWith('.js') ? normalize(url) : 'index.html'
      void readFile(join(folder, name)).then((body) =>
        outgoing.writeHead(200, { 'content-type': name.endsWith('js') ? 'text/javascript' : 'text/html' }).end(body),
      )
      return
    }
    const passed = request(`${target}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(passed)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { errorAnswer } from '@outpost/contract/errors'
import { pagePolicy } from '@outpost/platform/http/headers'

export interface StaticOptions {
  /** The built console. */
  folder?: string
  tileHosts?: readonly string[]
  connectivityUrl?: string | undefined
}

const builtConsole = resolve(import.meta.dirname, '../../console/dist')
/** Paths of calls: what is not found there is answered as JSON, never as a page. */
const calls = /^\/(api|geo)(\/|$)/
/** Paths of files; an address may well end in something else after a dot, such as an e-mail address. */
const files = /\.(js|mjs|css|map|json|webmanifest|svg|png|jpe?g|gif|ico|webp|woff2?|txt|xml|html?)$/i

/**
 * Serves the built console: files with a hash in their name for ever, all else to be asked for again, and its page for
 * every address that is no call and no file, because the console routes by itself.
 */
export async function addStatic(app: FastifyInstance, { folder = builtConsole, ...outside }: StaticOptions = {}): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  const policy = pagePolicy(outside)
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      // The compressed forms are found beside their files; routes of their own would be two thirds of all that there are.
      globIgnore: ['**/*.br', '**/*.gz'],
      // Scripts need the policy too: what a service worker may fetch is said by its own answer, not by the page's.
      setHeaders: (reply, path) =>
        void reply
          .header('cache-control', /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
          .header('content-security-policy', policy),
    })
  }
  const sendPage = (reply: FastifyReply) => reply.type('text/html; charset=utf-8').sendFile('index.html')
  app.get('/', (_request, reply) =>
    isBuilt ? sendPage(reply) : reply.status(404).type('text/plain').send('The console is not built: npm start builds it.'),
  )
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !calls.test(path) && !files.test(path)
    if (isBuilt && isPage) return sendPage(reply)
    return reply.status(404).send(errorAnswer('NOT_FOUND', {}, request.id))
  })
}

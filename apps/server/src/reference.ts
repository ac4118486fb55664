import apiReference from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { pagePolicy } from '@outpost/platform/http/headers'

/** Where the page is; its script is under it. */
const page = '/reference'
const library = `${page}/library`

/**
 * The reference of the API at /reference, drawn by Scalar from /api/openapi.json. The page itself says nothing: its script asks for the document with
 * the session of the browser, so only people who are signed in see it. It loads nothing from other sites, and the page holds no inline script.
 */
export async function addReference(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    const policy = pagePolicy()
    scope.addHook('onSend', async (_request, reply) => void reply.header('content-security-policy', policy))
    scope.get(page, (_request, reply) => reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html))
    scope.get(`${page}/start.js`, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(script),
    )
    await scope.register(apiReference, {
      routePrefix: library,
      configuration: { url: '/api/openapi.json' },
      // The package's own page holds a script in its text; its library is all we take.
      hooks: {
        onRequest: (request, reply, done) => (/\.js(\?|$)/.test(request.url) ? done() : void reply.redirect(page)),
      },
    })
  })
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Outpost API</title>
</head>
<body>
<main id="reference"><h1>Outpost API</h1><p role="status">Loading the reference…</p></main>
<script src="${library}/js/scalar.js" defer></script>
<script src="${page}/start.js" defer></script>
</body>
</html>
`

/** Runs in the browser: a token for this session, the document with it, and the page of it. Whoever is not signed in reads that they are not. */
const script = `const place = document.getElementById('reference')
const signIn = () => { place.innerHTML = '<h1>Outpost API</h1><p role="status">Sign in to Outpost first, then open this page again: <a href="/login">Sign in</a></p>' }
async function read(path, options) {
  const answer = await fetch(path, options)
  if (answer.status === 401 || answer.status === 403) return undefined
  if (!answer.ok) throw new Error(String(answer.status))
  return answer.json()
}
async function start() {
  const session = await read('/api/auth/refresh', { method: 'POST', headers: { 'content-type': 'application/json', 'x-ui-version': 'reference' }, body: '{}' })
  const content = session && (await read('/api/openapi.json', { headers: { authorization: 'Bearer ' + session.data.token } }))
  if (!content) return signIn()
  place.textContent = ''
  content.servers = [{ url: location.origin }]
  Scalar.createApiReference(place, {
    content, withDefaultFonts: false, telemetry: false, hideTestRequestButton: true, hideClientButton: true, showDeveloperTools: 'never',
    agent: { disabled: true }, mcp: { disabled: true }, documentDownloadType: 'json', defaultOpenAllTags: false, operationTitleSource: 'path',
  })
}
start().catch(() => { place.innerHTML = '<h1>Outpost API</h1><p role="alert">The reference cannot be read just now. Reload this page.</p>' })
`

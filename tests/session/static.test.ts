import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog } from '@outpost/platform/log'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { addStatic } from '../../apps/server/src/static.ts'
import { precompress } from '../../scripts/start/precompress.ts'
import { testApp } from '../support/app.ts'

const longAnswer = { data: Array.from({ length: 200 }, (_, n) => ({ Id: n, name: `Row ${n}` })) }
const longScript = `/* ${'a long script '.repeat(200)} */`
let http: FastifyInstance
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-static-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Outpost</title>')
  await writeFile(join(folder, 'sw.js'), 'self')
  await writeFile(join(folder, 'assets/app-1a2b3c.js'), 'app')
  await writeFile(join(folder, 'assets/long-1a2b3c.js'), longScript)
  await precompress(folder)
  const log = createLog({ level: 'silent' })
  http = await createHttp({
    log,
    counters: createCounters({ log }),
    health: { checks: [], isOpen: () => true },
    pressureLagMs: 0,
    isCompressed: true,
  })
  http.get('/long', () => longAnswer)
  http.get('/short', () => ({ data: 'short' }))
  http.get('/events', (_request, reply) => reply.type('text/event-stream').send('data: a line of an event\n\n'.repeat(100)))
  await addStatic(http, { folder, tileHosts: ['https://tiles.example'], connectivityUrl: 'https://outside.example/generate_204' })
  await http.ready()
})
afterAll(async () => {
  await http.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (url: string) => http.inject({ method: 'GET', url })

it('serves files with a hash for ever and the rest to be asked for again', async () => {
  const asset = await get('/assets/app-1a2b3c.js')
  expect([asset.statusCode, asset.body, asset.headers['cache-control']]).toEqual([200, 'app', 'public, max-age=31536000, immutable'])
  const worker = await get('/sw.js')
  expect([worker.statusCode, worker.headers['cache-control']]).toEqual([200, 'no-cache'])
  expect(worker.headers['content-security-policy']).toContain("connect-src 'self'")
})

it('sends the compressed form that lies beside a file to who accepts it, and answers of calls compressed too', async () => {
  const ask = (url: string, encoding: string) => http.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } })
  const [brotli, zipped, plain] = await Promise.all(
    ['br, gzip', 'gzip', 'identity'].map((encoding) => ask('/assets/long-1a2b3c.js', encoding)),
  )
  expect([brotli, zipped, plain].map((answer) => answer?.headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
  expect(brotliDecompressSync(brotli!.rawPayload).toString()).toBe(longScript)
  expect(gunzipSync(zipped!.rawPayload).toString()).toBe(longScript)
  expect(plain?.body).toBe(longScript)
  expect(brotli?.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    vary: expect.stringMatching(/accept-encoding/i),
  })
})

it('compresses the JSON of calls for who accepts it, from one packet on, and nothing else', async () => {
  const ask = (url: string, encoding?: string) =>
    http.inject({ method: 'GET', url, ...(encoding ? { headers: { 'accept-encoding': encoding } } : {}) })
  const long = await ask('/long', 'gzip, deflate, br')
  expect([long.headers['content-encoding'], JSON.parse(brotliDecompressSync(long.rawPayload).toString())]).toEqual(['br', longAnswer])
  expect((await ask('/long')).json()).toEqual(longAnswer)
  expect((await ask('/short', 'gzip, br')).headers['content-encoding']).toBeUndefined()
  expect((await ask('/events', 'gzip, br')).headers['content-encoding']).toBeUndefined()
})

it.each(['/', '/login', '/sales/leads/edit/42', '/impersonate/1/a%20b', '/index.html', '/apiary'])(
  'answers %s with the page and its policy',
  async (url) => {
    const { statusCode, body, headers } = await get(url)
    expect([statusCode, body]).toEqual([200, '<!doctype html><title>Outpost</title>'])
    expect(headers['cache-control']).toBe('no-cache')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain('https://tiles.example')
    expect(policy).toMatch(/connect-src [^;]*https:\/\/outside\.example(;| )/)
    expect(policy.match(/outside\.example/g)).toHaveLength(1)
    expect(policy).not.toContain('unsafe-eval')
    expect(headers['x-content-type-options']).toBe('nosniff')
  },
)

it.each(['/api', '/api/', '/api/nothing', '/geo/x', '/assets/gone-123456.js', '/favicon.png', '/api/..%2f..%2fetc/passwd'])(
  'answers %s with a JSON 404',
  async (url) => {
    const { statusCode, headers } = await get(url)
    expect(statusCode).toBe(404)
    expect(headers['content-type']).toContain('application/json')
  },
)

it.each(['/../secret', '/%2e%2e/%2e%2e/etc/passwd', '/..%5c..%5cetc/passwd', '/assets/%00', '/assets//etc/passwd', '/%'])(
  'never leaves its folder: %s',
  async (url) => {
    const { body } = await get(url)
    expect(body).not.toContain('root:')
  },
)

it('answers the named hosts only, health excepted', async () => {
  const app = await testApp({ areas: (machine) => [authArea(machine)], env: { HOSTS: 'outpost.test, console.test' } })
  const status = async (host: string, path = '/api/auth/auth-url/saml') => (await app.nobody.get(path, { host })).status
  expect(await status('outpost.test')).toBe(501)
  expect(await status('CONSOLE.test:8080')).toBe(501)
  expect(await status('evil.test')).toBe(400)
  expect(await status('evil.test', '/healthz')).toBe(200)
  await app.close()
})

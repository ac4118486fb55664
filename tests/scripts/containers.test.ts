import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { GenericContainer, getContainerRuntimeClient, Wait, type StartedTestContainer } from 'testcontainers'
import { afterAll, expect, it } from 'vitest'
import { migrate } from '@outpost/platform/db/migrate'
import { bootstrapRoles } from '@outpost/platform/db/roles'
import { createMake } from '../support/make.ts'
import { killServers, startServer } from '../support/process.ts'
import pg from 'pg'

const root = resolve(import.meta.dirname, '../..')

/** Why no container can run here; undefined where a Docker engine answers. */
const missing = await getContainerRuntimeClient().then(
  () => undefined,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
)
if (missing !== undefined) console.log(`No Docker engine answers (${missing}): the tests in containers are skipped.`)

const started: StartedTestContainer[] = []
let dir = ''
afterAll(async () => {
  await killServers()
  for (const container of started) await container.stop()
  if (dir !== '') await rm(dir, { recursive: true, force: true })
})

it.skipIf(missing !== undefined)(
  'Outpost works on the images that compose names: Postgres 18 and Redis 7',
  { timeout: 600_000 },
  async () => {
    dir = await mkdtemp(join(tmpdir(), 'outpost-containers-'))
    const [password, redisPassword] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
    const postgres = await new GenericContainer('postgres:18')
      .withEnvironment({ POSTGRES_PASSWORD: password, POSTGRES_DB: 'outpost' })
      .withExposedPorts(5432)
      // It starts twice: once to prepare itself.
      .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
      .start()
    started.push(postgres)
    const redis = await new GenericContainer('redis:7')
      .withCommand(['redis-server', '--requirepass', redisPassword, '--maxmemory-policy', 'noeviction'])
      .withExposedPorts(6379)
      .start()
    started.push(redis)
    const adminUrl = `postgres://postgres:${password}@${postgres.getHost()}:${postgres.getMappedPort(5432)}/outpost`
    const secrets = { secret: randomBytes(32).toString('hex'), deploySecret: randomBytes(32).toString('hex') }
    const url = await bootstrapRoles({ adminUrl, ...secrets })
    await migrate({ url, ...secrets, dir: join(root, 'prisma') })
    const admin = new pg.Pool({ connectionString: url, max: 2 })
    const user = await createMake({ admin, secret: secrets.secret }).user()
    await admin.end()
    const server = await startServer({
      database: { url, secret: secrets.secret },
      dataDir: join(dir, 'server'),
      env: { REDIS_URL: `redis://:${redisPassword}@${redis.getHost()}:${redis.getMappedPort(6379)}`, PRESSURE_LAG: '0' },
    })
    const checks = async () => ((await (await fetch(`${server.url}/readyz`)).json()) as { checks: Record<string, string> }).checks
    await expect.poll(checks).toMatchObject({ postgres: 'ok', redis: 'ok' })
    const answer = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-native': '1' },
      body: JSON.stringify({ email: user.emailAddress, password: user.password }),
    })
    expect(answer.status).toBe(200)
    await server.kill('SIGTERM')
  },
)

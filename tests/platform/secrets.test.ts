import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { createSigner } from 'fast-jwt'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { migrate } from '@outpost/platform/db/migrate'
import { bootstrapRoles, deployAlone, loginRoles, roleUrl, type LoginRole, type RoleSecrets } from '@outpost/platform/db/roles'
import { startEmbedded, type EmbeddedPostgres } from '@outpost/platform/db/cluster/embedded'
import { readEnv } from '@outpost/platform/env'
import { geoKeysOf, geoKeysSchema } from '@outpost/platform/geo-keys'
import { deriveTokenKeys } from '@outpost/platform/keys'
import { createTokenReader } from '../../apps/geo/src/api/token.ts'
import { writeGeoKeys } from '../../scripts/geo-keys.ts'
import { deploySettings, secretsOfDeployment } from '../../scripts/start/deploy-secrets.ts'
import { createMake } from '../support/make.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { startProgram } from '../../scripts/start/program.ts'

const random = () => randomBytes(32).toString('hex')
const deploying: LoginRole[] = ['fx_migrate', 'fx_datafix']
const ofGeo: LoginRole[] = ['fx_geo', 'fx_ingest']
const ofServer = (Object.keys(loginRoles) as LoginRole[]).filter((role) => ![...deploying, ...ofGeo].includes(role))

let dir = ''
let postgres: EmbeddedPostgres
// Roles belong to a whole cluster: changing passwords in the one that all tests share would lock those out.
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outpost-secrets-'))
  postgres = await startEmbedded({ dataDir: join(dir, 'data'), fast: true })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await killServers()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})

/** The roles among these that the secret logs in. */
async function opened(roles: readonly LoginRole[], secret: Parameters<typeof roleUrl>[2]): Promise<LoginRole[]> {
  const found: LoginRole[] = []
  for (const role of roles) {
    const client = new pg.Client({ connectionString: roleUrl(`${postgres.adminUrl.replace(/postgres$/, 'outpost')}`, role, secret) })
    const isIn = await client.connect().then(
      () => true,
      (error: unknown) => {
        expect((error as { code?: string }).code).toBe('28P01')
        return false
      },
    )
    if (isIn) found.push(role)
    await client.end().catch(() => undefined)
  }
  return found
}
const deploy = (secrets: RoleSecrets) => bootstrapRoles({ adminUrl: postgres.adminUrl, database: 'outpost', ...secrets })

it('the master secret opens no role of a deployment, and a deployment’s secret opens nothing else', async () => {
  const [secret, deploySecret] = [random(), random()]
  await deploy({ secret, deploySecret })
  expect(await opened([...ofServer, ...deploying], secret)).toEqual(ofServer)
  expect(await opened([...ofServer, ...deploying, ...ofGeo], deploySecret)).toEqual(deploying)
})

it('each deployment that was given no secret draws one: that of the last opens nothing any more', async () => {
  const secret = random()
  const [first, second] = [secretsOfDeployment({}).deploySecret, secretsOfDeployment({}).deploySecret]
  await deploy({ secret, deploySecret: first })
  await deploy({ secret, deploySecret: second })
  expect([await opened(deploying, first), await opened(deploying, second)]).toEqual([[], deploying])
  expect(await opened(ofServer, secret)).toEqual(ofServer)
  expect(secretsOfDeployment({ DEPLOY_SECRET: first })).toMatchObject({ deploySecret: first })
})

it('deployments at the same time take turns, so that none takes the other’s password away', async () => {
  const secret = random()
  const order: string[] = []
  const run = (name: string) =>
    deployAlone(postgres.adminUrl, async () => {
      order.push(`${name} begins`)
      const deploySecret = random()
      await deploy({ secret, deploySecret })
      order.push(`${name} ${(await opened(deploying, deploySecret)).length}`)
    })
  await Promise.all([run('a'), run('b'), run('c')])
  for (let n = 0; n < order.length; n += 2) expect(order[n + 1]).toBe(`${order[n]!.split(' ')[0]} 2`)
})

it('the geo service’s keys open its two roles, and changing GEO_SECRET locks out whoever had them', async () => {
  const [secret, geoSecret, next] = [random(), random(), random()]
  await deploy({ secret, deploySecret: random(), geoSecret })
  const keys = geoKeysOf({ secret, geoSecret, hasRedis: true })
  expect(await opened(ofGeo, keys.passwords)).toEqual(ofGeo)
  expect(() => roleUrl(postgres.adminUrl, 'fx_app', keys.passwords)).toThrow('No password was given for the database role fx_app')
  expect(await opened(ofGeo, secret)).toEqual([])
  await deploy({ secret, deploySecret: random(), geoSecret: next })
  expect(await opened(ofGeo, keys.passwords)).toEqual([])
  expect(await opened(ofGeo, geoKeysOf({ secret, geoSecret: next }).passwords)).toEqual(ofGeo)
  expect(await opened(ofServer, secret)).toEqual(ofServer)
})

it('ACCESS_SECRET changes database passwords and token keys; nobody is signed out, and passwords and sealed things stay', async () => {
  const [secret, before, after, deploySecret] = [random(), random(), random(), random()]
  await deploy({ secret, accessSecret: before, deploySecret })
  const url = postgres.adminUrl.replace(/postgres$/, 'outpost')
  await migrate({ url, deploySecret, dir: resolve(import.meta.dirname, '../../prisma') })
  const admin = new pg.Pool({ connectionString: url, max: 2 })
  const user = await createMake({ admin, secret }).user()
  const open = (ACCESS_SECRET: string) =>
    startServer({ database: { url, secret }, dataDir: join(dir, 'server'), env: { ACCESS_SECRET, ROLE: 'api', PRESSURE_LAG: '0' } })
  const post = (server: ServerProcess, path: string, body: object) =>
    fetch(`${server.url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-native': '1' },
      body: JSON.stringify(body),
    })
  const me = (server: ServerProcess, token: string) =>
    fetch(`${server.url}/api/users/me/${user.id}`, { headers: { authorization: `Bearer ${token}` } })
  const login = { email: user.emailAddress, password: user.password }
  const old = await open(before)
  const { data } = (await (await post(old, 'login', login)).json()) as { data: { token: string; refreshToken: string } }
  const first = (await me(old, data.token)).status
  await old.kill('SIGTERM')
  await deploy({ secret, accessSecret: after, deploySecret: random() })
  expect([await opened(ofServer, before), await opened(ofServer, secret)]).toEqual([[], []])
  await expect(open(before)).rejects.toThrow('password authentication failed')
  const fresh = await open(after)
  expect([first, (await me(fresh, data.token)).status]).toEqual([200, 401])
  const refreshed = await post(fresh, 'refresh', { refreshToken: data.refreshToken })
  expect(refreshed.status).toBe(200)
  const { data: renewed } = (await refreshed.json()) as { data: { token: string } }
  expect((await me(fresh, renewed.token)).status).toBe(200)
  expect((await post(fresh, 'login', login)).status).toBe(200)
  await fresh.kill('SIGTERM')
  await admin.end()
  const [was, is] = [before, after].map((accessSecret) => geoKeysOf({ secret, accessSecret }))
  expect([was?.feedKey === is?.feedKey, was?.tokenKeys[0]?.publicKey === is?.tokenKeys[0]?.publicKey]).toEqual([true, false])
})

it('another BACKUP_PASSWORD, read from a file, locks out who had the former one; a backup that runs goes on', async () => {
  const secret = random()
  const file = join(dir, 'backup-password')
  const passwordOf = async (password: string) => {
    await writeFile(file, `${password}\n`)
    return readEnv(z.object(deploySettings), { BACKUP_PASSWORD_FILE: file }).BACKUP_PASSWORD
  }
  const [former, next] = ['former-password-of-backups', 'next-password-of-backups']
  const login = (password: string) => {
    const url = new URL(postgres.adminUrl.replace(/postgres$/, 'outpost'))
    Object.assign(url, { username: 'fx_backup', password })
    return new pg.Client({ connectionString: url.href })
  }
  const isOpenedBy = async (password: string) => {
    const client = login(password)
    const answer = await client.connect().then(
      () => true,
      (error: { code?: string }) => error.code,
    )
    await client.end().catch(() => undefined)
    return answer
  }
  await deploy({ secret, deploySecret: random(), backupPassword: await passwordOf(former) })
  const running = login(former)
  await running.connect()
  await deploy({ secret, deploySecret: random(), backupPassword: await passwordOf(next) })
  expect([await isOpenedBy(former), await isOpenedBy(next)]).toEqual(['28P01', true])
  expect((await running.query('select current_user as "role"')).rows).toEqual([{ role: 'fx_backup' }])
  await running.end()
  // A deployment that names none leaves the present one.
  await deploy({ secret, deploySecret: random() })
  expect(await isOpenedBy(next)).toBe(true)
})

it('another password of the superuser: running programs do not notice, migrate needs it', async () => {
  const [secret, deploySecret] = [random(), random()]
  await deploy({ secret, deploySecret })
  const url = postgres.adminUrl.replace(/postgres$/, 'outpost')
  await migrate({ url, deploySecret, dir: resolve(import.meta.dirname, '../../prisma') })
  const server = await startServer({ database: { url, secret }, dataDir: dir, env: { ROLE: 'api', PRESSURE_LAG: '0' } })
  const isReady = async () => (await fetch(`${server.url}/readyz`)).status
  await expect.poll(isReady).toBe(200)
  const change = async (adminUrl: string, password: string) => {
    const client = new pg.Client({ connectionString: adminUrl })
    await client.connect()
    await client.query(`alter role postgres password ${pg.escapeLiteral(password)}`)
    await client.end()
  }
  const changed = new URL(postgres.adminUrl)
  changed.password = random()
  await change(postgres.adminUrl, changed.password)
  // Connections of its own, new ones too, are those of its roles.
  const { rows: ended } = await new Promise<{ rows: unknown[] }>((done, fail) => {
    const client = new pg.Client({ connectionString: changed.href })
    client
      .connect()
      .then(() => client.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename like 'fx\\_%'`))
      .then(done, fail)
      .finally(() => client.end())
  })
  expect(ended.length).toBeGreaterThan(0)
  await expect.poll(isReady, { timeout: 30_000 }).toBe(200)
  await expect(deploy({ secret, deploySecret: random() })).rejects.toMatchObject({ code: '28P01' })
  await bootstrapRoles({ adminUrl: changed.href, database: 'outpost', secret, deploySecret: random() })
  await change(changed.href, new URL(postgres.adminUrl).password)
  await expect.poll(isReady).toBe(200)
  await server.kill('SIGTERM')
})

it('the keys sign nothing and reveal nothing of the secret; the next generation of token keys is known before it is used', async () => {
  const secret = random()
  const text = JSON.stringify(geoKeysOf({ secret, generation: 4 }))
  expect(text).not.toContain('PRIVATE')
  expect(text).not.toContain(secret)
  const now = Date.parse('2026-11-22T10:00:00Z')
  const read = await createTokenReader({ keys: geoKeysSchema.parse(JSON.parse(text)).tokenKeys, now: () => now })
  const signed = (generation: number) => {
    const { kid, privateKey } = deriveTokenKeys(secret, generation).current
    const seconds = now / 1_000
    const id = '11111111-1111-4111-8111-111111111111'
    const claims = { sub: id, act: id, cid: id, tid: id, scope: '*', tz: 'UTC', permissions: [], typ: 'service', iss: 'outpost' }
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' })
    const token = createSigner({ key, algorithm: 'EdDSA', kid })({ ...claims, aud: 'outpost-geo', iat: seconds, exp: seconds + 60 })
    return `Bearer ${token}`
  }
  for (const generation of [3, 4, 5]) expect(read(signed(generation)).timeZone).toBe('UTC')
  for (const generation of [2, 6]) expect(() => read(signed(generation))).toThrow()
})

it('migrate writes them down for the geo service, for nobody else to read', async () => {
  const [secret, geoSecret] = [random(), random()]
  const file = join(dir, 'geo.json')
  for (const [name, value] of Object.entries({
    GEO_KEYS_OUT: file,
    GEO_SECRET: geoSecret,
    REDIS_URL: 'redis://r',
    TOKEN_KEY_GENERATION: '7',
  }))
    vi.stubEnv(name, value)
  await writeGeoKeys({ secret })
  vi.unstubAllEnvs()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const keys = geoKeysSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  expect(keys).toEqual(geoKeysOf({ secret, geoSecret, generation: 7, hasRedis: true }))
  expect([keys.tokenKeys.map(({ kid }) => kid), keys.passwords.fx_queue]).toEqual([['g7', 'g6', 'g8'], undefined])
})

it('a program is given the secrets it needs by name and inherits none', async () => {
  const script = join(dir, 'tell.mjs')
  await writeFile(script, `process.send({ url: 'http://x', told: process.env }); process.disconnect()`)
  for (const name of ['SECRET', 'DEPLOY_SECRET_FILE', 'GEO_SECRET', 'GEO_KEYS', 'OF_OTHERS']) vi.stubEnv(name, `outer ${name}`)
  const program = await startProgram({ name: 'tell', script: resolve(script), env: { GEO_KEYS: 'own' }, logDir: dir })
  const { told } = (await program.ready) as unknown as { told: Record<string, string> }
  await program.ended
  vi.unstubAllEnvs()
  expect([told['SECRET'], told['DEPLOY_SECRET_FILE'], told['GEO_SECRET'], told['GEO_KEYS'], told['OF_OTHERS']]).toEqual([
    undefined,
    undefined,
    undefined,
    'own',
    'outer OF_OTHERS',
  ])
})

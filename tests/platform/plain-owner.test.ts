import { randomBytes } from 'node:crypto'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbedded, type EmbeddedPostgres } from '@outpost/platform/db/cluster/embedded'
import { plainRoleStatements } from '@outpost/platform/db/cluster/plain-owner'
import { bootstrapRoles, roleUrl, withDatabase } from '@outpost/platform/db/roles'
import { databaseChecks } from '../../scripts/doctor/database.ts'
import { examine } from '../../scripts/doctor.ts'
import { killServers, startServer } from '../support/process.ts'

const root = resolve(import.meta.dirname, '../..')
const random = () => randomBytes(32).toString('hex')
const secrets = { secret: random(), deploySecret: random() }

let dir = ''
let postgres: EmbeddedPostgres
/** As a provider of managed Postgres gives them: an administrator without superuser's rights, and a login without any right. */
let asProvider: pg.Client
let ownerUrl = ''

function urlOf(user: string, password: string): string {
  const url = new URL(withDatabase(postgres.adminUrl, 'managed'))
  url.username = user
  url.password = password
  return url.href
}
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outpost-managed-'))
  postgres = await startEmbedded({ dataDir: join(dir, 'data'), fast: true })
  const superuser = new pg.Client({ connectionString: postgres.adminUrl })
  await superuser.connect()
  const [provider, owner] = [random(), random()]
  await superuser.query(`create role provider login createrole createdb nosuperuser password '${provider}'`)
  await superuser.query(`create role plain_owner login nosuperuser nocreaterole nocreatedb password '${owner}'`)
  await superuser.query('create database managed owner provider')
  await superuser.end()
  ownerUrl = urlOf('plain_owner', owner)
  asProvider = new pg.Client({ connectionString: urlOf('provider', provider) })
  await asProvider.connect()
})
afterAll(async () => {
  await killServers()
  await asProvider.end()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})

const settings = () => ({
  DATABASE_URL: ownerUrl,
  SECRET: secrets.secret,
  DEPLOY_SECRET: secrets.deploySecret,
  DATA_DIR: join(dir, 'console'),
})
/** Runs one of the commands of package.json as an operator does. */
const command = async (script: string, args: string[] = []) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts', script), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...settings() },
  })
const deploy = () => bootstrapRoles({ adminUrl: ownerUrl, ...secrets })

it('before the operator has prepared the database, all that is missing is said at once, and nothing is changed', async () => {
  const refused = await deploy().then(
    () => '',
    (error: Error) => error.message,
  )
  for (const words of [
    'the role fx_owner is missing',
    'fx_app cannot log in',
    'the database belongs to provider',
    'npm run migrate -- roles',
  ])
    expect(refused).toContain(words)
  expect(refused).not.toContain(secrets.secret)
  expect((await asProvider.query(`select from pg_namespace where nspname = 'queue'`)).rowCount).toBe(0)
})

it('what `migrate -- roles` prints is run by an administrator who is no superuser; twice is as good as once', async () => {
  const { stdout } = await command('migrate.ts', ['roles'])
  for (const words of ['-- needs a superuser: revoke execute on function pg_catalog.set_config', 'fx_datafix BYPASSRLS', 'fx_backup'])
    expect(stdout).toContain(words)
  const statements = stdout.split(';\n').filter((one) => !one.startsWith('--'))
  expect(statements).toEqual(plainRoleStatements({ ownerUrl, secrets }))
  await asProvider.query(stdout)
  await asProvider.query(stdout)
})

it.each([
  [
    'a membership',
    'revoke fx_owner from plain_owner',
    'grant fx_owner to plain_owner with inherit false, set true',
    'plain_owner cannot become fx_owner',
  ],
  [
    'a login',
    'alter role fx_relay nologin',
    'alter role fx_relay login',
    'fx_relay cannot log in: role "fx_relay" is not permitted to log in',
  ],
  [
    'a path',
    'alter role fx_geo set search_path = public',
    'alter role fx_geo set search_path = geo, pg_temp',
    'fx_geo has the search path public',
  ],
])('one thing that is missing is named alone: %s', async (_, breaks, mends, words) => {
  await asProvider.query(breaks)
  await expect(deploy()).rejects.toThrow(words)
  await asProvider.query(mends)
})

it('another DEPLOY_SECRET than the roles were made with is named', async () => {
  await expect(bootstrapRoles({ adminUrl: ownerUrl, ...secrets, deploySecret: random() })).rejects.toThrow('fx_migrate cannot log in')
})

it(
  'the plain login migrates, founds a group behind walls that are there again, and the server works under its roles',
  { timeout: 240_000 },
  async () => {
    expect((await command('migrate.ts')).stdout).toContain('applied ')
    expect((await command('migrate.ts')).stdout).toContain('up to date')
    const wish = ['--name', 'Savanna Group', '--code', 'SAV', '--email', 'first@example.com', '--company', 'Sunrise Credit']
    const place = ['--companyCode', 'SUN', '--country', 'KE', '--currency', 'KES', '--timeZone', 'Africa/Nairobi']
    const { stdout } = await command('new-group.ts', [...wish, ...place])
    const password = /signs in with (\S+):/.exec(stdout)?.[1] ?? ''
    const owner = new pg.Client({ connectionString: roleUrl(ownerUrl, 'fx_migrate', secrets.deploySecret), options: '-c role=fx_owner' })
    await owner.connect()
    const { rows } = await owner.query<{ tables: number; open: number }>(`
      select count(*)::int as tables, count(*) filter (where not c.relrowsecurity or not c.relforcerowsecurity)::int as open
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attname = 'companyId'
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`)
    expect(rows[0]?.tables).toBeGreaterThan(100)
    expect(rows[0]?.open).toBe(0)
    // The owner is held by them like everybody else.
    expect((await owner.query('select from tenant')).rowCount).toBe(0)
    await owner.end()
    const checks = (await examine(databaseChecks({ url: ownerUrl, secret: secrets.secret }))).filter(
      ({ name }) => !['WAL archive'].includes(name),
    )
    const findings = checks.flatMap((check) => check.findings)
    expect(findings.filter(({ level }) => level === 'wrong')).toEqual([])
    expect(findings.filter(({ level }) => level === 'warning').map(({ words }) => words)).toEqual([
      expect.stringContaining('on a managed Postgres without a superuser the second wall of reports is missing'),
    ])
    const server = await startServer({
      database: { url: ownerUrl, secret: secrets.secret },
      dataDir: join(dir, 'server'),
      env: { PRESSURE_LAG: '0' },
    })
    const answer = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-native': '1' },
      body: JSON.stringify({ email: 'first@example.com', password }),
    })
    const { data } = (await answer.json()) as { data: { token: string } }
    expect(answer.status).toBe(200)
    const tenants = await fetch(`${server.url}/api/tenants`, { headers: { authorization: `Bearer ${data.token}` } })
    expect([tenants.status, await tenants.text()]).toEqual([200, expect.stringContaining('Sunrise Credit')])
    await server.kill('SIGTERM')
  },
)

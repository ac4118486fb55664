import { spawnSync } from 'node:child_process'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { archiveSettings } from '@outpost/platform/backup/archive'
import { geoSettings } from '../../apps/geo/src/env.ts'
import { serverSettings } from '../../apps/server/src/env.ts'
import { backupSettings } from '../../scripts/backup/settings.ts'
import { envExamples } from '../../scripts/env-example.ts'
import { deploySettings } from '../../scripts/start/deploy-secrets.ts'

const root = resolve(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const text = (path: string) => readFile(join(root, path), 'utf8')

interface Service {
  environment?: Record<string, string>
  networks?: string[]
  volumes?: string[]
  command?: string[]
  env_file?: { path: string }[]
  logging?: unknown
  ports?: string[]
  mem_limit?: string
  cpus?: number | string
  pids_limit?: number
  depends_on?: string[] | Record<string, object>
  healthcheck?: { test: string[] }
  image?: string
}
interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean }>
  volumes: Record<string, unknown>
}
const composeText = await text('docker-compose.yml')
const compose = parse(composeText, { merge: true }) as Compose
const services = Object.entries(compose.services)
const programs = ['api', 'worker', 'geo', 'migrate']

it('the examples of settings are what the schemas say (npm run env:examples)', async () => {
  for (const [name, wanted] of Object.entries(envExamples())) expect(await text(name), name).toBe(wanted)
})

it('what compose asks of .env is in its example, and each setting of the programs reaches them', () => {
  const asked = new Set([...composeText.matchAll(/(?<!\$)\$\{([A-Z0-9_]+)[:}-]/g)].map(([, name = '']) => name))
  const ofDevices = ['TELTONIKA_PORT', 'GT06_PORT', 'H02_PORT', 'OSMAND_PORT', 'DEVICE_PORTS', 'GEO_URL']
  const named = (file: string) => [...(envExamples()[file] ?? '').matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
  expect([...asked].filter((name) => !named('.env.example').includes(name) && !ofDevices.includes(name))).toEqual([])
  for (const name of programs)
    expect(compose.services[name]?.env_file).toEqual([{ path: name === 'geo' ? 'geo.env' : 'outpost.env', required: false }])
  expect(named('outpost.env.example')).toEqual(expect.arrayContaining(['SMTP_URL', 'S3_BUCKET', 'DATABASE_PATIENCE']))
  expect(named('geo.env.example')).toEqual(expect.arrayContaining(['KEEP_DAYS', 'DATABASE_PATIENCE']))
})

it('what the examples name is asked for, and no setting of a program is left out of its example and of compose', () => {
  const named = (file: string) => [...(envExamples()[file] ?? '').matchAll(/^#([A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
  const asked = new Set([...composeText.matchAll(/(?<!\$)\$\{([A-Z0-9_]+)[:}-]/g)].map(([, name = '']) => name))
  expect(named('.env.example').filter((name) => !asked.has(name))).toEqual([])
  // Said by the Dockerfile; the folder of the console lies in the image.
  const ofImage = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'BUILD', 'CONSOLE_DIST']
  for (const [name, file, schema] of [
    ['api', 'outpost.env.example', serverSettings],
    ['worker', 'outpost.env.example', serverSettings],
    ['geo', 'geo.env.example', geoSettings],
    ['backup', 'backup.env.example', backupSettings],
  ] as const) {
    const given = Object.keys(compose.services[name]?.environment ?? {}).map((one) => one.replace(/_FILE$/, ''))
    const reached = new Set([...named(file), ...given, ...ofImage])
    expect([name, Object.keys(schema.shape).filter((one) => !reached.has(one))]).toEqual([name, []])
  }
  const ofMigrate = Object.keys(compose.services['migrate']?.environment ?? {})
  expect(Object.keys(deploySettings).filter((one) => !ofMigrate.includes(one))).toEqual([])
})

it('the geo service has no secret of others: two passwords and public keys, which migrate writes down for it', () => {
  const geo = JSON.stringify(compose.services['geo'])
  expect(geo).not.toMatch(/\bSECRET|POSTGRES_PASSWORD|files:/)
  expect(compose.services['geo']?.environment?.['GEO_KEYS_FILE']).toBe(compose.services['migrate']?.environment?.['GEO_KEYS_OUT'])
  expect([compose.services['geo']?.volumes, compose.services['migrate']?.volumes]).toEqual([['keys:/keys:ro'], ['keys:/keys']])
  expect(envExamples()['geo.env.example']).not.toMatch(/^#(SECRET|S3_|SMTP_)/m)
  const holders = services.filter(([, service]) => JSON.stringify(service).includes('${SECRET')).map(([name]) => name)
  expect(holders).toEqual(['migrate', 'api', 'worker'])
})

it('the superuser’s password reaches nobody but Postgres and migrate', () => {
  const holders = services.filter(([, service]) => JSON.stringify(service).includes('POSTGRES_PASSWORD')).map(([name]) => name)
  expect(holders).toEqual(['postgres', 'migrate'])
  expect(services.filter(([, service]) => JSON.stringify(service).includes('BACKUP_PASSWORD')).map(([name]) => name)).toEqual([
    'migrate',
    'backup',
  ])
})

it('Postgres and Redis are in a network without a way out, and no program but api is at the front', () => {
  expect([compose.networks.data?.internal, compose.networks.inner?.internal]).toEqual([true, true])
  for (const name of ['postgres', 'redis', 'migrate']) expect(compose.services[name]?.networks, name).toEqual(['data'])
  expect(services.filter(([, { networks = [] }]) => networks.includes('front')).map(([name]) => name)).toEqual([
    'api',
    'caddy',
    'prometheus',
    'grafana',
  ])
})

it('Postgres lays its WAL down by the command that the tests restore from, where the backup service looks', () => {
  const spool = '/var/lib/postgresql/wal'
  const { archive_command: command } = archiveSettings(spool)
  expect(compose.services['postgres']?.command).toContain(`archive_command=mkdir -p ${spool} && (${command})`)
  expect(compose.services['backup']?.environment?.['BACKUP_WAL']).toBe(spool)
  for (const name of ['postgres', 'backup']) expect(compose.services[name]?.volumes, name).toContain('postgres:/var/lib/postgresql')
})

it('every container names its image, its networks, how much it may log, and its limits of memory, processors and processes', () => {
  for (const [name, { image, networks, logging, mem_limit: memory, cpus, pids_limit: pids }] of services)
    expect([image, networks, logging, memory, cpus, pids].includes(undefined), name).toBe(false)
})

it('a full Redis refuses before its container is ended, and loses no job', () => {
  const command = compose.services['redis']?.command?.join(' ') ?? ''
  expect(command).toContain('--maxmemory-policy noeviction')
  const [, data = ''] = /--maxmemory \$\{REDIS_MAXMEMORY:-(\d+)mb\}/.exec(command) ?? []
  const [, all = ''] = /:-(\d+)m\}/.exec(compose.services['redis']?.mem_limit ?? '') ?? []
  expect(Number(data)).toBeGreaterThan(0)
  expect(Number(data)).toBeLessThan(0.75 * Number(all))
})

/** What lies over docker-compose.yml when an operator asks for it. */
const over = async (name: string) => {
  const file = await text(`deploy/compose/${name}.yml`)
  return parse(file.replaceAll(/!(?:reset|override) /g, '')) as Compose
}

it('all compose files are of the compose specification’s schema', async () => {
  const schema = JSON.parse(
    await readFile(join(dirname(require.resolve('dclint/package.json')), 'schemas/compose.schema.json'), 'utf8'),
  ) as { $schema?: string }
  delete schema.$schema
  const check = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema)
  const problems = (one: unknown) =>
    check(one) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  const files = { 'docker-compose.yml': compose, devices: await over('devices'), 'without-redis': await over('without-redis') }
  for (const [name, file] of Object.entries(files)) expect([name, problems(file)]).toEqual([name, []])
  // It bites.
  expect(problems({ services: { api: { imagee: 'outpost' } } })).not.toEqual([])
  expect(problems({ services: { api: { ports: 8080 } } })).not.toEqual([])
})

it('migrate waits for the Postgres that listens, not for the one that prepares the database; Caddy is asked for nothing that it does not do', async () => {
  expect(compose.services['postgres']?.healthcheck?.test.join(' ')).toContain('pg_isready -h 127.0.0.1')
  // Caddy's active checks do not run where it finds addresses by name; passive ones do.
  const caddy = await text('deploy/Caddyfile')
  expect([/dynamic a api 8080/.test(caddy), /health_/.test(caddy), /fail_duration/.test(caddy)]).toEqual([true, false, true])
})

it('each service, network and volume that compose names is there', () => {
  for (const [name, { networks = [], volumes = [], depends_on: needs = [] }] of services) {
    for (const network of networks) expect([name, network, network in compose.networks]).toEqual([name, network, true])
    for (const need of Array.isArray(needs) ? needs : Object.keys(needs)) expect([name, need in compose.services]).toEqual([name, true])
    for (const volume of volumes.map((one) => one.split(':')[0] ?? '').filter((one) => !/^[./]/.test(one)))
      expect([name, volume, volume in compose.volumes]).toEqual([name, volume, true])
  }
})

it('the balancer before the device ports takes their place, and the geo service believes what it says of trackers', async () => {
  const { services: laid, networks } = await over('devices')
  const ports = (service?: Service) => (service?.ports ?? []).filter((port) => port.endsWith('/tcp')).toSorted()
  expect(ports(laid['haproxy'])).toEqual(ports(compose.services['geo']))
  expect([laid['geo']?.ports, Object.keys(networks)]).toEqual([[], ['devices']])
  expect(laid['geo']?.networks).toEqual([...(compose.services['geo']?.networks ?? []), 'devices'])
  expect(laid['geo']?.environment?.['DEVICE_PROXIES']).toContain('172.16.0.0/12')
  const settings = await text('deploy/haproxy/devices.cfg')
  const bound = [...settings.matchAll(/bind :(\d+)\n\s+server-template geo \d+ geo:(\d+)/g)].map(([, front, back]) => `${front}:${back}`)
  expect(bound.toSorted()).toEqual(
    ports(laid['haproxy'])
      .map((port) => /(\d+)\/tcp/.exec(port)?.[1] ?? '')

      .map((port) => `${port}:${port}`)
      .toSorted(),
  )
  expect(settings).toContain('send-proxy-v2')
})

it('without Redis nobody waits for it or is told of it', async () => {
  const { services: laid } = await over('without-redis')
  const told = services.filter(([, service]) => JSON.stringify(service.environment ?? {}).includes('REDIS_URL')).map(([name]) => name)
  expect(told.toSorted()).toEqual(['api', 'geo', 'migrate', 'worker'])
  for (const name of told) {
    expect([name, laid[name]?.environment?.['REDIS_URL']]).toEqual([name, ''])
    expect([name, JSON.stringify(laid[name]?.depends_on ?? {}).includes('redis')]).toEqual([name, false])
  }
  expect((laid['redis'] as { profiles?: string[] }).profiles).toEqual(['with-redis'])
})

const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

it.skipIf(!has('haproxy', '-v'))('HAProxy itself, where there is one, reads its settings', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'outpost-haproxy-'))
  // The name of the service is one of compose's network.
  const settings = (await text('deploy/haproxy/devices.cfg')).replaceAll(/geo:(\d+)$/gm, 'localhost:$1')
  await writeFile(join(dir, 'devices.cfg'), settings)
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', join(dir, 'devices.cfg')], { encoding: 'utf8' })
  await rm(dir, { recursive: true, force: true })
  expect([status, stderr]).toEqual([0, ''])
})

it.skipIf(!has('caddy', 'version'))('Caddy itself, where there is one, reads its settings', () => {
  const run = spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', join(root, 'deploy/Caddyfile')], {
    encoding: 'utf8',
    env: { ...process.env, SITE: 'outpost.example' },
  })
  expect([run.status, run.stdout + run.stderr]).toEqual([0, expect.stringContaining('Valid configuration')])
})

it('the image installs from every manifest of the workspaces', async () => {
  const dockerfile = await text('Dockerfile')
  const missing: string[] = []
  for await (const manifest of glob('{apps,packages}/*/package.json', { cwd: root }))
    if (!dockerfile.includes(`COPY ${manifest} `)) missing.push(manifest)
  expect(missing).toEqual([])
})

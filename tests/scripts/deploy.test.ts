import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { archiveSettings } from '@outpost/platform/backup/archive'
import { envExamples } from '../../scripts/env-example.ts'

const root = resolve(import.meta.dirname, '../..')
const text = (path: string) => readFile(join(root, path), 'utf8')

interface Service {
  environment?: Record<string, string>
  networks?: string[]
  volumes?: string[]
  command?: string[]
  env_file?: { path: string }[]
  logging?: unknown
  image?: string
}
interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean }>
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
  expect(named('outpost.env.example')).toEqual(expect.arrayContaining(['SMTP_URL', 'S3_BUCKET', 'DATABASE_PATIENCE', 'METRICS_TOKEN']))
  expect(named('geo.env.example')).toEqual(expect.arrayContaining(['KEEP_DAYS', 'DATABASE_PATIENCE', 'METRICS_TOKEN']))
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
  ])
})

it('Postgres lays its WAL down by the command that the tests restore from, where the backup service looks', () => {
  const spool = '/var/lib/postgresql/wal'
  const { archive_command: command } = archiveSettings(spool)
  expect(compose.services['postgres']?.command).toContain(`archive_command=mkdir -p ${spool} && (${command})`)
  expect(compose.services['backup']?.environment?.['BACKUP_WAL']).toBe(spool)
  for (const name of ['postgres', 'backup']) expect(compose.services[name]?.volumes, name).toContain('postgres:/var/lib/postgresql')
})

it('every container names its image, its networks, and how much it may log', () => {
  for (const [name, { image, networks, logging }] of services) expect([image, networks, logging].includes(undefined), name).toBe(false)
})

it('the image installs from every manifest of the workspaces', async () => {
  const dockerfile = await text('Dockerfile')
  const missing: string[] = []
  for await (const manifest of glob('{apps,packages}/*/package.json', { cwd: root }))
    if (!dockerfile.includes(`COPY ${manifest} `)) missing.push(manifest)
  expect(missing).toEqual([])
})

it('each alert asks for a figure that the programs show', async () => {
  const rules = await text('deploy/prometheus/alerts.yml')
  const asked = new Set(
    [...rules.matchAll(/\b((?:http|outbox|database|geo)_[a-z_]+)\b/g)].map(([, name = '']) => name.replace(/_(bucket|count)$/, '')),
  )
  const sources: string[] = []
  for await (const file of glob('{apps/{geo,server},packages/platform}/src/**/*.ts', { cwd: root })) sources.push(await text(file))
  const all = sources.join('\n')
  expect([...asked].filter((name) => !all.includes(`'${name}'`))).toEqual([])
})

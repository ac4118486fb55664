import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { readEnv } from '@outpost/platform/env'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { geoSettings } from '../../apps/geo/src/env.ts'
import { serverSettings } from '../../apps/server/src/env.ts'
import { backupSettings } from '../../scripts/backup/settings.ts'
import { deploySettings } from '../../scripts/start/deploy-secrets.ts'

/** The table of settings in the README against the programs: each is there, is read, and may lie in a file. */
const root = resolve(import.meta.dirname, '../..')
const dir = await mkdtemp(join(tmpdir(), 'outpost-settings-'))
afterAll(() => rm(dir, { recursive: true, force: true }))

/** What `npm run migrate` and `npm run keys:geo` read beside the server's. */
const deployment = z.object(deploySettings)
const schemas: Record<string, z.ZodObject> = { server: serverSettings, geo: geoSettings, backup: backupSettings, deployment }
const secret = '5f0c1d7e9ab84263ce17d0f4b29a6e835f0c1d7e9ab84263ce17d0f4b29a6e83'
/** A value of each setting that is not its default. */
const chosen: Record<string, string> = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://db.test/outpost',
  SECRET: secret,
  SECRETS_BEFORE: `${secret.slice(1)}0`,
  ACCESS_SECRET: `${secret.slice(2)}00`,
  GEO_KEYS: JSON.stringify(geoKeysOf({ secret, hasRedis: false })),
  ROLE: 'worker',
  PORT: '8123',
  HOST: '0.0.0.0',
  DATA_DIR: dir,
  REDIS_URL: 'redis://redis.test:6379',
  PUBLIC_URL: 'https://outpost.test',
  HOSTS: 'outpost.test',
  TRUST_PROXY: '10.1.0.0/16',
  SMTP_URL: 'smtp://mail.test:25',
  MAIL_FROM: 'Us <us@outpost.test>',
  S3_ENDPOINT: 'https://s3.test',
  S3_REGION: 'af-south-1',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 'hidden',
  GEO_URL: 'http://geo.test:8090',
  TILE_HOSTS: 'https://tiles.test',
  TILE_URL: 'https://tiles.test/{z}/{x}/{y}.png',
  TILE_ATTRIBUTION: 'somebody',
  CONNECTIVITY_URL: 'https://outside.test/204',
  DEVICE_PORTS: 'gt06:5099',
  DEVICE_HOST: '127.0.0.9',
  DEVICE_PROXIES: '10.2.0.0/16',
  DEVICES_PER_ADDRESS: '7',
  DEVICES_MOST: '70',
  KEEP_DAYS: '30',
  TRACCAR_URL: 'https://traccar.test',
  TRACCAR_TOKEN: 'one',
  TRACCAR_FEED_TOKEN: 'two',
  TRACCAR_HISTORY_DAYS: '3',
  FEED_HOSTS: 'traccar.inside',
  GEOCODER_URL: 'https://photon.test/reverse?lat={lat}&lon={lon}',
  GEOCODER_PER_SECOND: '5',
  DATABASE_POOL: '11',
  JOBS_AT_ONCE: '3',
  DATABASE_PATIENCE: '4',
  DATABASE_WAIT: '9',
  WEBHOOK_HOSTS: 'hooks.inside',
  IP_LISTS: 'off',
  STORAGE_GB: '20',
  TOKEN_KEY_GENERATION: '2',
  SMS_MAIL_DOMAIN: 'sms.test',
  CONSOLE_DIST: '/srv/console',
  RATE_LIMITS: 'off',
  LEGACY_REFRESH: 'off',
  SHUTDOWN_GRACE: '8',
  PRESSURE_LAG: '400',
  LOG_LEVEL: 'warn',
  BUILD: '1.2.3',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.test:4318',
  METRICS_TOKEN: 'a token of sixteen characters',
  DEPLOY_SECRET: `${secret.slice(3)}000`,
  GEO_SECRET: `${secret.slice(4)}0000`,
  BACKUP_PASSWORD: 'of the backups alone',
  BACKUP_DIR: '/mnt/backups',
  BACKUP_S3_BUCKET: 'backups',
  BACKUP_S3_ENDPOINT: 'https://s3.test',
  BACKUP_S3_REGION: 'af-south-1',
  BACKUP_S3_ACCESS_KEY: 'key of backups',
  BACKUP_S3_SECRET_KEY: 'secret of backups',
  BACKUP_S3_PREFIX: 'ours/',
  BACKUP_WAL: '/mnt/wal',
  BACKUP_FILES: '/mnt/files',
  BACKUP_FILES_S3_BUCKET: 'files',
  BACKUP_FILES_S3_ENDPOINT: 'https://files.test',
  BACKUP_FILES_S3_REGION: 'eu-west-1',
  BACKUP_FILES_S3_ACCESS_KEY: 'key of files',
  BACKUP_FILES_S3_SECRET_KEY: 'secret of files',
  BACKUP_KEEP_DAYS: '30',
  BACKUP_EVERY_HOURS: '6',
  BACKUP_DRILL_DAYS: '1',
  BACKUP_WORK: '/mnt/work',
}
/** backup.env.example says the names; `npm start` reads the other, tests/scripts/start.test.ts sets it. */
const ofScripts = ['BACKUP_*', 'SEED_DEMO']

const tableNames = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^\| ((?:`[A-Z0-9_*]+`(?:, )?)+) \|/gm)].flatMap(
  ([, cell = '']) => [...cell.matchAll(/`([A-Z0-9_*]+)`/g)].map(([, name = '']) => name),
)

it('the table of the README names settings that the programs have', () => {
  expect(tableNames.length).toBeGreaterThan(50)
  const known = new Set([...Object.values(schemas).flatMap(({ shape }) => Object.keys(shape)), ...ofScripts])
  expect(tableNames.filter((name) => !known.has(name))).toEqual([])
})

it.each(Object.keys(schemas))('each setting of %s is read, from a variable and from a file, as it was given', async (program) => {
  const schema = schemas[program] as z.ZodObject
  const names = Object.keys(schema.shape)
  expect(names.filter((name) => chosen[name] === undefined)).toEqual([])
  const given = Object.fromEntries(names.map((name) => [name, chosen[name] ?? '']))
  const standard = Object.fromEntries(names.map((name) => [name, (schema.shape[name] as z.ZodType).safeParse(undefined).data]))
  const files: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    files[`${name}_FILE`] = join(dir, `${program}-${name}`)
    await writeFile(join(dir, `${program}-${name}`), `${value}\n`)
  }
  const fromVariables = readEnv(schema, given)
  expect(readEnv(schema, files)).toEqual(fromVariables)
  for (const name of names) expect([name, fromVariables[name]]).not.toEqual([name, standard[name]])
})

it.each(['server', 'geo'])('no setting of %s is read and then forgotten: the program names it beside its declaration', (program) => {
  const files = globSync(`{apps/${program},packages/platform}/src/**/*.ts`, { cwd: root }).filter((path) => !path.includes('.test.'))
  const text = files.map((path) => readFileSync(join(root, path), 'utf8').replaceAll(/^ {4}[A-Z0-9_]+: .*$/gm, '')).join('\n')
  expect(Object.keys(schemas[program]?.shape ?? {}).filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

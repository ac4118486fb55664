import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { geoSettings } from '../apps/geo/src/env.ts'
import { backupSettings } from './backup/settings.ts'
import { serverSettings } from '../apps/server/src/env.ts'

const root = resolve(import.meta.dirname, '..')

/** What docker-compose.yml asks for; it reads these from .env. Secrets of the database and of Redis are in no program's file. */
const ofCompose: readonly [name: string, what: string, standard: string][] = [
  ['SECRET', 'Needed. The master secret: openssl rand -hex 32', ''],
  ['ACCESS_SECRET', 'Of database passwords and token keys, to change those without SECRET; without one the master secret.', ''],
  [
    'DEPLOY_SECRET',
    'Of the database roles that change tables, for whoever made these roles; without one each deployment draws its own.',
    '',
  ],
  ['GEO_SECRET', "Of the geo service's database roles, to change those alone; without one ACCESS_SECRET.", ''],
  ['POSTGRES_PASSWORD', 'Needed. Letters and digits. Password of the database superuser, used by migrate alone.', ''],
  ['BACKUP_PASSWORD', 'Of the database role of backups, letters and digits (profile backup).', ''],
  ['BACKUP_WAL_ARCHIVE', 'on with the profile backup: Postgres lays its WAL down, and the backup service takes it away.', 'off'],
  ['BACKUP_DIR', 'Folder of backups in its container; empty when backup.env names a bucket.', '/backups'],
  [
    'BACKUP_FILES',
    'Folder of uploaded files in the container of backups; with BACKUP_FILES_S3_BUCKET in backup.env a bucket is taken instead.',
    '/outpost/files',
  ],
  ['REDIS_PASSWORD', 'Needed. Letters and digits.', ''],
  ['PUBLIC_URL', 'Needed. Address of the console as its users see it, https.', ''],
  ['TRUST_PROXY', 'Addresses of the proxies in front, whose X-Forwarded-For is believed.', '172.16.0.0/12,192.168.0.0/16,10.0.0.0/8'],
  ['SITE', 'Name under which Caddy serves the console with a certificate of its own (profile edge).', 'localhost'],
  ['API_PORTS', 'Ports of the api processes on the host.', '127.0.0.1:8080-8089'],
  [
    'METRICS_TOKEN',
    'Whoever sends it as a bearer token may read /metrics, as Prometheus does; without one it is for private addresses.',
    '',
  ],
  ['GRAFANA_PASSWORD', 'Of Grafana’s first administrator, at the first start (profile watch).', 'admin'],
  [
    'DEVICE_PROXIES',
    'Balancers before the device ports, addresses or ranges: each connection from them must begin with a PROXY header (deploy/compose/devices.yml brings one and names its own).',
    '',
  ],
  ['SERVER_MEMORY', 'Most memory of an api, worker or geo container.', '1g'],
  ['SERVER_CPUS', 'Most processors of it.', '2'],
  ['POSTGRES_MEMORY', 'Most memory of Postgres.', '4g'],
  ['POSTGRES_CPUS', 'Most processors of it.', '4'],
  ['BACKUP_MEMORY', 'Most memory of the backup service.', '2g'],
  ['REDIS_MEMORY', 'Most memory of the container of Redis.', '512m'],
  ['REDIS_MAXMEMORY', 'Of it what data may take: then Redis refuses, and jobs wait in Postgres.', '320mb'],
  ['BUILD', 'Tag of the image, shown in the footer of the console.', 'dev'],
]
/** Compose sets these itself, from .env or because the programs find each other inside its networks. */
const setByCompose = new Set(
  ['NODE_ENV', 'ROLE', 'PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'GEO_URL', 'CONSOLE_DIST'].concat(
    ['GEO_KEYS', 'BACKUP_WAL', 'BACKUP_WORK'],
    ofCompose.map(([name]) => name),
  ),
)
/** For the server alone: the geo service gets it from its own file. */
const ofServer = new Set(['TRUST_PROXY'])

/** The texts of .env.example (read by compose), outpost.env.example and geo.env.example (handed to the programs), by file name. */
export function envExamples(): Record<string, string> {
  const own = (schema: z.ZodObject) =>
    settingsOf(schema).filter(({ name }) => !setByCompose.has(name) || (schema === geoSettings && ofServer.has(name)))
  const example = (programs: string, file: string, schema: z.ZodObject) =>
    [
      `# Settings of ${programs}: copy to ${file}. Written by \`npm run env:examples\` from their schema.`,
      '# NAME may be given as NAME_FILE, the path of a file that holds it.',
      '',
      ...own(schema).flatMap(({ name, what, standard }) => lines(name, what, standard)),
    ].join('\n')
  return {
    '.env.example': [
      '# Settings of docker compose itself: copy to .env. Written by `npm run env:examples`.',
      '',
      ...ofCompose.flatMap((one) => lines(...one)),
    ].join('\n'),
    'outpost.env.example': example('api, worker and migrate', 'outpost.env', serverSettings),
    'geo.env.example': example('the geo service', 'geo.env', geoSettings),
    'backup.env.example': example('the backup service', 'backup.env', backupSettings),
  }
}

const lines = (name: string, what: string, standard: string): string[] => [`# ${what}`, `#${name}=${standard}`, '']

/** Names of a schema's settings with their descriptions and their defaults as text. */
function settingsOf({ shape }: z.ZodObject): { name: string; what: string; standard: string }[] {
  return Object.entries(shape).map(([name, field]) => ({
    name,
    what: z.globalRegistry.get(field)?.description ?? '',
    standard: textOf(z.safeParse(field, undefined)),
  }))
}

function textOf({ success, data }: { success: boolean; data?: unknown }): string {
  if (!success || data === undefined || Array.isArray(data)) return ''
  return typeof data === 'boolean' ? (data ? 'on' : 'off') : String(data)
}

if (import.meta.main) for (const [name, text] of Object.entries(envExamples())) await writeFile(join(root, name), text)

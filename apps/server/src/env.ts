import { resolve } from 'node:path'
import type { TileSource } from '@outpost/contract/console'
import { readEnv } from '@outpost/platform/env'
import { formerSecrets, readSecrets, refuseSecret } from '@outpost/platform/db/secrets'
import { z } from 'zod'

const list = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .default([])
const onOff = (standard: 'on' | 'off') =>
  z
    .enum(['on', 'off', '1', '0'])
    .default(standard)
    .transform((text) => text === 'on' || text === '1')
const url = (protocol: RegExp, sample: string) => z.url({ protocol, error: `must be an address like ${sample}` }).optional()
const web = () => url(/^https?$/, 'https://outpost.example')

/** Each setting of the server with what it means: `.env.example` is written from it. */
export const serverSettings = z
  .object({
    NODE_ENV: z
      .enum(['development', 'test', 'production'])
      .default('development')
      .describe('production refuses what only a workshop may do: a short SECRET, no PUBLIC_URL, limits off.'),
    ROLE: z.enum(['api', 'worker', 'all']).default('all').describe('api answers requests, worker runs jobs, all does both.'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(8080).describe('Where it listens.'),
    HOST: z.string().default('127.0.0.1').describe('Address it listens on; 0.0.0.0 in a container.'),
    PUBLIC_URL: web().describe('Address of the console as its users see it: the beginning of every link in a mail.'),
    HOSTS: list.describe('Host names that are answered; empty answers all.'),
    TRUST_PROXY: list.describe('Addresses of the proxies in front, whose X-Forwarded-For is believed.'),
    DATABASE_URL: z
      .url({
        protocol: /^postgres(ql)?$/,
        error: 'must be an address like postgres://host:5432/outpost (npm start brings its own)',
      })
      .describe("Host and database of Postgres 18; the server uses its own roles. `migrate` and `npm start` need a superuser's."),
    DATABASE_POOL: z.coerce
      .number()
      .int()
      .min(2)
      .max(200)
      .default(16)
      .describe('Connections of a process for short calls; others get a part of it, 38 at 16 in all.'),
    DATABASE_PATIENCE: z.coerce
      .number()
      .min(0.1)
      .max(60)
      .default(2)
      .describe('Seconds a call waits for a connection before it is answered 503; for a lock it waits as long, but at least 3.'),
    REDIS_URL: url(/^rediss?$/, 'redis://host:6379').describe('Queue, relay and limits over several machines; without it Postgres does.'),
    IP_LISTS: onOff('on').describe(
      "off: the companies' lists of addresses do not count, for as long as one that has locked itself out needs to mend them.",
    ),
    SECRET: z
      .string()
      .min(32, 'must have at least 32 characters')
      .optional()
      .describe('Master secret; everything else is derived from it. On one machine it is kept in DATA_DIR.'),
    SECRETS_BEFORE: formerSecrets.describe(
      'Master secrets that SECRET has replaced, newest first, with commas: what they made is still read. `npm run reseal` says when they may go.',
    ),
    ACCESS_SECRET: z
      .string()
      .min(32, 'must have at least 32 characters')
      .optional()
      .describe(
        'Of database passwords and token keys, to change those without SECRET; default SECRET. A new one needs `migrate` and a restart, and signs nobody out.',
      ),
    TOKEN_KEY_GENERATION: z.coerce.number().int().min(1).default(1).describe('Raise by one to change the key of access tokens.'),
    DATA_DIR: z.string().default('.data').describe('Embedded database, files, mails and logs.'),
    CONSOLE_DIST: z.string().optional().describe('Folder of the built console; default: where the build puts it.'),
    STORAGE_GB: z.coerce
      .number()
      .int()
      .min(1)
      .max(100_000)
      .default(5)
      .describe('How much the files of a company may take, in GB, where the administrators of its group choose nothing else.'),
    SMTP_URL: url(/^smtps?$/, 'smtp://user:password@host:587').describe(
      'Mail server; without it mails are files under DATA_DIR/mail, shown at /dev/mail outside production.',
    ),
    MAIL_FROM: z.string().default('Outpost <outpost@localhost>').describe('Sender of mails.'),
    SMS_MAIL_DOMAIN: z
      .string()
      .max(200)
      .optional()
      .describe('Domain of a mail-to-SMS gateway: a mail to 254712345678@<domain> arrives as SMS.'),
    S3_ENDPOINT: web().describe('Files in a bucket instead of on disk.'),
    S3_REGION: z.string().optional().describe('Region of the bucket.'),
    S3_BUCKET: z.string().optional().describe('Name of the bucket.'),
    S3_ACCESS_KEY: z.string().optional().describe('Key of the bucket.'),
    S3_SECRET_KEY: z.string().optional().describe('Secret of the key.'),
    GEO_URL: web().describe('Address of the geo service; `npm start` sets it.'),
    WEBHOOK_HOSTS: list.describe(
      'Hosts in your own network that webhooks may name, over http too; all others must be on the public internet.',
    ),
    TILE_HOSTS: list.describe("Origins of map tiles, for the pages' Content-Security-Policy."),
    TILE_URL: z
      .string()
      .regex(/^(https?:\/\/[^/]+)?\/.*\{z\}.*\{[xy]\}.*\{[xy]\}/, 'must be an address like https://tiles.example/{z}/{x}/{y}.png')
      .optional()
      .describe('Address of one map tile with {z}, {x} and {y}; without it maps lie on lines of latitude and longitude.'),
    TILE_ATTRIBUTION: z.string().max(200).default('').describe("Whom the tiles' owner wants named on the map."),
    CONNECTIVITY_URL: web().describe(
      'A site outside the installation; consoles that cannot reach the server ask it whether the internet is there.',
    ),
    RATE_LIMITS: onOff('on').describe('Limits on calls; never off in production.'),
    LEGACY_REFRESH: z
      .enum(['on', 'off', '1', '0'])
      .optional()
      .describe(
        'GET /api/auth/refresh/{token} of the specification, which puts a secret in an address; in production only when asked for.',
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/, error: 'must be an address like http://collector:4318' })
      .optional()
      .describe(
        'OpenTelemetry collector (OTLP over HTTP) to which requests, jobs and calls between server and geo service are traced; without it nothing is.',
      ),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').describe('What is logged.'),
    METRICS_TOKEN: z
      .string()
      .min(16, 'must have at least 16 characters')
      .optional()
      .describe('Whoever sends it as a bearer token may read /metrics; without one it is for private addresses.'),
    BUILD: z.string().max(60).default('dev').describe('What the footer of the console shows.'),
    PRESSURE_LAG: z.coerce
      .number()
      .int()
      .min(0)
      .default(250)
      .describe('Milliseconds of event-loop lag beyond which calls are refused; 0 switches it off.'),
    SHUTDOWN_GRACE: z.coerce
      .number()
      .min(0)
      .max(120)
      .default(5)
      .describe('Seconds in which a server that is shutting down still answers new requests, while balancers learn of it from /readyz.'),
    DATABASE_WAIT: z.coerce.number().min(0).default(300).describe('Seconds to wait at start for a database that does not answer yet.'),
    JOBS_AT_ONCE: z.coerce.number().int().min(1).max(64).default(8).describe('Jobs a process does at once.'),
  })
  .superRefine((given, wrong) => {
    const say = (path: string, message: string) => wrong.addIssue({ code: 'custom', path: [path], message })
    const s3 = ['S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const
    if (given.S3_BUCKET !== undefined) for (const name of s3) if (given[name] === undefined) say(name, 'is needed with S3_BUCKET')
    if (given.NODE_ENV !== 'production') return
    const refusal = refuseSecret(given.SECRET)
    if (refusal) say('SECRET', refusal)
    const refusalOfAccess = given.ACCESS_SECRET === undefined ? undefined : refuseSecret(given.ACCESS_SECRET)
    if (refusalOfAccess) say('ACCESS_SECRET', refusalOfAccess)
    if (given.PUBLIC_URL === undefined) say('PUBLIC_URL', 'is needed in production: links in mails begin with it')
    if (!given.RATE_LIMITS) say('RATE_LIMITS', 'cannot be off in production')
  })

type Given = z.output<typeof serverSettings>
/** The settings of one process, complete: PUBLIC_URL and SECRET have their values, DATA_DIR is a full path. */
export type Env = Omit<Given, 'LEGACY_REFRESH'> & { PUBLIC_URL: string; SECRET: string; ACCESS_SECRET: string; LEGACY_REFRESH: boolean }

/** Where the console finds map tiles; undefined when no source is set. */
export function tileSource({ TILE_URL, TILE_ATTRIBUTION }: Pick<Env, 'TILE_URL' | 'TILE_ATTRIBUTION'>): TileSource | undefined {
  return TILE_URL === undefined ? undefined : { url: TILE_URL, attribution: TILE_ATTRIBUTION }
}

/** Origins that pages may load tiles from: those of TILE_HOSTS and the one of TILE_URL. */
export function tileHosts({ TILE_HOSTS, TILE_URL }: Pick<Env, 'TILE_HOSTS' | 'TILE_URL'>): string[] {
  const own = /^https?:\/\/[^/]+/.exec(TILE_URL ?? '')?.[0]?.replace('{s}', '*')
  return [...new Set([...TILE_HOSTS, ...(own ? [own] : [])])]
}

/**
 * Reads the settings of the server; throws with one line for each wrong one. Relative folders start at the
 * project's root. In production a missing, short or well-known master secret stops the start.
 */
export async function readServerEnv(source?: Record<string, string | undefined>): Promise<Env> {
  const given = readEnv(serverSettings, source)
  const DATA_DIR = resolve(import.meta.dirname, '../../..', given.DATA_DIR)
  const SECRET = given.SECRET ?? (await readSecrets(DATA_DIR)).masterSecret
  const SMS_MAIL_DOMAIN = given.SMS_MAIL_DOMAIN ?? (given.NODE_ENV === 'production' ? undefined : 'sms.localhost')
  const LEGACY_REFRESH = ['on', '1'].includes(given.LEGACY_REFRESH ?? (given.NODE_ENV === 'production' ? 'off' : 'on'))
  return {
    ...given,
    LEGACY_REFRESH,
    DATA_DIR,
    SECRET,
    ACCESS_SECRET: given.ACCESS_SECRET ?? SECRET,
    SMS_MAIL_DOMAIN,
    PUBLIC_URL: given.PUBLIC_URL ?? `http://${given.HOST}:${given.PORT}`,
  }
}

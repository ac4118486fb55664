import { resolve } from 'node:path'
import { readSecrets } from '@outpost/platform/db/secrets'
import { readEnv } from '@outpost/platform/env'
import { geoKeysOf, geoKeysSchema, type GeoKeys } from '@outpost/platform/geo-keys'
import { isRange } from '@outpost/platform/http/address'
import { z } from 'zod'
import { parsePorts } from './ingest/listen/ports.ts'

const list = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .default([])

/** Addresses and ranges of them. */
const ranges = list.refine((all) => all.every(isRange), 'must be addresses or ranges like 10.0.0.0/8, with commas between')

/** Each setting of the geo service with what it means: `.env.example` is written from it. */
export const geoSettings = z
  .object({
    NODE_ENV: z
      .enum(['development', 'test', 'production'])
      .default('development')
      .describe('production refuses to start without GEO_KEYS.'),
    PORT: z.coerce.number().int().min(0).max(65_535).default(8090).describe('Port of the API for the server; never open to the outside.'),
    HOST: z.string().default('127.0.0.1').describe('Address its API listens on.'),
    TRUST_PROXY: list.describe('Addresses of proxies whose X-Forwarded-For counts.'),
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/, error: 'must be an address like postgres://host:5432/outpost' })
      .describe('Host and database of Postgres 18; the service uses its own roles.'),
    DATABASE_POOL: z.coerce
      .number()
      .int()
      .min(2)
      .max(200)
      .default(8)
      .describe('Connections for the API; half as many more write positions.'),
    DATABASE_PATIENCE: z.coerce
      .number()
      .min(0.1)
      .max(60)
      .default(2)
      .describe('Seconds a call waits for a connection before it is answered 503; for a lock it waits as long, but at least 3.'),
    DATABASE_WAIT: z.coerce.number().min(0).default(300).describe('Seconds to wait at start for a database that does not answer yet.'),
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: 'must be an address like redis://host:6379' })
      .optional()
      .describe('Redis as the bus between the programs, if the server uses it too; else Postgres.'),
    GEO_KEYS: z
      .string()
      .transform((text, wrong) => {
        const keys = geoKeysSchema.safeParse(jsonOf(text))
        if (keys.success) return keys.data
        wrong.addIssue({ code: 'custom', message: 'is not what `npm run keys:geo` prints' })
        return z.NEVER
      })
      .optional()
      .describe('What `npm run keys:geo` prints: passwords of its roles and public keys. The service is never given SECRET.'),
    DATA_DIR: z.string().default('.data').describe('Its folder; on a single machine the secret is there, from which its keys are made.'),
    DEVICE_PORTS: z
      .string()
      .default('')
      .transform((text, wrong) => {
        const { ports, problems } = parsePorts(text)
        for (const message of problems) wrong.addIssue({ code: 'custom', message })
        return ports
      })
      .describe(
        'Ports for devices: teltonika:5027,gt06:5023,h02:5013,osmand:5055. A third part, `mirror`, makes the port a copy that never answers.',
      ),
    DEVICE_HOST: z.string().default('0.0.0.0').describe('Address the device ports listen on.'),
    DEVICE_PROXIES: ranges.describe(
      'Balancers in front of the device ports, addresses or ranges (10.0.0.0/8): each TCP connection from them must begin with a PROXY protocol header (version 1 or 2), whose address counts.',
    ),
    DEVICES_PER_ADDRESS: z.coerce
      .number()
      .int()
      .min(1)
      .default(2_000)
      .describe('Open sockets per address: mobile networks put many trackers behind one.'),
    DEVICES_MOST: z.coerce.number().int().min(1).default(20_000).describe('Open sockets in all.'),
    KEEP_DAYS: z.coerce.number().int().min(0).default(396).describe('Positions older than this are dropped by whole weeks; 0 keeps all.'),
    TRACCAR_URL: z
      .url({ protocol: /^https?$/, error: 'must be an address like https://traccar.example' })
      .optional()
      .describe('A Traccar server that forwards to us, for one company; others come by POST /geo/feeds.'),
    TRACCAR_TOKEN: z.string().optional().describe('Token of its REST API.'),
    TRACCAR_FEED_TOKEN: z.string().optional().describe('Token of the feed it forwards with.'),
    TRACCAR_HISTORY_DAYS: z.coerce.number().int().min(0).max(1_000).default(7).describe('Days of history to import for each device.'),
    FEED_HOSTS: list.describe('Hosts in your own network whose Traccar servers feeds may name; all others must be on the public internet.'),
    GEOCODER_URL: z
      .string()
      .regex(
        /^https?:\/\/.*\{lat\}.*\{lon\}/,
        'must be an address like https://nominatim.example/reverse?format=jsonv2&lat={lat}&lon={lon}',
      )
      .optional()
      .describe(
        "The operator's geocoder (Nominatim, Photon, Pelias), an address with {lat} and {lon}; without it the bundled places are used.",
      ),
    GEOCODER_PER_SECOND: z.coerce.number().min(0.1).max(1_000).default(1).describe('Questions to it a second.'),
    METRICS_TOKEN: z
      .string()
      .min(16, 'must have at least 16 characters')
      .optional()
      .describe('Whoever sends it as a bearer token may read /metrics; without one it is for private addresses.'),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/, error: 'must be an address like http://collector:4318' })
      .optional()
      .describe(
        'OpenTelemetry collector (OTLP over HTTP) to which requests, jobs and calls between server and geo service are traced; without it nothing is.',
      ),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info').describe('What is logged.'),
    PRESSURE_LAG: z.coerce
      .number()
      .int()
      .min(0)
      .default(250)
      .describe('Milliseconds of event-loop lag above which calls are refused; 0 disables it.'),
  })
  .superRefine((given, wrong) => {
    for (const name of ['TRACCAR_TOKEN', 'TRACCAR_FEED_TOKEN'] as const) {
      if (given.TRACCAR_URL !== undefined && given[name] === undefined)
        wrong.addIssue({ code: 'custom', path: [name], message: 'is needed with TRACCAR_URL' })
    }
    if (given.NODE_ENV === 'production' && given.GEO_KEYS === undefined)
      wrong.addIssue({ code: 'custom', path: ['GEO_KEYS'], message: 'is needed in production: what `npm run keys:geo` prints' })
    if (given.REDIS_URL === undefined && given.GEO_KEYS !== undefined && given.GEO_KEYS.passwords.fx_queue === undefined)
      wrong.addIssue({ code: 'custom', path: ['GEO_KEYS'], message: 'was made for Redis: set REDIS_URL, or make it without' })
  })

export type Env = z.output<typeof geoSettings> & { GEO_KEYS: GeoKeys }

/** Reads the settings of the geo service; throws one line for each invalid one. */
export async function readGeoEnv(source?: Record<string, string | undefined>): Promise<Env> {
  const given = readEnv(geoSettings, source)
  const DATA_DIR = resolve(import.meta.dirname, '../../..', given.DATA_DIR)
  return { ...given, DATA_DIR, GEO_KEYS: given.GEO_KEYS ?? geoKeysOf({ secret: (await readSecrets(DATA_DIR)).masterSecret }) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

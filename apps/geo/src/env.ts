import { resolve } from 'node:path'
import { readSecrets, refuseSecret } from '@outpost/platform/db/secrets'
import { readEnv } from '@outpost/platform/env'
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

const schema = z
  .object({
    NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
    /** Port of the API for the server; never open to the outside. */
    PORT: z.coerce.number().int().min(0).max(65_535).default(8090),
    HOST: z.string().default('127.0.0.1'),
    TRUST_PROXY: list,
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be an address like postgres://host:5432/outpost' }),
    DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(8),
    DATABASE_PATIENCE: z.coerce.number().min(0.1).max(60).default(2),
    /** Seconds to wait at start for a database that does not answer yet. */
    DATABASE_WAIT: z.coerce.number().min(0).default(300),
    /** Redis as the bus between the programs, if the server uses it too; else Postgres. */
    REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be an address like redis://host:6379' }).optional(),
    SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
    TOKEN_KEY_GENERATION: z.coerce.number().int().min(1).default(1),
    DATA_DIR: z.string().default('.data'),
    /** Ports for devices: teltonika:5027,gt06:5023,h02:5013,osmand:5055. A third part, `mirror`, makes the port a copy that never answers. */
    DEVICE_PORTS: z
      .string()
      .default('')
      .transform((text, wrong) => {
        const { ports, problems } = parsePorts(text)
        for (const message of problems) wrong.addIssue({ code: 'custom', message })
        return ports
      }),
    DEVICE_HOST: z.string().default('0.0.0.0'),
    /** Open sockets per address: mobile networks put many trackers behind one. */
    DEVICES_PER_ADDRESS: z.coerce.number().int().min(1).default(2_000),
    DEVICES_MOST: z.coerce.number().int().min(1).default(20_000),
    /** Positions older than this are dropped by whole weeks; 0 keeps all. */
    KEEP_DAYS: z.coerce.number().int().min(0).default(396),
    /**
     * A Traccar server that forwards to us: its address, a token of its REST API, the token of the feed it forwards with, and the days of
     * history to import per device.
     */
    TRACCAR_URL: z.url({ protocol: /^https?$/, error: 'must be an address like https://traccar.example' }).optional(),
    TRACCAR_TOKEN: z.string().optional(),
    TRACCAR_FEED_TOKEN: z.string().optional(),
    TRACCAR_HISTORY_DAYS: z.coerce.number().int().min(0).max(1_000).default(7),
    /** Hosts in your own network whose Traccar servers feeds may name; all others must be on the public internet. */
    FEED_HOSTS: list,
    /** The operator's geocoder (Nominatim, Photon, Pelias), an address with {lat} and {lon}; without it the bundled places are used. */
    GEOCODER_URL: z
      .string()
      .regex(
        /^https?:\/\/.*\{lat\}.*\{lon\}/,
        'must be an address like https://nominatim.example/reverse?format=jsonv2&lat={lat}&lon={lon}',
      )
      .optional(),
    GEOCODER_PER_SECOND: z.coerce.number().min(0.1).max(1_000).default(1),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    /** Milliseconds of event-loop lag above which calls are refused; 0 disables it. */
    PRESSURE_LAG: z.coerce.number().int().min(0).default(250),
  })
  .superRefine((given, wrong) => {
    for (const name of ['TRACCAR_TOKEN', 'TRACCAR_FEED_TOKEN'] as const) {
      if (given.TRACCAR_URL !== undefined && given[name] === undefined)
        wrong.addIssue({ code: 'custom', path: [name], message: 'is needed with TRACCAR_URL' })
    }
    const refusal = given.NODE_ENV === 'production' ? refuseSecret(given.SECRET) : undefined
    if (refusal) wrong.addIssue({ code: 'custom', path: ['SECRET'], message: refusal })
  })

export type Env = z.output<typeof schema> & { SECRET: string }

/** Reads the settings of the geo service; throws one line for each invalid one. */
export async function readGeoEnv(source?: Record<string, string | undefined>): Promise<Env> {
  const given = readEnv(schema, source)
  const DATA_DIR = resolve(import.meta.dirname, '../../..', given.DATA_DIR)
  return { ...given, DATA_DIR, SECRET: given.SECRET ?? (await readSecrets(DATA_DIR)).masterSecret }
}

import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { readEnv } from '@outpost/platform/env'
import { deploySettings } from './deploy-secrets.ts'

const schema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  /** URL of a superuser (or a role that may create roles) of your own Postgres 18; else the embedded one is used. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Master secret; default: a random one stored in DATA_DIR. */
  SECRET: z.string().min(32).optional(),
  ...deploySettings,
  /** The console's port under `npm run dev`. */
  CONSOLE_PORT: z.coerce.number().int().min(0).max(65_535).default(5173),
  SEED_DEMO: z.enum(['0', '1']).default('1'),
  /** Seconds for which the server continues to answer after Ctrl-C; default 0, because a single machine has no other server to ask. */
  SHUTDOWN_GRACE: z.string().default('0'),
  /** Ports for devices, or none; by default `npm start` opens the usual ports and reports those that are taken. */
  DEVICE_PORTS: z.string().optional(),
  /** A folder for the WAL of the embedded Postgres, which `npm run backup` takes away; without one it lays none down. */
  BACKUP_WAL: z.string().optional(),
  NODE_ENV: z.string().default('development'),
})

export type Settings = z.infer<typeof schema>

/** Traccar's port numbers, so that a tracker is moved by changing its server's address alone. */
export const usualDevicePorts = 'teltonika:5027,gt06:5023,h02:5013,osmand:5055'

/** Reads the settings of `npm start` from the environment, with DATA_DIR as a full path. All invalid settings are reported together. */
export function readSettings(): Settings {
  const settings = readEnv(schema)
  const root = resolve(import.meta.dirname, '../..')
  const BACKUP_WAL = settings.BACKUP_WAL === undefined ? undefined : resolve(root, settings.BACKUP_WAL)
  return { ...settings, BACKUP_WAL, DATA_DIR: resolve(root, settings.DATA_DIR) }
}

/** Throws one line when another program listens on the port; called before anything is started. */
export async function assertPortFree({ PORT, HOST }: Pick<Settings, 'PORT' | 'HOST'>): Promise<void> {
  const probe = createServer()
  const reason = await new Promise<string | undefined>((done) => {
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    probe.listen({ port: PORT, host: HOST, exclusive: true }, () => probe.close(() => done(undefined)))
  })
  if (reason === 'EADDRINUSE') throw new Error(`Port ${PORT} is in use on ${HOST}: stop what listens there or set PORT`)
  if (reason) throw new Error(`Cannot listen on ${HOST}:${PORT} (${reason}): set HOST and PORT`)
}

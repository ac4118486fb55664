import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { readEnv } from '@outpost/platform/env'

const schema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  /** A superuser's (or role-creating owner's) URL of a Postgres 18 of your own; else the embedded one is used. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Master secret; default: a random one kept in DATA_DIR. */
  SECRET: z.string().min(32).optional(),
  /** Where `npm run dev` serves the console. */
  CONSOLE_PORT: z.coerce.number().int().min(0).max(65_535).default(5173),
  SEED_DEMO: z.enum(['0', '1']).default('1'),
  /** Seconds the server goes on answering after Ctrl-C; nobody in front of a single machine would ask elsewhere meanwhile. */
  SHUTDOWN_GRACE: z.string().default('0'),
  /** Where devices come in, or none; `npm start` opens the usual ports and says which are taken. */
  DEVICE_PORTS: z.string().optional(),
  NODE_ENV: z.string().default('development'),
})

export type Settings = z.infer<typeof schema>

/** Traccar's port numbers, so that a tracker is moved by changing its server's address alone. */
export const usualDevicePorts = 'teltonika:5027,gt06:5023,h02:5013,osmand:5055'

/** What `npm start` can be told by the environment, with DATA_DIR as a full path. All wrong settings are told at once. */
export function readSettings(): Settings {
  const settings = readEnv(schema)
  return { ...settings, DATA_DIR: resolve(import.meta.dirname, '../..', settings.DATA_DIR) }
}

/** Throws one line when something else listens there already; asked before anything is started. */
export async function refuseTakenPort({ PORT, HOST }: Pick<Settings, 'PORT' | 'HOST'>): Promise<void> {
  const probe = createServer()
  const reason = await new Promise<string | undefined>((done) => {
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    probe.listen({ port: PORT, host: HOST, exclusive: true }, () => probe.close(() => done(undefined)))
  })
  if (reason === 'EADDRINUSE') throw new Error(`Port ${PORT} is in use on ${HOST}: stop what listens there or set PORT`)
  if (reason) throw new Error(`Cannot listen on ${HOST}:${PORT} (${reason}): set HOST and PORT`)
}

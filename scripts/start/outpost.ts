import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { openDatabase, type Database } from './database.ts'
import { keepRunning, type Running } from './keep-running.ts'
import { startProgram, type ProgramOptions, type Ready } from './program.ts'
import { usualDevicePorts, type Settings } from './settings.ts'
import type { Part, Supervisor } from './supervisor.ts'
import { closedLines } from './trackers.ts'

const root = resolve(import.meta.dirname, '../..')

export interface Run {
  settings: Settings
  supervisor: Supervisor
  /** For developers: restarts at a change of the code, and logs to the terminal instead of a file. */
  isWatched?: boolean
}

/** Opens the database, updates it and fills it with the demo group unless disabled. Waits for Prisma's client before the seed. */
export async function openSeeded({ settings, supervisor }: Run, generated: Promise<unknown>): Promise<Database> {
  const database = await openDatabase(settings)
  supervisor.add(keepDatabase({ settings, supervisor }, database))
  await generated
  if (settings.SEED_DEMO === '0' || settings.NODE_ENV === 'production') return database
  const { seedDemo } = await import('../../prisma/seed/seed.ts')
  await seedDemo(database)
  return database
}

/** Restarts the embedded Postgres when it ends by itself; the operator watches their own. */
function keepDatabase({ settings, supervisor }: Run, { postgres, stop }: Database): Part {
  if (!postgres) return { stop }
  const running = (): Running => ({ ended: postgres.ended().then(() => 'killed, or out of memory'), stop })
  return keepRunning(running(), {
    name: 'Postgres',
    log: join(settings.DATA_DIR, 'postgres/server.log'),
    isEnding: supervisor.isEnding,
    start: async (adopt) => {
      await postgres.restart()
      adopt(running())
    },
  })
}

/**
 * Starts the server in all its roles and, where it is part of this copy, the geo service before it; each is restarted when it ends.
 * Returns the server's address, the open ports for devices and those that could not be opened.
 */
export async function startPrograms(run: Run, database: Database): Promise<Ready> {
  const { PORT, HOST, SHUTDOWN_GRACE, DEVICE_PORTS = usualDevicePorts } = run.settings
  const hasGeo = existsSync(join(root, 'apps/geo/src/main.ts'))
  const geo = hasGeo
    ? await start(run, database, {
        name: 'geo',
        own: { PORT: '0', HOST: '127.0.0.1', DEVICE_PORTS, DEVICE_HOST: HOST, GEO_KEYS: geoKeysOnMachine(database) },
      })
    : undefined
  const { url } = await start(run, database, {
    name: 'server',
    own: {
      ...secretsOfServer(database),
      ...demoTiles(run.settings),
      ROLE: 'all',
      PORT: String(PORT),
      HOST,
      SHUTDOWN_GRACE,
      ...(geo ? { GEO_URL: geo.url } : {}),
    },
  })
  return { url, ports: geo?.ports ?? [], closed: geo?.closed ?? [] }
}

const secretsOfServer = ({ secret, accessSecret }: Database) => ({
  SECRET: secret,
  ...(accessSecret === undefined ? {} : { ACCESS_SECRET: accessSecret }),
})

/** The geo service is given its own keys, never the secret. */
function geoKeysOnMachine({ secret, accessSecret, geoSecret }: Database): string {
  return JSON.stringify(
    geoKeysOf({
      secret,
      accessSecret,
      geoSecret,
      generation: Number(process.env.TOKEN_KEY_GENERATION ?? 1),
      hasRedis: Boolean(process.env.REDIS_URL),
    }),
  )
}

/**
 * The demo shows OpenStreetMap's tiles where the browser reaches them; their usage policy allows that for a trial, not for a company's
 * work.
 */
function demoTiles({ NODE_ENV, SEED_DEMO }: Settings): Record<string, string> {
  const isDemo = NODE_ENV !== 'production' && SEED_DEMO === '1' && !process.env.TILE_URL
  return isDemo ? { TILE_URL: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', TILE_ATTRIBUTION: '© OpenStreetMap contributors' } : {}
}

/** A failed first start is reported and ends everything: it is usually a wrong setting. */
async function start(
  { settings, supervisor, isWatched = false }: Run,
  database: Database,
  { name, own }: { name: string; own: Record<string, string> },
): Promise<Ready> {
  const logDir = join(settings.DATA_DIR, 'logs')
  const options: ProgramOptions = {
    name,
    script: `apps/${name}/src/main.ts`,
    nodeFlags: isWatched ? ['--watch', '--watch-preserve-output'] : [],
    env: { DATABASE_URL: withoutLogin(database.url), DATA_DIR: settings.DATA_DIR, ...own },
    ...(isWatched ? {} : { logDir }),
  }
  const first = await startProgram(options)
  let part: Part = first
  supervisor.add({ stop: () => part.stop() })
  const ready = await first.ready
  // Its address was already announced, so it restarts on the same one.
  const PORT = new URL(ready.url).port || String(own['PORT'])
  part = keepRunning(first, {
    name: `The ${name}`,
    log: isWatched ? undefined : join(logDir, `${name}.log`),
    isEnding: supervisor.isEnding,
    start: async (adopt) => {
      const again = await startProgram({ ...options, env: { ...options.env, PORT } })
      adopt(again)
      for (const line of closedLines((await again.ready).closed)) console.error(line)
    },
  })
  return ready
}

/** The programs use roles of their own; the superuser's password stays here. */
function withoutLogin(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = ''
  url.password = ''
  return url.href
}

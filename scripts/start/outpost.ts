import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDatabase, type Database } from './database.ts'
import { startProgram, type Ready } from './program.ts'
import { usualDevicePorts, type Settings } from './settings.ts'
import type { Supervisor } from './supervisor.ts'

const root = resolve(import.meta.dirname, '../..')

export interface Run {
  settings: Settings
  supervisor: Supervisor
  /** For developers: restarts at a change of the code, and says everything here instead of in a log file. */
  isWatched?: boolean
}

/** Database, brought up to date and filled with the demo group unless told otherwise. Waits for Prisma's client before the seed. */
export async function openSeeded({ settings, supervisor }: Run, generated: Promise<unknown>): Promise<Database> {
  const database = await openDatabase(settings)
  supervisor.add(database)
  await generated
  if (settings.SEED_DEMO === '0' || settings.NODE_ENV === 'production') return database
  const { seedDemo } = await import('../../prisma/seed/seed.ts')
  await seedDemo(database)
  return database
}

/** The server in all its roles and, where it is part of this copy, the geo service before it. Returns the server's address and the open ports for devices. */
export async function startPrograms(run: Run, database: Database): Promise<Ready> {
  const { PORT, HOST, DEVICE_PORTS = usualDevicePorts } = run.settings
  const hasGeo = existsSync(join(root, 'apps/geo/src/main.ts'))
  const geo = hasGeo ? await start(run, database, { name: 'geo', own: { PORT: '0', HOST: '127.0.0.1', DEVICE_PORTS, DEVICE_HOST: HOST } }) : undefined
  const { url } = await start(run, database, { name: 'server', own: { ...demoTiles(run.settings), ROLE: 'all', PORT: String(PORT), HOST, ...(geo ? { GEO_URL: geo.url } : {}) } })
  return { url, ports: geo?.ports ?? [] }
}

/** The demo shows OpenStreetMap's tiles where the browser reaches them; its usage policy allows that for a look, not for a company's work. */
function demoTiles({ NODE_ENV, SEED_DEMO }: Settings): Record<string, string> {
  const isDemo = NODE_ENV !== 'production' && SEED_DEMO === '1' && !process.env.TILE_URL
  return isDemo ? { TILE_URL: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', TILE_ATTRIBUTION: '© OpenStreetMap contributors' } : {}
}

async function start(run: Run, database: Database, { name, own }: { name: string, own: Record<string, string> }): Promise<Ready> {
  const { settings, supervisor, isWatched = false } = run
  const logDir = join(settings.DATA_DIR, 'logs')
  const program = await startProgram({
    name,
    script: `apps/${name}/src/main.ts`,
    nodeFlags: isWatched ? ['--watch', '--watch-preserve-output'] : [],
    env: { DATABASE_URL: withoutLogin(database.url), SECRET: database.secret, DATA_DIR: settings.DATA_DIR, ...own },
    ...(isWatched ? {} : { logDir }),
  })
  supervisor.add(program)
  const ready = await program.ready
  void program.ended.then(() => {
    if (!supervisor.isEnding()) void supervisor.end(`The ${name} has ended${isWatched ? '' : `; see ${join(logDir, `${name}.log`)}`}`)
  })
  return ready
}

/** The programs sign in with roles of their own; the superuser's password stays here. */
function withoutLogin(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.username = ''
  url.password = ''
  return url.href
}

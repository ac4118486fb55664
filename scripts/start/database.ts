import { resolve } from 'node:path'
import { startEmbedded } from '@outpost/platform/db/embedded'
import { lockDataDir } from '@outpost/platform/db/lock'
import { migrate } from '@outpost/platform/db/migrate'
import { bootstrapRoles } from '@outpost/platform/db/roles'
import { readSecrets } from '@outpost/platform/db/secrets'
import type { Settings } from './settings.ts'

export interface Database {
  /** Superuser's URL of Outpost's database. */
  url: string
  secret: string
  stop(): Promise<void>
}

interface Server {
  adminUrl: string
  secret: string
  database?: string
  stop(): Promise<void>
}

type DatabaseSettings = Pick<Settings, 'DATA_DIR' | 'DATABASE_URL' | 'SECRET'>

const prisma = resolve(import.meta.dirname, '../../prisma')

/** Opens the operator's Postgres or starts the embedded one, and brings roles and tables up to date. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const server = await openServer(settings)
  try {
    const url = await bootstrapRoles(server)
    await migrate({ url, secret: server.secret, dir: prisma })
    return { url, secret: server.secret, stop: server.stop }
  } catch (error) {
    await server.stop()
    throw settings.DATABASE_URL ? sayWhere(settings.DATABASE_URL, error) : error
  }
}

async function openServer({ DATABASE_URL, DATA_DIR, SECRET }: DatabaseSettings): Promise<Server> {
  if (!DATABASE_URL) {
    const { adminUrl, masterSecret, stop } = await startEmbedded({ dataDir: DATA_DIR })
    return { adminUrl, secret: SECRET ?? masterSecret, database: 'outpost', stop }
  }
  const unlock = await lockDataDir(DATA_DIR)
  const secret = SECRET ?? (await readSecrets(DATA_DIR)).masterSecret
  return { adminUrl: DATABASE_URL, secret, stop: unlock }
}

/** Connection errors of pg name neither the setting nor, for several addresses, a reason. Never shows the password. */
function sayWhere(databaseUrl: string, error: unknown): Error {
  const { host, pathname } = new URL(databaseUrl)
  const first = error instanceof AggregateError ? error.errors[0] : error
  const reason = first instanceof Error ? first.message : String(first)
  return new Error(`DATABASE_URL: cannot use ${host}${pathname}: ${reason}`)
}

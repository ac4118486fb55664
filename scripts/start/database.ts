import { resolve } from 'node:path'
import { startEmbedded, type EmbeddedPostgres } from '@outpost/platform/db/cluster/embedded'
import { lockDataDir } from '@outpost/platform/db/lock'
import { migrate } from '@outpost/platform/db/migrate'
import { bootstrapRoles, deployAlone, type RoleSecrets } from '@outpost/platform/db/roles'
import { readSecrets } from '@outpost/platform/db/secrets'
import { secretsOfDeployment, type DeploySettings } from './deploy-secrets.ts'
import type { Settings } from './settings.ts'

export interface Database extends RoleSecrets {
  /** Superuser's URL of Outpost's database. */
  url: string
  /** The embedded Postgres, which may end by itself; undefined with the operator's own Postgres. */
  postgres?: Pick<EmbeddedPostgres, 'ended' | 'restart'>
  stop(): Promise<void>
}

interface Server extends Omit<Database, 'url'> {
  adminUrl: string
  database?: string
}

type DatabaseSettings = Pick<Settings, 'DATA_DIR' | 'DATABASE_URL' | 'SECRET'> & Partial<Pick<Settings, 'BACKUP_WAL'>> & DeploySettings

const prisma = resolve(import.meta.dirname, '../../prisma')

/** Connects to the operator's Postgres or starts the embedded one, and updates roles and tables. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const server = await openServer(settings)
  try {
    return await deployAlone(server.adminUrl, async () => {
      const url = await bootstrapRoles(server)
      await migrate({ ...server, url, dir: prisma })
      return { ...server, url }
    })
  } catch (error) {
    await server.stop()
    throw settings.DATABASE_URL ? nameDatabase(settings.DATABASE_URL, error) : error
  }
}

async function openServer({ DATABASE_URL, DATA_DIR, SECRET, BACKUP_WAL: walDir, ...given }: DatabaseSettings): Promise<Server> {
  const secrets = secretsOfDeployment(given)
  if (!DATABASE_URL) {
    const postgres = await startEmbedded({ dataDir: DATA_DIR, walDir })
    return {
      adminUrl: postgres.adminUrl,
      secret: SECRET ?? postgres.masterSecret,
      ...secrets,
      database: 'outpost',
      postgres,
      stop: postgres.stop,
    }
  }
  const unlock = await lockDataDir(DATA_DIR)
  const secret = SECRET ?? (await readSecrets(DATA_DIR)).masterSecret
  return { adminUrl: DATABASE_URL, secret, ...secrets, stop: unlock }
}

/** Connection errors of pg name neither the setting nor, with several addresses, a reason. Never contains the password. */
function nameDatabase(databaseUrl: string, error: unknown): Error {
  const { host, pathname } = new URL(databaseUrl)
  const first = error instanceof AggregateError ? error.errors[0] : error
  const reason = first instanceof Error ? first.message : String(first)
  return new Error(`DATABASE_URL: cannot use ${host}${pathname}: ${reason}`)
}

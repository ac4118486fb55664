import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { findBinaries } from '@outpost/platform/db/cluster/binaries'
import { startEmbedded } from '@outpost/platform/db/cluster/embedded'
import { migrate } from '@outpost/platform/db/migrate'
import { bootstrapRoles } from '@outpost/platform/db/roles'

export interface OwnPostgres {
  /** The superuser's URL of a migrated, empty database. */
  url: string
  secret: string
  admin: pg.Pool
  /** Stops at once, as in a crash, and comes back through recovery; settles when it takes connections again. */
  crash(): Promise<void>
  close(): Promise<void>
}

/** A cluster of one's own that may be crashed: with fsync, unlike the one that all tests share. Close it in afterAll. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outpost-crash-'))
  await chmod(dataDir, 0o755)
  const postgres = await startEmbedded({ dataDir })
  const { masterSecret: secret, adminUrl } = postgres
  const deploySecret = randomBytes(32).toString('hex')
  const url = await bootstrapRoles({ adminUrl, secret, deploySecret, database: 'outpost' })
  await migrate({ url, deploySecret, dir: resolve(import.meta.dirname, '../../prisma') })
  const binaries = await findBinaries(dataDir)
  const cluster = join(dataDir, 'postgres')
  const admin = new pg.Pool({ connectionString: url, max: 3 })
  // Its connections are cut on purpose.
  admin.on('error', () => undefined)
  return {
    url,
    secret,
    admin,
    crash: async () =>
      void (await binaries.run('pg_ctl', [
        'restart',
        '-D',
        cluster,
        '-m',
        'immediate',
        '-w',
        '-t',
        '60',
        '-l',
        join(cluster, 'server.log'),
      ])),
    close: async () => {
      await admin.end()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

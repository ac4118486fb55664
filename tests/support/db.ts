import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { dropDatabase } from '@outpost/platform/db/migrate'
import { createPools, type Pools } from '@outpost/platform/db/pool'
import { databaseGrants, withDatabase } from '@outpost/platform/db/roles'

export interface TestDatabase {
  /** The superuser's URL of the new database. */
  url: string
  secret: string
  /** Of the roles that a deployment uses; no server under test is given it. */
  deploySecret: string
  pools: Pools
  /** The superuser, whom no row-level security holds: for preparing and for looking behind the walls. */
  admin: pg.Pool
  /** Give it back in afterAll. */
  drop(): Promise<void>
}

/** A database of one's own, migrated and empty, copied from the template in some 50 ms. */
export async function testDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminUrl')
  const secret = inject('masterSecret')
  const deploySecret = inject('deploySecret')
  const name = `test_${randomBytes(6).toString('hex')}`
  await copyTemplate(adminUrl, name)
  const url = withDatabase(adminUrl, name)
  const pools = createPools({ url, secret, size: 8, patience: 30 })
  const admin = new pg.Pool({ connectionString: url, max: 3 })
  // Tests that cut connections do so on purpose.
  admin.on('error', () => undefined)
  const drop = async () => {
    await Promise.all([pools.close(), admin.end()])
    await dropDatabase(adminUrl, name)
  }
  return { url, secret, deploySecret, pools, admin, drop }
}

async function copyTemplate(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    // Two copies at once would refuse each other: "source database is being accessed by other users".
    await client.query("select pg_advisory_lock(hashtext('outpost template'))")
    // Copied as files: block by block through the log takes four times the work, for a safety that no test needs.
    await client.query(`create database ${pg.escapeIdentifier(name)} template outpost_template strategy = 'file_copy'`)
    for (const grant of databaseGrants(name)) await client.query(grant)
  } finally {
    await client.end()
  }
}

import pg from 'pg'
import { roleUrl } from '@outpost/platform/db/roles'
import { createPasswords } from '../../apps/server/src/kernel/session/passwords.ts'
import { insertStaff, insertWork } from './company.ts'
import { companyUsers, groupUser } from './people.ts'
import { companyNodes, demoCompanies, demoPassword, groupNode } from './tree.ts'

export interface SeedOptions {
  /** The database; the login in it is replaced by that of fx_datafix. */
  url: string
  secret: string
  deploySecret: string
  /** Rows a company. */
  leads?: number
  activities?: number
  /** The moment the demo is seen from, ms; default: this one. */
  now?: number
}

/** Fills an empty database with the demo group; does nothing when there is any tenant. Returns whether it did. */
export async function seedDemo({
  url,
  secret,
  deploySecret,
  leads = 2_000,
  activities = 5_000,
  now = Date.now(),
}: SeedOptions): Promise<boolean> {
  const client = new pg.Client({ connectionString: roleUrl(url, 'fx_datafix', deploySecret) })
  await client.connect()
  try {
    // Two starts on one database: the second waits here and then finds the rows of the first.
    await client.query(`begin; select pg_advisory_xact_lock(hashtext('outpost seed'))`)
    const { rowCount } = await client.query('select from tenant limit 1')
    if (rowCount !== 0) return false
    await insertAll(client, { leads, activities, secret, now: Math.floor(now / 60_000) * 60_000 })
    await client.query('commit; analyze')
    return true
  } finally {
    await client.end()
  }
}

async function insertAll(
  client: pg.Client,
  { leads, activities, secret, now }: { leads: number; activities: number; secret: string; now: number },
): Promise<void> {
  // One hash for all: 50 of them would take two seconds, and nobody guards a published password.
  const passwordHash = await createPasswords([secret]).hash(demoPassword)
  await insertStaff(client, { of: 'group', nodes: [groupNode()], users: [groupUser()], passwordHash })
  for (const company of demoCompanies) {
    const users = companyUsers(company)
    await insertStaff(client, { of: 'company', nodes: companyNodes(company), users, passwordHash })
    await insertWork(client, { company, users, leads, activities, now })
  }
}

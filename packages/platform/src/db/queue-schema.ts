import type pg from 'pg'

/** The schema of BullMQ's own tables on Postgres. */
export const queueSchema = 'queue'

/**
 * Creates or updates BullMQ's own tables in a database, on a superuser's connection to it. They belong to fx_queue, which sees nothing
 * else; it may create a schema only while this runs, because BullMQ checks that right first.
 */
export async function migrateQueue(client: pg.Client, database: string): Promise<void> {
  // Loaded here only: it is large, and everybody who needs a role's address imports a file beside this one.
  const { runMigrations } = await import('bullmq')
  const name = client.escapeIdentifier(database)
  await client.query(`create schema if not exists ${queueSchema} authorization fx_queue`)
  await client.query(`grant create on database ${name} to fx_queue`)
  try {
    await client.query('set role fx_queue')
    await runMigrations(client, queueSchema)
  } finally {
    await client.query('reset role')
    await client.query(`revoke create on database ${name} from fx_queue`)
  }
}

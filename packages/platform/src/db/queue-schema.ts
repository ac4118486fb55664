import type pg from 'pg'

/** The schema of BullMQ's own tables on Postgres. */
export const queueSchema = 'queue'

/**
 * Creates or updates BullMQ's own tables in a database, on a connection of the database's owner (`owner`, which the login can become) or a superuser
 * ('none'). They belong to fx_queue, which sees nothing else; it may create a schema only while this runs, because BullMQ checks that right first.
 */
export async function migrateQueue(client: pg.Client, database: string, owner: 'none' | 'fx_owner' = 'none'): Promise<void> {
  // Loaded here only: it is large, and everybody who needs a role's address imports a file beside this one.
  const { runMigrations } = await import('bullmq')
  const name = client.escapeIdentifier(database)
  await client.query(`grant create on database ${name} to fx_queue`)
  try {
    await client.query('set role fx_queue')
    await client.query(`create schema if not exists ${queueSchema}`)
    await runMigrations(client, queueSchema)
  } finally {
    await client.query(`set role ${owner}`)
    await client.query(`revoke create on database ${name} from fx_queue`)
  }
}

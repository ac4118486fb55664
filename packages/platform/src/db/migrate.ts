import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join, relative } from 'node:path'
import pg from 'pg'
import type { MigrationList, SchemaContainer } from '@prisma/schema-engine-wasm'
import { withSchemaEngine } from './cluster/engine.ts'
import { bootstrapRoles, roleUrl, withDatabase, type RoleSecrets } from './roles.ts'

/** Path of the Prisma folder: schema.prisma, models/ and migrations/. */
export interface PrismaFolder {
  dir: string
}

export interface MigrateOptions extends PrismaFolder {
  /** The database; its user and password are replaced by those of fx_migrate. */
  url: string
  deploySecret: string
}

export interface DiffOptions extends PrismaFolder, RoleSecrets {
  /** A superuser's URL: a shadow database is created and dropped. */
  adminUrl: string
}

const noFilter = { externalTables: [], externalEnums: [] }

/**
 * Applies the missing migrations in order and returns their names. Throws with Prisma's message and the name of the migration when one
 * fails; it is then marked as failed.
 */
export async function migrate({ url, deploySecret, dir }: MigrateOptions): Promise<string[]> {
  const input = { migrationsList: await readMigrations(dir), filters: noFilter }
  return withSchemaEngine({ url: roleUrl(url, 'fx_migrate', deploySecret) }, async (engine) => {
    return (await engine.applyMigrations(input)).appliedMigrationNames
  })
}

/** The SQL that would bring the migrations to the models; empty when they agree. */
export async function diffSchema({ adminUrl, dir, ...secrets }: DiffOptions): Promise<string> {
  const shadow = `outpost_shadow_${randomBytes(6).toString('hex')}`
  const url = await bootstrapRoles({ adminUrl, ...secrets, database: shadow })
  try {
    return await diffIn(roleUrl(url, 'fx_migrate', secrets.deploySecret), dir)
  } finally {
    await dropDatabase(adminUrl, shadow)
  }
}

interface NewMigration extends PrismaFolder {
  name: string
  sql: string
  /** Its stamp is not earlier than this one. */
  from?: string
}

/** Creates the next migration's folder with the given SQL and returns its path. */
export async function writeMigration({ dir, name, sql, from = '0' }: NewMigration): Promise<string> {
  if (!/^[a-z0-9_]+$/.test(name)) throw new Error('name: a migration is named in lower case letters, digits and _')
  // After all that are there, whatever the clock says: migrations are applied in the order of their names.
  await mkdir(join(dir, 'migrations'), { recursive: true })
  const newest =
    (await readdir(join(dir, 'migrations')))
      .filter((one) => /^\d{14}_/.test(one))
      .sort()
      .at(-1)
      ?.slice(0, 14) ?? '0'
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const stamp = [now, from, String(BigInt(newest) + 1n)].sort((a, b) => Number(BigInt(b) - BigInt(a)))[0]
  const folder = join(dir, 'migrations', `${stamp}_${name}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'migration.sql'), sql)
  return folder
}

/** Drops a database and closes its connections. */
export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(adminUrl, 'postgres') })
  await client.connect()
  await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
  await client.end()
}

async function diffIn(url: string, dir: string): Promise<string> {
  const files = await readSchema(dir)
  const datamodels = files.map(({ path, content }): [string, string] => [path, content])
  const from = { tag: 'migrations' as const, ...(await readMigrations(dir)) }
  const to = { tag: 'schemaDatamodel' as const, files }
  return withSchemaEngine({ url, shadowUrl: url, datamodels }, async (engine) => {
    const { stdout } = await engine.diff({ from, to, script: true, exitCode: null, filters: noFilter })
    const sql = (stdout ?? '').trim()
    return sql === '-- This is an empty migration.' ? '' : sql
  })
}

async function readMigrations(dir: string): Promise<MigrationList> {
  const baseDir = join(dir, 'migrations')
  const entries = await readdir(baseDir, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
  const migrationDirectories = await Promise.all(
    names.map(async (path) => {
      const value = await readFile(join(baseDir, path, 'migration.sql'), 'utf8')
      return { path, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } }
    }),
  )
  const lockfile = { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' }
  return { baseDir, lockfile, shadowDbInitScript: '', migrationDirectories }
}

async function readSchema(dir: string): Promise<SchemaContainer[]> {
  const names = await readdir(dir, { recursive: true })
  const files = names
    .filter((name) => name.endsWith('.prisma'))
    .map((name) => join(dir, name))
    .sort()
  return Promise.all(files.map(async (path) => ({ path: relative(dir, path), content: await readFile(path, 'utf8') })))
}

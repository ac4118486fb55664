import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { startEmbedded } from '@outpost/platform/db/embedded'
import { diffSchema, migrate, writeMigration } from '@outpost/platform/db/migrate'
import { bootstrapRoles } from '@outpost/platform/db/roles'
import { readEnv } from '@outpost/platform/env'

const dir = resolve(import.meta.dirname, '..', 'prisma')
const usage = 'node scripts/migrate.ts [apply | diff | new <name>]'

const settings = z.object({
  /** A superuser's URL; without it the embedded Postgres under DATA_DIR is started for the time being. */
  DATABASE_URL: z.url().optional(),
  DATA_DIR: z.string().default('.data'),
  SECRET: z.string().min(32).optional(),
})

interface Target {
  adminUrl: string
  secret: string
  database?: string
}

/** Applies migrations, prints what the migrations lack of the models, or begins the next migration with it. */
async function main([command = 'apply', name]: string[]): Promise<void> {
  if (command === 'apply') return withTarget(apply)
  if (command === 'diff') return withScratch(async (target) => console.log((await diffSchema({ ...target, dir })) || '-- no difference'))
  if (command === 'new' && name) return withScratch((target) => begin(target, name))
  throw new Error(`Usage: ${usage}`)
}

async function apply(target: Target): Promise<void> {
  const url = await bootstrapRoles(target)
  const names = await migrate({ url, secret: target.secret, dir })
  console.log(names.length === 0 ? 'The database is up to date' : names.map((each) => `applied ${each}`).join('\n'))
}

async function begin(target: Target, name: string): Promise<void> {
  const sql = await diffSchema({ ...target, dir })
  console.log(`wrote ${await writeMigration({ dir, name, sql: sql === '' ? '' : `${sql}\n` })}`)
}

async function withTarget(use: (target: Target) => Promise<void>): Promise<void> {
  const env = readEnv(settings)
  if (!env.DATABASE_URL) return withEmbedded({ dataDir: env.DATA_DIR, secret: env.SECRET }, use)
  if (!env.SECRET) throw new Error('SECRET: is needed with DATABASE_URL')
  return use({ adminUrl: env.DATABASE_URL, secret: env.SECRET })
}

/** Comparing needs a server but no data: a cluster of its own leaves a running Outpost alone. */
async function withScratch(use: (target: Target) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outpost-diff-'))
  await withEmbedded({ dataDir, isScratch: true }, use).finally(() => rm(dataDir, { recursive: true, force: true }))
}

interface EmbeddedTarget {
  dataDir: string
  /** Default: the one kept in dataDir. */
  secret?: string
  isScratch?: boolean
}

async function withEmbedded(
  { dataDir, secret, isScratch = false }: EmbeddedTarget,
  use: (target: Target) => Promise<void>,
): Promise<void> {
  const postgres = await startEmbedded({ dataDir, fast: isScratch })
  const database = isScratch ? undefined : 'outpost'
  try {
    await use({ adminUrl: postgres.adminUrl, secret: secret ?? postgres.masterSecret, database })
  } finally {
    await postgres.stop()
  }
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

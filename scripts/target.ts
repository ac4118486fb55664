import { startEmbedded } from '@outpost/platform/db/cluster/embedded'
import { readEnv } from '@outpost/platform/env'
import { z } from 'zod'
import type { RoleSecrets } from '@outpost/platform/db/roles'
import { deploySettings, secretsOfDeployment } from './start/deploy-secrets.ts'

const settings = z.object({
  /** A superuser's URL; without it the embedded Postgres under DATA_DIR is started temporarily. */
  DATABASE_URL: z.url().optional(),
  DATA_DIR: z.string().default('.data'),
  SECRET: z.string().min(32).optional(),
  ...deploySettings,
})

/** The database that a command works on, as its superuser. */
export interface Target extends RoleSecrets {
  adminUrl: string
  database?: string
}

/** Connects to the database of the settings, else to the temporarily started embedded one under DATA_DIR. */
export async function withTarget(use: (target: Target) => Promise<void>): Promise<void> {
  const env = readEnv(settings)
  if (!env.DATABASE_URL) return withEmbedded({ dataDir: env.DATA_DIR, secret: env.SECRET, ...secretsOfDeployment(env) }, use)
  if (!env.SECRET) throw new Error('SECRET: is needed with DATABASE_URL')
  return use({ adminUrl: env.DATABASE_URL, secret: env.SECRET, ...secretsOfDeployment(env) })
}

interface EmbeddedTarget {
  dataDir: string
  /** Default: the secret stored in dataDir. */
  secret?: string | undefined
  deploySecret?: string
  accessSecret?: string | undefined
  geoSecret?: string | undefined
  backupPassword?: string | undefined
  isScratch?: boolean
}

/** Starts the embedded Postgres temporarily. */
export async function withEmbedded(
  { dataDir, secret, isScratch = false, ...given }: EmbeddedTarget,
  use: (target: Target) => Promise<void>,
): Promise<void> {
  const postgres = await startEmbedded({ dataDir, fast: isScratch })
  const database = isScratch ? undefined : 'outpost'
  try {
    await use({ adminUrl: postgres.adminUrl, secret: secret ?? postgres.masterSecret, ...secretsOfDeployment({}), ...given, database })
  } finally {
    await postgres.stop()
  }
}

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '@outpost/platform/db/cluster/embedded'
import { migrate } from '@outpost/platform/db/migrate'
import { bootstrapRoles } from '@outpost/platform/db/roles'

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string
    masterSecret: string
    deploySecret: string
  }
}

/** Vitest's global set-up: one Postgres for the run, with a migrated template that every test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outpost-test-'))
  const postgres = await startEmbedded({ dataDir, fast: true })
  const secret = postgres.masterSecret
  const deploySecret = randomBytes(32).toString('hex')
  const url = await bootstrapRoles({ adminUrl: postgres.adminUrl, secret, deploySecret, database: 'outpost_template' })
  await migrate({ url, deploySecret, dir: resolve(import.meta.dirname, '../../prisma') })
  project.provide('adminUrl', postgres.adminUrl)
  project.provide('masterSecret', secret)
  project.provide('deploySecret', deploySecret)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { diffSchema, migrate, writeMigration } from '@outpost/platform/db/migrate'
import { plainRoleStatements, superuserOnly } from '@outpost/platform/db/cluster/plain-owner'
import { bootstrapRoles, deployAlone } from '@outpost/platform/db/roles'
import { writeGeoKeys } from './geo-keys.ts'
import { lintedFrom } from './migrations/lint.ts'
import { withEmbedded, withTarget, type Target } from './target.ts'

const dir = resolve(import.meta.dirname, '..', 'prisma')
const usage = 'node scripts/migrate.ts [apply | roles | diff | new <name>]'

/** Applies migrations, prints what an operator runs on a managed Postgres, prints the difference between migrations and models, or starts the next migration with it. */
async function main([command = 'apply', name]: string[]): Promise<void> {
  if (command === 'apply') return withTarget(apply)
  if (command === 'roles') return withTarget(async (target) => console.log(rolesScript(target)))
  if (command === 'diff') return withScratch(async (target) => console.log((await diffSchema({ ...target, dir })) || '-- no difference'))
  if (command === 'new' && name) return withScratch((target) => begin(target, name))
  throw new Error(`Usage: ${usage}`)
}

async function apply(target: Target): Promise<void> {
  const names = await deployAlone(target.adminUrl, async () => migrate({ ...target, url: await bootstrapRoles(target), dir }))
  await writeGeoKeys(target)
  console.log(names.length === 0 ? 'The database is up to date' : names.map((each) => `applied ${each}`).join('\n'))
}

async function begin(target: Target, name: string): Promise<void> {
  const sql = await diffSchema({ ...target, dir })
  console.log(`wrote ${await writeMigration({ dir, name, sql: sql === '' ? '' : `${sql}\n`, from: lintedFrom })}`)
}

/** What an administrator without superuser's rights runs in the database, with what would need one as remarks. */
function rolesScript({ adminUrl, database, ...secrets }: Target): string {
  const remarks = superuserOnly.map(([statement, without]) => `-- needs a superuser: ${statement}\n--   without it ${without}`)
  return [...plainRoleStatements({ ownerUrl: adminUrl, secrets }).map((statement) => `${statement};`), ...remarks].join('\n')
}

/** Comparing needs a server but no data: a separate cluster does not disturb a running Outpost. */
async function withScratch(use: (target: Target) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outpost-diff-'))
  await withEmbedded({ dataDir, isScratch: true }, use).finally(() => rm(dataDir, { recursive: true, force: true }))
}

await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

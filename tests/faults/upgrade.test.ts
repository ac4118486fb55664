import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appendAudit } from '@outpost/platform/audit'
import { anchorStore, verifyAudit } from '@outpost/platform/audit-anchors'
import { startEmbedded, type EmbeddedPostgres } from '@outpost/platform/db/cluster/embedded'
import { readerIn, transactionIn } from '@outpost/platform/db/context'
import { migrate } from '@outpost/platform/db/migrate'
import { createPools } from '@outpost/platform/db/pool'
import { bootstrapRoles } from '@outpost/platform/db/roles'
import { createMake, type MadeUser } from '../support/make.ts'
import { killServers, startServer } from '../support/process.ts'
import { signIn } from './field.ts'

const prisma = resolve(import.meta.dirname, '../../prisma')
/** Checkout of an older release, generated, to be the server that was there before; default: the present program plays both. */
const former = process.env.FORMER_RELEASE
/** Migrations from here on are taken as those of the release that is deployed. */
const release = '20261208'
const deploySecret = randomBytes(32).toString('hex')

let dir = ''
let postgres: EmbeddedPostgres
let url = ''
let secret = ''
let admin: pg.Pool
let officer: MadeUser

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outpost-upgrade-'))
  postgres = await startEmbedded({ dataDir: join(dir, 'data'), fast: true })
  secret = postgres.masterSecret
  url = await bootstrapRoles({ adminUrl: postgres.adminUrl, database: 'outpost', secret, deploySecret })
  admin = new pg.Pool({ connectionString: url, max: 2 })
})
afterAll(async () => {
  await killServers()
  await admin.end()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})

/** A folder of migrations: ours that `isIn` takes, and one more where there is SQL for it. */
async function migrations(isIn: (name: string) => boolean, next?: string): Promise<string> {
  const folder = await mkdtemp(join(dir, 'prisma-'))
  const names = (await readdir(join(prisma, 'migrations'))).filter((name) => /^\d/.test(name) && isIn(name))
  for (const name of names) await cp(join(prisma, 'migrations', name), join(folder, 'migrations', name), { recursive: true })
  if (next !== undefined) {
    const path = join(folder, 'migrations', '99990101000000_next')
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'migration.sql'), next)
  }
  return folder
}
const count = async (table: string) => Number((await admin.query(`select count(*) as n from "${table}"`)).rows[0].n)

/** What is wrong with the audit chain of the officer's company. */
async function breaks(): Promise<unknown[]> {
  const pools = createPools({ url, secret, size: 2 })
  const reader = readerIn(pools.app, { company: officer.companyId, scope: '*', user: null, tenant: null })
  const { entries, breaks: found } = await verifyAudit(anchorStore(join(dir, 'server'), secret), reader, officer.companyId)
  await pools.close()
  expect(entries).toBeGreaterThan(0)
  return found
}

it('rows and audit chain of the former release are there after its migrations, each applied once', async () => {
  const ofFormer = await migrate({ url, deploySecret, dir: await migrations((name) => name < release) })
  const make = createMake({ admin, secret })
  const tenant = await make.tenant()
  officer = await make.user({ role: 'officer', tenant })
  const leads = await Promise.all(Array.from({ length: 20 }, () => make.lead({ tenant, user: officer })))
  const pools = createPools({ url, secret, size: 2 })
  for (const { id } of leads)
    await transactionIn(pools.app, { company: officer.companyId, scope: '*', user: null, tenant: null }, (sql) =>
      appendAudit(sql, { companyId: officer.companyId, userId: null, action: 'lead.created', objectType: 'lead', objectId: id }),
    )
  await pools.close()
  const tables = ['tenant', 'app_user', 'role', 'lead', 'audit_log']
  const before = await Promise.all(tables.map(count))
  const applied = await migrate({ url, deploySecret, dir: prisma })
  expect([ofFormer.length > 100, applied.length > 0]).toEqual([true, true])
  expect(await migrate({ url, deploySecret, dir: prisma })).toEqual([])
  expect(await Promise.all(tables.map(count))).toEqual(before)
  expect(await breaks()).toEqual([])
})

it(
  'a server serves while the next release’s migration runs, and beside a server started after it; nothing fails or is lost',
  { timeout: 180_000 },
  async () => {
    const start = (BUILD: string, root?: string) =>
      startServer({
        ...(root ? { root } : {}),
        database: { url, secret },
        dataDir: join(dir, 'server'),
        env: { ROLE: 'api', PRESSURE_LAG: '0', SHUTDOWN_GRACE: '1', BUILD },
      })
    const old = await start('the former', former)
    const token = await signIn(old.url, officer)
    const before = await count('lead')
    const failed: unknown[] = []
    let made = 0
    const ask = async (base: string, method: string, path: string, body?: object) => {
      const answer = await fetch(base + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const said = (await answer.json()) as { data?: Record<string, { Id?: string }> }
      if (answer.status !== 200) failed.push({ status: answer.status, path, said })
      return said
    }
    /** A lead is made at one server, read and changed at the other. */
    const round = async (one: string, other: string) => {
      const phonenumber = `07${String(10_000_000 + made)}`
      const { data } = await ask(one, 'POST', '/api/leads', { firstName: 'Rolled', lastName: 'Over', phonenumber })
      made += 1
      const id = data?.['lead']?.Id ?? ''
      await ask(other, 'GET', `/api/leads/${id}`)
      await ask(other, 'PUT', `/api/leads/${id}`, { city: 'Thika' })
      await ask(one, 'GET', '/api/leads?size=5')
    }
    let isOver = false
    let servers = [old.url]
    const load = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const [one = old.url, other = one] = n % 2 === 0 ? servers : servers.toReversed()
        await round(one, other)
      }
    })()
    await expect.poll(() => made, { timeout: 30_000 }).toBeGreaterThan(5)
    const atMigration = made
    const next = `alter table "lead" add column "nextRelease" text;
    alter table "app_user" add column "nextRelease" integer not null default 0;
    create table "next_release" ("id" uuid primary key);`
    expect(await migrate({ url, deploySecret, dir: await migrations(() => true, next) })).toEqual(['99990101000000_next'])
    await expect.poll(() => made, { timeout: 30_000 }).toBeGreaterThan(atMigration + 5)
    const fresh = await start('the next')
    servers = [old.url, fresh.url]
    const together = made
    await expect.poll(() => made, { timeout: 30_000 }).toBeGreaterThan(together + 10)
    servers = [fresh.url]
    await expect.poll(() => made, { timeout: 30_000 }).toBeGreaterThan(together + 15)
    expect(await old.kill('SIGTERM')).toEqual({ code: 0 })
    isOver = true
    await load
    expect(failed).toEqual([])
    expect((await count('lead')) - before).toBe(made)
    expect(Number((await admin.query(`select count(*) as n from "lead" where "city" = 'Thika'`)).rows[0].n)).toBe(made)
    expect(await breaks()).toEqual([])
    await fresh.kill('SIGTERM')
  },
)

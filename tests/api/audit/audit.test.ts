import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { watchAudit } from '../../../apps/server/src/audit-watch.ts'
import { startJobs } from '../../../apps/server/src/kernel/jobs/index.ts'
import { testApp, type SignedInClient, type TestApp } from '../../support/app.ts'
import type { MadeTenant } from '../../support/make.ts'
import { until } from '../../support/until.ts'

interface Check {
  isWhole: boolean
  entries: number
  anchors: number
  findings: string | null
}

let app: TestApp
let jobs: { close(): Promise<void> }
let company: MadeTenant
let admin: SignedInClient
beforeAll(async () => {
  app = await testApp()
  const { services, queueStore, log } = app.machine
  jobs = startJobs({ areas: app.areas, services, store: queueStore, log, sweepMs: 200 })
  company = await app.make.company()
  admin = await app.as(await app.make.user({ company, role: 'admin' }))
})
afterAll(async () => {
  await jobs.close()
  await app.close()
})

async function checks(count: number): Promise<Check[]> {
  let found: Check[] = []
  await until(async () => {
    found = (await admin.get<{ auditChecks: Check[] }>('/api/audit/checks')).body.data.auditChecks
    return found.length === count
  })
  return found
}

it('the chain is anchored and verified every day, and an administrator sees what was found', async () => {
  await admin.post('/api/pipelines', { name: 'x' })
  for (const name of ['One', 'Two', 'Three'])
    expect((await admin.post('/api/holidays', { name, date: `2030-01-0${name.length}` })).status).toBeLessThan(500)
  await admin.post('/api/roles', { name: 'Audited' })
  await watchAudit(app.machine)
  const [first] = await checks(1)
  expect(first).toMatchObject({ isWhole: true, anchors: 1, findings: null })
  // A second worker, or a restart, asks for no second look within the day.
  await watchAudit(app.machine)
  await app.database.admin.query('delete from audit_log where "companyId" = $1', [company.id])
  expect((await admin.post('/api/audit/checks')).status).toBe(202)
  const [second] = await checks(2)
  expect(second).toMatchObject({ isWhole: false, anchors: 1 })
  expect(second?.findings).toContain('and all after it are missing')
})

/** npm run audit:verify over the same database and folder. */
const command = () =>
  new Promise<{ code: number; told: string }>((done) => {
    const { env } = app.machine
    execFile(
      process.execPath,
      [resolve(import.meta.dirname, '../../../scripts/audit-verify.ts')],
      { env: { ...process.env, DATABASE_URL: app.database.url, SECRET: env.SECRET, DATA_DIR: env.DATA_DIR }, timeout: 110_000 },
      (error, told) => done({ code: Number(error?.code ?? 0), told }),
    )
  })

it('a command says the same of all companies, and fails when one is broken', async () => {
  const other = await app.make.company()
  const { code, told } = await command()
  expect(code).toBe(1)
  expect(told).toMatch(new RegExp(`${company.id}: \\d+ entries, 1 anchors, BROKEN\\n  entry \\d+: truncated`))
  expect(told).toContain(`${other.id}: 0 entries, 0 anchors, whole`)
})

it('is a matter of administrators of the whole company', async () => {
  const branch = await app.make.tenant({ company })
  const officer = await app.as(await app.make.user({ company, role: 'officer' }))
  const there = await app.as(await app.make.user({ company, tenant: branch, role: 'admin' }))
  expect((await officer.get('/api/audit/checks')).status).toBe(403)
  expect((await officer.post('/api/audit/checks')).status).toBe(403)
  expect((await there.post('/api/audit/checks')).status).toBe(403)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { salesAreas } from '../support/sales-areas.ts'
import { until } from '../support/until.ts'
import { isNightly } from '../support/size.ts'

const rowCount = Number(process.env.EXPORT_ROWS ?? (isNightly ? 1_000_000 : 20_000))
const limit = 150 * 1024 * 1024

let app: TestApp
let jobs: { close(): Promise<void> }
beforeAll(async () => {
  app = await testApp({ areas: salesAreas })
  const { services, queueStore, log } = app.machine
  jobs = startJobs({ areas: app.areas, services, store: queueStore, log, sweepMs: 200 })
})
afterAll(async () => {
  await jobs.close()
  await app.close()
})

for (const format of ['csv', 'xlsx'] as const) {
  test(`an export of ${rowCount} rows as ${format} keeps memory within 150 MB over the base and the event loop free`, async () => {
    const company = await app.make.company()
    const boss = await app.make.user({ company, role: 'md' })
    await app.database.admin
      .query(`set session_replication_role = replica; insert into lead ("companyId", id, "tenantId", "firstName", "lastName", phonenumber, "trimmedPhonenumber", "createdByUserId", "leadCreatedBy", "searchText")
      select '${company.id}', gen_random_uuid(), '${company.id}', 'First ' || n, 'Last', '07' || n, '07' || n, '${boss.id}', 'boss', '' from generate_series(1, ${rowCount}) n; set session_replication_role = origin`)
    const client = await app.as(boss)
    globalThis.gc?.()
    const base = process.memoryUsage().rss
    // Of this thread's own work: what holds the loop is found, and a machine that stands still is not.
    let [peak, lag, at] = [base, 0, process.threadCpuUsage()]
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
      const { user, system } = process.threadCpuUsage(at)
      lag = Math.max(lag, (user + system) / 1_000)
      at = process.threadCpuUsage()
    }, 20)
    const { runId } = (
      await client.post<{ runId: string }>('/api/reports/run', { report: 'exportList', format, parameters: { resource: 'leads.list' } })
    ).body.data
    const status = async () =>
      (await client.get<{ reportRun: { status: string; rows: number } }>(`/api/reports/runs/${runId}`)).body.data.reportRun
    await until(async () => {
      await new Promise((done) => setTimeout(done, 100))
      return !['queued', 'running'].includes((await status()).status)
    }, 600_000)
    clearInterval(timer)
    expect(await status()).toMatchObject({ status: 'done', rows: rowCount })
    if (rowCount > 100_000)
      console.log(`${format}: ${Math.round((peak - base) / 1_048_576)} MB over the base, longest pause ${Math.round(lag)} ms`)
    expect(peak - base).toBeLessThan(limit)
    expect(lag).toBeLessThan(1_000)
  }, 700_000)
}

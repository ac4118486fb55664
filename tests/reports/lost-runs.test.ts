import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { runReport } from '../../apps/server/src/areas/reports/run.ts'
import type { ReportDefinition } from '../../apps/server/src/kernel/reports/definition.ts'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { sql } from '@outpost/platform/db/sql'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'
import { openSocket, type TestSocket } from '../support/socket.ts'
import { until } from '../support/until.ts'

let app: TestApp
let company: MadeTenant
let manager: MadeUser
let client: SignedInClient
let socket: TestSocket
let jobs: { close(): Promise<void> }
let plans = 0

/** The first to plan it is given up for lost in that moment, and fails while another is about to write the file. */
const contested: ReportDefinition = {
  name: 'contested',
  title: 'Contested',
  description: '',
  anyOf: [],
  input: z.unknown(),
  fields: [],
  plan: async () => {
    plans += 1
    if (plans === 1) {
      await app.database.admin.query(
        `update outbox set "leaseUntil" = now() - interval '1 second' where type = 'reports.run' and status = 'running'`,
      )
      await until(() => plans === 2)
      throw new Error('what it read from is gone')
    }
    // Time for the first to do harm.
    if (plans === 2) await until(async () => (await runs())[0]?.status === 'failed', 500).catch(() => undefined)
    return {
      title: 'Contested',
      definition: '',
      filters: [],
      columns: [{ key: 'n', title: 'N', kind: 'number' }],
      statement: sql`select 1 as n`,
    }
  },
}

beforeAll(async () => {
  app = await testApp()
  jobs = start()
  const url = await app.listen()
  company = await app.make.company()
  manager = await app.make.user({ company, role: 'md' })
  client = await app.as(manager)
  socket = await openSocket(url, client)
})
afterAll(async () => {
  socket.socket.close()
  await jobs.close()
  await app.close()
})

function start(): { close(): Promise<void> } {
  const { services, queueStore, log, files, env } = app.machine
  const tools = { files, reports: new Map([[contested.name, contested]]), databaseUrl: env.DATABASE_URL, secret: env.SECRET }
  return startJobs({ areas: [defineArea({ name: 'test', jobs: [runReport(tools)] })], services, store: queueStore, log, sweepMs: 50 })
}

const runs = async () =>
  (
    await app.database.admin.query<{ status: string; error: string | null; storageKey: string | null }>(
      'select status, error, "storageKey" from report_run',
    )
  ).rows

/** A run that is asked for, and the entry of its job as it is stored after so many tries. */
async function enqueueJob(report: string, job: { status: string; failures: number; userId?: string }): Promise<string> {
  const { admin } = app.database
  const [runId, companyId] = [randomUUID(), company.id]
  await admin.query('delete from report_run; delete from outbox')
  await app.make.row('report_run', {
    companyId,
    id: runId,
    tenantId: companyId,
    userId: manager.id,
    homeCompanyId: companyId,
    report,
    parameters: {},
    format: 'xlsx',
    status: job.status === 'running' ? 'running' : 'queued',
  })
  await app.make.row('outbox', {
    companyId,
    id: randomUUID(),
    type: 'reports.run',
    userId: manager.id,
    payload: { runId, tenantId: companyId },
    ...job,
    leaseUntil: new Date(Date.now() - 1_000),
  })
  return runId
}

const ending = (runId: string) => socket.next('reportComplete', (data) => data['runId'] === runId)

test('a worker that was given up for lost neither fails nor announces the report that another has written', async () => {
  const runId = await enqueueJob('contested', { status: 'new', failures: 0 })
  expect(await ending(runId)).toMatchObject({ success: true })
  // Waits for the one that was given up as well.
  await jobs.close()
  jobs = start()
  expect(plans).toBe(2)
  expect(await runs()).toMatchObject([{ status: 'done', error: null, storageKey: expect.any(String) as string }])
  expect(socket.heard.filter(({ event, data }) => event === 'reportComplete' && data['runId'] === runId)).toHaveLength(1)
})

test('a report whose worker was lost five times ends with a message, and can be tried again by an administrator', async () => {
  const runId = await enqueueJob('contested', { status: 'running', failures: 4 })
  expect(await ending(runId)).toMatchObject({ success: false, heading: 'Report generated with Errors' })
  expect(await runs()).toMatchObject([{ status: 'failed', error: expect.stringContaining('interrupted again and again') as string }])
  const admin = await app.as(await app.make.user({ company, role: 'admin' }))
  const [dead] = (await admin.get<{ jobs: { Id: string }[] }>('/api/jobs/dead')).body.data.jobs
  expect((await admin.post('/api/jobs/replay', { ids: [dead?.Id] })).status).toBe(200)
  await socket.next('reportComplete', (data) => data['runId'] === runId && data['success'] === true)
  expect(await runs()).toMatchObject([{ status: 'done', error: null }])
})

test('a report whose person may not work there any more ends too', async () => {
  const gone = await app.make.user({ company, role: 'officer', status: 0 })
  await enqueueJob('contested', { status: 'new', failures: 0, userId: gone.id })
  await until(async () => (await runs())[0]?.status === 'failed')
})

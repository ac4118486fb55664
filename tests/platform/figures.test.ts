import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readIn } from '@outpost/platform/db/context'
import { createPool } from '@outpost/platform/db/pool'
import { roleUrl } from '@outpost/platform/db/roles'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { registry } from '@outpost/platform/http/metrics'
import { createLog } from '@outpost/platform/log'
import { createMail } from '@outpost/platform/mail'
import type { DbContext } from '@outpost/platform/types'
import { createRelay } from '@outpost/platform/relay'
import { createDeviceStats } from '../../apps/geo/src/ingest/listen/device-stats.ts'
import type { Connection } from '../../apps/server/src/kernel/realtime/connection.ts'
import { createHub } from '../../apps/server/src/kernel/realtime/hub.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import type { TestApp } from '../support/app.ts'
import { person, syncWorld, type SyncWorld } from '../sync/world.ts'
import { until } from '../support/until.ts'

let app: TestApp
let world: SyncWorld
let dir = ''
const silent = createLog({ level: 'silent' })
beforeAll(async () => {
  world = await syncWorld()
  app = world.app
  dir = await mkdtemp(join(tmpdir(), 'outpost-figures-'))
})
afterAll(async () => {
  await app.close()
  await rm(dir, { recursive: true, force: true })
})

/** The value of a figure with these labels; 0 while there is none. */
async function figure(name: string, labels: Record<string, string> = {}): Promise<number> {
  const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {}
  const found = values
    // Of a histogram, how many were counted.
    .filter((one) => !('metricName' in one) || one.metricName === `${name}_count`)
    .filter(({ labels: own }) => Object.entries(labels).every(([label, value]) => (own as Record<string, unknown>)[label] === value))
  return found.reduce((sum, { value }) => sum + value, 0)
}
/** By how much it grew meanwhile. */
async function growth(name: string, labels: Record<string, string>, run: () => Promise<unknown>): Promise<number> {
  const before = await figure(name, labels)
  await run()
  return (await figure(name, labels)) - before
}

describe('figures for an operator', () => {
  it('letters by kind and outcome', async () => {
    const options = { from: 'Outpost <us@outpost.test>', log: silent, folder: dir, smsDomain: 'sms.outpost.test' }
    const [well, broken] = [createMail(options), createMail({ ...options, smtpUrl: 'smtp://127.0.0.1:1' })]
    const letter = { to: 'them@outpost.test', subject: 's', text: 't' }
    expect(await growth('mail_letters', { kind: 'mail', outcome: 'sent' }, () => well.send(letter))).toBe(1)
    expect(await growth('mail_letters', { kind: 'mail', outcome: 'failed' }, () => broken.send(letter).catch(() => undefined))).toBe(1)
    const toPhone = { ...letter, to: '254700000001@SMS.outpost.test' }
    expect(await growth('mail_letters', { kind: 'sms', outcome: 'sent' }, () => well.send(toPhone))).toBe(1)
    expect(await growth('mail_letters', { kind: 'mail' }, () => well.send(toPhone))).toBe(0)
    broken.close()
  })

  it('statements that take longer than a second, however their answer is awaited, with their text in the log and never their values', async () => {
    const told: object[] = []
    const log = { error: () => undefined, warn: (fields: object) => void told.push(fields) }
    const [slow, quick] = [`select pg_sleep(1.05), $1::text as "said"`, 'select $1::text as "said"']
    const { url, secret } = app.database
    const [pool, report] = (['fx_app', 'fx_report'] as const).map((role) =>
      createPool({ url: roleUrl(url, role, secret), name: role, max: 3, log }),
    )
    if (!pool || !report) throw new Error('no pools')
    const context: DbContext = { company: world.company.id, scope: '*', user: null, tenant: null }
    const ask = (text: string) => [
      pool.query(text, ['secret']),
      readIn(pool, context, { text, values: ['secret'] }),
      readIn(report, context, { text, values: ['secret'] }),
    ]
    // On a machine that stands still for a second, any statement is slow.
    await until(async () => (await growth('database_slow_statements', {}, () => Promise.all(ask(quick)))) === 0)
    expect(await growth('database_slow_statements', { role: 'fx_app' }, () => Promise.all(ask(slow)))).toBe(2)
    expect(told.length).toBeGreaterThanOrEqual(3)
    expect(told).toContainEqual({ role: 'fx_app', ms: expect.any(Number), statement: slow })
    expect(JSON.stringify(told)).not.toContain('secret')
    await Promise.all([pool.end(), report.end()])
  })

  it('tries of jobs by how they ended', async () => {
    const { services, queueStore } = app.machine
    const jobs = startJobs({ areas: app.areas, services, store: queueStore, log: silent, sweepMs: 100 })
    const company = await world.app.make.company()
    const add = () =>
      app.database.admin.query(`insert into outbox ("companyId", "type", "payload", "id") values ($1, 'no.such.job', '{}', uuidv7())`, [
        company.id,
      ])
    expect(
      await growth('jobs_tries', { job: 'no.such.job', outcome: 'dead' }, async () => {
        await add()
        await until(async () => (await figure('jobs_tries', { job: 'no.such.job', outcome: 'dead' })) > 0, 20_000)
      }),
    ).toBe(1)
    await jobs.close()
  })

  it('what devices sent, by verdict', async () => {
    const device = await world.device()
    expect(await growth('sync_changes', { status: 'applied', code: '' }, () => device.push([device.insert(person())]))).toBe(1)
    expect(await growth('sync_changes', { status: 'rejected' }, () => device.push([device.insert(person({ city: 7 }))]))).toBe(1)
  })

  it('how old changes of devices were when they were stored, by the device’s own clock, each once', async () => {
    const device = await world.device()
    const change = device.insert(person())
    expect(await growth('sync_lag_seconds', {}, () => device.push([change]))).toBe(1)
    expect(await growth('sync_lag_seconds', {}, () => device.push([change]))).toBe(0)
    expect(await growth('sync_lag_seconds', {}, () => device.push([device.insert(person({ city: 7 }))]))).toBe(0)
  })

  it('open sockets', async () => {
    const hub = createHub(new Map())
    const connection = { ctx: { company: { id: randomUUID() }, user: { id: randomUUID() } }, follows: new Set() } as unknown as Connection
    expect(await growth('sockets_open', {}, async () => hub.add(connection))).toBe(1)
    expect(await growth('sockets_open', {}, async () => [hub.remove(connection), hub.remove(connection)])).toBe(-1)
  })

  it('the way of a message from one process to another', async () => {
    const store = app.machine.queueStore
    const [one, two] = [createRelay(store, silent), createRelay(store, silent)]
    const heard: unknown[] = []
    two.subscribe('geo.followed', (data) => heard.push(data))
    const before = await figure('relay_seconds')
    await until(async () => {
      one.publish('geo.followed', { companyIds: [] })
      await one.flush()
      return heard.length > 0
    }, 20_000)
    expect(await figure('relay_seconds')).toBeGreaterThan(before)
    await Promise.all([one.close(), two.close()])
  })

  it('frames that were refused, by reason', async () => {
    const pool = { query: async () => ({ rows: [] }) } as never
    const stats = createDeviceStats({ pool, log: silent })
    const device = { companyId: randomUUID(), deviceId: randomUUID() } as never
    const frame = { protocol: 'gt06', reason: 'checksum', detail: 'x', remote: '1.2.3.4', bytes: Buffer.from('x') }
    expect(
      await growth('geo_frames_refused', { protocol: 'gt06', reason: 'checksum' }, async () => stats.quarantine(device, frame as never)),
    ).toBe(1)
    await stats.close()
  })
})

describe('the id of a request', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } })
  const open = async (keepsRequestId: boolean) => {
    const http = await createHttp({
      log,
      counters: createCounters({ log }),
      perAddress: 0,
      pressureLagMs: 0,
      keepsRequestId,
      health: { checks: [], isOpen: () => true },
    })
    http.post('/work', async (request) => {
      await new Promise((done) => setImmediate(done))
      // A line of code that knows no request.
      log.info({ told: (request.body as { n: number }).n }, 'deep down')
      log.child({ requestId: 'own' }).info('named already')
      return { ok: true }
    })
    return http
  }

  it('is in each line that is written meanwhile, of that request alone, and once', async () => {
    const http = await open(false)
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    const send = async (n: number) => {
      const answer = await fetch(`${url}/work`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ n }),
      })
      return answer.headers.get('x-request-id')
    }
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
    const told = lines.map((line) => JSON.parse(line) as { told?: number; requestId?: string }).filter((line) => line.told !== undefined)
    expect(told).toHaveLength(20)
    for (const { told: n, requestId } of told) expect(requestId).toBe(ids[n ?? -1])
    for (const line of lines) expect(line.match(/"requestId"/g)?.length ?? 0).toBeLessThan(2)
    log.info('outside')
    expect(lines.at(-1)).not.toContain('requestId')
    await http.close()
  })

  it('comes from our own programs only, where they are the only callers', async () => {
    const id = randomUUID()
    const idOf = async (keeps: boolean, header: string) => {
      const http = await open(keeps)
      const { headers } = await http.inject({ method: 'POST', url: '/work', payload: { n: 1 }, headers: { 'x-request-id': header } })
      await http.close()
      return headers['x-request-id']
    }
    expect(await idOf(true, id)).toBe(id)
    expect(await idOf(true, 'no id\u00a0')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await idOf(false, id)).not.toBe(id)
  })
})

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startJobs } from '../../../apps/server/src/kernel/jobs/index.ts'
import type { Client } from '../../support/app.ts'
import { startServer } from '../../support/process.ts'
import { until } from '../../support/until.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import { isSigned, startReceiver } from './receiver.ts'

let world: World
let other: Awaited<ReturnType<typeof startReceiver>>
let jobs: ReturnType<typeof startJobs> | undefined
const work = () => {
  const { services, queueStore: store, log } = world.app.machine
  jobs = startJobs({ areas: world.app.areas, services, store, log, sweepMs: 50 })
}
beforeAll(async () => {
  world = await makeWorld({ WEBHOOK_HOSTS: '127.0.0.1' })
  other = await startReceiver()
  work()
})
afterAll(async () => {
  await jobs?.close()
  await other.close()
  await world.app.close()
})
beforeEach(async () => {
  await rows('delete from outbox')
  await rows('delete from webhook_attempt')
  await rows('delete from webhook_delivery')
  await rows('delete from webhook')
  await rows('delete from notification')
  other.clear()
})

async function rows<Row = Record<string, unknown>>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await world.app.database.admin.query(text, values)).rows as Row[]
}
interface Webhook {
  Id: string
  version: number
  isActive: boolean
  stoppedReason: string | null
  ownerUserId: string
}
interface Delivery {
  Id: string
  event: string
  recordId: string | null
  status: string
  attempts: number
  statusCode: number | null
  lastError: string | null
}
const path = '/api/webhooks'
const body = (more: object = {}) => ({ name: 'Core', url: `${other.url}/hooks`, events: ['lead.created', 'lead.moved'], ...more })
const made = async (more: object = {}, by: Client = world.as.admin) => {
  const answer = await by.post<{ webhook: Webhook }>(path, body(more))
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.webhook
}
const of = async ({ Id }: { Id: string }) => (await world.as.admin.get<{ webhook: Webhook }>(`${path}/${Id}`)).body.data.webhook
const deliveriesOf = async ({ Id }: { Id: string }) =>
  (await world.as.admin.get<{ deliveries: Delivery[] }>(`${path}/${Id}/deliveries`)).body.data.deliveries
const act = async ({ Id }: { Id: string }, what: string, more: object = {}) => {
  const answer = await world.as.admin.post<{ secret: string; ids: string[] }>(`${path}/${Id}/${what}`, more)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}
let phones = 711_200_000
const newLead = async (by: Client = world.as.manager, more: object = {}) => {
  const answer = await by.post<{ lead: { Id: string } }>('/api/leads', {
    firstName: 'Hook',
    lastName: 'Wanjiru',
    phonenumber: `0${(phones += 1)}`,
    ...more,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.lead
}
const arrive = (count: number) => until(async () => other.received.length >= count)
const settled = (count: number, status = 'sent') =>
  until(async () => (await rows('select from webhook_delivery where status = $1', status)).length === count)
/** As if the time of the next try had come. */
const hurry = async () => {
  await rows(`update webhook_delivery set "nextAt" = now() where status = 'waiting'`)
  await rows(`update outbox set "runAt" = now() where type = 'webhooks.send' and status = 'new'`)
}

describe('a webhook', () => {
  it('gets what happens, in the owner’s view of the record, signed with a secret that is shown once', async () => {
    const hook = await made({ events: ['lead.created', 'lead.updated', 'lead.removed'] })
    const { secret } = await act(hook, 'secret')
    const lead = await newLead()
    await arrive(1)
    const [got] = other.received
    expect(isSigned(got!, secret)).toBe(true)
    expect(isSigned({ ...got!, text: got!.text.replace('Wanjiru', 'Wanjirv') }, secret)).toBe(false)
    expect(got?.headers['webhook-id']).toBe(got?.body.id)
    expect(got?.body).toMatchObject({
      event: 'lead.created',
      company: { Id: world.company.id, name: 'Sunrise' },
      recordId: lead.Id,
      move: null,
    })
    const read = (await world.as.admin.get<{ lead: object }>(`/api/leads/${lead.Id}`)).body.data.lead
    expect(Object.keys(got?.body.record ?? {}).toSorted()).toEqual(Object.keys(read).toSorted())
    await world.as.manager.put(`/api/leads/${lead.Id}`, { firstName: 'Other' })
    await arrive(2)
    await world.as.admin.post('/api/leads/delete', { ids: [lead.Id] })
    await arrive(3)
    expect(other.received.map(({ body: { event, recordId } }) => [event, recordId])).toEqual([
      ['lead.created', lead.Id],
      ['lead.updated', lead.Id],
      ['lead.removed', lead.Id],
    ])
    expect(other.received[2]?.body.record).toBeNull()
    expect(JSON.stringify(await of(hook))).not.toContain('whsec')
    expect(await rows('select secret from webhook')).not.toEqual([{ secret: expect.stringContaining(secret) }])
  })

  it('gets each move of a workflow', async () => {
    await made({ events: ['case.created', 'case.moved'] })
    const lead = await newLead()
    const { body: answer } = await world.as.manager.post<{ case: { Id: string; stageId: string } }>('/api/cases', {
      title: 'Arrears',
      leadId: lead.Id,
    })
    const { Id, stageId } = answer.data.case
    const { stages } = (await world.as.manager.get<{ stages: { Id: string; name: string }[] }>('/api/pipelines/stages?entity=case')).body
      .data
    const next = stages.find((stage) => stage.Id !== stageId)
    expect((await world.as.manager.put(`/api/cases/${Id}/stage`, { stageId: next?.Id })).status).toBe(200)
    await settled(2)
    expect(other.received.map(({ body: { event, recordId } }) => [event, recordId])).toEqual([
      ['case.created', Id],
      ['case.moved', Id],
    ])
    expect(other.received[1]?.body).toMatchObject({ move: { field: 'stageId', to: next?.name }, record: { Id, stageId: next?.Id } })
  })

  it('changes to another secret without a gap: both sign until the old one ends', async () => {
    const hook = await made()
    const first = (await act(hook, 'secret')).secret
    // An empty field of a form is no 0: the usual hours count.
    const second = (await act(hook, 'secret', { overlapHours: null })).secret
    for (const overlapHours of [true, '0x10', []])
      expect(fieldsOf(await world.as.admin.post(`${path}/${hook.Id}/secret`, { overlapHours }))).toEqual(['overlapHours'])
    await act(hook, 'test')
    await arrive(1)
    const [got] = other.received
    expect([isSigned(got!, first), isSigned(got!, second)]).toEqual([true, true])
    expect(got?.body).toMatchObject({ event: 'webhook.test', record: null })
    await rows(`update webhook set "formerUntil" = now()`)
    await act(hook, 'test')
    await arrive(2)
    expect([isSigned(other.received[1]!, first), isSigned(other.received[1]!, second)]).toEqual([false, true])
  })

  it('gets one delivery of what was asked five times at once, and of a replay asked five times', async () => {
    const hook = await made()
    const lead = { Id: randomUUID(), firstName: 'Five', lastName: 'Times', phonenumber: '0711999001' }
    await Promise.all(Array.from({ length: 5 }, () => world.as.manager.post('/api/leads', lead)))
    await settled(1)
    const [delivery] = await deliveriesOf(hook)
    other.clear()
    const asked = Promise.withResolvers<void>()
    other.answers((_, response) => void asked.promise.then(() => response.end()))
    await Promise.all(Array.from({ length: 5 }, () => world.as.admin.post(`/api/webhook-deliveries/${delivery?.Id}/replay`)))
    asked.resolve()
    await until(async () => (await rows(`select from outbox where status in ('new', 'sent', 'running')`)).length === 0)
    expect(other.received.map(({ body: { id } }) => id)).toEqual([delivery?.Id])
    expect(await deliveriesOf(hook)).toHaveLength(1)
  })

  it('pauses: what happens is kept and sent in its order when it resumes', async () => {
    const hook = await made({ events: ['lead.created', 'lead.updated'] })
    await act(hook, 'pause')
    const lead = await newLead()
    for (const firstName of ['Eins', 'Zwei', 'Drei']) await world.as.manager.put(`/api/leads/${lead.Id}`, { firstName })
    await until(async () => (await rows(`select from outbox where type = 'webhooks.send' and status <> 'done'`)).length === 0)
    expect(other.received).toEqual([])
    const positions = (await rows<{ id: string }>('select id from webhook_delivery order by position')).map(({ id }) => id)
    expect(positions).toHaveLength(4)
    await act(hook, 'resume')
    await settled(4)
    expect(other.received.map(({ body: { id } }) => id)).toEqual(positions)
  })
})

describe('a delivery that fails', () => {
  it('is tried again after a 500 and a redirect, later each time, with the same id, and later ones of its record wait', async () => {
    const hook = await made({ events: ['lead.created', 'lead.updated'] })
    const codes = [500, 302]
    other.answers((_, response) => {
      response.writeHead(codes.shift() ?? 200, { location: `${other.url}/elsewhere` })
      response.end()
    })
    const lead = await newLead()
    await world.as.manager.put(`/api/leads/${lead.Id}`, { firstName: 'Later' })
    const tried = (attempts: number) =>
      until(async () => (await rows(`select from webhook_delivery where event = 'lead.created' and attempts = $1`, attempts)).length === 1)
    await tried(1)
    const [{ wait } = { wait: 0 }] = await rows<{ wait: number }>(
      `select extract(epoch from "nextAt" - now())::float8 as wait from webhook_delivery where event = 'lead.created'`,
    )
    expect(wait).toBeGreaterThan(2)
    expect(wait).toBeLessThan(6.1)
    await hurry()
    await tried(2)
    expect(other.received.every(({ body: { event } }) => event === 'lead.created')).toBe(true)
    await hurry()
    await settled(2)
    expect(other.received.map(({ path: at, body: { event } }) => [at, event])).toEqual([
      ['/hooks', 'lead.created'],
      ['/hooks', 'lead.created'],
      ['/hooks', 'lead.created'],
      ['/hooks', 'lead.updated'],
    ])
    expect(new Set(other.received.slice(0, 3).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const { attempts } = (
      await world.as.admin.get<{ attempts: { statusCode: number; durationMs: number }[] }>(`${path}/${hook.Id}/attempts`)
    ).body.data
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([200, 200, 302, 500])
  })

  it('is dead after the last try; administrators are notified, and it is replayed with all that failed', async () => {
    const hook = await made()
    other.answers((_, response) => void response.writeHead(503).end())
    await newLead()
    await until(async () => (await rows('select from webhook_delivery where attempts = 1')).length === 1)
    await rows('update webhook_delivery set attempts = 10')
    await hurry()
    await settled(1, 'failed')
    const told = await rows<{ userId: string; message: string; link: string }>('select "userId", message, link from notification')
    expect(told).toEqual([
      { userId: world.people.admin.id, message: expect.stringContaining('Core'), link: `/admin/webhooks/view/${hook.Id}` },
    ])
    other.clear()
    expect((await act(hook, 'replay-failed')).ids).toHaveLength(1)
    await settled(1)
    expect(other.received).toHaveLength(1)
  })

  it('switches the webhook off when it has failed for three days or nobody listens any more, and says so', async () => {
    const hook = await made()
    other.answers((_, response) => void response.writeHead(500).end())
    await rows(`update webhook set "failingSince" = now() - interval '73 hours'`)
    await newLead()
    await until(async () => !(await of(hook)).isActive)
    expect((await of(hook)).stoppedReason).toContain('3 days')
    expect(await rows('select message from notification')).toEqual([{ message: expect.stringContaining('switched off') }])
    await newLead()
    expect(await deliveriesOf(hook)).toHaveLength(1)
    other.answers((_, response) => void response.writeHead(410).end())
    await act(hook, 'resume')
    await until(async () => (await of(hook)).stoppedReason?.includes('410') === true)
  })

  it('counts no answer within ten seconds as a failure', async () => {
    await made()
    // How late a timer of this process is: on a machine that stands still, all of them are.
    let late = 0
    other.answers(() => {
      const begun = performance.now()
      setTimeout(() => (late = performance.now() - begun - 10_000), 10_000)
    })
    await newLead()
    await until(async () => (await rows('select from webhook_delivery where attempts = 1')).length === 1)
    const [row] = await rows<{ lastError: string; durationMs: number }>('select "lastError", "durationMs" from webhook_delivery')
    expect(row?.lastError).toContain('within 10 seconds')
    expect(row?.durationMs).toBeLessThan(11_500 + late)
  })

  it('is not lost with its worker', async () => {
    await jobs?.close()
    await made()
    const folder = await mkdtemp(join(tmpdir(), 'outpost-hooks-'))
    const { database } = world.app
    const worker = await startServer({ database, dataDir: folder, env: { ROLE: 'worker', WEBHOOK_HOSTS: '127.0.0.1' } })
    other.answers(() => undefined)
    await newLead()
    await arrive(1)
    await worker.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
    const [{ id } = { id: '' }] = await rows<{ id: string }>(`select id from webhook_delivery where status = 'waiting'`)
    other.clear()
    await rows(`update outbox set "leaseUntil" = now() where status = 'running'`)
    work()
    await settled(1)
    expect(other.received.map(({ body }) => body.id)).toEqual([id])
  })
})

describe('the rights of the owner', () => {
  it('hold: another company, another branch and what the owner may no longer see never arrive', async () => {
    const role = await world.app.make.role({
      company: world.company,
      name: `Hooks ${phones}`,
      permissions: ['ADMIN/API', 'ADMIN/API/CREATE', 'ADMIN/API/EDIT', 'SALES/LEADS', 'SALES/LEADS/VIEW'],
    })
    const keeper = await world.app.make.user({ tenant: world.branch, roles: [role], firstName: 'Hook', lastName: 'Keeper' })
    const client = await world.app.as(keeper)
    const hook = await made({}, client)
    await newLead(world.as.foreign)
    await newLead(world.as.elsewhere)
    const lead = await newLead(world.as.officer)
    await settled(1)
    await settled(1, 'skipped')
    expect(other.received.map(({ body: { recordId } }) => recordId)).toEqual([lead.Id])
    expect((await deliveriesOf(hook)).find(({ status }) => status === 'skipped')?.recordId).toBeNull()
    await rows(`delete from role_permission where "roleId" = $1 and hierarchy like 'SALES/%'`, role.id)
    world.app.services.changed({ companyId: world.company.id })
    await newLead(world.as.officer)
    await settled(2, 'skipped')
    await rows(`update app_user set status = 0 where id = $1`, keeper.id)
    world.app.services.changed({ companyId: world.company.id })
    await newLead(world.as.officer)
    await until(async () => (await of(hook)).stoppedReason?.includes('owner') === true)
    expect(other.received).toHaveLength(1)
    // Who saves it puts his own rights in their place.
    const saved = await world.as.admin.put<{ webhook: Webhook }>(`${path}/${hook.Id}`, { name: 'Core' })
    expect(saved.body.data.webhook.ownerUserId).toBe(world.people.admin.id)
    await act(hook, 'resume')
    await arrive(2)
  })

  it('decide what it may receive at all, and who may touch it', async () => {
    const hook = await made()
    for (const [method, at] of [
      ['get', ''],
      ['get', '/deliveries'],
      ['get', '/attempts'],
      ['post', '/test'],
      ['post', '/secret'],
      ['post', '/pause'],
      ['post', '/replay-failed'],
    ] as const) {
      expect((await world.as.foreign[method](`${path}/${hook.Id}${at}`)).status, at).toBe(404)
      expect((await world.as.officer[method](`${path}/${hook.Id}${at}`)).status, at).toBe(403)
    }
    await act(hook, 'test')
    await settled(1)
    const [delivery] = await deliveriesOf(hook)
    expect((await world.as.foreign.post(`/api/webhook-deliveries/${delivery?.Id}/replay`)).status).toBe(404)
    expect((await world.as.foreign.put(`${path}/${hook.Id}`, { url: 'https://evil.example.org' })).status).toBe(404)
    const role = await world.app.make.role({
      company: world.company,
      name: 'Hooks only',
      permissions: ['ADMIN/API', 'ADMIN/API/CREATE', 'ADMIN/API/EDIT'],
    })
    const client = await world.app.as(await world.app.make.user({ tenant: world.branch, roles: [role] }))
    // The hook works for the whole company, this person for a branch.
    expect((await client.get(`${path}/${hook.Id}`)).status).toBe(404)
    expect((await client.post(`${path}/${hook.Id}/secret`, {})).status).toBe(404)
    expect(fieldsOf(await world.as.admin.post(path, body({ events: ['lead.dreamt'] })))).toEqual(['events.0'])
    expect(fieldsOf(await client.post(path, body({ events: ['lead.created'] })))).toEqual(['events'])
    expect(fieldsOf(await world.as.admin.post(path, body({ events: [] })))).toEqual(['events'])
    const read = await of(hook)
    expect((await world.as.admin.put(`${path}/${hook.Id}`, read)).status).toBe(200)
  })

  it.each([
    'https://10.0.0.7/x',
    'https://[::1]/x',
    'https://169.254.169.254/',
    'https://[::ffff:192.168.1.1]/',
    'https://localhost/x',
    'http://example.org/x',
    'https://a:b@example.org/',
    'ftp://example.org',
    'nonsense',
  ])('refuse the address %s by its field', async (url) => {
    expect(fieldsOf(await world.as.admin.post(path, body({ url })))).toEqual(['url'])
  })
})

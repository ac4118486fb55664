import { randomUUID } from 'node:crypto'
import type { Mail } from '@outpost/platform/mail'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendMessageJob } from '../../../apps/server/src/areas/messages/send.job.ts'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import type { SignedInClient } from '../../support/app.ts'
import { openSocket } from '../../support/socket.ts'
import { fieldsOf } from '../world.ts'
import { makeComplaintWorld, settled, type ComplaintRow, type ComplaintWorld } from './world.ts'

/** A word that is in nothing else: wherever the accused finds it, something leaked. */
const canary = 'Zanzibarquartz'
const accused = 'officer' as const

let world: ComplaintWorld
let about: ComplaintRow
let other: ComplaintRow
let me: SignedInClient
let admin: SignedInClient
beforeAll(async () => {
  world = await makeComplaintWorld()
  me = world.as[accused]
  admin = world.as.admin
  const client = await world.app.make.client({ tenant: world.team, firstName: 'Neema', lastName: 'Wafula' })
  const inTeam = { 'x-tenant-id': world.team.id }
  const take = async (body: object) => {
    const answer = await admin.post<{ complaint: ComplaintRow }>(
      '/api/complaints',
      { subject: 'Fees', category: 'Staff conduct', channel: 'Phone', severity: 'High', clientId: client.id, product: 'Boda', ...body },
      inTeam,
    )
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.complaint
  }
  other = await take({})
  about = await take({ subject: `${canary} took money`, description: canary, product: canary, accusedUserId: world.people.officer.id })
})
afterAll(() => world.app.close())

const path = () => `/api/complaints/${about.Id}`

it('the colleague whom a complaint is about finds it in no list, count, search, filter or figure', async () => {
  expect((await admin.get('/api/complaints')).body.meta?.total).toBe(2)
  const list = await me.get<{ complaints: ComplaintRow[] }>('/api/complaints')
  expect([list.body.meta?.total, list.body.data.complaints.map(({ Id }) => Id)]).toEqual([1, [other.Id]])
  const filters = [
    { field: 'accusedUserId', op: 'eq', value: world.people.officer.id },
    { field: 'product', op: 'eq', value: canary },
  ]
  for (const filter of filters) {
    const query = `/api/complaints?filter=${encodeURIComponent(JSON.stringify([filter]))}`
    expect([(await admin.get(query)).body.meta?.total, (await me.get(query)).body.meta?.total]).toEqual([1, 0])
  }
  const searches = [`/api/complaints?search=${canary}`, `/api/search?q=${canary}`, `/api/complaints?search=${about.complaintNumber}`]
  for (const query of searches) {
    expect((await admin.get(query)).text, query).toContain(about.Id)
    expect((await me.get(query)).text, query).not.toContain(about.Id)
  }
  const figures = await me.get<{ received: number; unsettled: number; byAgent: object[] }>('/api/complaints/figures')
  expect(figures.body.data).toMatchObject({ received: 1, unsettled: 1, byAgent: [] })
  expect(figures.text).not.toContain(canary)
  expect((await admin.get<{ byAgent: object[] }>('/api/complaints/figures')).body.data.byAgent).toMatchObject([{ complaints: 1 }])
  // The tab of the client is the same list.
  const tab = `/api/complaints?filter=${encodeURIComponent(JSON.stringify([{ field: 'clientId', op: 'eq', value: about['clientId'] }]))}`
  expect([(await admin.get(tab)).body.meta?.total, (await me.get(tab)).body.meta?.total]).toEqual([2, 1])
})

it('nothing of it can be read, changed, moved, answered or filed: there is no such complaint', async () => {
  const file = await admin.upload<{ files: { Id: string }[] }>(`${path()}/files`)
  expect(file.status, file.text).toBe(200)
  const fileId = file.body.data.files[0]?.Id ?? ''
  for (const tail of ['', '/timeline', '/messages', '/acknowledgement', '/status-letter', '/files', `/files/${fileId}`]) {
    expect((await admin.get(`${path()}${tail}`)).status, tail).toBe(200)
    const answer = await me.get(`${path()}${tail}`)
    expect([answer.status, answer.body.code], tail).toEqual([404, 'NOT_FOUND'])
    expect(answer.text).not.toContain(canary)
  }
  const tries: [string, object][] = [
    ['comments', { text: 'x' }],
    ['replies', { way: 'phone', text: 'x' }],
    ['letters', { kind: 'status', way: 'post' }],
    ['move', { move: 'resolve', ...settled }],
  ]
  for (const [tail, body] of tries) expect((await me.post(`${path()}/${tail}`, body)).status, tail).toBe(404)
  expect((await me.put(path(), { severity: 'Low', version: about.version })).status).toBe(404)
  expect((await me.put(path(), { severity: 'Low', version: 99 })).status).toBe(404)
  expect((await me.upload(`${path()}/files`)).status).toBe(404)
  expect((await admin.get<{ complaint: ComplaintRow }>(path())).body.data.complaint).toMatchObject({ status: 'Open', severity: 'High' })
})

it('it is in no report, preview or export', async () => {
  const reports = [
    { report: 'complaintRegister', parameters: {} },
    { report: 'complaintTimeInStateReport', parameters: {} },
    { report: 'exportList', parameters: { screen: '/complaints/' } },
  ]
  await world.move(about.Id, 'start', {}, 'admin')
  for (const report of reports) {
    const [theirs, mine] = [await admin.post('/api/reports/preview', report), await me.post('/api/reports/preview', report)]
    if (report.report === 'complaintRegister') {
      expect(theirs.text).toContain(canary)
      expect(theirs.text).toContain('Neema')
    }
    expect(mine.text, report.report).not.toContain(canary)
    expect(mine.text, report.report).not.toContain(about.Id)
    if (report.report === 'complaintTimeInStateReport') expect(mine.text).not.toBe(theirs.text)
  }
})

it('no socket mentions it, and no notification comes: not as owner, by a mention or up the ladder', async () => {
  const url = await world.app.listen()
  const [mine, theirs] = [await openSocket(url, me), await openSocket(url, admin)]
  await admin.put(path(), { severity: 'Critical' })
  await admin.post(`${path()}/comments`, { text: canary })
  await admin.upload(`${path()}/files`)
  await admin.put(`/api/complaints/${other.Id}`, { severity: 'Low' })
  await mine.next('records.changed', ({ resource }) => resource === 'complaint')
  const heard = (socket: typeof mine) => JSON.stringify(socket.heard)
  expect(heard(theirs)).toContain(about.Id)
  expect(heard(mine)).toContain(other.Id)
  expect(heard(mine)).not.toContain(about.Id)
  mine.socket.close()
  theirs.socket.close()

  expect(fieldsOf(await admin.put(path(), { ownerUserId: world.people.officer.id }))).toEqual(['ownerUserId'])
  expect(fieldsOf(await admin.post(`${path()}/comments`, { text: 'x', mentions: [world.people.officer.id] }))).toEqual(['mentions'])
  await world.age(about.Id, 60 * 1_440)
  await world.age(other.Id, 60 * 1_440)
  await world.runClocks()
  expect((await world.told(world.people.admin.id)).join('\n')).toContain(about.complaintNumber)
  expect((await world.told(world.people.officer.id)).join('\n')).not.toContain(about.complaintNumber)
})

it('whoever is on the ladder and accused is passed over', async () => {
  const made = await admin.post<{ complaint: ComplaintRow }>(
    '/api/complaints',
    {
      subject: 'About the branch',
      category: 'Staff conduct',
      channel: 'Phone',
      severity: 'High',
      complainantName: 'Neema',
      accusedUserId: world.people.manager.id,
    },
    { 'x-tenant-id': world.branch.id },
  )
  const { Id, complaintNumber } = made.body.data.complaint
  await world.age(Id, 60 * 1_440)
  await world.runClocks()
  expect((await world.told(world.people.manager.id)).join('\n')).not.toContain(complaintNumber)
  expect((await world.told(world.people.admin.id)).filter((text) => text.includes(complaintNumber)).length).toBeGreaterThan(0)
})

it('neither sync nor targets nor webhooks reveal it', async () => {
  const pulled = await me.get(`/api/sync/pull?deviceId=${randomUUID()}`)
  expect(pulled.text).not.toContain(about.Id)
  const push = await me.post('/api/sync/push', {
    deviceId: randomUUID(),
    schemaVersion: 1,
    changes: [{ changeId: randomUUID(), entityType: 'complaint', entityId: about.Id, changeType: 'UPDATE', payload: { severity: 'Low' } }],
  })
  expect(push.text).not.toContain(canary)
  expect((await admin.get<{ complaint: ComplaintRow }>(path())).body.data.complaint.severity).toBe('Critical')

  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(Date.now() - 60 * 86_400_000)
  const target = await admin.post<{ target: { Id: string } }>('/api/targets', {
    metric: 'complaints.received',
    ownerType: 'tenant',
    ownerTenantId: world.team.id,
    periodKind: 'custom',
    startDate: today,
    endDate: new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(Date.now()),
    value: 5,
  })
  expect(target.status, target.text).toBe(200)
  const records = await admin.get<{ records: { label: string | null }[] }>(`/api/targets/${target.body.data.target.Id}/records`)
  expect(records.body.data.records.map(({ label }) => label)).toEqual([`${other.complaintNumber} Fees`])

  const { rows } = await world.app.database.admin.query<{ n: string }>(
    `with h as (insert into webhook ("companyId", "id", "name", "url", "events", "ownerUserId", "worksInTenantId", "secret")
      select $1, uuidv7(), w, 'https://x.test', '{complaint.updated}', w::uuid, $1, '' from unnest(array[$2, $3]) w returning "id") select count(*) as n from h`,
    [world.company.id, world.people.officer.id, world.people.admin.id],
  )
  expect(rows[0]?.n).toBe('2')
  await admin.put(path(), { severity: 'High' })
  const filed = await world.app.database.admin.query<{ name: string }>(
    `select h."name" from webhook_delivery d join webhook h on h."id" = d."webhookId" where d."objectId" = $1`,
    [about.Id],
  )
  expect(filed.rows.map(({ name }) => name)).toEqual([world.people.admin.id])
})

it('the accused does not see it by acting for somebody else, nor takes it, and it appears once it is about somebody else', async () => {
  expect(
    fieldsOf(
      await me.post('/api/complaints', {
        subject: 'Mine',
        category: 'Other',
        channel: 'Phone',
        severity: 'Low',
        complainantName: 'X',
        accusedUserId: world.people.officer.id,
      }),
    ),
  ).toEqual(['accusedUserId'])
  // An administrator who is accused works as the branch manager.
  await admin.put(path(), { accusedUserId: world.people.elsewhere.id })
  expect((await me.get(path())).status).toBe(200)
  const manager = world.people.manager
  const secondAdmin = await world.app.make.user({ company: world.company, role: 'admin' })
  await admin.put(path(), { accusedUserId: secondAdmin.id })
  const as = await world.app.as(secondAdmin)
  expect((await as.get(path())).status).toBe(404)
  const begun = await as.post<{ token: string }>('/api/auth/impersonate', { userName: manager.userName, reason: 'checking' })
  expect(begun.status, begun.text).toBe(200)
  const disguised = { authorization: `Bearer ${begun.body.data.token}` }
  expect((await as.get(path(), disguised)).status).toBe(404)
  expect((await as.get('/api/complaints', disguised)).text).not.toContain(canary)
  expect((await world.as.manager.get(path())).status).toBe(200)
})

it('names a colleague within the reach of who writes it; who works for the whole company names anybody', async () => {
  const body = { subject: 'Rude', category: 'Staff conduct', channel: 'Phone', severity: 'Low', complainantName: 'Neema' }
  const beyond = { accusedUserId: world.people.elsewhere.id }
  const refused = await world.as.manager.post('/api/complaints', { ...body, ...beyond })
  expect([refused.status, fieldsOf(refused)]).toEqual([422, ['accusedUserId']])
  const { Id } = await world.take({ ...body, accusedUserId: world.people.officer.id })
  const changed = await world.as.manager.put(`/api/complaints/${Id}`, beyond)
  expect([changed.status, fieldsOf(changed)]).toEqual([422, ['accusedUserId']])
  expect((await world.read(Id))['accusedUserId']).toBe(world.people.officer.id)
  expect((await admin.put(`/api/complaints/${Id}`, beyond)).status).toBe(200)
  // What somebody else named stays when the branch goes on with it.
  expect((await world.as.manager.put(`/api/complaints/${Id}`, { ...beyond, severity: 'High' })).status).toBe(200)
})

it('no socket and no webhook of theirs hears of a letter about it: written, sent, sent again, or its client merged', async () => {
  const mail = { send: () => Promise.resolve() } as unknown as Mail
  const client = (name: string) =>
    world.app.make.client({ tenant: world.team, firstName: name, lastName: 'Wafula', emailAddress: `${name.toLowerCase()}@mail.test` })
  const [kept, gone] = [await client('Tausi'), await client('Taus')]
  const url = await world.app.listen()
  const [mine, theirs] = [await openSocket(url, me), await openSocket(url, admin)]
  await world.app.database.admin.query(
    `insert into webhook ("companyId", "id", "name", "url", "events", "ownerUserId", "worksInTenantId", "secret")
      select $1, uuidv7(), 'letters ' || w, 'https://x.test', '{clientMessage.created,clientMessage.updated}', w::uuid, $1, '' from unnest(array[$2, $3]) w`,
    [world.company.id, world.people.officer.id, world.people.admin.id],
  )
  const filed = await admin.post<{ complaint: ComplaintRow }>(
    '/api/complaints',
    { subject: canary, category: 'Other', channel: 'Phone', severity: 'Low', clientId: gone.id, accusedUserId: world.people.officer.id },
    { 'x-tenant-id': world.team.id },
  )
  expect(filed.status, filed.text).toBe(200)
  const letters = async () =>
    (
      await world.app.database.admin.query<{ id: string }>(`select id from client_message where "complaintId" = $1 order by id`, [
        filed.body.data.complaint.Id,
      ])
    ).rows.map(({ id }) => id)
  const program = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
  const send = async (messageId: string) =>
    sendMessageJob({ mail, smsDomain: undefined }).run(program, { messageId }, { id: messageId, attempts: 0 } as never)
  const [first = ''] = await letters()
  await send(first)
  expect((await admin.post(`/api/client-messages/${first}/resend`)).status).toBe(200)
  const merged = await admin.post('/api/clients/merge', { winnerId: kept.id, loserId: gone.id, take: [] })
  expect(merged.status, merged.text).toBe(200)
  await admin.put(`/api/complaints/${other.Id}`, { severity: 'Medium' })
  await mine.next('records.changed', ({ resource, ids }) => resource === 'complaint' && JSON.stringify(ids).includes(other.Id))
  const all = await letters()
  expect(all).toHaveLength(2)
  const heard = (socket: typeof mine) => all.filter((id) => JSON.stringify(socket.heard).includes(id))
  expect([heard(theirs), heard(mine)]).toEqual([all, []])
  const deliveries = await world.app.database.admin.query<{ name: string; event: string }>(
    `select h."name", d."event" from webhook_delivery d join webhook h on h."id" = d."webhookId" where d."objectId" = any($1::uuid[]) order by d."id"`,
    [all],
  )
  expect(deliveries.rows).toEqual(
    ['created', 'updated', 'created'].map((kind) => ({ name: `letters ${world.people.admin.id}`, event: `clientMessage.${kind}` })),
  )
  mine.socket.close()
  theirs.socket.close()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRelay } from '@outpost/platform/relay'
import { createLog } from '@outpost/platform/log'
import { otherNews } from '../../apps/server/src/kernel/realtime/notification-kinds.ts'
import { notify } from '../../apps/server/src/kernel/realtime/notify.ts'
import { makeJobCtx } from '../../apps/server/src/kernel/session/jobs.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'
import { salesAreas } from '../support/sales-areas.ts'
import { dial, openSocket } from '../support/socket.ts'
import { until } from '../support/until.ts'

let app: TestApp
let url: string
let company: MadeTenant, north: MadeTenant, south: MadeTenant
let manager: MadeUser

beforeAll(async () => {
  app = await testApp({ areas: salesAreas })
  url = await app.listen()
  company = await app.make.company()
  north = await app.make.tenant({ company, type: 3 })
  south = await app.make.tenant({ company, type: 3 })
  manager = await app.make.user({ company, tenant: company, role: 'md' })
})
afterAll(() => app.close())

const lead = (n: number) => ({
  firstName: 'Asha',
  lastName: 'Otieno',
  phonenumber: `07120000${String(n).padStart(2, '0')}`,
  countryCode: '254',
  emailAddress: `asha${n}@mail.test`,
})
const createLead = async (client: SignedInClient, n: number) => {
  const answer = await client.post('/api/leads', lead(n))
  expect(answer.body).toMatchObject({ success: true })
}

test('nine forged handshakes open nothing', async () => {
  const client = await app.as(manager)
  const { ticket } = (await client.post<{ ticket: string }>('/api/auth/ticket', {})).body.data
  const used = (await client.post<{ ticket: string }>('/api/auth/ticket', {})).body.data.ticket
  await dial(url, ['outpost', `ticket.${used}`])
  const late = (await client.post<{ ticket: string }>('/api/auth/ticket', {})).body.data.ticket
  const forged: [string[], { origin?: string }, number][] = [
    [[], {}, 401],
    [['outpost'], {}, 401],
    [[`ticket.${ticket}`], {}, 401],
    [['outpost', 'ticket.'], {}, 401],
    [['outpost', `ticket.${'A'.repeat(43)}`], {}, 401],
    [['outpost', `ticket.${client.token.slice(0, 43)}`], {}, 401],
    [['outpost', `ticket.${used}`], {}, 401],
    [['outpost', `ticket.${ticket}`], { origin: 'https://evil.test' }, 403],
    [['outpost', `ticket.${ticket}`], { origin: 'null' }, 403],
  ]
  for (const [protocols, options, status] of forged) await expect(dial(url, protocols, options)).rejects.toThrow(`refused ${status}`)
  app.clock.move(31)
  await expect(dial(url, ['outpost', `ticket.${late}`])).rejects.toThrow('refused 401')
})

test('a socket learns its session first, and speaks the protocol outpost', async () => {
  const client = await app.as(manager)
  const socket = await openSocket(url, client)
  expect(await socket.next('session')).toEqual({ SessionID: client.sessionId })
  expect(socket.socket.protocol).toBe('outpost')
  socket.socket.close()
})

test('records.changed reaches who may list the resource and reaches the row, and nobody else', async () => {
  const [atNorth, atSouth] = [
    await app.make.user({ company, tenant: north, role: 'branch' }),
    await app.make.user({ company, tenant: south, role: 'branch' }),
  ]
  const noLeads = await app.make.user({
    company,
    tenant: north,
    role: await app.make.role({ company, name: 'Nothing', permissions: ['CRM/REPORTS'] }),
  })
  const stranger = await app.make.user({ company: await app.make.company(), role: 'admin' })
  const writer = await app.make.user({ company, tenant: north, role: 'officer' })
  const sockets = await Promise.all([manager, atNorth, atSouth, noLeads, stranger].map(async (user) => openSocket(url, await app.as(user))))
  await createLead(await app.as(writer), 1)
  const [whole, near, ...others] = sockets
  const change = await whole?.next('records.changed')
  expect(change).toMatchObject({ resource: 'lead', op: 'created' })
  expect(await near?.next('records.changed')).toEqual(change)
  await new Promise((done) => setTimeout(done, 100))
  for (const socket of others) expect(socket.heard.map(({ event }) => event)).toEqual(['session'])
  for (const socket of sockets) socket.socket.close()
})

test('a notification is filed and rings on every socket of its user, also through another process', async () => {
  const user = await app.make.user({ company, tenant: north, role: 'officer' })
  const [one, two] = [await openSocket(url, await app.as(user)), await openSocket(url, await app.as(user))]
  const ctx = await makeJobCtx(app.services, { companyId: company.id, userId: manager.id })
  const id = await ctx.transaction((inner) =>
    notify(inner, { userId: user.id, itemType: 'Message', kind: otherNews, message: 'Hello', link: '/' }),
  )
  expect(await one.next('notification')).toMatchObject({ Id: id, itemType: 'Message', message: 'Hello' })
  expect(await two.next('notification')).toMatchObject({ Id: id })
  const rolledBack = ctx.transaction(async (inner) => {
    await notify(inner, { userId: user.id, itemType: 'Message', kind: otherNews, message: 'never', link: '/' })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(one.heard.filter(({ event }) => event === 'notification')).toHaveLength(1)
  one.socket.close()
  two.socket.close()
})

test('messages: unknown or broken ones close, ill-shaped and forbidden ones are answered with an error', async () => {
  const officer = await app.make.user({ company, tenant: north, role: 'officer' })
  const socket = await openSocket(url, await app.as(officer))
  socket.send('generateReport', { report: 5 })
  expect(await socket.next('error')).toMatchObject({ code: 'INVALID' })
  socket.send('generateReport', { report: 'userLoginReport' })
  expect(await socket.next('error', ({ code }) => code === 'FORBIDDEN')).toBeTruthy()
  socket.send('cancelReport', { runId: crypto.randomUUID() })
  expect(await socket.next('error', ({ code }) => code === 'NOT_FOUND')).toBeTruthy()
  socket.socket.send('{"event":"__proto__","data":{}}')
  expect(await socket.isClosed()).toBe(1008)
  const binary = await openSocket(url, await app.as(officer))
  binary.socket.send(Buffer.from([1, 2]))
  expect(await binary.isClosed()).toBe(1003)
})

test('limits: 64 KiB a message, 100 messages a minute, five sockets a user', async () => {
  const user = await app.make.user({ company, tenant: north, role: 'officer' })
  const client = await app.as(user)
  const large = await openSocket(url, client)
  large.socket.send(JSON.stringify({ event: 'ping', data: { text: 'x'.repeat(66_000) } }))
  expect(await large.isClosed()).toBe(1009)
  const busy = await openSocket(url, client)
  for (let n = 0; n < 101; n += 1) busy.send('ping')
  expect(await busy.isClosed()).toBe(1008)
  const six = []
  for (let n = 0; n < 6; n += 1) six.push(await openSocket(url, client))
  // A sixth tab: the session of the first goes on.
  expect(await six[0]?.isClosed()).toBe(4002)
  expect(six[0]?.heard.map(({ event }) => event)).not.toContain('session.ended')
  expect(six.slice(1).every(({ closed }) => closed.code === undefined)).toBe(true)
  for (const { socket } of six) socket.close()
})

test('a socket closes at once at logout, and within five seconds when the end came without a message', async () => {
  const user = await app.make.user({ company, tenant: north, role: 'officer' })
  const [leaving, staying] = [await app.as(user), await app.as(user)]
  const [one, two] = [await openSocket(url, leaving), await openSocket(url, staying)]
  await leaving.get('/api/auth/logout')
  expect(await one.isClosed(4_000)).toBe(4001)
  // The reason comes with the message of the logout; a socket that the look every few seconds finds has another one.
  expect(one.heard.at(-1)).toMatchObject({ event: 'session.ended', data: { reason: 'logout' } })
  expect(two.closed.code).toBeUndefined()
  await app.database.admin.query('update app_user set status = 0 where id = $1', [user.id])
  expect(await two.isClosed(5_000)).toBe(4001)
  expect(two.heard.at(-1)).toMatchObject({ data: { reason: 'disabled' } })
})

test('a reader that does not read is cut, and costs the others nothing', async () => {
  const user = await app.make.user({ company, tenant: north, role: 'officer' })
  const [slow, fast] = [await openSocket(url, await app.as(user)), await openSocket(url, await app.as(user))]
  slow.socket.pause()
  const text = 'x'.repeat(50_000)
  for (let n = 0; n < 200; n += 1) {
    app.machine.relay.publish('user.message', {
      companyId: company.id,
      userId: user.id,
      event: 'error',
      data: { code: 'UNKNOWN', message: text },
    })
    if (n % 20 === 0) await new Promise((done) => setTimeout(done, 5))
  }
  await until(() => fast.heard.filter(({ event }) => event === 'error').length === 200)
  slow.socket.resume()
  expect(await slow.isClosed()).toBe(1006)
  expect(fast.closed.code).toBeUndefined()
  fast.socket.close()
})

test('processes hear each other over the relay on Postgres', async () => {
  const log = createLog({ level: 'error' })
  const store = { databaseUrl: app.database.url, secret: app.database.secret }
  const [here, there] = [createRelay(store, log), createRelay(store, log)]
  const heard: string[] = []
  there.subscribe('report.cancel', ({ runId }) => heard.push(`there ${runId}`))
  here.subscribe('report.cancel', ({ runId }) => heard.push(`here ${runId}`))
  const tell = async (runId: string) => {
    here.publish('report.cancel', { companyId: company.id, runId })
    await here.flush()
  }
  const of = (runId: string) => heard.filter((line) => line.endsWith(` ${runId}`))
  // Who does not listen yet is told nothing later.
  await until(async () => {
    await tell('early')
    return of('early').includes('there early')
  })
  here.publish('report.cancel', { companyId: company.id, runId: '1' })
  expect(of('1')).toEqual(['here 1'])
  await until(() => of('1').length === 2)
  // Once each: what was told next arrives behind it.
  await tell('2')
  await until(() => of('2').length === 2)
  expect([of('1'), of('2')]).toEqual([
    ['here 1', 'there 1'],
    ['here 2', 'there 2'],
  ])
  await Promise.all([here.close(), there.close()])
})

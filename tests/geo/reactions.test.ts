import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readIn, transactionIn } from '@outpost/platform/db/context'
import { sql } from '@outpost/platform/db/sql'
import { createLog } from '@outpost/platform/log'
import type { DbContext } from '@outpost/platform/types'
import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import { createCommands } from '../../apps/geo/src/ingest/listen/commands.ts'
import type { KnownDevice } from '../../apps/geo/src/ingest/identity.ts'
import { createConnections } from '../../apps/geo/src/ingest/listen/connections.ts'
import { createWriter } from '../../apps/geo/src/ingest/write/writer.ts'
import { sweep } from '../../apps/geo/src/positions/housekeeping.ts'
import { createProcessor } from '../../apps/geo/src/processing/processor.ts'
import { geoArea } from '../../apps/server/src/areas/geo/index.ts'
import { createGeoClient } from '../../apps/server/src/kernel/geo-client/client.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import type { Area } from '../../apps/server/src/kernel/types.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeRole, MadeTenant, MadeUser } from '../support/make.ts'
import { openMailbox, type Mailbox } from '../support/mailbox.ts'
import { until } from '../support/until.ts'
import { fixAt, makeDevice } from './support/devices.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

const log = createLog({ level: 'silent' })
let stack: GeoStack
let company: MadeTenant
let north: MadeTenant
let south: MadeTenant
let boss: MadeUser
let keeper: MadeUser
let outsider: MadeUser
let dispatcher: MadeRole
let admin: SignedInClient
let foreign: SignedInClient
let mailbox: Mailbox
let jobs: { close(): Promise<void> } | undefined

beforeAll(async () => {
  mailbox = await openMailbox()
  stack = await geoStack({}, { SMTP_URL: mailbox.url, SMS_MAIL_DOMAIN: 'sms.test' })
  const { make } = stack.app
  company = await make.company({ timeZone: 'Africa/Nairobi' })
  north = await make.tenant({ company })
  south = await make.tenant({ company })
  dispatcher = await make.role({
    company,
    name: 'Dispatcher',
    permissions: ['SALES/AGENT/POSITION', 'ADMIN/LOCATIONS', 'ADMIN/LOCATIONS/CREATE', 'ADMIN/LOCATIONS/EDIT', 'ADMIN/SETTINGS'],
  })
  boss = await make.user({ company, tenant: company, role: dispatcher })
  keeper = await make.user({ company, tenant: north, role: await make.role({ company, name: 'Keeper', permissions: [] }) })
  outsider = await make.user({ company, tenant: south, role: dispatcher })
  admin = await stack.app.as(boss, { tenant: company })
  const stranger = await make.company()
  foreign = await stack.app.as(
    await make.user({
      company: stranger,
      tenant: stranger,
      role: await make.role({ company: stranger, name: 'x', permissions: ['SALES/AGENT/POSITION'] }),
    }),
    { tenant: stranger },
  )
})
afterAll(async () => {
  await stack.close()
  await mailbox.close()
})
beforeEach(() => {
  mailbox.letters.length = 0
  mailbox.refused.clear()
  work()
})
afterEach(async () => {
  await jobs?.close()
  jobs = undefined
})

function work(areas: Area[] = stack.app.areas): void {
  const { services, queueStore } = stack.app.machine
  jobs = startJobs({ areas, services, store: queueStore, log, sweepMs: 50 })
}
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await stack.app.database.admin.query<Row>(text, values)).rows

/** A vehicle of the northern branch, and a rule of its own that counts its SOS. */
async function vehicle() {
  const device = await makeDevice(stack.app.database.admin, { companyId: company.id })
  await query(`update geo.device set "tenantId" = $2, "name" = 'KDA 123A' where "id" = $1`, [device.deviceId, north.id])
  const { body } = await admin.post<{ eventIo: { id: string } }>('/geo/eventIos', {
    name: 'Help',
    eventType: 'alarm',
    severity: 'critical',
    conditions: [
      { kind: 'alarm', names: ['sos'] },
      { kind: 'device', ids: [device.deviceId] },
    ],
  })
  const act = (actionType: string, parameters: object) =>
    admin.post('/geo/eventActions', { name: actionType, actionType, eventIoId: body.data.eventIo.id, parameters })
  return { ...device, act }
}
const sos = (time = Date.now() - 5_000) => fixAt(time, { attributes: { alarm: 'sos' } })
async function takeIn(device: KnownDevice, ...batches: Fix[][]): Promise<void> {
  const writer = createWriter({ pool: stack.pools.ingest, log, lingerMs: 1 })
  const processor = createProcessor({ pools: stack.pools, log, lingerMs: 0 })
  for (const batch of batches) {
    await writer.write(device, batch)
    await processor.pass()
  }
  await writer.close()
}
interface Row {
  id: string
  type: string
  level: number
  state: string
  result: string | null
  attempts: number
  reached: string[]
}
const reactions = ({ deviceId }: KnownDevice) =>
  query<Row>(
    `select r."id", r."type", r."level", r."state", r."result", r."attempts", r."reached" from geo.reaction r join geo.event e on e."companyId" = r."companyId" and e."id" = r."eventId"
  where r."deviceId" = $1 order by e."serverTime", r."level", r."type"`,
    [deviceId],
  )
const short = async (device: KnownDevice) => (await reactions(device)).map(({ type, level, state, result }) => [type, level, state, result])
const settled = (device: KnownDevice, count: number) =>
  until(async () => (await reactions(device)).filter(({ state }) => state !== 'waiting').length >= count, 20_000)
const told = async ({ deviceId }: KnownDevice) =>
  query<{ userId: string; message: string }>(
    `select n."userId", n."message" from notification n join geo.event e on e."id" = n."itemId" where e."deviceId" = $1 order by n."dateCreated", n."userId"`,
    [deviceId],
  )
const people = async (device: KnownDevice) => (await told(device)).map(({ userId }) => userId).toSorted()
const entriesOf = `from outbox o join geo.reaction r on r."id"::text = o."payload"->>'reactionId' where r."deviceId" = any($1)`
/** What waits for a device becomes due now. */
async function hurry(...devices: KnownDevice[]): Promise<void> {
  const ids = devices.map(({ deviceId }) => deviceId)
  await query(`update geo.reaction set "nextAt" = now() where "state" = 'waiting' and "deviceId" = any($1)`, [ids])
  await query(`update outbox set "runAt" = now() where "status" = 'new' and "id" in (select o."id" ${entriesOf})`, [ids])
}
/** Until all that was handed over for a device has been dealt with. */
const dealtWith = (...devices: KnownDevice[]) =>
  until(
    async () =>
      (await query(`select ${entriesOf} and o."status" not in ('done', 'dead')`, [devices.map(({ deviceId }) => deviceId)])).length === 0,
    20_000,
  )

describe('a notification', () => {
  it('goes once, as text, to those whom the rule names and who work where the device belongs', async () => {
    const car = await vehicle()
    const team = await stack.app.make.row<{ id: string }>('team', {
      companyId: company.id,
      id: randomUUID(),
      tenantId: north.id,
      name: 'Night',
    })
    await stack.app.make.row('team_member', {
      companyId: company.id,
      id: randomUUID(),
      tenantId: north.id,
      teamId: team.id,
      userId: keeper.id,
      addedByUserId: boss.id,
    })
    expect(
      (await car.act('notify', { roles: ['Dispatcher'], teamIds: [team.id], userIds: [outsider.id], message: 'Call the driver' })).status,
    ).toBe(200)
    const at = Date.now() - 5_000
    await takeIn(car, [fixAt(at - 60_000, {})], [sos(at)])
    await settled(car, 1)
    expect(await short(car)).toEqual([['notify', 1, 'done', 'Told 2 people.']])
    const links = await query<{ link: string; itemId: string }>(
      `select n."link", n."itemId" from notification n join geo.event e on e."id" = n."itemId" where e."deviceId" = $1`,
      [car.deviceId],
    )
    expect(links.map(({ link, itemId }) => link === `/tracking/notifications?event=${itemId}`)).toEqual([true, true])
    expect(await people(car)).toEqual([boss.id, keeper.id].toSorted())
    const clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Africa/Nairobi',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).format(at)
    const [{ message } = { message: '' }] = await told(car)
    expect(message).toMatch(new RegExp(`^Call the driver: KDA 123A: SOS, near .*Nairobi.*, ${clock}$`))
    // The same entry once more, as after a worker that died at the wrong moment.
    const [reaction] = await reactions(car)
    await query(`insert into outbox ("companyId", "id", "type", "payload") values ($1, uuidv7(), 'geo.reaction', $2)`, [
      company.id,
      { reactionId: reaction!.id },
    ])
    await dealtWith(car)
    expect(await people(car)).toHaveLength(2)
    expect(
      (
        await admin.get<{ event: { reactions: object[] } }>(
          `/geo/events/${(await query<{ id: string }>('select "id" from geo.event where "deviceId" = $1', [car.deviceId]))[0]!.id}`,
        )
      ).body.data.event.reactions,
    ).toMatchObject([{ type: 'notify', level: 1, state: 'done', result: 'Told 2 people.', eventAction: 'notify' }])
  })

  it('without recipients, too old, disabled or retracted: recorded at the reaction, sent to nobody', async () => {
    const [alone, late, waited, off, none] = [await vehicle(), await vehicle(), await vehicle(), await vehicle(), await vehicle()]
    await alone.act('notify', { userIds: [outsider.id] })
    for (const car of [late, waited, off, none]) await car.act('notify', { userIds: [boss.id] })
    await jobs?.close()
    await takeIn(alone, [sos()])
    await takeIn(late, [sos(Date.now() - 20 * 60_000)])
    expect(await query('select from outbox where "payload"->>\'reactionId\' = $1', [(await reactions(late))[0]!.id])).toEqual([])
    for (const car of [waited, off, none]) await takeIn(car, [sos()])
    // The server was away for 16 minutes.
    await query(`update geo.event set "eventTime" = "eventTime" - interval '16 minutes' where "deviceId" = $1`, [waited.deviceId])
    await query(
      `update geo.event_action set "isActive" = false where "eventIoId" = (select "eventIoId" from geo.reaction where "deviceId" = $1)`,
      [off.deviceId],
    )
    await query(`update geo.event set "isSuperseded" = true where "deviceId" = $1`, [none.deviceId])
    work()
    for (const car of [alone, late, waited, off, none]) await settled(car, 1)
    expect((await Promise.all([alone, late, waited, off, none].map(short))).flat()).toEqual([
      ['notify', 1, 'failed', 'None of those named works where the device belongs.'],
      ['notify', 1, 'silent', 'The event was older than 15 minutes when it was learnt of.'],
      ['notify', 1, 'silent', 'More than 15 minutes had passed.'],
      ['notify', 1, 'silent', 'The action was switched off or removed.'],
      ['notify', 1, 'silent', 'It turned out not to have happened.'],
    ])
    expect((await Promise.all([alone, late, waited, off, none].map(told))).flat()).toEqual([])
  })

  it('of an event that was retracted and is true again within two minutes is not repeated', async () => {
    const car = await vehicle()
    await car.act('notify', { userIds: [boss.id] })
    const at = Date.now() - 60_000
    await takeIn(car, [fixAt(at - 400_000, {})], [sos(at)])
    await settled(car, 1)
    // It had begun earlier: the one of before is none, and this one is told.
    await takeIn(car, [sos(at - 200_000)])
    await settled(car, 2)
    // It had ended between and begun anew, ten seconds before the one that was told first.
    await takeIn(car, [fixAt(at - 30_000, {}), sos(at - 10_000)])
    await settled(car, 3)
    expect((await short(car)).map(([, , state, result]) => [state, result])).toEqual([
      ['done', 'Told one person.'],
      ['done', 'Told one person.'],
      ['silent', 'The same was told within the last two minutes.'],
    ])
    expect(await told(car)).toHaveLength(2)
  })
})

describe('mail and SMS', () => {
  it('go to each address once; only failed ones are retried', async () => {
    const car = await vehicle()
    await car.act('email', { to: ['one@mail.test', 'two@mail.test'], subject: 'SOS in the north' })
    await car.act('sms', { to: ['+254711000111'], message: 'Help' })
    mailbox.refused.add('two@mail.test')
    await takeIn(car, [sos()])
    await until(async () => (await reactions(car)).some(({ type, attempts }) => type === 'email' && attempts === 1), 20_000)
    expect((await reactions(car))[0]).toMatchObject({ type: 'email', state: 'waiting', reached: ['one@mail.test'] })
    expect((await reactions(car))[0]!.result).toContain('Sent to 1 of 2. ')
    mailbox.refused.clear()
    await hurry(car)
    await settled(car, 2)
    expect(await short(car)).toEqual([
      ['email', 1, 'done', 'Sent to 2 of 2.'],
      ['sms', 1, 'done', 'Sent to 1 of 1.'],
    ])
    expect(mailbox.letters.map(({ to }) => to).toSorted()).toEqual(['+254711000111@sms.test', 'one@mail.test', 'two@mail.test'])
    const { text } = mailbox.letters.find(({ to }) => to === 'one@mail.test')!
    expect(text).toContain('Subject: SOS in the north')
    expect(text).toContain('Vehicle: KDA 123A')
    expect(text).toContain(`Message-ID: <${(await reactions(car))[0]!.id}-0@`)
    expect(mailbox.letters.find(({ to }) => to.endsWith('sms.test'))!.text).toContain('Help: KDA 123A: SOS, ')
  })

  it('that fail for good have the reason', async () => {
    const car = await vehicle()
    await car.act('email', { to: ['full@mail.test'] })
    mailbox.refused.add('full@mail.test')
    await jobs?.close()
    await takeIn(car, [sos()])
    await query('update geo.reaction set "attempts" = 4 where "deviceId" = $1', [car.deviceId])
    work()
    await settled(car, 1)
    const [row] = await reactions(car)
    expect(row).toMatchObject({ state: 'failed', attempts: 5 })
    expect(row!.result).toMatch(/^Sent to 0 of 1\. .*mailbox full/)
  })

  it('is not configured: no SMS is sent, and the reaction has the reason', async () => {
    const car = await vehicle()
    await car.act('sms', { to: ['254711000111'] })
    await jobs?.close()
    const client = createGeoClient({ url: undefined })
    work([geoArea({ mail: stack.app.machine.mail, env: {} }, client)])
    await takeIn(car, [sos()])
    await settled(car, 1)
    expect(await short(car)).toEqual([['sms', 1, 'failed', 'SMS is not configured on this installation (SMS_MAIL_DOMAIN).']])
    expect(mailbox.letters).toEqual([])
    await client.close()
  })
})

it('that the server ignores for an hour has failed; one whose time has not come still waits', async () => {
  const car = await vehicle()
  await car.act('notify', { userIds: [keeper.id], escalateAfterS: 600, escalateTo: { emails: ['duty@mail.test'] } })
  await jobs?.close()
  await takeIn(car, [sos()])
  await query(`update geo.reaction set "nextAt" = now() - interval '61 minutes' where "deviceId" = $1 and "level" = 1`, [car.deviceId])
  await sweep(stack.pools.ingest)
  expect(await short(car)).toEqual([
    ['notify', 1, 'failed', 'The server did not take it up.'],
    ['email', 2, 'waiting', null],
  ])
})

describe('an escalation', () => {
  it('notifies others once when nobody acknowledged in time, and nobody when somebody did', async () => {
    const [forgotten, noted] = [await vehicle(), await vehicle()]
    for (const car of [forgotten, noted]) {
      expect(
        (
          await car.act('notify', {
            userIds: [keeper.id],
            escalateAfterS: 600,
            escalateTo: { roles: ['Dispatcher'], emails: ['duty@mail.test'] },
          })
        ).status,
      ).toBe(200)
      await takeIn(car, [sos()])
      await settled(car, 1)
      expect(await people(car)).toEqual([keeper.id])
    }
    const due = await query<{ waits: number }>(
      `select extract(epoch from o."runAt" - now())::float8 as waits ${entriesOf} and o."status" = 'new' and r."level" = 2`,
      [[forgotten.deviceId, noted.deviceId]],
    )
    expect(due).toHaveLength(4)
    for (const { waits } of due) expect(waits).toBeGreaterThan(500)
    const [{ id } = { id: '' }] = await query<{ id: string }>('select "id" from geo.event where "deviceId" = $1', [noted.deviceId])
    expect((await admin.post(`/geo/events/${id}/acknowledge`, { note: 'On it' })).status).toBe(200)
    expect(await short(noted)).toEqual([
      ['notify', 1, 'done', 'Told one person.'],
      ['email', 2, 'silent', 'Acknowledged in time.'],
      ['notify', 2, 'silent', 'Acknowledged in time.'],
    ])
    await hurry(forgotten, noted)
    await settled(forgotten, 3)
    await dealtWith(forgotten, noted)
    expect(await short(forgotten)).toEqual([
      ['notify', 1, 'done', 'Told one person.'],
      ['email', 2, 'done', 'Sent to 1 of 1.'],
      ['notify', 2, 'done', 'Told one person.'],
    ])
    expect(await people(forgotten)).toEqual([boss.id, keeper.id].toSorted())
    expect((await told(forgotten)).at(-1)!.message).toMatch(/^Nobody took note for 10 minutes\. KDA 123A: SOS/)
    expect(await people(noted)).toEqual([keeper.id])
    expect(mailbox.letters.map(({ to }) => to)).toEqual(['duty@mail.test'])
  })

  it('needs both its time and its recipients', async () => {
    const car = await vehicle()
    const to = { userIds: [keeper.id] }
    for (const wrong of [
      { escalateAfterS: 600 },
      { escalateTo: to },
      { escalateAfterS: 5, escalateTo: to },
      { escalateAfterS: 600, escalateTo: {} },
      { escalateAfterS: 600, escalateTo: { emails: ['nobody'] } },
    ]) {
      expect([wrong, (await car.act('notify', { ...to, ...wrong })).status]).toEqual([wrong, 422])
    }
    expect((await car.act('command', { commandType: 'positionSingle', escalateAfterS: 600, escalateTo: to })).status).toBe(422)
  })
})

describe('the bridge between the two services', () => {
  it('hands over, notifies and records within one company only', async () => {
    const car = await vehicle()
    await car.act('email', { to: ['one@mail.test'] })
    await jobs?.close()
    await takeIn(car, [sos()])
    const [reaction] = await reactions(car)
    const as = (id: string): DbContext => ({ company: id, scope: '*', user: null, tenant: null })
    const { app } = stack.app.database.pools
    const facts = (id: string) =>
      readIn<{ facts: object | null }>(app, as(id), sql`select geo.reaction_facts(${reaction!.id}::uuid) as facts`)
    const note = (id: string) =>
      transactionIn(app, as(id), (db) =>
        db.one<{ is: boolean }>(sql`select geo.note_reaction(${reaction!.id}::uuid, 'done', 'x', 1, '[]') as "is"`),
      )
    const hand = (id: string) =>
      transactionIn(stack.pools.geo, as(id), (db) =>
        db.one<{ count: number }>(sql`select geo.hand_over(${[reaction!.id]}::uuid[]) as count`),
      )
    const stranger = foreign.user.companyId
    expect([await facts(stranger), await note(stranger), await hand(stranger)]).toEqual([[{ facts: null }], { is: false }, { count: 0 }])
    expect((await facts(company.id))[0]!.facts).toMatchObject({
      state: 'waiting',
      device: { name: 'KDA 123A' },
      timeZone: 'Africa/Nairobi',
    })
    expect([await note(company.id), await note(company.id), await hand(company.id)]).toEqual([{ is: true }, { is: false }, { count: 0 }])
    await expect(readIn(app, as(company.id), sql`select * from geo.reaction`)).rejects.toThrow('permission denied')
    await expect(
      transactionIn(stack.pools.geo, as(company.id), (db) =>
        db.exec(
          sql`insert into public.outbox ("companyId", "id", "type", "payload") values (${company.id}, uuidv7(), 'geo.reaction', '{}')`,
        ),
      ),
    ).rejects.toThrow('permission denied')
  })
})

describe('a command requested by a rule', () => {
  const asked = async ({ deviceId }: KnownDevice) =>
    await query<{ id: string; state: string; reason: string | null; createdUserId: string | null; approvedUserId: string | null }>(
      'select "id", "state", "reason", "createdUserId", "approvedUserId" from geo.command where "deviceId" = $1 order by "id"',
      [deviceId],
    )

  it('goes to the device once a person approves it, and expires when nobody does', async () => {
    const [car, left] = [await vehicle(), await vehicle()]
    for (const one of [car, left]) {
      await one.act('command', { commandType: 'positionPeriodic', parameters: { frequency: 10 } })
      await takeIn(one, [sos()])
    }
    const [request] = await asked(car)
    expect(request).toMatchObject({ state: 'asked', createdUserId: null })
    const send = (who: SignedInClient, device: KnownDevice, body: object, type = 'positionPeriodic') =>
      who.post<{ commandId: string; state: string }>(`/geo/devices/sendCommand/${device.deviceId}/${type}`, body)
    expect((await send(admin, car, { approves: request!.id })).body).toMatchObject({ code: 'INVALID', fields: [{ field: 'approves' }] })
    expect((await send(admin, left, { approves: request!.id, frequency: 10 })).status).toBe(404)
    expect((await send(foreign, car, { approves: request!.id, frequency: 10 })).status).toBe(403)
    expect((await send(admin, car, { approves: request!.id, frequency: 10 })).body.data).toEqual({
      commandId: request!.id,
      state: 'queued',
    })
    expect(stack.queued.at(-1)).toEqual({ deviceId: car.deviceId, id: request!.id })
    expect(await asked(car)).toMatchObject([{ state: 'queued', createdUserId: null, approvedUserId: boss.id }])
    expect((await send(admin, car, { approves: request!.id, frequency: 10 })).status).toBe(404)
    const commands = createCommands({ pool: stack.pools.ingest, connections: createConnections(), log, everyMs: 3_600_000 })
    await commands.deliver()
    expect(await asked(left)).toMatchObject([{ state: 'asked' }])
    await query(`update geo.command set "expiresAt" = now() - interval '1 second' where "deviceId" = $1`, [left.deviceId])
    await commands.deliver()
    const [expired] = await asked(left)
    expect(expired).toMatchObject({ state: 'expired', reason: 'Nobody approved it in time' })
    expect((await send(admin, left, { approves: expired!.id, frequency: 10 })).body).toMatchObject({
      code: 'CONFLICT',
      message: 'The request has expired. Ask again.',
    })
    await commands.close()
  })

  it('that stops an engine still needs two people', async () => {
    const car = await vehicle()
    await takeIn(car, [fixAt(Date.now() - 5_000, { speed: 0 })])
    const [row] = await query<{ id: string }>(
      `insert into geo.command ("companyId", "deviceId", "type", "state", "purpose", "expiresAt") values ($1, $2, 'engineStop', 'asked', 'By a rule, after alarm', now() + interval '1 day') returning "id"`,
      [company.id, car.deviceId],
    )
    const second = await stack.app.as(await stack.app.make.user({ company, tenant: company, role: dispatcher }), { tenant: company })
    const approve = (who: SignedInClient) => who.post(`/geo/devices/sendCommand/${car.deviceId}/engineStop`, { approves: row!.id })
    expect((await approve(admin)).body.data).toEqual({ commandId: row!.id, state: 'asked' })
    expect((await approve(admin)).body).toMatchObject({ code: 'INVALID', fields: [{ field: 'approves' }] })
    expect((await approve(second)).body.data).toEqual({ commandId: row!.id, state: 'queued' })
    expect(await asked(car)).toMatchObject([{ createdUserId: boss.id, approvedUserId: second.user.id }])
  })
})

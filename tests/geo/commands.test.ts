import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IngestServices } from '../../apps/geo/src/ingest/listen/services.ts'
import { gt06Heartbeat, gt06Location, gt06Login } from '../../apps/geo/src/ingest/gt06/encode.ts'
import { buildFrame } from '../../apps/geo/src/ingest/gt06/frame.ts'
import { h02Sentence } from '../../apps/geo/src/ingest/h02/encode.ts'
import { protocols } from '../../apps/geo/src/ingest/protocols.ts'
import { listenTcp, type Listener } from '../../apps/geo/src/ingest/listen/tcp.ts'
import { sealed } from '../../apps/geo/src/ingest/teltonika/command.ts'
import { encodeLogin, encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { imeiOf } from '../../scripts/simulate/vehicle.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { until } from '../support/until.ts'
import { fixAt } from './support/devices.ts'
import { geoStack, type GeoStack } from './support/stack.ts'
import { dial, openIngestServices, type Tracker } from './support/ingest-services.ts'

/** What may stop a vehicle, from the call of two people to the bytes on the line and the answer of the device. */
let stack: GeoStack
let company: MadeTenant
let anna: SignedInClient
let ben: SignedInClient
let ingestServices: IngestServices
let closeIngestServices: () => Promise<void>
const ports: Record<string, Listener> = {}
const reason = 'three instalments behind, court order 17'
let devices = 700

beforeAll(async () => {
  stack = await geoStack()
  const { make } = stack.app
  company = await make.company()
  const role = await make.role({
    company,
    name: randomUUID(),
    permissions: ['ADMIN/LOCATIONS', 'ADMIN/LOCATIONS/CREATE', 'ADMIN/LOCATIONS/EDIT', 'ADMIN/SETTINGS'],
  })
  const signIn = async () => stack.app.as(await make.user({ company, tenant: company, role }), { tenant: company })
  ;[anna, ben] = [await signIn(), await signIn()]
  ;({ ingestServices, close: closeIngestServices } = openIngestServices(stack.app.database))
  for (const [name, codec] of protocols) ports[name] = await listenTcp(ingestServices, { port: 0, host: '127.0.0.1' }, { codec })
})
afterAll(async () => {
  await Promise.all(Object.values(ports).map((port) => port.close(500)))
  await closeIngestServices()
  await stack.close()
})

interface Vehicle {
  id: string
  uniqueId: string
}
type Sent = { id: string; type: string; state: string; reason: string | null; answer: string | null; correlation: string }

async function vehicle(): Promise<Vehicle> {
  devices += 1
  const uniqueId = imeiOf(devices)
  const { body } = await anna.post<{ geoDevice: { id: string } }>('/geo/devices', { uniqueId, name: `KDA ${devices}` })
  return { id: body.data.geoDevice.id, uniqueId }
}
const send = (who: SignedInClient, { id }: Vehicle, type: string, body: object = {}) =>
  who.post<{ commandId: string; state: string }>(`/geo/devices/sendCommand/${id}/${type}`, body)
const commandsOf = async ({ id }: Vehicle) =>
  (
    await stack.app.database.admin.query<Sent>(
      'select "id", "type", "state", "reason", "answer", "correlation" from geo.command where "deviceId" = $1 order by "id"',
      [id],
    )
  ).rows
const lastOf = async (car: Vehicle) => (await commandsOf(car)).at(-1)!
const change = (text: string, values: unknown[]) => stack.app.database.admin.query(text, values)

/** Both people want it; the vehicle stands. */
async function approved(car: Vehicle, type = 'engineStop', body: object = {}): Promise<void> {
  const asked = await send(anna, car, type, { ...body, reason })
  expect(asked.body.data).toMatchObject({ state: 'asked' })
  expect((await send(ben, car, type, { ...body, reason, approves: asked.body.data.commandId })).body.data.state).toBe('queued')
}

const fixesAgo = (list: readonly { ago: number; speed?: number; isValid?: boolean; latitude?: number }[]) =>
  list.map(({ ago, ...more }) => fixAt(Math.trunc(Date.now() / 1_000) * 1_000 - ago * 1_000, { speed: 0, ...more }))
/** As a GT06 stores them, without a line that stays. */
const store = async (car: Vehicle, list: Parameters<typeof fixesAgo>[0]) => {
  const device = (await ingestServices.identities.find(car.uniqueId))!
  await ingestServices.writer.write(device, fixesAgo(list))
}
const parked = [{ ago: 100 }, { ago: 70 }, { ago: 20 }, { ago: 2 }]

async function gt06(car: Vehicle): Promise<Tracker> {
  const line = await dial(ports.gt06!.port)
  line.socket.write(gt06Login({ uniqueId: car.uniqueId, serial: 1 }))
  await line.hear(10)
  return line
}
const report = async (line: Tracker, list: Parameters<typeof fixesAgo>[0]) => {
  const before = line.heard().length
  const frames = fixesAgo(list).map((fix, at) => gt06Location(fix, { serial: 10 + at }))
  line.socket.write(Buffer.concat(frames))
  await line.hear(before + 10 * frames.length)
}
const answer = (line: Tracker, words: string, flag: number) => {
  const content = Buffer.from(`\0\0\0\0\0${words}`, 'latin1')
  content.writeUInt8(4 + words.length, 0)
  content.writeUInt32BE(flag, 1)
  line.socket.write(buildFrame({ type: 0x15, serial: 90, content }))
}
const heardOn = (line: Tracker) => line.heard().toString('latin1')

describe('a request', () => {
  it('needs two people and a stationary vehicle under any name or spelling that cuts', async () => {
    const [moving, unknown] = [await vehicle(), await vehicle()]
    await store(moving, [
      { ago: 30, speed: 50 },
      { ago: 2, speed: 60 },
    ])
    const saved = (
      await anna.post<{ command: { id: string } }>('/geo/commands', {
        name: 'Cut',
        commandType: 'custom',
        parameters: { data: 'relay , 1 #' },
      })
    ).body.data.command.id
    const ingestServices: [string, object][] = [
      ['engineStop', {}],
      ['outputControl', { index: 1, data: 1 }],
      ['outputControl', { index: 2, data: 0 }],
      ['custom', { data: 'Relay,1#' }],
      ['custom', { data: 'rELAY，1#' }],
      ['custom', { data: '52656c61792c3123' }],
      ['custom', { data: 'setdigout 1' }],
      ['custom', { data: '*HQ,4106000123,S20,130305,1,1#' }],
      ['custom', { attributes: [{ type: 'data', value: 'DYD#' }] }],
      [saved, {}],
    ]
    for (const [type, body] of ingestServices) {
      expect([type, body, (await send(anna, moving, type, { ...body, reason })).body]).toMatchObject([
        type,
        body,
        { code: 'CONFLICT', message: expect.stringContaining('60 km/h') },
      ])
      expect([type, body, (await send(anna, unknown, type, { ...body, reason })).body]).toMatchObject([type, body, { code: 'CONFLICT' }])
      expect((await send(anna, moving, type, body)).body).toMatchObject({ code: 'INVALID', fields: [{ field: 'reason' }] })
    }
    expect([await commandsOf(moving), await commandsOf(unknown)]).toEqual([[], []])
  })

  it('in unknown raw text waits for a second person; a known query does not', async () => {
    const car = await vehicle()
    const asked = await send(anna, car, 'custom', { data: 'setparam 2004:1.2.3.4' })
    expect([asked.status, asked.body.data.state]).toEqual([202, 'asked'])
    const approves = asked.body.data.commandId
    expect((await send(anna, car, 'custom', { data: 'setparam 2004:1.2.3.4', approves })).body).toMatchObject({
      code: 'INVALID',
      fields: [{ field: 'approves' }],
    })
    expect((await send(ben, car, 'custom', { data: 'setparam 2004:6.6.6.6', approves })).body).toMatchObject({
      code: 'INVALID',
      fields: [{ field: 'approves' }],
    })
    expect((await send(ben, car, 'custom', { data: 'setparam 2004:1.2.3.4', approves })).body.data).toEqual({
      commandId: approves,
      state: 'queued',
    })
    expect((await send(anna, car, 'custom', { data: 'getver' })).body.data.state).toBe('queued')
  })

  it('must be an existing command with valid parameters, for at most ten minutes', async () => {
    const car = await vehicle()
    const refused = async (type: string, body: object = {}) =>
      ((await send(anna, car, type, body)).body as unknown as { fields?: { field: string }[] }).fields?.map(({ field }) => field)
    expect((await send(anna, car, 'fly')).body).toMatchObject({
      code: 'INVALID',
      status: 422,
      fields: [{ field: 'commandType', message: expect.stringContaining('is no command; there are custom, engineStop') }],
    })
    expect([
      await refused('engineResume', { password: '1#Relay,1' }),
      await refused('positionPeriodic'),
      await refused('custom'),
      await refused('positionSingle', { data: 'Relay,1#' }),
    ]).toMatchObject([['password'], ['frequency'], ['data'], [expect.any(String)]])
    expect(
      ((await anna.post('/geo/commands', { name: 'Fly', commandType: 'fly' })).body as unknown as { fields: object[] }).fields,
    ).toMatchObject([{ field: 'commandType' }])
    await store(car, parked)
    expect(await refused('engineStop', { reason, ttlSeconds: 601 })).toEqual(['ttlSeconds'])
    await approved(car)
    const { rows } = await change('select extract(epoch from "expiresAt" - now())::int as seconds from geo.command where "deviceId" = $1', [
      car.id,
    ])
    expect(Math.abs((rows[0] as { seconds: number }).seconds - 600)).toBeLessThan(30)
  })

  it('by a clock that is ahead is not stopped', async () => {
    const car = await vehicle()
    await store(car, [{ ago: -3 * 3_600 }])
    expect((await send(anna, car, 'engineStop', { reason })).body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('ahead of the clock'),
    })
  })
})

describe('an engine stop approved while parked', () => {
  it('is not delivered to a vehicle that reconnects at 110 km/h, and fails', async () => {
    const car = await vehicle()
    await store(car, parked)
    await approved(car)
    const line = await gt06(car)
    await report(line, [{ ago: 0, speed: 110 }])
    await ingestServices.commands.deliver()
    expect(await lastOf(car)).toMatchObject({ state: 'failed', reason: expect.stringContaining('110 km/h') })
    await report(line, [{ ago: 0 }])
    await ingestServices.commands.deliver()
    expect(heardOn(line)).not.toContain('Relay')
    line.socket.destroy()
  })

  it('waits with a reason while the vehicle’s position is unknown; then it is delivered once', async () => {
    const car = await vehicle()
    await store(car, parked)
    await approved(car)
    await change(`update geo.latest set "fixTime" = "fixTime" - interval '10 minutes' where "deviceId" = $1`, [car.id])
    const line = await gt06(car)
    await ingestServices.commands.deliver()
    expect(await lastOf(car)).toMatchObject({ state: 'queued', reason: expect.stringContaining('older than a minute') })
    await change(`update geo.latest set "fixTime" = now() + interval '3 hours' where "deviceId" = $1`, [car.id])
    await ingestServices.commands.deliver()
    expect(await lastOf(car)).toMatchObject({ state: 'queued', reason: expect.stringContaining('ahead of the clock') })
    await change(`update geo.latest set "fixTime" = now() - interval '1 hour' where "deviceId" = $1`, [car.id])
    await report(line, [{ ago: 1 }, { ago: 0 }])
    await Promise.all([ingestServices.commands.deliver(), ingestServices.commands.deliver()])
    await line.hear('Relay,1#')
    expect(await lastOf(car)).toMatchObject({ state: 'sent', reason: null })
    expect(heardOn(line).split('Relay')).toHaveLength(2)
    line.socket.destroy()
  })

  it('is not sent over a silent connection, because it would arrive whenever that comes back', async () => {
    const car = await vehicle()
    await store(car, parked)
    await approved(car)
    const line = await gt06(car)
    ingestServices.connections.of(car.id)!.lastAt = Date.now() - 16_000
    await ingestServices.commands.deliver()
    expect(await lastOf(car)).toMatchObject({ state: 'queued', reason: expect.stringContaining('silent') })
    line.socket.write(gt06Heartbeat({ serial: 3, isIgnitionOn: false, batteryLevel: 6, rssi: 4 }))
    await line.hear(20)
    await ingestServices.commands.deliver()
    await line.hear('Relay,1#')
    line.socket.destroy()
  })

  it('is cancelled by engineResume', async () => {
    const car = await vehicle()
    await store(car, parked)
    await approved(car)
    await send(anna, car, 'custom', { data: 'DYD#', reason })
    await send(anna, car, 'custom', { data: 'setparam 2004:1.2.3.4' })
    expect((await send(anna, car, 'engineResume')).body.data.state).toBe('queued')
    const line = await gt06(car)
    await ingestServices.commands.deliver()
    await line.hear('Relay,0#')
    expect((await commandsOf(car)).map(({ state, reason: why }) => [state, why])).toEqual([
      ['cancelled', 'The engine was let run again'],
      ['cancelled', 'The engine was let run again'],
      ['asked', null],
      ['sent', null],
    ])
    expect(heardOn(line)).not.toContain('Relay,1')
    line.socket.destroy()
  })

  it('expires after its time, with the reason why it was not sent', async () => {
    const car = await vehicle()
    await store(car, parked)
    await approved(car)
    await change(
      `update geo.command set "reason" = 'The engine is not stopped: the device is silent at present.', "expiresAt" = now() - interval '1 s' where "deviceId" = $1`,
      [car.id],
    )
    const line = await gt06(car)
    await ingestServices.commands.deliver()
    expect(await lastOf(car)).toMatchObject({
      state: 'expired',
      reason: 'Not sent in time. The engine is not stopped: the device is silent at present.',
    })
    expect(heardOn(line)).not.toContain('Relay')
    line.socket.destroy()
  })

  it('and is queued without two names, as in earlier versions, is never sent; neither over HTTP', async () => {
    const [car, phone] = [await vehicle(), await vehicle()]
    for (const one of [car, phone]) {
      await store(one, parked)
      for (const data of ['Relay,1#', '52656C61792C3123', 'something'])
        await change(
          `insert into geo.command ("companyId", "deviceId", "type", "parameters", "createdUserId") values ($1, $2, 'custom', $3, $4)`,
          [company.id, one.id, { data }, anna.user.id],
        )
    }
    const line = await gt06(car)
    await ingestServices.commands.deliver()
    expect(await ingestServices.commands.take((await ingestServices.identities.find(phone.uniqueId))!)).toBeUndefined()
    for (const one of [car, phone])
      expect((await commandsOf(one)).map(({ state, reason: why }) => [state, why])).toEqual(
        Array.from({ length: 3 }, () => ['failed', 'It was not sent: two people must want this command']),
      )
    expect(heardOn(line)).not.toContain('elay')
    line.socket.destroy()
  })

  it('over HTTP is sent only to a stationary vehicle', async () => {
    const car = await vehicle()
    const device = (await ingestServices.identities.find(car.uniqueId))!
    await store(car, parked)
    await approved(car)
    await store(car, [{ ago: 0, speed: 30 }])
    await send(anna, car, 'positionSingle')
    expect(await ingestServices.commands.take(device)).toBe('positionSingle')
    expect((await commandsOf(car)).map(({ state }) => state)).toEqual(['failed', 'sent'])
  })
})

describe('an answer', () => {
  const delivered = async (): Promise<{ car: Vehicle; line: Tracker; flag: number }> => {
    const car = await vehicle()
    await store(car, parked)
    await approved(car)
    const line = await gt06(car)
    await ingestServices.commands.deliver()
    await line.hear('Relay,1#')
    return { car, line, flag: Number((await lastOf(car)).correlation) }
  }

  it('that is not a success is a failure, with its text; a later success is recorded', async () => {
    const { car, line, flag } = await delivered()
    answer(line, 'DYD=Speed Limit, Speed 40km/h', flag)
    await until(async () => (await lastOf(car)).state === 'failed')
    expect(await lastOf(car)).toMatchObject({
      answer: 'DYD=Speed Limit, Speed 40km/h',
      reason: 'The device answered: DYD=Speed Limit, Speed 40km/h',
    })
    answer(line, 'Cut off the fuel supply: Success!', flag)
    await until(async () => (await lastOf(car)).state === 'done')
    expect(await lastOf(car)).toMatchObject({ answer: 'Cut off the fuel supply: Success!', reason: null })
    line.socket.destroy()
  })

  it('to another command changes nothing', async () => {
    const { car, line, flag } = await delivered()
    for (const other of [flag + 1, 0, 4_294_967_295]) answer(line, 'DYD=Success!', other)
    line.socket.write(gt06Heartbeat({ serial: 91, isIgnitionOn: false, batteryLevel: 5, rssi: 4 }))
    await line.hear(buildFrame({ type: 0x13, serial: 91 }).length + line.heard().length)
    expect(await lastOf(car)).toMatchObject({ state: 'sent', answer: null })
    answer(line, 'DYD=Success!', flag)
    await until(async () => (await lastOf(car)).state === 'done')
    line.socket.destroy()
  })

  it('of an H02 is matched by its timestamp and its text; two commands never share a timestamp', async () => {
    const car = await vehicle()
    await store(car, parked)
    await approved(car)
    await send(anna, car, 'positionPeriodic', { frequency: 60 })
    const line = await dial(ports.h02!.port)
    line.socket.write(h02Sentence(car.uniqueId, fixesAgo([{ ago: 0 }])[0]!))
    await until(() => ingestServices.connections.of(car.id) !== undefined)
    await until(async () => {
      await ingestServices.commands.deliver()
      return heardOn(line).includes('S71')
    })
    const stamps = ['S20', 'S71'].map((word) => new RegExp(`${word},(\\d{6})`).exec(heardOn(line))![1]!) as [string, string]
    expect(stamps[0]).not.toBe(stamps[1])
    line.socket.write(`*HQ,${car.uniqueId},V4,S71,DONE,${stamps[1]}#`)
    await until(async () => (await lastOf(car)).state === 'done')
    expect((await commandsOf(car))[0]).toMatchObject({ type: 'engineStop', state: 'sent' })
    line.socket.write(`*HQ,${car.uniqueId},V4,S20,ERROR,${stamps[0]}#`)
    await until(async () => (await commandsOf(car))[0]!.state === 'failed')
    expect((await commandsOf(car))[0]).toMatchObject({ answer: 'S20,ERROR' })
    line.socket.destroy()
  })

  it('of a Teltonika names no command, so one is answered before the next is sent', async () => {
    const car = await vehicle()
    await store(car, parked)
    await send(anna, car, 'getVersion')
    await approved(car)
    const line = await dial(ports.teltonika!.port)
    line.socket.write(encodeLogin(car.uniqueId))
    await line.hear(1)
    line.socket.write(encodePacket(fixesAgo([{ ago: 0 }])))
    await line.hear(5)
    const say = (words: string) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(words.length)
      line.socket.write(sealed(Buffer.concat([Buffer.from([0x0c, 1, 6]), length, Buffer.from(words), Buffer.from([1])])))
    }
    await ingestServices.commands.deliver()
    await ingestServices.commands.deliver()
    await line.hear('getver')
    expect(heardOn(line)).not.toContain('setdigout')
    say('Ver:03.25.14')
    await until(async () => (await commandsOf(car))[0]!.state === 'done')
    await ingestServices.commands.deliver()
    await line.hear('setdigout 1')
    // To let it run again waits for nothing.
    await send(anna, car, 'engineResume')
    await ingestServices.commands.deliver()
    await line.hear('setdigout 0')
    say('Ver:03.25.14')
    say('DOUT1:0 Timeout:INFINITY')
    await until(async () => (await lastOf(car)).state === 'done')
    say('DOUT1:IGNORED')
    await until(async () => (await commandsOf(car))[1]!.state === 'failed')
    expect((await commandsOf(car)).map(({ type, state, answer: words }) => [type, state, words])).toEqual([
      ['getVersion', 'done', 'Ver:03.25.14'],
      ['engineStop', 'failed', 'DOUT1:IGNORED'],
      ['engineResume', 'done', 'DOUT1:0 Timeout:INFINITY'],
    ])
    line.socket.destroy()
  })
})

import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { metresBetween, type Point } from '@outpost/rules/places/distance'
import { afterEach, describe, expect, it } from 'vitest'
import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import { frameReader } from '../../apps/geo/src/ingest/listen/frames.ts'
import { gt06 } from '../../apps/geo/src/ingest/gt06/codec.ts'
import { h02 } from '../../apps/geo/src/ingest/h02/codec.ts'
import { teltonika } from '../../apps/geo/src/ingest/teltonika/codec.ts'
import { encodeCommand } from '../../apps/geo/src/ingest/teltonika/command.ts'
import { encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { driveDevice } from '../../scripts/simulate/device.ts'
import type { Tally } from '../../scripts/simulate/link.ts'
import { replayFrame, replayImei } from '../../scripts/simulate/replay.ts'
import { imeiOf, reportsBetween, vehicleOf, type Vehicle } from '../../scripts/simulate/vehicle.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const hour = 3_600_000
const every = 5000
const phone = vehicleOf(2)
const tracker = vehicleOf(0)
const box = vehicleOf(1)
const opened: (Server | HttpServer)[] = []

afterEach(() => {
  for (const server of opened.splice(0)) server.close()
})

async function listening(server: Server | HttpServer): Promise<number> {
  opened.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Drives one vehicle against a port until `isEnough`; its clock is at `now`. */
async function drive(vehicle: Vehicle, port: number, since: number, isEnough: (tally: Tally) => boolean): Promise<Tally> {
  const stop = new AbortController()
  const tally: Tally = { sent: 0, answered: 0, refused: new Set(), connected: 0, commands: 0 }
  const link = { host: '127.0.0.1', port, signal: stop.signal, tally }
  const driving = driveDevice(vehicle, { link, every, since, clock: () => now })
  await expect.poll(() => isEnough(tally), { interval: 20 }).toBe(true)
  stop.abort()
  await driving
  return tally
}

type Answer = (socket: Socket, ack: Uint8Array, fixes: Fix[]) => void

/** A server that knows one device; `answer` says what becomes of each packet. */
const trackerFor =
  (uniqueId: string) =>
  (answer: Answer, answers: string[] = []): Server =>
    createServer((socket) => {
      const reader = frameReader(teltonika)
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        for (const { message } of reader.push(chunk, now)) {
          if (message.kind === 'login') socket.write((message.uniqueId === uniqueId ? message.ack : message.refusal) ?? '')
          else if (message.kind === 'fixes' && message.ack) answer(socket, message.ack, message.fixes)
          else if (message.kind === 'answer') answers.push(message.text)
        }
      })
    })
const trackerServer = trackerFor(tracker.uniqueId)

describe('simulated vehicles', () => {
  it('report the same whenever they are asked, and however the time is split', () => {
    const whole = reportsBetween(tracker, { from: now - 3 * hour, to: now, every })
    const parts = [0, 1, 2].flatMap((part) =>
      reportsBetween(tracker, { from: now - (3 - part) * hour, to: now - (2 - part) * hour, every }),
    )
    expect(parts).toEqual(whole)
  })

  it.each([0, 1, 2, 3, 4, 5, 6])('vehicle %i moves as a vehicle does, for a day', (number) => {
    const reports = reportsBetween(vehicleOf(number), { from: now - 24 * hour, to: now, every })
    const legs = reports.slice(1).map((fix, index) => ({ from: reports[index] as Fix, fix }))
    for (const { from, fix } of legs) {
      const seconds = (fix.fixTime - from.fixTime) / 1000
      const metres = metresBetween(from as Point, fix as Point)
      expect(seconds).toBeGreaterThanOrEqual(1)
      expect(metres, `${new Date(fix.fixTime).toISOString()}`).toBeLessThan(30 * seconds + 12)
      expect(fix.attributes.odometer).toBeGreaterThanOrEqual(from.attributes.odometer as number)
      if (fix.attributes.ignition === false) expect(fix.speed).toBe(0)
      expect(metresBetween(fix as Point, { latitude: -1.2864, longitude: 36.8172 })).toBeLessThan(50_000)
    }
    const switches = reports.filter(({ attributes }) => attributes.event === 239).map(({ attributes }) => attributes.ignition)
    expect(switches.length).toBeGreaterThan(2)
    expect(switches.every((isOn, index) => index === 0 || isOn !== switches[index - 1])).toBe(true)
  })

  it('have IMEIs with a valid check digit', () => {
    expect(imeiOf(0)).toBe('350000000000006')
    expect(imeiOf(12_345)).toMatch(/^3500000001\d{5}$/)
  })
})

describe('a simulated Teltonika', () => {
  it('loses nothing although the server drops packets, connections and counts', async () => {
    const kept = new Map<number, Fix>()
    let turn = 0
    const port = await listening(
      trackerServer((socket, ack, fixes) => {
        turn += 1
        if (turn === 2) return void socket.destroy()
        if (turn === 4) return void socket.write(Uint8Array.of(0, 0, 0, 1))
        for (const fix of fixes) kept.set(fix.fixTime, fix)
        socket.write(ack)
      }),
    )
    const expected = reportsBetween(tracker, { from: now - hour, to: now, every })
    const tally = await drive(tracker, port, now - hour, ({ answered }) => answered >= expected.length)
    expect([...kept.values()]).toEqual(expected)
    expect(tally.sent).toBeGreaterThan(tally.answered)
  })

  it('answers text commands while it reports', async () => {
    const answers: string[] = []
    const port = await listening(
      trackerServer((socket, ack) => {
        socket.write(encodeCommand({ type: 'engineStop', parameters: {}, uniqueId: tracker.uniqueId, correlation: 1 }) ?? '')
        socket.write(ack)
      }, answers),
    )
    await drive(tracker, port, now - hour / 30, ({ answered }) => answered > 0 && answers.length > 0)
    expect(answers[0]).toBe('DOUT1:1 Timeout:INFINITY')
  })

  it('that the server does not know reports it', async () => {
    const port = await listening(trackerServer((socket, ack) => void socket.write(ack)))
    const stranger = vehicleOf(4)
    const { refused, answered } = await drive(stranger, port, now - hour, (tally) => tally.refused.size > 0)
    expect([...refused]).toEqual([stranger.uniqueId])
    expect(answered).toBe(0)
  })
})

describe('a simulated GT06', () => {
  it('has each frame confirmed, resumes where it was cut off, and answers commands', async () => {
    const kept = new Map<number, Fix>()
    const answers: string[] = []
    let turn = 0
    const port = await listening(
      createServer((socket) => {
        const reader = frameReader(gt06)
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => {
          for (const { message } of reader.push(chunk, now)) {
            if (message.kind === 'answer') answers.push(message.text)
            if (message.kind === 'login') expect(message.uniqueId).toBe(box.uniqueId)
            if (message.kind === 'fixes') {
              turn += 1
              if (turn === 5) return void socket.destroy()
              for (const fix of message.fixes) kept.set(fix.fixTime, fix)
              if (turn === 8)
                socket.write(gt06.encode({ type: 'engineStop', parameters: {}, uniqueId: box.uniqueId, correlation: 77 }) ?? '')
            }
            if ('ack' in message && message.ack) socket.write(message.ack)
          }
        })
      }),
    )
    const expected = reportsBetween(box, { from: now - hour, to: now, every })
    await drive(box, port, now - hour, ({ answered }) => answered >= expected.length && answers.length > 0)
    expect([...kept.keys()]).toEqual(expected.map(({ fixTime }) => fixTime))
    for (const fix of expected)
      expect(kept.get(fix.fixTime)).toMatchObject({
        speed: fix.speed,
        course: fix.course,
        attributes: { ignition: fix.attributes.ignition },
      })
    expect(answers).toEqual(['Relay,1=Success!'])
  })
})

describe('a simulated H02', () => {
  it('has each sentence confirmed and answers commands with their timestamp', async () => {
    const sensor = vehicleOf(3)
    const kept = new Map<number, Fix>()
    const answers: unknown[] = []
    let turn = 0
    const port = await listening(
      createServer((socket) => {
        const reader = frameReader(h02)
        socket.on('error', () => undefined)
        socket.on('data', (chunk) => {
          for (const { message } of reader.push(chunk, now)) {
            if (message.kind === 'answer') answers.push([message.text, message.correlation])
            if (message.kind !== 'fixes' || !message.ack) continue
            expect(message.uniqueId).toBe(sensor.uniqueId)
            turn += 1
            if (turn === 5) return void socket.destroy()
            for (const fix of message.fixes) kept.set(fix.fixTime, fix)
            if (turn === 8)
              socket.write(h02.encode({ type: 'engineStop', parameters: {}, uniqueId: sensor.uniqueId, correlation: 3661 }) ?? '')
            socket.write(message.ack)
          }
        })
      }),
    )
    const expected = reportsBetween(sensor, { from: now - hour, to: now, every })
    await drive(sensor, port, now - hour, ({ answered }) => answered >= expected.length && answers.length > 0)
    expect([...kept.keys()]).toEqual(expected.map(({ fixTime }) => fixTime))
    expect(answers).toEqual([['S20,DONE', '3661']])
  })
})

describe('a simulated phone', () => {
  it('sends each position until it is accepted, speeds in knots', async () => {
    const kept: URLSearchParams[] = []
    let turn = 0
    const port = await listening(
      createHttpServer((request, response) => {
        turn += 1
        const isTaken = turn % 7 !== 0
        if (isTaken) kept.push(new URL(request.url ?? '', 'http://local').searchParams)
        response.writeHead(isTaken ? 200 : 503).end()
      }),
    )
    const expected = reportsBetween(phone, { from: now - hour / 60, to: now, every })
    await drive(phone, port, now - hour / 60, ({ answered }) => answered >= expected.length)
    expect([...new Set(kept.map((query) => Number(query.get('timestamp'))))]).toEqual(expected.map(({ fixTime }) => fixTime))
    const [first] = kept
    expect(first?.get('id')).toBe(phone.uniqueId)
    expect(Number(first?.get('speed')) * 1.852).toBeCloseTo(expected[0]?.speed ?? NaN, 2)
  })
})

describe('replaying recorded frames', () => {
  const good = Buffer.from(encodePacket(reportsBetween(tracker, { from: now - hour / 60, to: now, every }))).toString('hex')
  const broken = `${good.slice(0, -2)}${good.endsWith('00') ? '01' : '00'}`
  const whole = trackerFor(replayImei)

  it('a valid one is confirmed, a broken one is not, and both are as expected', async () => {
    const port = await listening(whole((socket, ack) => void socket.write(ack)))
    for (const [hex, acks] of [
      [good, 2],
      [broken, 1],
    ] as const) {
      const { expected, got } = await replayFrame({ id: 'x', protocol: 'teltonika', hex }, { host: '127.0.0.1', port })
      expect(got).toBe(expected)
      expect(got.startsWith('01')).toBe(true)
      expect(got.length).toBe(acks === 2 ? 10 : 2)
    }
  })

  it('a service that confirms otherwise is detected', async () => {
    const port = await listening(whole((socket) => void socket.write(Uint8Array.of(0, 0, 0, 99))))
    const { expected, got } = await replayFrame({ id: 'x', protocol: 'teltonika', hex: good }, { host: '127.0.0.1', port })
    expect(got).not.toBe(expected)
  })
})

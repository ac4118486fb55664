import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Message } from './codec.ts'
import type { Fix } from '../positions/fix.ts'
import { protocols } from './protocols.ts'

interface Frame {
  id: string
  protocol: 'gt06' | 'h02' | 'teltonika'
  hex: string
  model?: string
  broken?: string
  expected: {
    what: 'nothing' | 'something' | 'place' | 'places' | 'attribute' | 'attributes'
    attribute?: Record<string, string | number | boolean | null>
    fixTime?: string
    valid?: boolean
    latitude?: number
    longitude?: number
  }
}

const { frames } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../../tests/support/vectors/public-frames.json'), 'utf8'),
) as { frames: Frame[] }

/** Frames that we read differently from their source, and why. */
const otherwise: Readonly<Record<string, string>> = {
  'h02-48': 'neither a date nor a fix: its source takes the moment of arrival, at which nothing was measured',
  'teltonika-15': 'a line of a serial port: its source repeats the last place',
  'teltonika-17': 'an answer: its source repeats the last place',
  'teltonika-38': 'an answer: its source repeats the last place',
}

/** Before the oldest frames of H02 (2002) would be taken for ones of an earlier GPS week cycle. */
const nowOf = ({ protocol }: Frame) => (protocol === 'h02' ? Date.UTC(2019, 0, 1) : Date.UTC(2026, 10, 22))

/** As a stream, else as a datagram: the source does not state which it was. */
function read(frame: Frame): Message[] {
  const [codec, bytes] = [protocols.get(frame.protocol)!, Uint8Array.from(Buffer.from(frame.hex, 'hex'))]
  const { frames: found, rest } = codec.read(bytes, nowOf(frame), { model: frame.model ?? null })
  const isStream = rest.length === 0 && found.every(({ message }) => message.kind !== 'bad')
  return (isStream || !codec.readDatagram ? found : codec.readDatagram(bytes, nowOf(frame), { model: frame.model ?? null })).map(
    ({ message }) => message,
  )
}

const fixesOf = (messages: Message[]): Fix[] => messages.flatMap((message) => (message.kind === 'fixes' ? message.fixes : []))

function saidBy(messages: Message[]): Record<string, unknown> {
  return Object.assign(
    {},
    ...messages.map((message) => {
      if (message.kind === 'fixes') return { altitude: message.fixes[0]?.altitude, ...message.fixes[0]?.attributes }
      return message.kind === 'answer' ? { result: message.text } : message.kind === 'heartbeat' ? message.attributes : {}
    }),
  )
}

function expectAsSaid(frame: Frame): void {
  const { expected } = frame
  const messages = read(frame)
  expect(messages.filter((message) => message.kind === 'bad')).toEqual([])
  const said = saidBy(messages)
  const places = fixesOf(messages).filter((fix) => fix.latitude !== null)
  if (expected.what === 'nothing') expect(fixesOf(messages)).toEqual([])
  if (expected.what === 'something' || expected.what === 'attributes') expect(Object.keys(said)).not.toEqual([])
  if (expected.what.startsWith('place')) expect(places).not.toEqual([])
  for (const [name, value] of Object.entries(expected.attribute ?? {})) {
    if (typeof value === 'number') expect(said[name], name).toBeCloseTo(value, 6)
    else expect(said[name] ?? null, name).toEqual(value)
  }
  if (expected.fixTime === undefined) return
  expect(places[0]).toMatchObject({ fixTime: Date.parse(expected.fixTime), isValid: expected.valid })
  expect(Math.abs((places[0]?.latitude ?? Number.NaN) - (expected.latitude ?? 0))).toBeLessThan(1e-5)
  expect(Math.abs((places[0]?.longitude ?? Number.NaN) - (expected.longitude ?? 0))).toBeLessThan(1e-5)
}

describe('public frames of devices (tests/support/vectors/public-frames.json, facts of Traccar under Apache-2.0)', () => {
  it.each(frames.filter(({ id, broken }) => !broken && !otherwise[id]))('$id reads as its source expects', expectAsSaid)

  it.each(frames.filter(({ broken }) => broken))('$id ($broken) stores nothing', (frame) => {
    const { frames: found } = protocols
      .get(frame.protocol)!
      .read(Uint8Array.from(Buffer.from(frame.hex, 'hex')), nowOf(frame), { model: frame.model ?? null })
    expect(found.filter(({ message }) => message.kind !== 'bad' && !(message.kind === 'ignored' && message.reason))).toEqual([])
  })

  it.each(['gt06', 'h02', 'teltonika'])('%s: at least 97 of 100 whole frames are read as their source reads them', (protocol) => {
    const whole = frames.filter((frame) => frame.protocol === protocol && !frame.broken)
    const asSaid = whole.filter((frame) => {
      try {
        expectAsSaid(frame)
        return true
      } catch {
        return otherwise[frame.id]?.includes('repeats the last place') ?? false
      }
    })
    expect(asSaid.length / whole.length).toBeGreaterThanOrEqual(0.97)
  })
})

describe('values that were misread', () => {
  const frameOf = (id: string) => frames.find((frame) => frame.id === id)!
  const byId = (id: string) => saidBy(read(frameOf(id)))

  it('cells whose length counts itself or does not leave the status where it is (NT20, XT40)', () => {
    expect(byId('gt06-173')).toMatchObject({ power: 24.36, battery: 4, rssi: 76, status: 0x46, hours: 22_140_000 })
    expect(byId('gt06-173')).not.toHaveProperty('alarm')
    expect(saidBy(read({ ...frameOf('gt06-173'), model: 'XT40' }))).toMatchObject({ power: 24.36, battery: 4 })
  })

  it('zeros in place of a cell are not its status', () => {
    expect(byId('gt06-65')).toMatchObject({ batteryLevel: 100, rssi: 27, charge: true })
  })

  it('a place in the extended form of type 0x38, with its modules', () => {
    expect(byId('gt06-7')).toMatchObject({ ignition: true, odometer: 5_572, network: expect.stringContaining('"cellId":297736') })
  })

  it('the power of a VXT01 in its alarms, and no status in a row of cells', () => {
    expect(byId('gt06-31')).toMatchObject({ alarm: 'sos', power: 12.52, rssi: 4 })
    expect(byId('gt06-51')).toEqual({})
  })

  it('codec 7 of GH3000: records without a place, with one, with a network', () => {
    const [first, second, , last] = fixesOf(read(frameOf('teltonika-30')))
    expect(first).toMatchObject({ fixTime: Date.UTC(2015, 10, 10, 21, 35, 46), latitude: null, attributes: { motion: true, priority: 1 } })
    expect(second).toMatchObject({
      latitude: 44.7913055,
      longitude: 18.4797592,
      altitude: 141,
      speed: 2,
      isValid: true,
      attributes: { sat: 9 },
    })
    expect(last?.attributes).toMatchObject({ batteryLevel: 100, battery: 4.108, uptime: 5, rssi: 26, operator: 21_803 })
  })
})

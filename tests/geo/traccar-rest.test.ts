import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createLog } from '@outpost/platform/log'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import type { Store, StoreMeta, StoreResult } from '../../apps/geo/src/ingest/store.ts'
import { runBridge, startBridge, type BridgeOptions } from '../../apps/geo/src/ingest/traccar/bridge.ts'
import { repairGaps } from '../../apps/geo/src/ingest/traccar/repair.ts'
import { traccarClient, type TraccarClient } from '../../apps/geo/src/ingest/traccar/rest.ts'
import { until as eventually } from '../support/until.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 10, 20)
const device = {
  id: 17,
  uniqueId: '352093081452251',
  name: 'KDA 123X',
  phone: '+254700000001',
  model: 'FMB920',
  category: 'car',
  disabled: false,
  lastUpdate: '2026-11-22T06:00:00.000+00:00',
  attributes: { x: 1 },
}
const iso = (at: number) => new Date(at).toISOString().replace('Z', '+00:00')
const position = (at: number) => ({
  id: at,
  deviceId: 17,
  protocol: 'teltonika',
  deviceTime: iso(at),
  fixTime: iso(at),
  valid: true,
  latitude: -1.29,
  longitude: 36.82,
  altitude: 0,
  speed: 10,
  course: 0,
  accuracy: 0,
  attributes: {},
})

let server: Server
let url: string
let client: TraccarClient
let seen: { path: string; query: URLSearchParams; authorization: string | undefined }[] = []
let history: ReturnType<typeof position>[] = []
/** Answers before the lists do, when it returns true. */
let interrupt: (request: IncomingMessage, response: ServerResponse) => boolean
let periodLimit = Number.POSITIVE_INFINITY

const sendJson = (response: ServerResponse, value: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

/** A Traccar server as far as we read it: three lists, and the route report with its limits. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://traccar')
  seen.push({ path: pathname, query: searchParams, authorization: request.headers.authorization })
  if (interrupt(request, response)) return
  if (pathname === '/api/devices') return void sendJson(response, [device, { id: 18, name: 'without identity' }])
  if (pathname === '/api/geofences')
    return void sendJson(response, [
      {
        id: 3,
        name: 'Depot',
        description: '',
        area: 'CIRCLE (-1.29 36.82, 200)',
        calendarId: 0,
        attributes: { speedLimit: 27, polylineDistance: 30, color: '#123' },
      },
    ])
  if (pathname === '/api/drivers') return void sendJson(response, [{ id: 5, name: 'Jane', uniqueId: 'A1B2', attributes: {} }])
  if (pathname !== '/api/reports/route') return void response.writeHead(404).end()
  const [from, to] = [Date.parse(searchParams.get('from') ?? ''), Date.parse(searchParams.get('to') ?? '')]
  if (to - from > periodLimit) return void response.writeHead(400).end('Time period exceeds the limit')
  sendJson(
    response,
    history.filter(({ fixTime }) => Date.parse(fixTime) >= from && Date.parse(fixTime) <= to),
  )
}

beforeAll(async () => {
  server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
})
afterAll(() => new Promise((done) => server.close(done)))
beforeEach(() => {
  seen = []
  history = Array.from({ length: 54 }, (_, index) => position(start + index * hour))
  interrupt = () => false
  periodLimit = Number.POSITIVE_INFINITY
  client = traccarClient({ url: `${url}/`, login: { token: 'T' }, retryMs: 1 })
})

afterEach(() => client.close())

const routeOf = async (from: number, to: number) => {
  const windows = []
  for await (const window of client.route(17, from, to)) windows.push(window)
  return windows
}

describe('the records of a Traccar server', () => {
  test('devices, fences and drivers in our units; what cannot be read is reported, not lost', async () => {
    expect(await client.devices()).toEqual({
      rows: [
        {
          traccarId: 17,
          uniqueId: '352093081452251',
          isDisabled: false,
          lastUpdate: Date.UTC(2026, 10, 22, 6),
          groupId: null,
          contact: null,
          attributes: { x: 1 },
          words: { name: 'KDA 123X', phone: '+254700000001', model: 'FMB920', category: 'car' },
        },
      ],
      skipped: [{ traccarId: 18, message: expect.stringContaining('uniqueId') }],
    })
    expect((await client.fences()).rows).toEqual([
      {
        traccarId: 3,
        name: 'Depot',
        description: null,
        area: 'CIRCLE (-1.29 36.82, 200)',
        routeWidth: 30,
        speedLimit: 50.004,
        attributes: { color: '#123' },
      },
    ])
    expect((await client.drivers()).rows).toEqual([{ traccarId: 5, uniqueId: 'A1B2', name: 'Jane', attributes: {} }])
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer T']))
  })

  test('with e-mail and password', async () => {
    await traccarClient({ url, login: { email: 'a@b.test', password: 'p:w' } }).drivers()
    expect(seen[0]?.authorization).toBe(`Basic ${Buffer.from('a@b.test:p:w').toString('base64')}`)
  })

  test('a history by windows of a day, without a gap between them', async () => {
    const windows = await routeOf(start, start + 54 * hour)
    expect(windows.map(({ from, to, fixes }) => [from - start, to - start, fixes.length])).toEqual([
      [0, 24 * hour, 25],
      [24 * hour, 48 * hour, 25],
      [48 * hour, 54 * hour, 6],
    ])
    expect(windows[0]?.fixes[0]).toMatchObject({ fixTime: start, speed: 18.52, accuracy: null })
    expect(seen[0]?.query.get('deviceId')).toBe('17')
  })

  test('windows too long for the server are halved until they fit', async () => {
    periodLimit = 5 * hour
    const windows = await routeOf(start, start + 24 * hour)
    expect(windows.every(({ from, to }) => to - from <= periodLimit)).toBe(true)
    expect(new Set(windows.flatMap(({ fixes }) => fixes.map(({ fixTime }) => fixTime))).size).toBe(25)
  })

  test('an answer truncated at the maximum is requested again in halves', async () => {
    history = Array.from({ length: 60_000 }, (_, index) => position(start + index * 1_000))
    interrupt = (request, response) => {
      const query = new URL(request.url ?? '/', 'http://traccar').searchParams
      const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')]
      const first = Math.max(0, Math.ceil((from - start) / 1_000))
      sendJson(response, history.slice(first, Math.min(first + 50_000, Math.floor((to - start) / 1_000) + 1)))
      return true
    }
    const windows = await routeOf(start, start + 24 * hour)
    expect(new Set(windows.flatMap(({ fixes }) => fixes.map(({ fixTime }) => fixTime))).size).toBe(60_000)
  })

  test('a position that cannot be read is counted', async () => {
    history = [position(start), { ...position(start + 1), fixTime: iso(start + 1), latitude: null as unknown as number }]
    expect(await routeOf(start, start + hour)).toMatchObject([{ fixes: [{ fixTime: start }], unreadable: 1 }])
  })
})

describe('a failing Traccar server', () => {
  const refuse = (status: number, body = '') => {
    interrupt = (_request, response) => {
      response.writeHead(status).end(body)
      return true
    }
  }

  test('failures are tried three times, and may pass', async () => {
    let failures = 2
    interrupt = (_request, response) => {
      if (failures === 0) return false
      failures -= 1
      response.writeHead(503).end()
      return true
    }
    expect((await client.drivers()).rows).toHaveLength(1)
    expect(seen).toHaveLength(3)
    refuse(502)
    await expect(client.drivers()).rejects.toMatchObject({ fault: 'unreachable', message: 'The Traccar server is in trouble (502)' })
    expect(seen).toHaveLength(6)
  })

  test('a wrong token is not tried again, nor a server that is not Traccar', async () => {
    refuse(401)
    await expect(client.devices()).rejects.toMatchObject({ fault: 'forbidden' })
    refuse(404)
    await expect(client.devices()).rejects.toMatchObject({ fault: 'answer' })
    refuse(200, '<html>')
    await expect(client.devices()).rejects.toMatchObject({ fault: 'answer' })
    refuse(200, '{"devices":[]}')
    await expect(client.devices()).rejects.toMatchObject({ fault: 'answer' })
    expect(seen).toHaveLength(4)
    await expect(traccarClient({ url: 'ftp://x', login: { token: 'T' } }).devices()).rejects.toMatchObject({ fault: 'answer' })
  })

  test('a redirect is not followed: it could lead to a private address', async () => {
    interrupt = (_request, response) => {
      response.writeHead(302, { location: `${url}/api/drivers` }).end()
      return true
    }
    await expect(client.devices()).rejects.toMatchObject({ fault: 'answer' })
    expect(seen).toHaveLength(1)
  })

  test('an address without an answer', async () => {
    await expect(traccarClient({ url: 'http://127.0.0.1:9', login: { token: 'T' }, retryMs: 1 }).devices()).rejects.toMatchObject({
      fault: 'unreachable',
    })
  })
})

describe('repairing what forwarding lost', () => {
  const kept = new Map<string, Map<number, Fix>>()
  const cursors: [string, number][] = []
  let failAfter = Number.POSITIVE_INFINITY
  const store: Store = async (uniqueId, fixes, meta) => {
    if (meta.token !== 'company') return { accepted: 0, refused: [], badToken: true }
    if (uniqueId === 'stranger') return { accepted: 0, refused: [], unknownDevice: true }
    if ((failAfter -= 1) < 0) throw new Error('Postgres is away')
    const own = kept.get(uniqueId) ?? new Map<number, Fix>()
    kept.set(uniqueId, own)
    for (const fix of fixes) own.set(fix.fixTime, fix)
    return { accepted: fixes.length, refused: [] }
  }
  const repair = (devices: { uniqueId: string; lastUpdate?: number | null }[], token = 'company') =>
    repairGaps(
      {
        client,
        delivery: { store, now: () => start + 60 * hour },
        sender: { protocol: 'traccar', remote: null, token, isFeed: true, takesCommand: false },
        keepCursor: async (uniqueId, until) => {
          cursors.push([uniqueId, until])
        },
      },
      devices.map(({ uniqueId, lastUpdate = start + 53 * hour }) => ({
        since: start,
        device: { traccarId: 17, uniqueId, words: {}, isDisabled: false, lastUpdate, groupId: null, contact: null, attributes: {} },
      })),
      start + 54 * hour,
    )

  beforeEach(() => {
    kept.clear()
    cursors.length = 0
    failAfter = Number.POSITIVE_INFINITY
  })

  test('an outage of ten minutes and more is filled; repeating changes nothing', async () => {
    await store(
      'car',
      history.slice(0, 20).map(({ fixTime }) => ({ fixTime: Date.parse(fixTime) }) as Fix),
      { token: 'company' } as never,
    )
    const [first] = await repair([{ uniqueId: 'car' }])
    expect(first).toEqual({ uniqueId: 'car', outcome: 'whole', until: start + 54 * hour, seen: 56, refused: 0 })
    expect([...(kept.get('car')?.keys() ?? [])].toSorted((a, b) => a - b)).toEqual(history.map(({ fixTime }) => Date.parse(fixTime)))
    await repair([{ uniqueId: 'car' }])
    expect(kept.get('car')?.size).toBe(54)
    expect(cursors.map(([, until]) => until - start)).toEqual([24 * hour, 48 * hour, 54 * hour, 24 * hour, 48 * hour, 54 * hour])
  })

  test('positions without a place are refused with 101 as everywhere, and counted', async () => {
    history = [position(start + 1), { ...position(start + 2), latitude: 0, longitude: 0 }]
    expect(await repair([{ uniqueId: 'car' }])).toMatchObject([{ outcome: 'whole', seen: 2, refused: 1 }])
    expect(kept.get('car')?.size).toBe(1)
  })

  test('a silent device costs no call; an unknown one and a wrong token are reported; a failing one does not delay the others', async () => {
    expect(
      await repair([
        { uniqueId: 'silent', lastUpdate: start - 1 },
        { uniqueId: 'never', lastUpdate: null },
      ]),
    ).toMatchObject([{ outcome: 'whole', until: start }, { outcome: 'whole' }])
    expect(seen).toEqual([])
    expect(await repair([{ uniqueId: 'stranger' }, { uniqueId: 'car' }])).toMatchObject([
      { outcome: 'unknownDevice', until: start },
      { outcome: 'whole' },
    ])
    expect(await repair([{ uniqueId: 'car' }], 'wrong')).toMatchObject([{ outcome: 'badToken', until: start }])
  })

  test('the cursor stays behind the last committed window when the database goes away', async () => {
    failAfter = 1
    expect(await repair([{ uniqueId: 'car' }])).toMatchObject([
      { outcome: 'failed', until: start + 24 * hour, message: 'Postgres is away' },
    ])
    expect(cursors).toEqual([['car', start + 24 * hour]])
  })
})

describe('the bridge', () => {
  const now = start + 60 * hour
  let until: Map<string, number>
  let calls: { uniqueId: string; fixes: readonly Fix[]; meta: StoreMeta }[]
  let answerOf: (uniqueId: string) => Partial<StoreResult>
  const options = (): BridgeOptions => ({
    client,
    feed: { token: 'company' },
    now: () => now,
    historyDays: 1,
    log: createLog({ level: 'silent' }),
    store: async (uniqueId, fixes, meta) => {
      calls.push({ uniqueId, fixes, meta })
      return { accepted: fixes.length, refused: [], ...answerOf(uniqueId) }
    },
    cursors: { read: async () => until, keep: async (uniqueId, at) => void until.set(uniqueId, at) },
  })
  const asked = () =>
    seen.filter(({ path }) => path === '/api/reports/route').map(({ query }) => (Date.parse(query.get('from') ?? '') - now) / hour)

  beforeEach(() => {
    until = new Map()
    calls = []
    answerOf = () => ({})
    history = Array.from({ length: 60 }, (_, index) => position(start + index * hour))
  })

  test('a new device brings a day of history; later runs look back an hour, and two days once a day', async () => {
    await runBridge(options(), false)
    expect(asked()[0]).toBeCloseTo(-24 - 1 / 30)
    expect(until.get(device.uniqueId)).toBe(now - 120_000)
    seen = []
    await runBridge(options(), false)
    expect(asked()).toEqual([])
    interruptDevices(iso(now - hour / 2))
    await runBridge(options(), false)
    expect(asked()[0]).toBeCloseTo(-1 - 1 / 30)
    seen = []
    await runBridge(options(), true)
    expect(asked()[0]).toBeCloseTo(-48 - 1 / 30)
    expect(calls.every(({ meta }) => meta.isHistory === true && meta.isFeed && meta.token === 'company')).toBe(true)
  })

  test('a thorough run lists every device by name, so that unknown ones can be adopted', async () => {
    answerOf = () => ({ unknownDevice: true })
    expect(await runBridge(options(), true)).toMatchObject([{ outcome: 'unknownDevice' }])
    expect(calls[0]).toMatchObject({
      uniqueId: device.uniqueId,
      fixes: [],
      meta: { device: { name: 'KDA 123X', phone: '+254700000001', model: 'FMB920' } },
    })
    expect(until.size).toBe(0)
  })

  test('runs at once and again, whatever the server does, until it is stopped', async () => {
    let failures = 1
    interrupt = (_request, response) => {
      if (failures === 0) return false
      failures -= 1
      response.writeHead(401).end()
      return true
    }
    const bridge = startBridge({ ...options(), everyMs: 5 })
    await eventually(() => calls.some(({ fixes }) => fixes.length > 0))
    await bridge.stop()
    const { length } = seen
    await new Promise((done) => setTimeout(done, 30))
    expect(seen).toHaveLength(length)
  })

  test('a stop during a long answer does not wait for it', async () => {
    interrupt = () => true
    const bridge = startBridge(options())
    await eventually(() => seen.length === 1)
    await bridge.stop()
  })
})

/** The only device has been heard of at this time. */
function interruptDevices(lastUpdate: string): void {
  interrupt = (request, response) => {
    if (request.url !== '/api/devices') return false
    sendJson(response, [{ ...device, lastUpdate }])
    return true
  }
}

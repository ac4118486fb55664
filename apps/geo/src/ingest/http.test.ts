import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Fix } from '../positions/fix.ts'
import { ingestRoutes } from './http.ts'
import type { StoreMeta, StoreResult } from './store.ts'

const now = Date.UTC(2026, 10, 22, 12)
const stored: { uniqueId: string; fixes: readonly Fix[]; meta: StoreMeta }[] = []
let app: FastifyInstance
let answerOf: (uniqueId: string, fixes: readonly Fix[], meta: StoreMeta) => Partial<StoreResult>

beforeEach(async () => {
  stored.length = 0
  answerOf = () => ({})
  app = Fastify()
  await app.register(ingestRoutes, {
    now: () => now,
    store: async (uniqueId, fixes, meta) => {
      const result = { accepted: fixes.length, refused: [], ...answerOf(uniqueId, fixes, meta) }
      if (!result.unknownDevice && !result.badToken) stored.push({ uniqueId, fixes, meta })
      return result
    },
  })
})
afterEach(() => app.close())

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const post = (url: string, payload: unknown, headers: Record<string, string> = json) =>
  app.inject({ method: 'POST', url, headers, payload: typeof payload === 'string' ? payload : JSON.stringify(payload) })
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('OsmAnd and Traccar Client', () => {
  test('a stored position is answered with an empty 200', async () => {
    const answer = await get('/?id=phone&lat=-1.29&lon=36.82&timestamp=1795348790&speed=10')
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(stored).toMatchObject([
      {
        uniqueId: 'phone',
        fixes: [{ latitude: -1.29, speed: 18.52 }],
        meta: { protocol: 'osmand', remote: '127.0.0.1', token: null, isFeed: false, takesCommand: true, refused: [] },
      },
    ])
  })

  test('as a form, with and without a type, and with query and body together', async () => {
    expect((await post('/', 'id=phone&lat=-1.29&lon=36.82', form)).statusCode).toBe(200)
    expect((await post('/', 'id=phone&lat=-1.29&lon=36.82', { 'content-type': 'text/plain' })).statusCode).toBe(200)
    expect((await post('/?id=phone', 'lat=-1.29&lon=36.82', {})).statusCode).toBe(200)
    expect((await post('/ingest/osmand?id=phone&lat=-1.29&lon=36.82', '', form)).statusCode).toBe(200)
    expect(stored.map(({ fixes }) => fixes[0]?.latitude)).toEqual([-1.29, -1.29, -1.29, -1.29])
  })

  test("a pending command is the body of the query form's reply", async () => {
    answerOf = (_id, _fixes, { takesCommand }) => (takesCommand ? { command: 'positionSingle' } : {})
    const answer = await get('/?id=phone&lat=-1.29&lon=36.82')
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([200, 'positionSingle', 'text/plain; charset=utf-8'])
    expect((await post('/', { device_id: 'phone', location: { coords: { latitude: 1, longitude: 2 } } })).body).toBe('')
  })

  test('an unknown phone: 400 in the first form, 404 in JSON', async () => {
    answerOf = () => ({ unknownDevice: true })
    expect((await get('/?id=phone&lat=-1.29&lon=36.82')).statusCode).toBe(400)
    expect((await post('/', { device_id: 'phone', location: { coords: { latitude: 1, longitude: 2 } } })).statusCode).toBe(404)
  })

  test('malformed input is 400 and names the field', async () => {
    for (const [answer, field] of [
      [await get('/?lat=1&lon=2'), 'id'],
      [await get('/?id=a&lat=x&lon=2'), 'lat'],
      [await post('/', { device_id: 'a' }), 'location'],
      [await post('/', '{"device_id":'), 'body'],
      [await post('/', { hello: 1 }), 'body'],
      [await post('/', `{"device_id":"a","location":{"extras":{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`), 'body'],
    ] as const) {
      expect(answer.statusCode).toBe(400)
      expect(answer.body).toContain(field)
    }
    expect(stored).toEqual([])
  })

  test('a position that can never be used is 200, or the phone would repeat it for ever; it is counted and reported', async () => {
    const answer = await get('/?id=phone&lat=0&lon=0&alarm=sos')
    expect([answer.statusCode, answer.headers['x-refused']]).toEqual([200, '101 No position available'])
    expect(stored).toMatchObject([
      { fixes: [{ latitude: null, attributes: { alarm: 'sos' } }], meta: { refused: [{ index: 0, code: 101, field: 'position' }] } },
    ])
    const ahead = await post('/', {
      device_id: 'a',
      location: { timestamp: '2026-11-23T12:00:01Z', coords: { latitude: 1, longitude: 2 } },
    })
    expect([ahead.statusCode, ahead.headers['x-refused']]).toEqual([200, '101 fixTime lies more than 24 hours in the future'])
    expect(stored[1]?.fixes).toEqual([])
  })

  test('tokens of every kind reach the store, a wrong one is 401', async () => {
    await get('/?id=a&lat=1&lon=2&token=q')
    await get('/?id=a&lat=1&lon=2', { authorization: 'Bearer b' })
    await get('/?id=a&lat=1&lon=2', { authorization: `Basic ${Buffer.from('user:p:w').toString('base64')}` })
    await get('/?id=a&lat=1&lon=2', { 'x-api-key': 'k' })
    await get('/?id=a&lat=1&lon=2', { authorization: 'Basic !!' })
    expect(stored.map(({ meta }) => meta.token)).toEqual(['q', 'b', 'p:w', 'k', null])
    expect(stored[0]?.fixes[0]?.attributes).toEqual({})
    answerOf = () => ({ badToken: true })
    expect((await get('/?id=a&lat=1&lon=2&token=wrong')).statusCode).toBe(401)
  })

  test('a failed write is 503 and is repeated', async () => {
    answerOf = () => {
      throw new Error('Postgres is away')
    }
    const answer = await get('/?id=phone&lat=-1.29&lon=36.82')
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
    expect(answer.body).not.toContain('Postgres')
  })
})

describe('OwnTracks', () => {
  const message = { _type: 'location', tst: 1_795_348_800, lat: -1.29, lon: 36.82, tid: 'jp' }

  test('is answered with an empty list, also for its other messages', async () => {
    const answer = await post('/ingest/owntracks', message, { ...json, 'x-limit-u': 'jane', 'x-limit-d': 'phone' })
    expect([answer.statusCode, answer.json()]).toEqual([200, []])
    expect((await post('/?u=jane&d=tablet', message)).json()).toEqual([])
    expect((await post('/ingest/owntracks', { _type: 'lwt' })).json()).toEqual([])
    expect(stored.map(({ uniqueId, meta }) => [uniqueId, meta.protocol])).toEqual([
      ['owntracks/jane/phone', 'owntracks'],
      ['owntracks/jane/tablet', 'owntracks'],
    ])
  })

  test('an unknown phone and an encrypted message are 400', async () => {
    expect((await post('/ingest/owntracks', { _type: 'encrypted', data: 'x' })).statusCode).toBe(400)
    answerOf = () => ({ unknownDevice: true })
    expect((await post('/ingest/owntracks', message)).statusCode).toBe(400)
  })
})

describe('our batch', () => {
  const item = (uniqueId: string, minute: number, more: object = {}) => ({
    uniqueId,
    fixTime: now - 3_600_000 + minute * 60_000,
    latitude: -1.29,
    longitude: 36.82,
    ...more,
  })

  test('one store call per device, and a result per item in order', async () => {
    answerOf = (uniqueId) => (uniqueId === 'stranger' ? { unknownDevice: true } : {})
    const answer = await post('/ingest/positions', [
      item('a', 1),
      item('b', 1),
      item('a', 2, { latitude: 0, longitude: 0 }),
      item('stranger', 1),
      item('a', 3, { latitude: 'x' }),
      item('a', 4),
    ])
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({
      success: true,
      data: {
        accepted: 3,
        refused: 3,
        results: [
          { index: 0, status: 'accepted' },
          { index: 1, status: 'accepted' },
          { index: 2, status: 'refused', code: 101, message: 'No position available' },
          { index: 3, status: 'unknownDevice' },
          { index: 4, status: 'malformed', field: 'latitude' },
          { index: 5, status: 'accepted' },
        ],
      },
    })
    expect(stored.map(({ uniqueId, fixes }) => [uniqueId, fixes.length]).toSorted()).toEqual([
      ['a', 2],
      ['b', 1],
    ])
  })

  test('a refusal by the store is reported at its item, whatever was refused before', async () => {
    answerOf = () => ({ refused: [{ index: 1, code: 101, field: 'fixTime', message: 'older than what is kept' }] })
    const answer = await post('/ingest/positions', [item('a', 1, { latitude: 999 }), item('a', 2), item('a', 3)])
    expect(answer.json().data.results.map(({ status }: { status: string }) => status)).toEqual(['refused', 'accepted', 'refused'])
  })

  test('1,000 at once; more, none and invalid JSON are refused as a whole', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, index) =>
      item(`device-${index % 7}`, index / 60, { attributes: { note: 'x'.repeat(1_000) } }),
    )
    expect((await post('/ingest/positions', thousand)).json().data).toMatchObject({ accepted: 1_000, refused: 0 })
    expect(stored).toHaveLength(7)
    for (const [body, status] of [
      [[...thousand, item('a', 1)], 422],
      [[], 422],
      ['nonsense', 400],
    ] as const) {
      const answer = await post('/ingest/positions', body)
      expect(answer.statusCode).toBe(status)
      expect(answer.json()).toMatchObject({ success: false, fields: [{ message: expect.any(String) }] })
    }
  })

  test('all of an unknown device is 404, all with a wrong token 401, a failing store 503', async () => {
    answerOf = () => ({ unknownDevice: true })
    expect((await post('/ingest/positions', [item('a', 1)])).statusCode).toBe(404)
    answerOf = () => ({ badToken: true })
    expect((await post('/ingest/positions', [item('a', 1)])).statusCode).toBe(401)
    answerOf = (uniqueId) => {
      if (uniqueId === 'b') throw new Error('away')
      return {}
    }
    expect((await post('/ingest/positions', [item('a', 1), item('b', 1)])).statusCode).toBe(503)
  })
})

describe('a Traccar server', () => {
  const bearer = { authorization: 'Bearer company' }
  const position = {
    protocol: 'gt06',
    fixTime: '2026-11-22T11:00:00.000+00:00',
    valid: true,
    latitude: -1.29,
    longitude: 36.82,
    speed: 10,
    attributes: {},
  }
  const message = (uniqueId: string, more: object = {}) => ({
    position: { ...position, ...more },
    device: { uniqueId, name: `Car ${uniqueId}` },
  })

  test('a stored position is 200, whatever the configured content type', async () => {
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      expect((await post('/ingest/traccar/positions', message('a'), { ...bearer, 'content-type': type })).statusCode).toBe(200)
    }
    expect(stored[0]).toMatchObject({
      uniqueId: 'a',
      fixes: [{ speed: 18.52 }],
      meta: { protocol: 'traccar', isFeed: true, token: 'company', device: { name: 'Car a', protocol: 'gt06' } },
    })
  })

  test('without a token nothing is read, with a wrong one nothing is stored', async () => {
    expect((await post('/ingest/traccar/positions', message('a'))).statusCode).toBe(401)
    expect((await post('/ingest/traccar/events', message('a'))).statusCode).toBe(401)
    expect((await get('/ingest/traccar/positions?uniqueId=a')).statusCode).toBe(401)
    answerOf = () => ({ badToken: true })
    expect((await post('/ingest/traccar/positions', message('a'), { ...json, ...bearer })).statusCode).toBe(401)
    expect(stored).toEqual([])
  })

  test('what can never be stored is 202, so that Traccar does not repeat it and lose the others', async () => {
    answerOf = (uniqueId) => (uniqueId === 'stranger' ? { unknownDevice: true } : {})
    const unknown = await post('/ingest/traccar/positions', message('stranger'), { ...json, ...bearer })
    expect([unknown.statusCode, unknown.json().data.results[0].status]).toEqual([202, 'unknownDevice'])
    const nowhere = await post('/ingest/traccar/positions', [message('a', { latitude: 0, longitude: 0 }), message('a')], {
      ...json,
      ...bearer,
    })
    expect([nowhere.statusCode, nowhere.json().data.results.map(({ code }: { code?: number }) => code)]).toEqual([202, [101, undefined]])
  })

  test('a malformed message is 400 by field, a failing store 503', async () => {
    const answer = await post('/ingest/traccar/positions', message('a', { fixTime: 'x' }), { ...json, ...bearer })
    expect([answer.statusCode, answer.body]).toEqual([400, 'position.fixTime must be yyyy-MM-ddTHH:mm:ss.SSSZ'])
    answerOf = () => {
      throw new Error('away')
    }
    expect((await post('/ingest/traccar/positions', message('a'), { ...json, ...bearer })).statusCode).toBe(503)
  })

  test('invalid side data are cleaned like positions', async () => {
    const event = { type: 'al\0arm', eventTime: '2026-11-22T11:00:00.000+00:00', attributes: { 'a\0': '\uD800' } }
    await post('/ingest/traccar/events', { device: { uniqueId: 'a', name: `\0${'x'.repeat(300)}` }, event }, { ...json, ...bearer })
    expect(stored[0]?.meta).toMatchObject({ device: { name: 'x'.repeat(199) }, events: [{ type: 'alarm', attributes: { a: '\uFFFD' } }] })
    await get('/?id=a&notificationToken=a%00b')
    expect(stored[1]?.meta.pushToken).toBe('ab')
  })

  test('events are read with their data; the URL form is read', async () => {
    const event = { id: 5, type: 'alarm', eventTime: '2026-11-22T11:00:00.000+00:00', attributes: { alarm: 'sos' } }
    expect((await post('/ingest/traccar/events', { ...message('a'), event }, { ...json, ...bearer })).statusCode).toBe(200)
    expect(stored[0]).toMatchObject({
      fixes: [{ latitude: -1.29 }],
      meta: { events: [{ type: 'alarm', at: Date.UTC(2026, 10, 22, 11), attributes: { alarm: 'sos' } }] },
    })
    expect(
      (await get(`/ingest/traccar/positions?token=t&uniqueId=a&fixTime=${now}&latitude=-1.29&longitude=36.82&speed=10`)).statusCode,
    ).toBe(200)
    expect(stored[1]).toMatchObject({ fixes: [{ fixTime: now, speed: 18.52 }], meta: { token: 't' } })
  })
})

import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { person, syncWorld, type Device, type SyncWorld, pushBody } from './world.ts'

let world: SyncWorld
let device: Device
let url: string
beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  url = await world.app.listen()
})
afterAll(() => world.app.close())

const bodyOf = (changes: object[], more: object = {}) => ({ ...pushBody(device, changes, 1), ...more })
interface Told {
  results?: { status: string }[]
  code?: string
  message?: string
}
/** Sends bytes as they are, over a real connection. */
async function send(bytes: Buffer, headers: Record<string, string> = {}, path = '/api/sync/push') {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${device.client.token}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      ...headers,
    },
    body: new Uint8Array(bytes),
  })
  return { status: answer.status, body: (await answer.json()) as Told, encoding: answer.headers.get('content-encoding') }
}
const packed = (value: unknown) => gzipSync(JSON.stringify(value))
const leads = async () => Number((await world.app.database.admin.query('select count(*) from lead')).rows[0].count)

describe('a push that comes as gzip', () => {
  it('is taken as a plain one is, and counts once whichever way it comes again', async () => {
    const change = device.insert(person())
    const body = bodyOf([change])
    expect(packed(body).length).toBeLessThan(JSON.stringify(body).length)
    expect(await send(packed(body), { 'content-encoding': 'GZIP' })).toMatchObject({
      status: 200,
      body: { results: [{ status: 'applied' }] },
    })
    const again = await Promise.all(Array.from({ length: 5 }, () => send(packed(body))))
    expect(again.map((one) => one.body.results?.[0]?.status)).toEqual(Array.from({ length: 5 }, () => 'duplicate'))
    expect((await device.push([change])).results[0]).toMatchObject({ status: 'duplicate' })
  })

  it('is answered compressed, as what is pulled is', async () => {
    expect((await send(packed(bodyOf(Array.from({ length: 20 }, () => device.insert(person())))))).encoding).toMatch(/br|gzip/)
    const pulled = await fetch(`${url}/api/sync/pull`, { headers: { authorization: `Bearer ${device.client.token}` } })
    expect(pulled.headers.get('content-encoding')).toMatch(/br|gzip/)
  })

  it('may be as large as a plain one, counted as it inflates: a bomb is not inflated whole', async () => {
    const padded = (length: number) => bodyOf([], { lastError: 'x'.repeat(length) })
    // Too long a text, but not too large a body.
    expect((await send(packed(padded(2_000_000)))).status).toBe(422)
    expect(await send(packed(padded(2_097_152)))).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } })
    // 1 GB in a megabyte; five at once.
    const bomb = gzipSync(Buffer.alloc(16_777_216))
    const all = Buffer.concat(Array.from({ length: 64 }, () => bomb))
    const before = process.memoryUsage().arrayBuffers
    const begun = process.cpuUsage()
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(all)))
    expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413, 413])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64_000_000)
    expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000)
  })

  it('is refused in words where it is cut off, broken, no gzip, packed twice or too deep, and nothing of it is kept', async () => {
    const before = await leads()
    const whole = packed(bodyOf([device.insert(person())]))
    const broken = Buffer.from(whole)
    broken.fill(0x55, 20, 60)
    const wrongLength = Buffer.from(whole)
    wrongLength.writeUInt32LE(7, whole.length - 4)
    const deep = gzipSync('['.repeat(100) + ']'.repeat(100))
    const bad = [
      whole.subarray(0, -20),
      broken,
      wrongLength,
      Buffer.from(JSON.stringify(bodyOf([]))),
      gzipSync(whole),
      deep,
      gzipSync('{"a":'),
    ]
    for (const bytes of bad) expect(await send(bytes)).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect((await send(whole.subarray(0, -20))).body.message).toBe(
      'The body is not gzip, as its Content-Encoding says, or it is broken or cut off.',
    )
    expect((await send(gzipSync('{"__proto__": {"protocol": 1}}'))).status).toBe(400)
    expect((await send(gzipSync(''))).status).toBe(422)
    expect(await leads()).toBe(before)
  })

  it('is refused in any other encoding, or several: nobody guesses', async () => {
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'identity, gzip', 'x-gzip', 'constructor'])
      expect(await send(packed(bodyOf([])), { 'content-encoding': encoding })).toMatchObject({
        status: 415,
        body: { code: 'UNSUPPORTED_TYPE', message: 'This call does not take a body of that Content-Encoding.' },
      })
    expect((await send(Buffer.from(JSON.stringify(bodyOf([]))), { 'content-encoding': 'identity' })).status).toBe(200)
  })

  it('is inflated for nobody who may not send it, and at no other call', async () => {
    // Not one byte of it is gzip: whoever looked would say so.
    const nothing = Buffer.alloc(1_000_000, 7)
    expect(await send(nothing, { authorization: '' })).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
    expect(await send(nothing, { authorization: 'Bearer forged' })).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
    expect((await send(nothing, { 'x-tenant-id': crypto.randomUUID() })).status).toBe(403)
    expect((await send(nothing)).status).toBe(400)
    for (const path of ['/api/auth/login', '/api/leads', '/api/sync/dead-letter'])
      expect(await send(packed({ email: 'a@b.test', password: 'x' }), {}, path)).toMatchObject({ status: 415 })
  })

  it('that is longer than it says is refused', async () => {
    const whole = packed(bodyOf([device.insert(person())]))
    const answer = await world.app.http.inject({
      method: 'POST',
      url: '/api/sync/push',
      headers: {
        authorization: `Bearer ${device.client.token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': String(whole.length - 5),
      },
      payload: whole,
    })
    expect(answer.statusCode).toBe(400)
  })
})

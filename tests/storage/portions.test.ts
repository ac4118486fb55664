import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { storageArea } from '../../apps/server/src/areas/storage/index.ts'
import { forgetPortions } from '../../apps/server/src/areas/storage/portions.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { until } from '../support/until.ts'

interface Answer {
  status: number
  body: {
    code?: string
    fields?: { field: string }[]
    details?: { received?: number }
    data?: { received: number; file?: { Id: string; url: string; mimeType: string; size: number; name: string } }
  }
}
interface Sent {
  id: string
  bytes: Buffer
  name?: string
  sha256?: string
  size?: number
  more?: Record<string, string>
}

const mebibyte = 1_048_576
let app: TestApp
let url: string
let company: MadeTenant
let officer: SignedInClient
let colleague: SignedInClient

/** A picture of this many bytes. */
const photo = (length: number) => Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), randomBytes(length - 20)])
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine), storageArea] })
  url = await app.listen()
  company = await app.make.company()
  const branch = await app.make.tenant({ company, type: 3 })
  officer = await app.as(await app.make.user({ company, tenant: branch, role: 'officer' }))
  colleague = await app.as(await app.make.user({ company, tenant: branch, role: 'officer' }))
})
afterAll(() => app.close())

async function put(
  by: SignedInClient,
  { id, bytes, name = 'IMG_1.jpg', sha256 = hash(bytes), size = bytes.length, more = {} }: Sent,
  [from, to]: [number, number],
) {
  const query = new URLSearchParams({ offset: String(from), size: String(size), sha256, name, ...more })
  const response = await fetch(`${url}/api/storage-portions/${id}?${query}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes.subarray(from, to)),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}
const look = async (by: SignedInClient, id: string) =>
  (await by.get<{ received: number; file?: object }>(`/api/storage-portions/${id}`)).body.data
const rows = async (text: string, values: unknown[] = []) => (await app.database.admin.query(text, values)).rows
const fileOf = (length: number): Sent => ({ id: randomUUID(), bytes: photo(length) })

describe('a file in portions', () => {
  it('goes on where it was cut off, and is stored as an upload stores it, whole', async () => {
    const file = fileOf(2 * mebibyte + 4_711)
    expect(await look(officer, file.id)).toEqual({ received: 0 })
    expect(await put(officer, file, [0, mebibyte])).toMatchObject({ status: 200, body: { data: { received: mebibyte } } })
    expect(await look(officer, file.id)).toEqual({ received: mebibyte })
    await put(officer, file, [mebibyte, 2 * mebibyte])
    const last = await put(officer, file, [2 * mebibyte, file.bytes.length])
    expect(last.body.data).toMatchObject({
      received: file.bytes.length,
      file: { Id: file.id, mimeType: 'image/jpeg', size: file.bytes.length, name: 'IMG_1.jpg' },
    })
    const answer = await app.http.inject({ url: last.body.data?.file?.url ?? '', headers: { authorization: `Bearer ${officer.token}` } })
    expect(answer.rawPayload.equals(file.bytes)).toBe(true)
    expect(await rows('select from upload_portion')).toEqual([])
    // An answer that was lost: the same portion once more, and where it is.
    expect((await put(officer, file, [2 * mebibyte, file.bytes.length])).body.data).toMatchObject({ file: { Id: file.id } })
    expect(await look(officer, file.id)).toMatchObject({ received: file.bytes.length, file: { Id: file.id } })
    expect(await rows('select count(*)::int from stored_file where "id" = $1', [file.id])).toEqual([{ count: 1 }])
  })

  it('is one file when each portion comes five times at once', async () => {
    const file = fileOf(mebibyte + 9)
    for (const part of [
      [0, mebibyte],
      [mebibyte, mebibyte + 9],
    ] as [number, number][]) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => put(officer, file, part)))
      expect(answers.map(({ status, body }) => [status, body.data?.received])).toEqual(Array.from({ length: 5 }, () => [200, part[1]]))
    }
    expect(await rows('select count(*)::int from stored_file where "id" = $1', [file.id])).toEqual([{ count: 1 }])
    expect(await rows('select from upload_portion')).toEqual([])
  })

  it('begins anew when the bytes do not add up to what was meant', async () => {
    const file = fileOf(90_000)
    const damaged = { ...file, sha256: hash(photo(30)) }
    await put(officer, damaged, [0, 50_000])
    expect((await put(officer, damaged, [50_000, 90_000])).body).toMatchObject({ data: { received: 0 } })
    expect(await rows('select from stored_file where "id" = $1', [file.id])).toEqual([])
    expect((await put(officer, file, [0, 90_000])).body.data).toMatchObject({ received: 90_000, file: { Id: file.id } })
  })
})

describe('a portion is refused', () => {
  it('where one before it is missing, where it overlaps, and where it is of another file', async () => {
    const file = fileOf(30_000)
    expect(await put(officer, file, [10_000, 20_000])).toMatchObject({ status: 409, body: { details: { received: 0 } } })
    await put(officer, file, [0, 10_000])
    expect(await put(officer, file, [20_000, 30_000])).toMatchObject({ status: 409, body: { details: { received: 10_000 } } })
    expect(await put(officer, file, [5_000, 15_000])).toMatchObject({ status: 409, body: { details: { received: 10_000 } } })
    expect(await put(officer, { ...file, sha256: hash(photo(50)) }, [10_000, 20_000])).toMatchObject({ status: 409 })
    expect(await put(officer, { ...file, size: 40_000 }, [10_000, 20_000])).toMatchObject({ status: 409 })
    expect((await put(officer, file, [0, 10_000])).body.data).toEqual({ received: 10_000 })
  })

  it.each([
    ['size', { size: 5 }, [0, 10]],
    ['size', { size: 26_214_401 }, [0, 10]],
    ['sha256', { sha256: 'none' }, [0, 10]],
    ['body', {}, [0, 0]],
    ['name', { name: ' ' }, [0, 10]],
    ['ownerType', { more: { ownerType: 'nothing', ownerId: randomUUID() } }, [0, 10]],
  ] as const)('with the field: %s %j', async (field, over, part) => {
    const answer = await put(officer, { ...fileOf(1_000), ...over }, [...part])
    expect([answer.status, answer.body.fields?.[0]?.field]).toEqual([422, field])
  })

  it('beyond a mebibyte, of a type that is not taken, and without a session', async () => {
    expect((await put(officer, fileOf(mebibyte + 1), [0, mebibyte + 1])).status).toBe(413)
    const script = { id: randomUUID(), bytes: Buffer.from('<script>alert(1)</script>'.repeat(9)) }
    expect(await put(officer, script, [0, script.bytes.length])).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_TYPE' } })
    expect((await fetch(`${url}/api/storage-portions/${randomUUID()}`)).status).toBe(401)
  })

  it('into somebody else’s file: each has parts of their own, and the id is taken once', async () => {
    const file = fileOf(20_000)
    await put(officer, file, [0, 10_000])
    expect(await look(colleague, file.id)).toEqual({ received: 0 })
    const theirs = { id: file.id, bytes: photo(20_000) }
    expect(await put(colleague, theirs, [10_000, 20_000])).toMatchObject({ status: 409, body: { details: { received: 0 } } })
    expect((await put(officer, file, [10_000, 20_000])).body.data).toMatchObject({ file: { Id: file.id } })
    expect(await look(colleague, file.id)).toEqual({ received: 0 })
    expect(await put(colleague, theirs, [0, 20_000])).toMatchObject({ body: { code: 'ALREADY_EXISTS' } })
    const stranger = await app.as(
      await app.make.user({ tenant: await app.make.tenant({ company: await app.make.company(), type: 3 }), role: 'officer' }),
    )
    expect(await look(stranger, file.id)).toEqual({ received: 0 })
  })
})

it('what never became a file is thrown away after a week, and counts as stored until then', async () => {
  const file = fileOf(30_000)
  await put(officer, file, [0, 10_000])
  const [job] = await rows('select "payload", "runAt" from outbox where "type" = $1 and "payload"->>$2 = $3', [
    forgetPortions.name,
    'id',
    file.id,
  ])
  expect(Date.parse(job.runAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  expect(await rows('select sum("length")::int as held from upload_portion where "fileId" = $1', [file.id])).toEqual([{ held: 10_000 }])
  await rows('update outbox set "runAt" = now() where "type" = $1', [forgetPortions.name])
  const { services, queueStore, log } = app.machine
  const jobs = startJobs({ areas: app.areas, services, store: queueStore, log, sweepMs: 50 })
  await until(async () => (await rows('select from upload_portion where "fileId" = $1', [file.id])).length === 0)
  await jobs.close()
})

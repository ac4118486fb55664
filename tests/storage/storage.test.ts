import { createHash, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { storageArea } from '../../apps/server/src/areas/storage/index.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { getRaw } from '../support/raw.ts'
import { until } from '../support/until.ts'

let app: TestApp
let url: string
let company: MadeTenant, north: MadeTenant, south: MadeTenant
let officer: SignedInClient

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.from('0000000a49444154789c6300010000050001', 'hex'),
  Buffer.from('0d0a2db40000000049454e44ae426082', 'hex'),
])
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine), storageArea] })
  url = await app.listen()
  company = await app.make.company()
  north = await app.make.tenant({ company, type: 3 })
  south = await app.make.tenant({ company, type: 3 })
  officer = await app.as(await app.make.user({ company, tenant: north, role: 'officer' }))
})
afterAll(() => app.close())

async function send(client: SignedInClient, parts: [name: string, bytes: Buffer | string, type?: string][], query = '') {
  const form = new FormData()
  for (const [name, bytes, type = 'application/octet-stream'] of parts)
    form.append('file', new Blob([new Uint8Array(Buffer.from(bytes))], { type }), name)
  const response = await fetch(`${url}/api/storage/upload${query}`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${client.token}` },
  })
  return {
    status: response.status,
    body: (await response.json()) as {
      code?: string
      fields?: { field: string }[]
      data: { files: { Id: string; path: string; url: string; mimeType: string; name: string }[] }
    },
  }
}

const stored = async () =>
  (await readdir(join(app.machine.env.DATA_DIR, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isFile(),
  ).length
const rowCount = async () => Number((await app.database.admin.query('select count(*) from stored_file')).rows[0].count)

test('a file goes in and comes back as an attachment that no browser runs', async () => {
  const { status, body } = await send(officer, [['my photo.PNG', png, 'text/html']])
  expect(status).toBe(200)
  const [file] = body.data.files
  expect(file).toMatchObject({ mimeType: 'image/png', name: 'my photo.PNG' })
  const answer = await app.http.inject({ url: file?.url ?? '', headers: { authorization: `Bearer ${officer.token}` } })
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload.equals(png)).toBe(true)
  expect(answer.headers).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="my photo.PNG"/)
})

test('a file that a device names itself is stored once, however often and however it arrives', async () => {
  const id = randomUUID()
  const sha256 = createHash('sha256').update(png).digest('hex')
  const [rows, files] = [await rowCount(), await stored()]
  const sent = await Promise.all(Array.from({ length: 5 }, () => send(officer, [['visit.png', png]], `?id=${id}&sha256=${sha256}`)))
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(sent.map(({ body }) => body.data.files[0]?.path))).toEqual(new Set([`uploads/${id}/visit.png`]))
  expect([(await rowCount()) - rows, (await stored()) - files]).toEqual([1, 1])
  // Other bytes under the same name, damaged bytes, and two files under one id are refused and leave nothing.
  expect(await send(officer, [['visit.pdf', pdf]], `?id=${id}`)).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS' } })
  expect(await send(officer, [['visit.png', png]], `?id=${randomUUID()}&sha256=${'0'.repeat(64)}`)).toMatchObject({
    status: 422,
    body: { fields: [{ field: 'sha256' }] },
  })
  expect(
    await send(
      officer,
      [
        ['a.png', png],
        ['b.png', png],
      ],
      `?id=${randomUUID()}`,
    ),
  ).toMatchObject({ status: 422, body: { fields: [{ field: 'id' }] } })
  expect([(await rowCount()) - rows, (await stored()) - files]).toEqual([1, 1])
  const elsewhere = await app.as(await app.make.user({ company: await app.make.company(), role: 'officer' }))
  expect((await send(elsewhere, [['visit.pdf', pdf]], `?id=${id}`)).status).toBe(200)
})

test('another branch, another company and nobody do not find it; the whole company does', async () => {
  const path = (await send(officer, [['a.pdf', pdf]])).body.data.files[0]?.url ?? ''
  const status = async (client: { get(path: string): Promise<{ status: number }> }) => (await client.get(path)).status
  expect(await status(await app.as(await app.make.user({ company, tenant: company, role: 'md' })))).toBe(200)
  expect(await status(await app.as(await app.make.user({ company, tenant: south, role: 'officer' })))).toBe(404)
  expect(await status(await app.as(await app.make.user({ company: await app.make.company(), role: 'admin' })))).toBe(404)
  expect(await status(app.nobody)).toBe(401)
})

test('email-attachments is the other name of email-attachment', async () => {
  const { path } = (await send(officer, [['a.pdf', pdf]])).body.data.files[0] ?? { path: '' }
  await app.database.admin.query(`update stored_file set path = 'email-attachment/1/a.pdf' where path = $1`, [path])
  expect((await officer.get('/api/storage/email-attachments/1/a.pdf')).status).toBe(200)
  expect((await officer.get('/api/storage/email-attachment/1/a.pdf')).status).toBe(200)
})

test('40 traversal strings reach nothing', async () => {
  const climbs = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..%5c', '..\\', '%252e%252e%252f', '..;/', '....//', '%c0%ae%c0%ae/']
  const targets = ['etc/passwd', 'secrets.json', 'files/arriving', 'postgres/postgresql.conf']
  const strings = climbs.flatMap((climb) => targets.map((target) => `${climb.repeat(6)}${target}`))
  expect(strings).toHaveLength(40)
  for (const string of [...strings, 'uploads/%00', 'uploads/a%00.pdf', 'x'.repeat(450)]) {
    const { status, text } = await getRaw(url, `/api/storage/${string}`, officer.token)
    expect([string, [400, 404].includes(status)]).toEqual([string, true])
    expect(text).not.toMatch(/root:|masterSecret|shared_buffers/)
  }
})

test('hostile files are refused, and leave neither bytes nor rows', async () => {
  const [bytesBefore, rowsBefore] = [await stored(), await rowCount()]
  const html = '<html><script>alert(1)</script></html>'
  const hostile: [string, Buffer | string, string?][] = [
    ['x.html', html, 'text/html'],
    ['x.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
    ['x.png', html, 'image/png'],
    ['x.jpg', '<svg/>', 'image/jpeg'],
    ['x.pdf', html, 'application/pdf'],
    ['x.pdf', png],
    ['x.png', pdf],
    ['x.js', 'alert(1)'],
    ['x.exe', Buffer.from('MZ\x90\x00')],
    ['x.txt', Buffer.from('MZ\x00\x00')],
    ['x.txt', png],
    ['x.csv', Buffer.from([0xff, 0xfe, 0x00, 0x41])],
    ['x', pdf],
    ['x.pdf.exe', pdf],
    ['x.docx', Buffer.from('PK\x03\x04aaaa')],
    ['x.zip', Buffer.from('504b0304', 'hex')],
    ['x.php', '<?php system($_GET[0]);'],
    ['x.htaccess', 'AddType'],
    ['.htaccess', 'AddType'],
    ['x.pdf\0.exe', pdf],
    ['x.PNG ', html],
  ]
  for (const [name, bytes, type] of hostile) {
    const { status, body } = await send(officer, [[name, bytes, type]])
    expect([name, status, body.code]).toEqual([name, 415, 'UNSUPPORTED_TYPE'])
  }
  expect((await send(officer, [['empty.txt', '']])).status).toBe(422)
  expect(
    (
      await send(officer, [
        ['good.pdf', pdf],
        ['bad.exe', 'MZ'],
      ])
    ).status,
  ).toBe(415)
  expect([await stored(), await rowCount()]).toEqual([bytesBefore, rowsBefore])
})

test('names are cut to what a path and a header can carry', async () => {
  for (const name of ['../../etc/passwd.pdf', '..\\..\\x.pdf', 'a"b\r\nx: y.pdf', `${'n'.repeat(300)}.pdf`]) {
    const [file] = (await send(officer, [[name, pdf]])).body.data.files
    expect(file?.name).toMatch(/^[\w .()-]{1,100}$/)
    expect((await officer.get(file?.url ?? '')).status).toBe(200)
  }
})

test('a file beyond 25 MiB is TOO_LARGE, and a cut upload leaves nothing', async () => {
  const [bytesBefore, rowsBefore] = [await stored(), await rowCount()]
  const large = await send(officer, [['large.txt', Buffer.alloc(26_214_401, 'a')]])
  expect([large.status, large.body.code]).toEqual([413, 'TOO_LARGE'])
  for (const share of [0.01, 0.5, 0.99]) await cutUpload(share)
  await until(async () => (await stored()) === bytesBefore)
  expect(await rowCount()).toBe(rowsBefore)
})

test('a full company gets NO_SPACE', async () => {
  const full = await app.make.company()
  const client = await app.as(await app.make.user({ company: full, role: 'admin' }))
  await app.make.row('stored_file', {
    companyId: full.id,
    id: crypto.randomUUID(),
    tenantId: full.id,
    storageKey: 'x',
    path: 'x',
    name: 'x',
    mimeType: 'x',
    size: 5 * 1024 ** 3,
    sha256: Buffer.alloc(32),
  })
  const { status, body } = await send(client, [['a.pdf', pdf]])
  expect([status, body.code]).toEqual([507, 'NO_SPACE'])
  expect(body).toMatchObject({
    message: `The storage of your company is full: 5 GB of 5 GB are used, ${pdf.length} B more do not fit.`,
    details: { used: '5 GB', most: '5 GB', size: `${pdf.length} B` },
  })
})

async function cutUpload(share: number): Promise<void> {
  const body = Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="cut.txt"\r\ncontent-type: text/plain\r\n\r\n'),
    Buffer.alloc(200_000, 'a'),
    Buffer.from('\r\n--b--\r\n'),
  ])
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const head = `POST /api/storage/upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${officer.token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${body.length}\r\n\r\n`
  await new Promise<void>((done) =>
    socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, Math.floor(body.length * share))]), () => done()),
  )
  await new Promise((done) => setTimeout(done, 150))
  socket.destroy()
}

test('a file belongs to a record that the sender sees, or to none', async () => {
  const [rows, files] = [await rowCount(), await stored()]
  const lead = await app.make.lead({ tenant: await app.make.tenant({ company: await app.make.company() }) })
  for (const [query, field] of [
    [`?ownerType=lead&ownerId=${randomUUID()}`, 'ownerId'],
    [`?ownerType=lead&ownerId=${lead.id}`, 'ownerId'],
    [`?ownerType=dragon&ownerId=${lead.id}`, 'ownerType'],
    [`?ownerId=${lead.id}`, 'ownerType'],
  ]) {
    const { status, body } = await send(officer, [['visit.png', png]], query)
    expect([query, status, body.fields?.map((one) => one.field)]).toEqual([query, 422, [field]])
  }
  expect([await rowCount(), await stored()]).toEqual([rows, files])
})

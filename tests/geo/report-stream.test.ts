import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readGeoReport } from '../../apps/server/src/kernel/geo-client/report-stream.ts'
import type { MadeTenant } from '../support/make.ts'
import { until } from '../support/until.ts'
import { at, makeReportWorld, readAll } from './support/report-world.ts'

const { stack, admin, sent, makeDevice, ticket } = await makeReportWorld()
afterAll(() => stack.close())

describe('the stream', () => {
  let many: string
  let other: MadeTenant
  beforeAll(async () => {
    other = await stack.app.make.company()
    many = await makeDevice('MANY', other)
    await sent(
      `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "isValid", "more") select $1, $2, $3::timestamptz + n * interval '1 second', -1.3, 36.8, true, '{"ignition":true}' from generate_series(1, 60000) n returning null as "id"`,
      [other.id, many, new Date(at(2, 1))],
    )
  })
  const cursors = async () =>
    Number(
      (
        await sent<{ count: string }>(
          `select count(*) from pg_stat_activity where usename = 'fx_geo' and state <> 'idle' and datname = current_database()`,
          [],
        )
      )[0]!.count,
    )

  test('has as many rows as its end states', async () => {
    const { rows } = await readGeoReport(ticket('positions', {}, { tenant: other }))
    let count = 0
    for await (const row of rows) {
      count += 1
      expect(row.device).toBe('MANY')
    }
    expect(count).toBe(60_000)
    await until(async () => (await cursors()) === 0)
  })

  test('is produced no faster than it is read, and ends with its reader', async () => {
    const { rows } = await readGeoReport(ticket('positions', {}, { tenant: other }))
    await rows.next()
    await until(async () => (await cursors()) === 1)
    await new Promise((done) => setTimeout(done, 300))
    // The cursor waits, half read, for whoever reads it.
    expect(await cursors()).toBe(1)
    await rows.return(undefined)
    await until(async () => (await cursors()) === 0)
  })

  test('reports beyond the limit wait, and calls continue in the meantime', async () => {
    // The server has its connections from here on: opening one while four reports are read may take longer than a call waits for it.
    expect((await admin.get('/geo/devices')).status).toBe(200)
    const open = await Promise.all(Array.from({ length: 4 }, () => readGeoReport(ticket('positions', {}, { tenant: other }))))
    for (const { rows } of open) await rows.next()
    const waiting = readGeoReport(ticket('battery', {}, { tenant: other }))
    expect((await admin.get('/geo/devices')).status).toBe(200)
    await open[0]!.rows.return(undefined)
    expect(await readAll((await waiting).rows)).toEqual([])
    for (const { rows } of open) await rows.return(undefined)
  })
})

describe('a stream that breaks', () => {
  let answerer: (answer: ServerResponse) => void
  const server = createServer((_request, answer) => answerer(answer))
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
  afterAll(() => void server.close())
  beforeEach(() => server.closeAllConnections())
  const read = async () => {
    const { rows } = await readGeoReport({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, token: 'x', requestId: 'x' })
    return readAll(rows)
  }
  const head = '{"columns":[{"name":"km","label":"Distance","kind":"number","unit":"km"}]}\n'
  const say =
    (...lines: string[]) =>
    (answer: ServerResponse) =>
      void answer.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines.join(''))

  test('is recognised by its missing end', async () => {
    answerer = say(head, '[1]\n', '\n', '[2]\n', '{"end":true,"rows":2}\n')
    expect(await read()).toEqual([{ km: 1 }, { km: 2 }])
    const broken: [string, typeof answerer][] = [
      ['no end', say(head, '[1]\n')],
      ['a row less than it says', say(head, '[1]\n', '{"end":true,"rows":2}\n')],
      ['cut within a row', say(head, '[1]\n[2')],
      ['no columns', say('[1]\n')],
      ['nothing', say()],
      ['no JSON', say(head, '<html>\n')],
      ['another type', (answer) => void answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
      [
        'cut off',
        (answer) => {
          answer.writeHead(200, { 'content-type': 'application/x-ndjson' }).write(`${head}[1]\n`)
          setTimeout(() => answer.destroy(), 20)
        },
      ],
    ]
    for (const [what, how] of broken) {
      answerer = how
      await expect(read(), what).rejects.toMatchObject({ failure: 'GEO_UNAVAILABLE' })
    }
  })

  test('only real refusals of the service are passed on', async () => {
    const refused =
      (status: number, body: object): typeof answerer =>
      (answer) =>
        void answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    answerer = refused(422, { code: 'INVALID', message: 'no', fields: [{ field: 'to', message: 'is before from' }] })
    await expect(read()).rejects.toMatchObject({ failure: 'INVALID', more: { fields: [{ field: 'to' }] } })
    for (const trouble of [refused(401, { code: 'NO_SESSION' }), refused(500, { code: 'INTERNAL' }), refused(404, { code: 'INVALID' })]) {
      answerer = trouble
      await expect(read()).rejects.toMatchObject({ failure: 'GEO_UNAVAILABLE' })
    }
  })
})

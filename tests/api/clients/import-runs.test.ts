import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import type { Client } from '../../support/app.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

interface Run {
  Id: string
  isTrial: boolean
  status: string
  total: number
  done: number
  counts: Record<string, number>
  rows: { row: number; verdict: string; cells: string[]; problems: { field: string; message: string }[] }[]
}
const path = '/api/clients/import/runs'
const headings = ['First name', 'Last name', 'Phone', 'Shoe size', 'ID']
const mapping = ['firstName', 'lastName', 'phonenumber', null, 'idNumber']
let phones = 70_000_000
const person = (over: { phone?: string; id?: string; last?: string } = {}) => [
  'Akinyi',
  over.last ?? 'Ouma',
  over.phone ?? `07${(phones += 1)}`,
  '42',
  over.id ?? '',
]
const many = (count: number) => Array.from({ length: count }, () => person())
const start = (cells: string[][], over: object = {}, by: Client = world.as.manager) =>
  by.post<{ run: Run }>(path, {
    fileName: 'people.csv',
    headings,
    mapping,
    options: {},
    rows: cells.map((one, index) => ({ row: index + 2, cells: one })),
    ...over,
  })
const post = (id: string, what: string, by: Client = world.as.manager) => by.post<{ run: Run }>(`${path}/${id}/${what}`, {})
const read = async (id: string, by: Client = world.as.manager) => (await by.get<{ run: Run }>(`${path}/${id}`)).body.data.run
const clients = async (cells: string[][]) =>
  (
    await world.app.database.admin.query<{ count: number }>(
      'select count(*)::int as count from client where "companyId" = $1 and "phonenumber" = any($2)',
      [world.company.id, cells.map(([, , phone]) => phone)],
    )
  ).rows[0]?.count

/** Runs what waits as a worker does, with the rights of who asked; `until`: aborted once so many portions are written, as by kill -9. */
async function work(until = Infinity): Promise<void> {
  const { app } = world
  const definition = app.areas.flatMap(({ jobs }) => jobs).find(({ name }) => name === 'clients.import')
  const { rows } = await app.database.admin.query<{ id: string; userId: string; payload: { tenantId: string; runId: string } }>(
    `update outbox set status = 'done' where "companyId" = $1 and type = 'clients.import' and status = 'new' returning id, "userId", payload`,
    [world.company.id],
  )
  for (const { id, userId, payload } of rows) {
    const ctx = await makeJobCtx(app.services, { companyId: world.company.id, userId, tenantId: payload.tenantId })
    let left = until
    const signal = {
      aborted: false,
      throwIfAborted: () => {
        if ((left -= 1) <= 0) throw new Error('killed')
      },
    } as unknown as AbortSignal
    const done = definition?.run(ctx, payload, { id, attempt: 1, signal })
    if (until === Infinity) await done
    else await expect(done).rejects.toThrow('killed')
  }
}
const imported = async (cells: string[][], over: object = {}, by: Client = world.as.manager) => {
  const begun = await start(cells, over, by)
  expect(begun.status, begun.text).toBe(200)
  const { Id } = begun.body.data.run
  await work()
  expect((await post(Id, 'commit', by)).status).toBe(200)
  await work()
  return read(Id, by)
}

describe('an import of clients by a job', () => {
  it('tries the whole file first and writes nothing, then makes each good row once and gives the others back with their cells', async () => {
    const twice = person()
    const cells = [...many(500), person({ last: '' }), twice]
    // The same person in another portion of 500 rows.
    cells[3] = person({ phone: twice[2] })
    const begun = await start(cells)
    const { Id } = begun.body.data.run
    expect(begun.body.data.run).toMatchObject({ isTrial: true, status: 'queued', total: 502, done: 0 })
    await work()
    const tried = await read(Id)
    expect(tried).toMatchObject({ isTrial: true, status: 'done', done: 502, counts: { make: 500, refuse: 2 } })
    expect(
      tried.rows.filter(({ verdict }) => verdict === 'refuse').map(({ row, cells: own, problems }) => [row, own, problems[0]?.field]),
    ).toEqual([
      [502, cells[500], 'lastName'],
      [503, cells[501], 'phonenumber'],
    ])
    expect(await clients(cells)).toBe(0)
    expect((await post(Id, 'commit')).body.data.run).toMatchObject({ isTrial: false, status: 'queued', done: 0 })
    await work()
    expect(await read(Id)).toMatchObject({ status: 'done', done: 502, counts: { make: 500, refuse: 2 } })
    expect(await clients(cells)).toBe(500)
    const { rows: audits } = await world.app.database.admin.query(
      `select count(*)::int as count from audit_log a join client c on c.id::text = a."objectId" where a."companyId" = $1 and a."action" = 'client.create' and a."source" = 'import' and c."phonenumber" = any($2)`,
      [world.company.id, cells.map(([, , phone]) => phone)],
    )
    expect(audits).toEqual([{ count: 500 }])
    const { rows: news } = await world.app.database.admin.query('select message, link from notification where "companyId" = $1', [
      world.company.id,
    ])
    expect(news).toContainEqual({ message: 'people.csv: 500 rows imported, 2 not taken', link: `/clients/import?run=${Id}` })
  })

  it('goes on after a kill with the first portion that was not written, no row twice; two workers at once write each once', async () => {
    const cells = many(1_010)
    const { Id } = (await start(cells)).body.data.run
    await work(1)
    expect(await read(Id)).toMatchObject({ status: 'running', done: 500 })
    const again = async () =>
      world.app.database.admin.query(
        `update outbox set status = 'new' where "companyId" = $1 and type = 'clients.import' and payload ->> 'runId' = $2`,
        [world.company.id, Id],
      )
    await again()
    await work()
    expect(await read(Id)).toMatchObject({ status: 'done', done: 1_010, counts: { make: 1_010 } })
    await post(Id, 'commit')
    await work(1)
    expect([await clients(cells), (await read(Id)).done]).toEqual([500, 500])
    await again()
    await Promise.all([work(), work()])
    expect(await read(Id)).toMatchObject({ status: 'done', done: 1_010, counts: { make: 1_010 } })
    expect(await clients(cells)).toBe(1_010)
  })

  it('is cancelled between portions and goes on with the rows that are left; each step is taken once by five at a time', async () => {
    const cells = many(510)
    const { Id } = (await start(cells)).body.data.run
    const five = (what: string) => Promise.all(Array.from({ length: 5 }, () => post(Id, what)))
    expect((await post(Id, 'commit')).body.code).toBe('CONFLICT')
    await work()
    const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted()
    expect(statuses(await five('commit'))).toEqual([200, 409, 409, 409, 409])
    await work(1)
    expect(statuses(await five('cancel'))).toEqual([200, 409, 409, 409, 409])
    await work()
    expect(await read(Id)).toMatchObject({ status: 'cancelled', done: 500 })
    expect(await clients(cells)).toBe(500)
    expect(statuses(await five('resume'))).toEqual([200, 409, 409, 409, 409])
    await work()
    expect(await read(Id)).toMatchObject({ status: 'done', done: 510, counts: { make: 510 } })
    expect(await clients(cells)).toBe(510)
  })

  it('is its person’s alone, under their rights as they are when it is written', async () => {
    const { as } = world
    const { Id } = (await start(many(2))).body.data.run
    for (const who of [as.officer, as.admin, as.elsewhere, as.foreign])
      for (const what of ['commit', 'cancel', 'resume']) expect((await post(Id, what, who)).status).toBe(404)
    expect((await as.admin.get(`${path}/${Id}`)).status).toBe(404)
    await post(Id, 'cancel')
    const role = await world.app.make.role({ company: world.company, name: 'creators', permissions: ['CLIENTS', 'CLIENTS/CREATE'] })
    const creator = await world.app.as(await world.app.make.user({ tenant: world.branch, role }))
    expect((await start(many(1), { options: { duplicates: 'update' } }, creator)).status).toBe(403)
    const cells = many(2)
    const begun = (await start(cells, {}, creator)).body.data.run
    await work()
    await post(begun.Id, 'commit', creator)
    await world.app.database.admin.query('delete from role_permission where "roleId" = $1 and "hierarchy" = $2', [
      role.id,
      'CLIENTS/CREATE',
    ])
    world.app.services.identities.forget({ companyId: world.company.id, userId: creator.user.id })
    await expect(work()).rejects.toThrow()
    expect(await clients(cells)).toBe(0)
  })

  it('passes over or changes who is a client already, as one says', async () => {
    const [known] = many(1)
    if (!known) return
    expect((await imported([known])).counts).toEqual({ make: 1 })
    expect((await imported([known], { options: { duplicates: 'skip' } })).counts).toEqual({ skip: 1 })
    expect((await imported([known], { options: { duplicates: 'update' } })).counts).toEqual({ update: 1 })
    expect((await imported([known])).rows).toMatchObject([{ verdict: 'refuse', existing: { name: 'Akinyi Ouma' } }])
  })

  it('refuses by its field what is no file: no rows, a field or a row twice, columns that do not fit, a third at a time', async () => {
    const fields = async (cells: string[][], over: object) =>
      (await start(cells, over)).body.fields?.map(({ field }) => field.split('.')[0])
    expect(await fields([], {})).toEqual(['rows'])
    expect(await fields(many(1), { mapping: ['firstName', 'firstName', 'phonenumber', null, null] })).toEqual(['mapping'])
    expect(await fields(many(1), { mapping: ['firstName'] })).toEqual(['mapping'])
    expect(await fields(many(1), { mapping: ['tenantId', null, null, null, null] })).toEqual(['mapping'])
    expect(await fields(many(1), { rows: [2, 2].map((row) => ({ row, cells: person() })) })).toEqual(['rows'])
    const six = await Promise.all(Array.from({ length: 6 }, () => start(many(1))))
    expect(six.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429, 429])
  })
})

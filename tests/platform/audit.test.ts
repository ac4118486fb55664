import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appendAudit, redactSecrets, verifyAuditChain } from '@outpost/platform/audit'
import { anchorAudit, anchorStore, knownCompanies, verifyAudit, type AnchorStore } from '@outpost/platform/audit-anchors'
import { createLog } from '@outpost/platform/log'
import { readerIn, transactionIn } from '@outpost/platform/db/context'
import { createMake } from '../support/make.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

const contextOf = (company: string) => ({ company, scope: '*', user: null, tenant: null }) as const
const entry = (companyId: string, action: string) => ({
  companyId,
  userId: randomUUID(),
  action,
  objectType: 'lead',
  objectId: randomUUID(),
  before: null,
  after: { b: 1, a: 'ü', password: 'x' },
})
const verify = (company: string) => verifyAuditChain(readerIn(db.pools.app, contextOf(company)))

test('40 parallel writers of two companies leave two intact chains', async () => {
  const [one, two] = [randomUUID(), randomUUID()]
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const company = n % 2 ? one : two
      return transactionIn(db.pools.app, contextOf(company), (sql) =>
        appendAudit(sql, [entry(company, 'lead.create'), entry(company, 'lead.update')]),
      )
    }),
  )
  expect(await verify(one)).toEqual([])
  const { rows } = await db.admin.query('select seq::int from audit_log where "companyId" = $1 order by seq', [one])
  expect(rows.map((row: { seq: number }) => row.seq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
})

test('a changed, a removed and a rewritten row are each detected', async () => {
  const company = randomUUID()
  await transactionIn(db.pools.app, contextOf(company), (sql) =>
    appendAudit(
      sql,
      Array.from({ length: 6 }, () => entry(company, 'lead.update')),
    ),
  )
  await db.admin.query(`update audit_log set after = '{}' where "companyId" = $1 and seq = 2`, [company])
  expect(await verify(company)).toEqual([{ companyId: company, seq: 2, reason: 'content' }])
  await db.admin.query(`delete from audit_log where "companyId" = $1 and seq = 4`, [company])
  expect(await verify(company)).toContainEqual({ companyId: company, seq: 5, reason: 'chain' })
})

test('the source of an act is part of the chain, beside older rows without a source', async () => {
  const company = randomUUID()
  const entries = ['online', null, 'sync', undefined].map((source) => ({ ...entry(company, 'lead.update'), source }))
  await transactionIn(db.pools.app, contextOf(company), (sql) => appendAudit(sql, entries))
  expect(
    (await db.admin.query('select source from audit_log where "companyId" = $1 order by seq', [company])).rows.map(({ source }) => source),
  ).toEqual(['online', null, 'sync', null])
  expect(await verify(company)).toEqual([])
  await db.admin.query(
    `update audit_log set source = case seq when 1 then null else 'online' end where "companyId" = $1 and seq in (1, 2)`,
    [company],
  )
  expect((await verify(company)).map(({ seq, reason }) => [seq, reason])).toEqual([
    [1, 'content'],
    [2, 'content'],
  ])
})

test('the app may add but neither change nor remove', async () => {
  const company = randomUUID()
  await transactionIn(db.pools.app, contextOf(company), (sql) => appendAudit(sql, entry(company, 'lead.create')))
  for (const text of ['update audit_log set action = $1', 'delete from audit_log where action <> $1']) {
    const act = transactionIn(db.pools.app, contextOf(company), (sql) => sql.exec({ text, values: ['x'] }))
    await expect(act).rejects.toThrow(/permission denied/)
  }
})

test('secrets never reach the table', async () => {
  expect(redactSecrets({ a: [{ refreshToken: 1, name: 'n' }], passwordHash: 'h' })).toEqual({
    a: [{ refreshToken: '[struck out]', name: 'n' }],
    passwordHash: '[struck out]',
  })
})

describe('anchors outside the database', () => {
  const log = createLog({ level: 'silent' })
  let folder: string, store: AnchorStore, file: string
  const stores: string[] = []
  /** A chain of six entries that was anchored at the fourth and at the last. */
  async function anchored(): Promise<string> {
    folder = await mkdtemp(join(tmpdir(), 'outpost-anchors-'))
    stores.push(folder)
    store = anchorStore(folder, db.secret)
    file = join(folder, 'audit/anchors.jsonl')
    const { id: company } = await createMake(db).company()
    for (const count of [4, 2]) {
      await transactionIn(db.pools.app, contextOf(company), (sql) =>
        appendAudit(
          sql,
          Array.from({ length: count }, () => entry(company, 'lead.update')),
        ),
      )
      await anchorAudit(store, db.pools, { log })
    }
    return company
  }
  afterAll(() => Promise.all(stores.map((one) => rm(one, { recursive: true, force: true }))))
  const find = (company: string) => verifyAudit(store, readerIn(db.pools.app, contextOf(company)), company)
  const reasons = async (company: string) => [...new Set((await find(company)).breaks.map(({ reason }) => reason))]

  test('match an intact chain, and are not repeated while it does not grow', async () => {
    const company = await anchored()
    await anchorAudit(store, db.pools, { log })
    expect(await find(company)).toEqual({ entries: 6, anchors: 2, breaks: [] })
    expect(await knownCompanies(store, db.pools)).toContain(company)
  })

  test('detect a truncated end, which the chain alone does not', async () => {
    const company = await anchored()
    await db.admin.query('delete from audit_log where "companyId" = $1 and seq > 4', [company])
    expect(await verify(company)).toEqual([])
    expect((await find(company)).breaks).toEqual([{ companyId: company, seq: 6, reason: 'truncated' }])
  })

  test('detect a chain that was deleted as a whole, and a rewritten one', async () => {
    const company = await anchored()
    await db.admin.query('delete from audit_log where "companyId" = $1', [company])
    expect((await find(company)).breaks.map(({ seq, reason }) => [seq, reason])).toEqual([
      [4, 'truncated'],
      [6, 'truncated'],
    ])
    expect(await knownCompanies(store, db.pools)).toContain(company)
    await transactionIn(db.pools.app, contextOf(company), (sql) =>
      appendAudit(
        sql,
        Array.from({ length: 6 }, () => entry(company, 'lead.update')),
      ),
    )
    expect(await verify(company)).toEqual([])
    expect(await reasons(company)).toEqual(['rewritten'])
  })

  test('are detected when changed, removed or inserted, and then none is added', async () => {
    const company = await anchored()
    const text = await readFile(file, 'utf8')
    const lines = text.trim().split('\n')
    const last = JSON.parse(lines.at(-1)!) as Record<string, unknown>
    for (const forged of [
      lines.slice(1),
      lines.with(-1, JSON.stringify({ ...last, seq: 4 })),
      [...lines, JSON.stringify(last)],
      [...lines, 'no json'],
    ]) {
      await writeFile(file, `${forged.join('\n')}\n`)
      expect(await reasons(company), forged.join()).toContain('anchor')
      await transactionIn(db.pools.app, contextOf(company), (sql) => appendAudit(sql, entry(company, 'lead.update')))
      await anchorAudit(store, db.pools, { log })
      expect((await readFile(file, 'utf8')).trim().split('\n')).toEqual(forged)
    }
    await writeFile(file, text)
    expect(await find(company)).toMatchObject({ anchors: 2, breaks: [] })
  })

  test('of another secret are invalid', async () => {
    const company = await anchored()
    store = anchorStore(folder, 'another secret of thirty-two characters')
    expect(await reasons(company)).toEqual(['anchor'])
  })
})

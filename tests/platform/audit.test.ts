import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendAudit, strikeSecrets, verifyAuditChain } from '@outpost/platform/audit'
import { readerIn, transactionIn } from '@outpost/platform/db/context'
import { testDatabase, type TestDatabase } from '../support/db.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

const contextOf = (company: string) => ({ company, scope: '*', user: null, tenant: null }) as const
const entry = (companyId: string, action: string) =>
  ({ companyId, userId: randomUUID(), action, objectType: 'lead', objectId: randomUUID(), before: null, after: { b: 1, a: 'ü', password: 'x' } })
const verify = (company: string) => verifyAuditChain(readerIn(db.pools.app, contextOf(company)))

test('40 parallel writers of two companies leave two whole chains', async () => {
  const [one, two] = [randomUUID(), randomUUID()]
  await Promise.all(Array.from({ length: 40 }, (_, n) => {
    const company = n % 2 ? one : two
    return transactionIn(db.pools.app, contextOf(company), (sql) => appendAudit(sql, [entry(company, 'lead.create'), entry(company, 'lead.update')]))
  }))
  expect(await verify(one)).toEqual([])
  const { rows } = await db.admin.query('select seq::int from audit_log where "companyId" = $1 order by seq', [one])
  expect(rows.map((row: { seq: number }) => row.seq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
})

test('a changed row, a removed row and a rewritten row each show', async () => {
  const company = randomUUID()
  await transactionIn(db.pools.app, contextOf(company), (sql) => appendAudit(sql, Array.from({ length: 6 }, () => entry(company, 'lead.update'))))
  await db.admin.query(`update audit_log set after = '{}' where "companyId" = $1 and seq = 2`, [company])
  expect(await verify(company)).toEqual([{ companyId: company, seq: 2, reason: 'content' }])
  await db.admin.query(`delete from audit_log where "companyId" = $1 and seq = 4`, [company])
  expect(await verify(company)).toContainEqual({ companyId: company, seq: 5, reason: 'chain' })
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
  expect(strikeSecrets({ a: [{ refreshToken: 1, name: 'n' }], passwordHash: 'h' })).toEqual({
    a: [{ refreshToken: '[struck out]', name: 'n' }], passwordHash: '[struck out]',
  })
})

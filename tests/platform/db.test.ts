import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readerIn, readIn, transactionIn } from '@outpost/platform/db/context'
import { pgConstraint, pgErrorKind } from '@outpost/platform/db/errors'
import { diffSchema, migrate } from '@outpost/platform/db/migrate'
import { assertSafeRole, createPool } from '@outpost/platform/db/pool'
import { prisma } from '@outpost/platform/db/prisma'
import { roleUrl } from '@outpost/platform/db/roles'
import { identifier, join, named, sql } from '@outpost/platform/db/sql'
import type { DbContext } from '@outpost/platform/types'
import { testDatabase, type TestDatabase } from '../support/db.ts'

const prismaDir = resolve(import.meta.dirname, '../../prisma')
const companies = [randomUUID(), randomUUID()] as const
const [sunrise, copper] = companies

let db: TestDatabase
const names = (rows: readonly { name: string }[]) => rows.map((row) => row.name).sort()
const inCompany = (company: string | null): DbContext => ({ company, scope: '*', user: null, tenant: null })
const nobody = inCompany(null)
const allTenants = sql`select "name", "companyId" from tenant`

beforeAll(async () => {
  db = await testDatabase()
  for (const id of companies) {
    const place = id === sunrise ? 'sunrise' : 'copper'
    const insert = 'insert into tenant ("companyId", "id", "parentId", "type", "name", "shortCode") values ($1, $2, $3, $4, $5, $5)'
    await db.admin.query(insert, [id, id, null, 2, `head ${place}`])
    await db.admin.query(insert, [id, randomUUID(), id, 3, `branch ${place}`])
  }
})

afterAll(() => db.drop())

describe('context', () => {
  test('shows the rows of its company only', async () => {
    expect(names(await readIn(db.pools.app, inCompany(sunrise), allTenants))).toEqual(['branch sunrise', 'head sunrise'])
    expect(names(await readIn(db.pools.app, inCompany(copper), allTenants))).toEqual(['branch copper', 'head copper'])
  })

  test('shows nothing when it is unset, with and without a transaction', async () => {
    expect(await readIn(db.pools.app, nobody, allTenants)).toEqual([])
    expect((await db.pools.app.query('select * from tenant')).rows).toEqual([])
  })

  test('never outlives its transaction in 1,000 borrowings, failures included', async () => {
    const probe = async (index: number) => {
      const company = companies[index % 2 === 0 ? 0 : 1]
      const seen = await readIn<{ companyId: string }>(db.pools.app, inCompany(company), allTenants)
      const failing = sql`select 1 / ${index % 3}::int as "companyId" from tenant`
      await readIn(db.pools.app, inCompany(company), failing).catch((error) => expect(pgErrorKind(error)).toBe('invalidValue'))
      const write = transactionIn(db.pools.app, inCompany(company), async (own) => {
        await own.exec(sql`update tenant set "phone" = ${String(index)} where "type" = 2`)
        throw new Error('rolled back on purpose')
      })
      await expect(write).rejects.toThrow('on purpose')
      const left = await db.pools.app.query(`select current_setting('app.company', true) as company, count(*) as rows from tenant`)
      return { isOwnOnly: seen.every((row) => row.companyId === company), seen: seen.length, left: left.rows[0] }
    }
    const probes = []
    for (let start = 0; start < 1_000; start += 20) {
      probes.push(...(await Promise.all(Array.from({ length: 20 }, (_, offset) => probe(start + offset)))))
    }
    expect(probes.filter((each) => !each.isOwnOnly || each.seen !== 2)).toEqual([])
    expect(probes.filter((each) => each.left.company || each.left.rows !== 0)).toEqual([])
  })

  /** A pool of one connection, so that the next borrower gets the very one that the last gave back. */
  const withOne = async (run: (pool: pg.Pool) => Promise<void>, role: 'fx_app' | 'fx_report' = 'fx_app') => {
    const pool = createPool({
      url: roleUrl(db.url, role, db.secret),
      name: role,
      max: 1,
      log: { error: () => undefined, warn: () => undefined },
    })
    try {
      await run(pool)
    } finally {
      await pool.end()
    }
  }
  const leftOn = async (pool: pg.Pool) =>
    (
      await pool.query(`select concat(current_setting('app.company', true), current_setting('app.scope', true), current_setting('app.user', true),
    current_setting('app.tenant', true)) as context, current_setting('transaction_read_only') as "readOnly", pg_backend_pid() as pid`)
    ).rows[0] as { context: string; readOnly: string; pid: number }
  const clean = { context: '', readOnly: 'off' }

  test('is set in the very transaction of a read: one write of the socket, nothing begun, nothing committed', () =>
    withOne(async (pool) => {
      const hot = named('hot', sql`select "name" from tenant where "type" = ${2}`)
      await readIn(pool, inCompany(sunrise), hot)
      const client = await pool.connect()
      const sent: Buffer[] = []
      const { stream } = (client as unknown as { connection: { stream: { write(chunk: Buffer, ...rest: unknown[]): boolean } } }).connection
      const write = stream.write.bind(stream)
      stream.write = (chunk, ...rest) => {
        sent.push(Buffer.from(chunk))
        return write(chunk, ...rest)
      }
      client.release()
      expect(await readIn(pool, inCompany(copper), hot)).toEqual([{ name: 'head copper' }])
      // Bind, Execute; Bind, Describe, Execute; Sync. No P (text to parse), no Q (a statement as text).
      expect(sent.map((message) => String.fromCharCode(message[0] ?? 0)).join('')).toBe('BEBDES')
    }))

  test('does not outlive a read that fails, is cancelled, cannot be sent or whose connection is cut', () =>
    withOne(async (pool) => {
      const reads: [statement: ReturnType<typeof sql>, kind: string | undefined][] = [
        [sql`select 1 / ${0}::int`, 'invalidValue'],
        [sql`select nothing from nowhere`, 'other'],
        [sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(1)`, 'statementTimeout'],
        [named('broken', sql`select 1 / ${0}::int as broken`), 'invalidValue'],
        [named('broken', sql`select 1 / ${1}::int as broken`), 'none'],
        [named('broken', sql`select 'another text'`), undefined],
        [
          sql`select ${{
            toPostgres: () => {
              throw new Error('no value')
            },
          }}::text`,
          undefined,
        ],
        [sql`update tenant set "phone" = 'written'`, 'readOnly'],
        [sql`select set_config('transaction_read_only', 'off', false)`, 'other'],
        [sql`commit`, 'none'],
        [sql`rollback`, 'none'],
        [sql`select pg_terminate_backend(pg_backend_pid())`, 'unreachable'],
      ]
      for (const company of [sunrise, copper]) {
        for (const [statement, kind] of reads) {
          const outcome = await readIn(pool, inCompany(company), statement).then(
            () => 'none',
            (error: unknown) => pgErrorKind(error),
          )
          expect([statement.text, outcome]).toEqual([statement.text, kind])
          expect(await leftOn(pool)).toMatchObject(clean)
          expect((await pool.query(allTenants.text)).rows).toEqual([])
          expect(names(await readIn(pool, inCompany(company), allTenants))).toEqual(
            company === sunrise ? ['branch sunrise', 'head sunrise'] : ['branch copper', 'head copper'],
          )
        }
      }
    }))

  test('is that of each read when many share few connections and some of them fail', async () => {
    const seen = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const company = companies[index % 2 === 0 ? 0 : 1]
        if (index % 7 === 0) await readIn(db.pools.app, inCompany(company), sql`select 1 / ${0}::int`).catch(() => undefined)
        const rows = await readIn<{ companyId: string }>(
          db.pools.app,
          inCompany(company),
          index % 3 === 0 ? named('shared', allTenants) : allTenants,
        )
        return rows.length === 2 && rows.every((row) => row.companyId === company)
      }),
    )
    expect(seen.filter((isOwn) => !isOwn)).toEqual([])
  })

  test('may be set in the text of BEGIN only by a role that may not call set_config', () =>
    withOne(async (pool) => {
      expect(
        await readIn(
          pool,
          inCompany(sunrise),
          sql`select current_setting('app.company') as company, current_setting('transaction_read_only') as mode`,
        ),
      ).toEqual([{ company: sunrise, mode: 'on' }])
      expect(await leftOn(pool)).toMatchObject(clean)
    }, 'fx_report'))

  test('refuses an invalid id, so that nothing else reaches the text of a statement', async () => {
    const forged = { ...inCompany(sunrise), user: `x'; set local app.company = '${copper}` }
    await expect(readIn(db.pools.app, forged, allTenants)).rejects.toThrow('user: is not a uuid')
    await expect(readIn(db.pools.app, { ...inCompany(sunrise), scope: ['}'] }, allTenants)).rejects.toThrow('scope')
  })

  test('reads only: a write inside a reader fails', async () => {
    const write = readerIn(db.pools.app, inCompany(sunrise)).exec(sql`update tenant set "phone" = '1'`)
    await expect(write.catch((error: unknown) => pgErrorKind(error))).resolves.toBe('readOnly')
  })

  test('reports can carry a context but not change it through set_config', async () => {
    const [row] = await readIn(db.pools.report, inCompany(sunrise), sql`select current_setting('app.company') as company`)
    expect(row).toEqual({ company: sunrise })
    const change = readIn(db.pools.report, inCompany(sunrise), sql`select set_config('app.company', ${copper}, true)`)
    await expect(change.catch((error: unknown) => pgErrorKind(error))).resolves.toBe('denied')
  })
})

describe('sql interface', () => {
  test('nests statements and keeps values apart', async () => {
    const where = sql`${identifier('name')} = any(${['head sunrise', 'nothing']})`
    const statement = named('weave', sql`select ${join([identifier('name'), sql`${7}::int as seven`])} from tenant where ${where}`)
    expect(statement.text).toBe('select "name", $1::int as seven from tenant where "name" = any($2)')
    const reader = readerIn(db.pools.app, inCompany(sunrise))
    expect(await reader.one(statement)).toEqual({ name: 'head sunrise', seven: 7 })
    expect(await reader.one(statement)).toEqual({ name: 'head sunrise', seven: 7 })
  })

  test('takes an object that looks like a statement as a value', () => {
    const forged = { text: '1; drop table tenant', values: [] }
    expect(sql`select ${forged}`).toMatchObject({ text: 'select $1', values: [forged] })
  })

  test('passes JSON through unparsed and streams through a cursor', async () => {
    const reader = readerIn(db.pools.app, inCompany(sunrise))
    expect(await reader.text(sql`select json_build_array(1, ${'x'}::text)`)).toBe('[1, "x"]')
    let sum = 0
    for await (const row of reader.stream<{ n: number }>(sql`select generate_series(1, ${1_200}::int) as n`)) sum += row.n
    expect(sum).toBe((1_200 * 1_201) / 2)
    for await (const row of reader.stream<{ n: number }>(sql`select generate_series(1, 5000) as n`)) if (row.n === 700) break
    expect(db.pools.app.idleCount).toBe(db.pools.app.totalCount)
  })

  test('one and maybe check the number of rows', async () => {
    const reader = readerIn(db.pools.app, inCompany(sunrise))
    await expect(reader.one(allTenants)).rejects.toThrow('Expected one row, got 2')
    expect(await reader.maybe(sql`select from tenant where false`)).toBeUndefined()
  })
})

describe('transaction', () => {
  test('reports what the database refused', async () => {
    const twice = transactionIn(db.pools.app, inCompany(sunrise), (own) =>
      own.exec(
        sql`insert into tenant ("companyId", "id", "parentId", "type", "name", "shortCode") values (${sunrise}, ${randomUUID()}, ${sunrise}, 3, 'x', 'head sunrise')`,
      ),
    )
    const error: unknown = await twice.catch((reason: unknown) => reason)
    expect(pgErrorKind(error)).toBe('unique')
    expect(pgConstraint(error)).toBe('tenant_companyId_shortCode_key')
    const foreign = transactionIn(db.pools.app, inCompany(sunrise), (own) =>
      own.exec(
        sql`insert into tenant ("companyId", "id", "parentId", "type", "name", "shortCode") values (${copper}, ${randomUUID()}, ${copper}, 3, 'x', 'x')`,
      ),
    )
    await expect(foreign.catch((reason: unknown) => pgErrorKind(reason))).resolves.toBe('denied')
  })

  test('does not count as saved when an error was swallowed', async () => {
    const swallowing = transactionIn(db.pools.app, inCompany(sunrise), async (own) => {
      await own.exec(sql`update tenant set "phone" = 'swallowed'`)
      await own.query(sql`select 1 / 0`).catch(() => undefined)
    })
    await expect(swallowing).rejects.toThrow('rolled back')
  })

  test('ends its sql: a late statement is refused', async () => {
    const late = await transactionIn(db.pools.app, inCompany(sunrise), async (own) => own)
    await expect(late.query(allTenants)).rejects.toThrow('is over')
  })

  test('runs again after a deadlock', async () => {
    const [first, second] = ['head sunrise', 'branch sunrise']
    let [runs, held] = [0, 0]
    // Each takes the other's row once both hold their own, however the machine is loaded.
    const bothHold = Promise.withResolvers<void>()
    const lockBoth = (order: readonly (string | undefined)[]) =>
      transactionIn(
        db.pools.app,
        inCompany(sunrise),
        async (own) => {
          runs += 1
          for (const name of order) {
            await own.exec(sql`update tenant set "phone" = 'locked' where "name" = ${name}`)
            held += 1
            if (held === 2) bothHold.resolve()
            await bothHold.promise
          }
        },
        { retry: true },
      )
    await Promise.all([lockBoth([first, second]), lockBoth([second, first])])
    expect(runs).toBe(3)
  })

  test('survives the loss of its connection', async () => {
    const cut = transactionIn(db.pools.app, inCompany(sunrise), (own) => own.query(sql`select pg_terminate_backend(pg_backend_pid())`))
    await expect(cut.catch((error: unknown) => pgErrorKind(error))).resolves.toBe('unreachable')
    expect(await readIn(db.pools.app, inCompany(sunrise), allTenants)).toHaveLength(2)
  })
})

describe('prisma', () => {
  test('two transactions of two companies at once see their own rows only', async () => {
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const company = companies[index % 2 === 0 ? 0 : 1]
        return transactionIn(db.pools.app, inCompany(company), async () => {
          const reads = await Promise.all([prisma().tenant.findMany(), prisma().tenant.findFirst({ where: {} }), prisma().tenant.count()])
          return { company, rows: [...reads[0], reads[1]], count: reads[2] }
        })
      }),
    )
    expect(seen.every(({ company, rows }) => rows.every((row) => row?.companyId === company))).toBe(true)
    expect(seen.every(({ count }) => count === 2)).toBe(true)
  })

  test('nested writes work, also several at once, and roll back with the transaction', async () => {
    const create = (name: string) =>
      prisma().tenant.create({
        data: {
          companyId: sunrise,
          parentId: sunrise,
          id: randomUUID(),
          type: 3,
          name,
          shortCode: name,
          children: { create: { id: randomUUID(), type: 4, name: `${name} team`, shortCode: `${name} team` } },
        },
      })
    const nested = transactionIn(db.pools.app, inCompany(sunrise), async (own) => {
      await Promise.all([create('a'), create('b'), create('c')])
      const { n } = await own.one<{ n: number }>(sql`select count(*) as n from tenant`)
      throw new Error(`saw ${n}`)
    })
    await expect(nested).rejects.toThrow('saw 8')
    expect(await readIn(db.pools.app, inCompany(sunrise), allTenants)).toHaveLength(2)
  })

  test('a failed nested write undoes itself and leaves the transaction usable', async () => {
    const rows = await transactionIn(db.pools.app, inCompany(sunrise), async (own) => {
      const failing = prisma().tenant.create({
        data: {
          companyId: sunrise,
          parentId: sunrise,
          id: randomUUID(),
          type: 3,
          name: 'd',
          shortCode: 'd',
          children: { create: { id: randomUUID(), type: 4, name: 'e', shortCode: 'd' } },
        },
      })
      await expect(failing.catch((error: unknown) => pgErrorKind(error))).resolves.toBe('unique')
      return own.query(allTenants)
    })
    expect(rows).toHaveLength(2)
  })

  test('a call that is returned without await still runs inside', async () => {
    expect(await transactionIn(db.pools.app, inCompany(sunrise), () => prisma().tenant.count())).toBe(2)
  })

  test('is refused outside a transaction, and findUnique everywhere', async () => {
    await expect(prisma().tenant.findMany()).rejects.toThrow('outside a transaction')
    const unique = transactionIn(db.pools.app, inCompany(sunrise), () =>
      // The type does not offer it; a caller that gets round the type meets the refusal.
      (prisma().tenant as unknown as { findUnique(query: object): Promise<unknown> }).findUnique({ where: {} }),
    )
    await expect(unique).rejects.toThrow('findUnique is not allowed')
  })
})

describe('roles', () => {
  test('every role of a server is safe; superuser, migrate and datafix are refused', async () => {
    for (const name of ['app', 'auth', 'relay', 'report', 'public'] as const) await assertSafeRole(db.pools[name])
    await expect(assertSafeRole(db.admin)).rejects.toThrow('it is superuser')
    for (const [role, reason] of [
      ['fx_migrate', 'owner'],
      ['fx_datafix', 'BYPASSRLS'],
    ] as const) {
      const pool = createPool({ url: roleUrl(db.url, role, db.deploySecret), name: role, max: 1, log: console })
      await expect(assertSafeRole(pool)).rejects.toThrow(reason)
      await pool.end()
    }
  })

  test('pin their search path and cannot make tables, not even temporary ones', async () => {
    for (const name of ['app', 'auth', 'relay', 'public'] as const) {
      const { rows } = await db.pools[name].query('show search_path')
      expect(rows).toEqual([{ search_path: 'public, pg_temp' }])
    }
    for (const table of ['table mine', 'temp table mine', 'table public.mine']) {
      const create = db.pools.app.query(`create ${table} (a int)`)
      await expect(create.catch((error: unknown) => pgErrorKind(error))).resolves.toBe('denied')
    }
  })

  test('cannot become the owner', async () => {
    await expect(db.pools.app.query('set role fx_owner')).rejects.toThrow('permission denied')
  })
})

describe('migrations', () => {
  test('are all applied: a second run does nothing', async () => {
    expect(await migrate({ url: db.url, deploySecret: db.deploySecret, dir: prismaDir })).toEqual([])
    const { rows } = await db.admin.query(`select tableowner from pg_tables where tablename = '_prisma_migrations'`)
    expect(rows).toEqual([{ tableowner: 'fx_owner' }])
  })

  test('agree with the models', async () => {
    expect(await diffSchema({ adminUrl: inject('adminUrl'), secret: db.secret, deploySecret: db.deploySecret, dir: prismaDir })).toBe('')
  })

  test('leave no shadow database behind', async () => {
    const client = new pg.Client({ connectionString: inject('adminUrl') })
    await client.connect()
    const { rows } = await client.query(`select datname from pg_database where datname like 'outpost_shadow%'`)
    await client.end()
    expect(rows).toEqual([])
  })
})

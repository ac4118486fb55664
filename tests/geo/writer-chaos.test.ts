import { constants } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRowRefused, pgErrorKind } from '@outpost/platform/db/errors'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import { createWriter } from '../../apps/geo/src/ingest/write/writer.ts'
import { isNightly } from '../support/size.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { fixAt, makeCompany, makeDevice } from './support/devices.ts'

const log = createLog({ level: 'silent' })
const at = Date.UTC(2026, 10, 20, 8)
let db: TestDatabase
let pools: GeoPools
let companyId: string
beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log, patience: 30 })
  companyId = await makeCompany(db.admin)
})
afterAll(async () => {
  await pools.close()
  await db.drop()
})

type Phase = 'connect' | 'begin' | 'statement' | 'commit'
const phases: readonly Phase[] = ['connect', 'begin', 'statement', 'commit']

/** Codes that made a session lose what it had acknowledged. */
const seen = ['EHOSTUNREACH', 'EAI_AGAIN', 'EMFILE', 'ENETUNREACH', 'ENETDOWN', 'ECONNRESET']
const codes = isNightly
  ? [...new Set([...Object.keys(constants.errno), 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_MEMORY', 'EAI_NONAME'])]
  : [...seen, 'EACCES', 'ECANCELED', 'ENOBUFS', 'EPROTO']

/** What the system says, what only Postgres says of itself, and what nobody has a name for. */
const failures: readonly { what: string; error: Error }[] = [
  ...codes.map((code) => ({
    what: code,
    error: Object.assign(new Error(`connect ${code}`), { code, errno: -1, syscall: code.startsWith('EAI') ? 'getaddrinfo' : 'connect' }),
  })),
  ...['08P01', '42P01', '42883', '53200', '53400', '54000', '55000', '57P01', '58030', 'XX000', 'XX001'].map((code) => ({
    what: code,
    error: Object.assign(new Error('of Postgres'), { code }),
  })),
  {
    what: 'a partition that is missing',
    error: Object.assign(new Error('no partition of relation "position" found for row'), { code: '23514' }),
  },
  { what: 'a fault of TLS', error: Object.assign(new Error('bad record mac'), { code: 'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC' }) },
  { what: 'something without a name', error: new Error('?') },
  { what: 'a mistake of ours', error: new TypeError('undefined is not a function') },
  { what: 'several at once', error: Object.assign(new AggregateError([new Error('connect EHOSTUNREACH')]), { code: 'EHOSTUNREACH' }) },
]

/** The real pool, whose first transaction fails in one phase. */
function failingOnce(pool: pg.Pool, phase: Phase, error: Error): pg.Pool {
  let isOver = false
  const isDue = (text: string) =>
    !isOver &&
    (text.startsWith('begin') ? phase === 'begin' : text === 'commit' ? phase === 'commit' : phase === 'statement' && text !== 'rollback')
  const failing = (client: pg.PoolClient) =>
    new Proxy(client, {
      get(target, key) {
        if (key !== 'query') return bound(target, key)
        return (query: string | { text: string }, ...more: unknown[]) => {
          if (!isDue(typeof query === 'string' ? query : query.text))
            return (target.query as (...all: unknown[]) => unknown)(query, ...more)
          isOver = true
          return Promise.reject(error)
        }
      },
    })
  return new Proxy(pool, {
    get(target, key) {
      if (key !== 'connect') return bound(target, key)
      return async () => {
        if (phase !== 'connect' || isOver) return failing(await target.connect())
        isOver = true
        throw error
      }
    },
  })
}

const bound = (target: object, key: string | symbol): unknown => {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? value.bind(target) : value
}

it.each(phases)('whatever fails during %s, what is acknowledged is stored and nothing is refused', async (phase) => {
  await Promise.all(
    failures.map(async ({ what, error }) => {
      const device = await makeDevice(db.admin, { companyId })
      const writer = createWriter({ pool: failingOnce(pools.ingest, phase, error) as GeoPools['ingest'], log, lingerMs: 1 })
      const written = await Promise.all(Array.from({ length: 9 }, (_, index) => writer.write(device, [fixAt(at + index * 1_000, {})])))
      const { rows } = await db.admin.query(`select 1 from geo.position where "deviceId" = $1`, [device.deviceId])
      expect([what, new Set(written), rows.length]).toEqual([what, new Set(['stored']), 9])
      await writer.close()
    }),
  )
})

it('recognises every system error of a failed connection', () => {
  for (const { what, error } of failures) expect([what, isRowRefused(error)]).toEqual([what, false])
  for (const code of codes)
    expect([code, pgErrorKind(Object.assign(new Error(code), { code, syscall: 'connect' }))]).toEqual([code, 'unreachable'])
  // A file that is not there is no database that is away.
  expect(pgErrorKind(Object.assign(new Error('open'), { code: 'ENOENT', syscall: 'open' }))).toBeUndefined()
  for (const code of ['22003', '22P02', '22021', '23502', '23503', '23505'])
    expect([code, isRowRefused(Object.assign(new Error(code), { code }))]).toEqual([code, true])
  expect(isRowRefused(Object.assign(new Error('check'), { code: '23514', constraint: 'position_place' }))).toBe(true)
})

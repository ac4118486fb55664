import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { anySession, defineArea, route } from '../../apps/server/src/kernel/area.ts'
import { create, get, list, remove, restore, update } from '../../apps/server/src/kernel/resource/operations.ts'
import { consoleArea } from '../../apps/server/src/kernel/screens/console.area.ts'
import { detailOf, formOf, listOf, screen } from '../../apps/server/src/kernel/screens/screen.ts'
import { history } from '../../apps/server/src/kernel/keeps/history.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { account, entryKind, journalEntry, journalLine, makeLedger, user } from './journal.ts'
import { appOf, ctxOf, makeWorld, type World } from './world.ts'

/** A ledger over HTTP: entries with lines, readers and a kind of the company's own. */
export const area = defineArea({
  name: 'ledger',
  resources: [journalEntry, journalLine, account, entryKind, user],
  screens: [
    screen('/ledger', anySession, listOf(journalEntry)),
    screen('/ledger/new', anySession, formOf(journalEntry)),
    screen('/ledger/:id/view', anySession, detailOf(journalEntry)),
  ],
  routes: [
    route('entries.list', 'GET', '/api/entries', anySession, list(journalEntry)),
    route('entries.get', 'GET', '/api/entries/:id', anySession, get(journalEntry)),
    route('entries.history', 'GET', '/api/entries/:id/history', anySession, history(journalEntry)),
    route('entries.create', 'POST', '/api/entries', anySession, create(journalEntry)),
    route('entries.update', 'PUT', '/api/entries/:id', anySession, update(journalEntry)),
    route('entries.remove', 'POST', '/api/entries/delete', anySession, remove(journalEntry)),
    route('entries.restore', 'POST', '/api/entries/restore', anySession, restore(journalEntry)),
    route('accounts.create', 'POST', '/api/accounts', anySession, create(account)),
  ],
})

export interface Line {
  Id: string
  accountId: string
  accountIdLabel: string
  amount: number
  side: string
  note: string | null
}
export type Entry = { Id: string; version: number; lines: Line[]; readerIds: { Id: string; label: string }[] } & Record<string, unknown>
export interface Body {
  data: Record<string, Entry>
  code: string
  fields: { field: string; message: string }[]
}

export interface LedgerWorld {
  world: World
  app: FastifyInstance
  ctx: Ctx
  cash: string
  loans: string
  foreign: string
  call: (
    who: string,
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: object,
  ) => Promise<{ status: number; body: Body; text: string }>
  newAccount: (who: string, name: string) => Promise<string>
  /** The two lines of a sound entry. */
  pair: (amount?: number | string) => { accountId: string; amount: number | string; side?: string; note?: string }[]
  entry: (over?: object) => object
  made: (over?: object, who?: string) => Promise<Entry>
  read: (id: string) => Promise<Entry>
  put: (id: string, change: object, who?: string) => ReturnType<LedgerWorld['call']>
  rows: (text: string, ...values: unknown[]) => Promise<Record<string, unknown>[]>
  auditOf: (id: string) => Promise<Record<string, unknown>[]>
  close: () => Promise<void>
}

/** Status and what is wrong with which field. */
export const faults = ({ status, body }: { status: number; body: Body }) => [
  status,
  ...(body.fields ?? []).map(({ field, message }) => `${field} ${message}`),
]

export async function makeLedgerWorld(): Promise<LedgerWorld> {
  const world = await makeWorld()
  await makeLedger(world.database)
  const { a, b } = world
  const ctx = ctxOf(world, a)
  const views = consoleArea({
    areas: [area],
    sessionPart: () => Promise.reject(new Error('no layout is asked for')),
    version: '1',
    build: 'x',
    tiles: [],
  } as never)
  const app = await appOf(
    { areas: [area, views] },
    {
      a: ctx,
      b: ctxOf(world, b),
      branch: ctxOf(world, a, { scope: [a.branch.id] }),
      other: ctxOf(world, a, { scope: [a.other.id], tenant: a.other }),
    },
  )
  const call: LedgerWorld['call'] = async (who, method, url, payload) => {
    const response = await app.inject({ method, url, headers: { authorization: who }, ...(payload ? { payload } : {}) })
    return { status: response.statusCode, body: response.json<Body>(), text: response.body }
  }
  const newAccount = async (who: string, name: string) =>
    (await call(who, 'POST', '/api/accounts', { name })).body.data['account']?.Id ?? ''
  const [cash, loans, foreign] = await Promise.all([newAccount('a', 'Cash'), newAccount('a', 'Loans'), newAccount('b', 'Theirs')])
  const pair: LedgerWorld['pair'] = (amount = 100) => [
    { accountId: cash, amount },
    { accountId: loans, amount, side: 'credit', note: 'Paid out' },
  ]
  const entry = (over: object = {}) => ({ name: 'Loan 17', lines: pair(), ...over })
  const made: LedgerWorld['made'] = async (over = {}, who = 'a') => {
    const { status, body, text } = await call(who, 'POST', '/api/entries', entry(over))
    expect(status, text).toBe(200)
    return body.data['journalEntry'] as Entry
  }
  const read = async (id: string) => (await call('a', 'GET', `/api/entries/${id}`)).body.data['journalEntry'] as Entry
  const put: LedgerWorld['put'] = (id, change, who = 'a') => call(who, 'PUT', `/api/entries/${id}`, change)
  const rows = async (text: string, ...values: unknown[]) =>
    (await world.database.admin.query(text, values)).rows as Record<string, unknown>[]
  const auditOf = (id: string) => rows('select action, before, after, source from audit_log where "objectId" = $1 order by seq', id)
  const close = async () => {
    await app.close()
    await world.close()
  }
  return { world, app, ctx, cash, loans, foreign, call, newAccount, pair, entry, made, read, put, rows, auditOf, close }
}

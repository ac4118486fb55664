import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { ChangeRecord, PushResult } from '@outpost/contract/sync/protocol'
import { anySession, defineArea, route } from '../../apps/server/src/kernel/area.ts'
import { create, get, list, remove, update } from '../../apps/server/src/kernel/resource/operations.ts'
import { syncEntities } from '../../apps/server/src/kernel/sync/entities.ts'
import { keptKinds } from '../../apps/server/src/kernel/sync/kept-kinds.ts'
import { pushChanges } from '../../apps/server/src/kernel/sync/push.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { browserFlags, browserPath } from '../console/support/browser.ts'
import { serveConsole } from '../console/support/serve.ts'
import { buildStorePage } from '../console/support/store-page.ts'
import { account, entryKind, journalEntry, journalLine, makeLedger, user } from './journal.ts'
import { appOf, ctxOf, makeWorld, type World } from './world.ts'

const area = defineArea({
  name: 'ledger',
  resources: [journalEntry, journalLine, account, entryKind, user],
  screens: [],
  routes: [
    route('entries.get', 'GET', '/api/entries/:id', anySession, get(journalEntry)),
    route('entries.list', 'GET', '/api/entries', anySession, list(journalEntry)),
    route('entries.create', 'POST', '/api/entries', anySession, create(journalEntry)),
    route('entries.remove', 'POST', '/api/entries/delete', anySession, remove(journalEntry)),
    route('entries.update', 'PUT', '/api/entries/:id', anySession, update(journalEntry)),
    route('accounts.create', 'POST', '/api/accounts', anySession, create(account)),
  ],
})

interface Line {
  Id: string
  amount: number
  note: string | null
}
interface Entry {
  version: number
  lines: Line[]
}
/** The product's store in the page. */
interface Store {
  append(edit: object): Promise<unknown>
  find(type: string, id: string): Promise<{ state: string; server: Entry | null; local: Entry | null } | undefined>
  takeBatch(limits: object): Promise<ChangeRecord[]>
  applyVerdicts(results: readonly PushResult[]): Promise<unknown>
}
declare const openStore: (owner: object, key: CryptoKey) => Promise<Store>
declare const device: Store

const type = 'journalEntry'
let world: World
let app: FastifyInstance
let ctx: Ctx
let folder: string
let site: Awaited<ReturnType<typeof serveConsole>>
let browser: Browser
let page: Page

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-lines-'))
  world = await makeWorld()
  await makeLedger(world.database)
  ctx = ctxOf(world, world.a)
  app = await appOf({ areas: [area] }, { a: ctx })
  await buildStorePage(folder, keptKinds([area]))
  site = await serveConsole(folder)
  browser = await chromium.launch({ executablePath: browserPath, args: browserFlags })
  page = await browser.newPage()
  await page.goto(site.url)
  await page.waitForFunction(() => 'openStore' in globalThis)
  await page.evaluate(
    async (owner) => {
      const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
      const store = await openStore({ ...owner, deviceId: crypto.randomUUID(), country: () => 'KE', tenantId: () => owner.tenantId }, key)
      Object.assign(globalThis, { device: store })
    },
    { userId: world.a.userId, companyId: world.a.id, tenantId: world.a.branch.id },
  )
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await app.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

async function office<Answer>(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<Answer> {
  const answer = await app.inject({ method, url, headers: { authorization: 'a' }, ...(payload ? { payload } : {}) })
  expect(answer.statusCode, answer.body).toBe(200)
  return Object.values(answer.json<{ data: Record<string, Answer> }>().data)[0] as Answer
}
const newAccount = async (name: string) => (await office<{ Id: string }>('POST', '/api/accounts', { name })).Id
const edit = (change: object) => page.evaluate((one) => device.append(one), change)
const shownLines = (id: string) =>
  page.evaluate(async (one) => (({ local, server }) => (local ?? server)?.lines ?? [])((await device.find(one.type, one.id))!), {
    type,
    id,
  })
const takeBatch = () => page.evaluate(() => device.takeBatch({ limit: 50, blocked: new Set() }))
const answer = (results: PushResult[]) => page.evaluate((all) => device.applyVerdicts(all), results)
const push = (changes: ChangeRecord[]) => pushChanges(ctx, changes, { entities: syncEntities([area]) })
const amounts = (lines: readonly Line[]) => lines.map(({ Id, amount, note }) => [Id, Number(amount), note])

it('lines that a device entered keep their Ids through edits, lost answers and merging: none is doubled', async () => {
  const [cash, loans] = [await newAccount('Cash'), await newAccount('Loans')]
  const id = crypto.randomUUID()
  const debit = { accountId: cash, amount: 100, side: 'debit', note: null }
  const credit = { accountId: loans, amount: 100, side: 'credit', note: 'Paid out' }
  await edit({ type, id, kind: 'create', values: { name: 'From the field', lines: [debit, credit] } })
  const [first, second] = await shownLines(id)

  // The second edit, before anything was sent: one line changed, one added.
  await edit({
    type,
    id,
    kind: 'update',
    values: {
      lines: [
        { Id: first!.Id, ...debit },
        { Id: second!.Id, ...credit, amount: 60 },
        { ...credit, amount: 40, note: 'Fee' },
      ],
    },
  })
  const entered = await shownLines(id)
  expect(entered.map(({ Id }) => Id)).toEqual([first!.Id, second!.Id, expect.any(String)])
  const sent = await takeBatch()
  expect(sent.map(({ changeType, snapshot }) => [changeType, amounts((snapshot as unknown as Entry).lines)])).toEqual([
    ['INSERT', amounts(entered)],
  ])

  // It arrives, its answer does not; the person goes on editing.
  expect(await push(sent)).toMatchObject([{ status: 'applied' }])
  await edit({
    type,
    id,
    kind: 'update',
    values: { lines: entered.map((line, place) => (place === 2 ? { ...line, note: 'Fee of May' } : line)) },
  })
  await answer(await push(await takeBatch()))
  const edited = await takeBatch()
  expect(edited.map(({ changeType }) => changeType)).toEqual(['UPDATE'])
  const [verdict] = await push(edited)
  expect(verdict).toMatchObject({ status: 'applied' })
  await answer([verdict!])
  const stored = await office<Entry>('GET', `/api/entries/${id}`)
  const expected = [
    [first!.Id, 100, null],
    [second!.Id, 60, 'Paid out'],
    [entered[2]!.Id, 40, 'Fee of May'],
  ]
  expect(amounts(stored.lines)).toEqual(expected)
  expect(amounts(await shownLines(id))).toEqual(expected)

  // Office and device change other lines of it, and each adds some.
  await office('PUT', `/api/entries/${id}`, {
    lines: [
      ...stored.lines.map((line, place) => (place === 1 ? { ...line, note: 'Office' } : line)),
      { ...debit, amount: 0, note: 'Theirs' },
    ],
  })
  const mine = await shownLines(id)
  await edit({
    type,
    id,
    kind: 'update',
    values: { lines: [{ ...mine[0], note: 'Field' }, mine[1], mine[2], { ...debit, amount: 0, note: 'Mine' }] },
  })
  await answer(await push(await takeBatch()))
  const merged = await office<Entry>('GET', `/api/entries/${id}`)
  expect(merged.lines.map(({ note }) => note)).toEqual(['Field', 'Office', 'Fee of May', 'Mine', 'Theirs'])
  expect(amounts(await shownLines(id))).toEqual(amounts(merged.lines))
  expect(await takeBatch()).toEqual([])
})

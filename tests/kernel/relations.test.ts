import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { ChangeRecord } from '@outpost/contract/sync'
import { anySession, defineArea, route } from '../../apps/server/src/kernel/area.ts'
import { openapiDocument } from '../../apps/server/src/kernel/openapi.ts'
import { create, get, list, remove, restore, update } from '../../apps/server/src/kernel/resource/operations.ts'
import { consoleArea } from '../../apps/server/src/kernel/screens/console.area.ts'
import { detailOf, formOf, listOf, screen } from '../../apps/server/src/kernel/screens/screen.ts'
import { holdersOf } from '../../apps/server/src/kernel/sync/relabel.ts'
import { writeRecords } from '../../apps/server/src/kernel/resource/pipeline.ts'
import { history } from '../../apps/server/src/kernel/keeps/history.ts'
import { syncEntities } from '../../apps/server/src/kernel/sync/entities.ts'
import { pushChanges } from '../../apps/server/src/kernel/sync/push.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { account, entryKind, journalEntry, journalLine, makeLedger, user } from './journal.ts'
import { appOf, ctxOf, makeWorld, type World } from './world.ts'

const area = defineArea({
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

interface Line {
  Id: string
  accountId: string
  accountIdLabel: string
  amount: number
  side: string
  note: string | null
}
type Entry = { Id: string; version: number; lines: Line[]; readerIds: { Id: string; label: string }[] } & Record<string, unknown>
interface Body {
  data: Record<string, Entry>
  code: string
  fields: { field: string; message: string }[]
}
let world: World
let app: FastifyInstance
let ctx: Ctx
let cash = '',
  loans = '',
  foreign = ''

beforeAll(async () => {
  world = await makeWorld()
  await makeLedger(world.database)
  const { a, b } = world
  ctx = ctxOf(world, a)
  const views = consoleArea({
    areas: [area],
    frameUser: () => Promise.reject(new Error('no frame is asked for')),
    version: '1',
    build: 'x',
    tiles: [],
  } as never)
  app = await appOf(
    { areas: [area, views] },
    {
      a: ctx,
      b: ctxOf(world, b),
      branch: ctxOf(world, a, { scope: [a.branch.id] }),
      other: ctxOf(world, a, { scope: [a.other.id], tenant: a.other }),
    },
  )
  ;[cash, loans, foreign] = await Promise.all([newAccount('a', 'Cash'), newAccount('a', 'Loans'), newAccount('b', 'Theirs')])
})
afterAll(async () => {
  await app.close()
  await world.close()
})

async function call(
  who: string,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
): Promise<{ status: number; body: Body; text: string }> {
  const response = await app.inject({ method, url, headers: { authorization: who }, ...(payload ? { payload } : {}) })
  return { status: response.statusCode, body: response.json<Body>(), text: response.body }
}
const newAccount = async (who: string, name: string) => (await call(who, 'POST', '/api/accounts', { name })).body.data['account']?.Id ?? ''
const pair = (amount: number | string = 100) => [
  { accountId: cash, amount },
  { accountId: loans, amount, side: 'credit', note: 'Paid out' },
]
const entry = (over: object = {}) => ({ name: 'Loan 17', lines: pair(), ...over })
async function made(over: object = {}, who = 'a'): Promise<Entry> {
  const { status, body, text } = await call(who, 'POST', '/api/entries', entry(over))
  expect(status, text).toBe(200)
  return body.data['journalEntry'] as Entry
}
const read = async (id: string) => (await call('a', 'GET', `/api/entries/${id}`)).body.data['journalEntry'] as Entry
const put = (id: string, change: object, who = 'a') => call(who, 'PUT', `/api/entries/${id}`, change)
const faults = ({ status, body }: { status: number; body: Body }) => [
  status,
  ...(body.fields ?? []).map(({ field, message }) => `${field} ${message}`),
]
const rows = async (text: string, ...values: unknown[]) =>
  (await world.database.admin.query(text, values)).rows as Record<string, unknown>[]
const auditOf = (id: string) => rows('select action, before, after, source from audit_log where "objectId" = $1 order by seq', id)

describe('lines', () => {
  it('are written with their record, in their order, and read with it', async () => {
    const record = await made()
    expect(record.lines).toEqual([
      { Id: expect.any(String) as string, accountId: cash, accountIdLabel: 'Cash', amount: 100, side: 'debit', note: null },
      { Id: expect.any(String) as string, accountId: loans, accountIdLabel: 'Loans', amount: 100, side: 'credit', note: 'Paid out' },
    ])
    expect(await read(record.Id)).toEqual(record)
    expect(await rows('select "tenantId", "position" from journal_line where "entryId" = $1 order by "position"', record.Id)).toEqual(
      [0, 1].map((position) => ({ tenantId: world.a.branch.id, position })),
    )
  })

  it('are changed as a whole: those left out go, those without an id are new, others keep theirs', async () => {
    const {
      Id,
      lines: [first, second],
    } = await made()
    const { body } = await put(Id, { lines: [{ accountId: loans, amount: 40 }, { Id: first!.Id, amount: 60 }, { ...second }] })
    const after = body.data['journalEntry']!
    expect(
      after.lines.map(({ Id: id, amount, accountId }) => [id === first!.Id ? 1 : id === second!.Id ? 2 : 3, amount, accountId]),
    ).toEqual([
      [3, 40, loans],
      [1, 60, cash],
      [2, 100, loans],
    ])
    expect(after.version).toBe(2)
    const { body: less } = await put(Id, { lines: [{ Id: after.lines[0]!.Id, amount: 100 }, second] })
    expect(less.data['journalEntry']!.lines.map(({ Id: id }) => id)).toEqual([after.lines[0]!.Id, second!.Id])
    expect(await rows('select count(*)::int as n from journal_line where "entryId" = $1', Id)).toEqual([{ n: 2 }])
  })

  it('stay as they are when a change does not name them, and when what was read comes back', async () => {
    const record = await made({ readerIds: [world.a.userId] })
    await put(record.Id, { name: 'Another' })
    const { version: _, ...again } = await read(record.Id)
    expect((await put(record.Id, again)).status).toBe(200)
    expect((await read(record.Id)).lines).toEqual(record.lines)
    expect((await auditOf(record.Id)).map(({ action }) => action)).toEqual([
      'journalEntry.create',
      'journalEntry.lines',
      'journalEntry.readerIds',
      'journalEntry.update',
    ])
  })

  it('are told in the audit with what was and is, and in the history', async () => {
    const {
      Id,
      lines: [first, second],
    } = await made()
    await put(Id, { lines: [{ Id: first!.Id, amount: 70 }, { accountId: cash, amount: 30 }, second] })
    expect(await auditOf(Id)).toMatchObject([
      { action: 'journalEntry.create' },
      { action: 'journalEntry.lines', before: null, after: { lines: [{ accountId: cash }, { accountId: loans }] } },
      {
        action: 'journalEntry.lines',
        before: {
          lines: [
            { Id: first!.Id, amount: 100 },
            { Id: second!.Id, position: 1 },
          ],
        },
        after: {
          lines: [
            { Id: first!.Id, amount: 70 },
            { Id: second!.Id, position: 2 },
            { accountId: cash, amount: 30 },
          ],
        },
      },
    ])
    const timeline = (await call('a', 'GET', `/api/entries/${Id}/history`)).body.data['timeline'] as unknown as { what: string }[]
    expect(timeline.map(({ what }) => what)).toEqual(['Lines changed', 'Created'])
  })

  it('name the line and the field of what is wrong', async () => {
    const [one, two] = pair()
    const wrong: [object, unknown[]][] = [
      [{ lines: [one] }, [422, 'lines needs at least 2']],
      [{ lines: Array.from({ length: 6 }, () => one) }, [422, 'lines may hold 5 at most']],
      [{ lines: undefined }, [422, 'lines is required']],
      [{ lines: [one, { ...two, amount: 'much' }] }, [422, 'lines.1.amount must be a number']],
      [{ lines: [one, { accountId: loans }] }, [422, 'lines.1.amount is required']],
      [{ lines: [one, { ...two, note: '' }] }, [422, 'lines.1.note is required']],
      [{ lines: [one, { ...two, colour: 'red' }] }, [422, 'lines.1.colour is not known or may not be set here']],
      [{ lines: [one, { ...two, accountId: randomUUID() }] }, [422, 'lines.1.accountId does not exist']],
      [{ lines: [{ ...one, accountId: foreign }, two] }, [422, 'lines.0.accountId does not exist']],
      [{ lines: [one, { ...two, amount: 99.99 }] }, [422, 'lines do not balance']],
      [{ lines: [one, { ...two, amount: 1.005 }] }, [422, 'lines.1.amount may hold 2 decimals at most in KES']],
    ]
    // Amounts are looked at after the rule of the whole entry.
    for (const [over, told] of wrong.slice(0, -1)) expect(faults(await call('a', 'POST', '/api/entries', entry(over)))).toEqual(told)
    expect(faults(await call('a', 'POST', '/api/entries', entry({ lines: pair(1.005) })))).toEqual([
      422,
      'lines.0.amount may hold 2 decimals at most in KES',
      'lines.1.amount may hold 2 decimals at most in KES',
    ])
  })

  it("are the record's own: a line of another entry or company is refused, and nothing is written", async () => {
    const [mine, other] = [await made(), await made()]
    const theirs = (
      await call('b', 'POST', '/api/entries', {
        name: 'Theirs',
        lines: [
          { accountId: foreign, amount: 5 },
          { accountId: foreign, amount: 5, side: 'credit', note: 'x' },
        ],
      })
    ).body.data['journalEntry'] as Entry
    for (const {
      lines: [stolen],
    } of [other, theirs]) {
      expect(faults(await put(mine.Id, { lines: [{ Id: stolen!.Id, accountId: cash, amount: 100 }, mine.lines[1]] }))).toEqual([
        422,
        'lines.0.Id is not a line of this record',
      ])
    }
    expect(faults(await put(mine.Id, { lines: [mine.lines[0], mine.lines[0]] }))).toEqual([422, 'lines names a line twice'])
    expect([(await read(mine.Id)).lines, (await read(other.Id)).lines]).toEqual([mine.lines, other.lines])
    expect((await call('other', 'PUT', `/api/entries/${mine.Id}`, { lines: pair() })).status).toBe(404)
    // A new entry takes nobody's ids.
    const copy = await made({ lines: mine.lines })
    expect(copy.lines.some(({ Id }) => mine.lines.some((line) => line.Id === Id))).toBe(false)
  })

  it('may come back under their id, which undoes their removal', async () => {
    const {
      Id,
      lines: [first, second],
    } = await made()
    await put(Id, { lines: [{ accountId: cash, amount: 100 }, second] })
    expect((await put(Id, { lines: [first, second] })).body.data['journalEntry']!.lines).toEqual([first, second])
  })

  it('of five changes at once one is taken, where each names the version', async () => {
    const {
      Id,
      lines: [first, second],
    } = await made()
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((amount) =>
        put(Id, {
          version: 1,
          lines: [
            { Id: first!.Id, amount },
            { Id: second!.Id, amount },
          ],
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const { lines } = await read(Id)
    expect(lines[0]!.amount).toBe(lines[1]!.amount)
    // Without a version each is a change of its own, whole.
    await Promise.all(
      [6, 7, 8, 9, 10].map((amount) =>
        put(Id, {
          lines: [
            { Id: first!.Id, amount },
            { Id: second!.Id, amount },
          ],
        }),
      ),
    )
    const after = await read(Id)
    expect([after.version, after.lines.length, after.lines[0]!.amount - after.lines[1]!.amount]).toEqual([7, 2, 0])
  })

  it('go and come back with their record', async () => {
    const { Id, lines } = await made()
    await call('a', 'POST', '/api/entries/delete', { id: Id })
    const { body } = await call('a', 'POST', '/api/entries/restore', { ids: [Id] })
    expect((body.data['journalEntries'] as unknown as Entry[])[0]!.lines).toEqual(lines)
  })

  it('are written in sets: 50 entries take the statements of one', async () => {
    const count = async (size: number) => {
      const before = Number((await rows('select coalesce(sum(calls), 0) as n from journal_calls'))[0]?.['n'] ?? 0)
      await writeRecords(
        ctx,
        journalEntry,
        Array.from({ length: size }, () => ({
          kind: 'create' as const,
          input: { name: 'Set', lines: pair(), readerIds: [world.a.userId] },
        })),
        { source: 'import' },
      )
      return Number((await rows('select coalesce(sum(calls), 0) as n from journal_calls'))[0]?.['n'] ?? 0) - before
    }
    await world.database.admin.query(`
      create table public.journal_calls (calls int not null); grant all on public.journal_calls to public;
      create function public.count_call() returns trigger language plpgsql security definer as $$ begin insert into public.journal_calls values (1); return null; end $$;
      create trigger counted after insert on public.journal_line for each statement execute function public.count_call();
      create trigger counted after insert on public.journal_reader for each statement execute function public.count_call()`)
    expect([await count(1), await count(50)]).toEqual([2, 2])
  })

  it('are filtered by their presence, listed, and in the API document with their fields', async () => {
    const { Id } = await made({ name: 'Only this' })
    const filter = (parts: unknown) => call('a', 'GET', `/api/entries?filter=${encodeURIComponent(JSON.stringify(parts))}`)
    const found = (
      await filter([
        { field: 'name', op: 'eq', value: 'Only this' },
        { field: 'lines', op: 'notEmpty' },
      ])
    ).body.data['journalEntries'] as unknown as Entry[]
    expect(found.map((one) => [one.Id, one.lines.length])).toEqual([[Id, 2]])
    expect(
      (
        await filter([
          { field: 'name', op: 'eq', value: 'Only this' },
          { field: 'lines', op: 'empty' },
        ])
      ).body.data['journalEntries'],
    ).toEqual([])
    const { paths } = openapiDocument([area], '1') as {
      paths: Record<
        string,
        Record<
          string,
          {
            requestBody: {
              content: Record<
                string,
                { schema: { properties: Record<string, { minItems: number; maxItems: number; items: { properties: object } }> } }
              >
            }
          }
        >
      >
    }
    const { lines } = paths['/api/entries']!['post']!.requestBody.content['application/json']!.schema.properties
    expect([lines!.minItems, lines!.maxItems, Object.keys(lines!.items.properties)]).toEqual([
      2,
      5,
      expect.arrayContaining(['Id', 'accountId', 'amount', 'side', 'note']),
    ])
  })
})

describe('pairs', () => {
  it('are written with their record, by id or as they were read, and audited', async () => {
    const record = await made({ readerIds: [world.a.userId, world.a.userId.toUpperCase()] })
    expect(record.readerIds).toEqual([{ Id: world.a.userId, label: 'Asha Alpha' }])
    expect((await put(record.Id, { readerIds: record.readerIds })).body.data['journalEntry']!.readerIds).toEqual(record.readerIds)
    expect((await put(record.Id, { readerIds: [] })).body.data['journalEntry']!.readerIds).toEqual([])
    expect((await auditOf(record.Id)).filter(({ action }) => action === 'journalEntry.readerIds')).toMatchObject([
      { before: null, after: { readerIds: [world.a.userId] } },
      { before: { readerIds: [world.a.userId] }, after: { readerIds: [] } },
    ])
  })

  it('name nobody out of reach, at any door', async () => {
    const told = [422, 'readerIds is not an active user in your reach']
    expect(faults(await call('a', 'POST', '/api/entries', entry({ readerIds: [world.b.userId] })))).toEqual(told)
    const { Id } = await made()
    expect(faults(await put(Id, { readerIds: [randomUUID()] }))).toEqual(told)
    const [verdict] = await writeRecords(ctx, journalEntry, [{ kind: 'update', id: Id, input: { readerIds: [world.b.userId] } }], {
      source: 'import',
      onRefusal: 'report',
    })
    expect(verdict?.failure?.more.fields).toEqual([{ field: 'readerIds', message: 'is not an active user in your reach' }])
    expect(await rows('select 1 from journal_reader where "journalEntryId" = $1', Id)).toEqual([])
  })

  it('are filtered by who is in them', async () => {
    const [mine] = [await made({ name: 'Read by me', readerIds: [world.a.userId] }), await made({ name: 'Read by none' })]
    const found = async (op: string, value?: string) =>
      (
        (
          await call(
            'a',
            'GET',
            `/api/entries?size=100&filter=${encodeURIComponent(
              JSON.stringify([
                { field: 'name', op: 'contains', value: 'Read by' },
                { field: 'readerIds', op, value },
              ]),
            )}`,
          )
        ).body.data['journalEntries'] as unknown as Entry[]
      ).map(({ name }) => name)
    expect([
      await found('contains', world.a.userId),
      await found('contains', mine.Id),
      await found('empty'),
      await found('notEmpty'),
    ]).toEqual([['Read by me'], [], ['Read by none'], ['Read by me']])
  })
})

describe('money', () => {
  it('has the decimals of the currency that the record names, else of the company', async () => {
    expect((await made({ currencyCode: 'UGX', lines: pair(1200) })).lines[0]!.amount).toBe(1200)
    const answer = await call('a', 'POST', '/api/entries', entry({ currencyCode: 'UGX', lines: pair(1200.5) }))
    expect(faults(answer)).toEqual([422, 'lines.0.amount may hold no decimals in UGX', 'lines.1.amount may hold no decimals in UGX'])
    expect((await made({ currencyCode: 'TND', lines: pair('0.005'), fee: 1.25 })).lines[0]!.amount).toBe(0.005)
    expect(faults(await call('a', 'POST', '/api/entries', entry({ currencyCode: 'UGX', lines: pair(1), fee: 1.255 })))).toEqual([
      422,
      'fee may hold 2 decimals at most in KES',
    ])
    const { Id } = await made({ lines: pair(10.5) })
    expect(faults(await put(Id, { currencyCode: 'UGX', lines: pair(10.5) }))).toEqual([
      422,
      'lines.0.amount may hold no decimals in UGX',
      'lines.1.amount may hold no decimals in UGX',
    ])
  })

  it('stands in the audit as the number it was', async () => {
    const { Id } = await made({ fee: 12.5 })
    await put(Id, { fee: 13 })
    expect((await auditOf(Id)).at(-1)).toMatchObject({ action: 'journalEntry.update', before: { fee: 12.5 }, after: { fee: 13 } })
  })

  it('is exact, as a number or as text', async () => {
    for (const amount of ['99999999999.99', 99_999_999_999.99, '0.10', 0.1]) {
      const { Id } = await made({ lines: pair(amount) })
      expect(await rows('select distinct trim_scale("amount")::text as amount from journal_line where "entryId" = $1', Id)).toEqual([
        { amount: String(Number(amount)) },
      ])
    }
  })
})

describe("a choice among the company's own rows", () => {
  interface Field {
    key: string
    kind: string
    options?: { value: string; label: string; colour?: string }[]
    defaultValue?: string
    reference?: object
    fields?: Field[]
  }
  interface View {
    fields: Field[]
    actions: { key: string; form?: Field[] }[]
  }
  const kinds = { payout: randomUUID(), fee: randomUUID(), old: randomUUID(), other: randomUUID() }
  const view = async (id: string, who: string) =>
    (await call(who, 'GET', `/api/console/screens/${id}`)).body.data['view'] as unknown as View
  const kindOf = ({ fields }: { fields: Field[] }) => fields.find(({ key }) => key === 'kindId')!
  beforeAll(async () => {
    const { a, b } = world
    const rowsOf = [
      [a.id, kinds.payout, a.branch.id, 'Payout', 1, false, 2],
      [a.id, kinds.fee, a.root.id, 'Fee', 1, true, 1],
      [a.id, kinds.old, a.branch.id, 'Old', 0, false, 3],
      [a.id, kinds.other, a.other.id, 'Other', 1, false, 4],
      [b.id, randomUUID(), b.branch.id, 'Theirs', 1, true, 0],
    ]
    for (const row of rowsOf)
      await world.database.admin.query(
        `insert into ledger_kind ("companyId", id, "tenantId", name, active, preset, position, colour) values ($1, $2, $3, $4, $5, $6, $7, 'blue')`,
        row,
      )
  })

  it('has its options in the view: all where records are shown, those on offer where one is chosen', async () => {
    const [shown, form, detail] = [await view('ledger', 'a'), await view('ledger-new', 'a'), await view('ledger-id-view', 'a')]
    expect(kindOf(shown)).toMatchObject({
      kind: 'choice',
      options: [
        { value: kinds.fee, label: 'Fee', colour: 'blue' },
        { value: kinds.payout, label: 'Payout' },
        { value: kinds.old, label: 'Old' },
        { value: kinds.other, label: 'Other (AL2)' },
      ],
    })
    expect([kindOf(shown).reference, kindOf(shown).defaultValue]).toEqual([undefined, undefined])
    expect(kindOf(form)).toMatchObject({ options: [{ value: kinds.fee }, { value: kinds.payout }], defaultValue: kinds.fee })
    expect(shown.actions.find(({ key }) => key === 'kind')?.form).toMatchObject([
      { key: 'kindId', options: [{ value: kinds.fee }, { value: kinds.payout }] },
    ])
    expect(kindOf(detail).options).toHaveLength(4)
    // What a line is made of is told as well.
    expect(form.fields.find(({ key }) => key === 'lines')?.fields?.map(({ key }) => key)).toEqual(['accountId', 'amount', 'side', 'note'])
  })

  it('is a reference: named, checked, filtered', async () => {
    const record = await made({ kindId: kinds.payout, name: 'Of a kind' })
    expect(record).toMatchObject({ kindId: kinds.payout, kindIdLabel: 'Payout' })
    expect(faults(await put(record.Id, { kindId: randomUUID() }))).toEqual([422, 'kindId does not exist'])
    expect(faults(await put(record.Id, { kindId: 'Payout' }))).toEqual([422, 'kindId is not an identifier'])
    const found = (
      await call(
        'a',
        'GET',
        `/api/entries?filter=${encodeURIComponent(JSON.stringify([{ field: 'kindId', op: 'in', value: [kinds.payout] }]))}`,
      )
    ).body.data['journalEntries'] as unknown as Entry[]
    expect(found.map(({ name }) => name)).toEqual(['Of a kind'])
    expect((await put(record.Id, { kindId: null })).body.data['journalEntry']).toMatchObject({ kindId: null, kindIdLabel: null })
  })
})

it('records that show a renamed row are found by their pairs and lines', async () => {
  const [paid, lone] = [await made({ readerIds: [world.a.userId] }), await newAccount('a', 'Nobody books here')]
  const holding = async (table: string, id: string) => {
    const { text, values } = holdersOf(journalEntry, table, id)!
    return (
      await world.database.admin.query<{ id: string }>(`select t.id from journal_entry t where (${text})`, values as unknown[])
    ).rows.map((row) => row.id)
  }
  expect(await holding('ledger_account', cash)).toContain(paid.Id)
  expect(await holding('ledger_account', lone)).toEqual([])
  expect(await holding('app_user', world.a.userId)).toContain(paid.Id)
  expect(await holding('app_user', world.b.userId)).toEqual([])
})

describe('what a device did meanwhile', () => {
  const deviceId = randomUUID()
  let clientSeq = 0
  const change = (entityId: string, over: Partial<ChangeRecord>): ChangeRecord => ({
    clientSeq: (clientSeq += 1),
    changeId: randomUUID(),
    schema: 1,
    deviceId,
    tenantId: world.a.branch.id,
    userId: world.a.userId,
    version: 1,
    entityId,
    entityType: 'journalEntry',
    dateModified: new Date().toISOString(),
    changeType: 'UPDATE',
    patch: {},
    deps: [],
    ...over,
  })
  const push = (one: ChangeRecord) => pushChanges(ctx, [one], syncEntities([area])).then(([result]) => result!)

  it('keeps the ids that the device gave, and is told in the audit as any other', async () => {
    const [entityId, first, second] = [randomUUID(), randomUUID(), randomUUID()]
    const [one, two] = pair()
    const snapshot = {
      Id: entityId,
      name: 'From the field',
      lines: [
        { ...one, Id: first },
        { ...two, Id: second },
      ],
      readerIds: [world.a.userId],
    }
    expect(await push(change(entityId, { changeType: 'INSERT', version: 0, snapshot }))).toMatchObject({ status: 'applied' })
    expect((await read(entityId)).lines.map(({ Id }) => Id)).toEqual([first, second])
    expect((await auditOf(entityId)).map(({ action, source }) => [action, source])).toEqual(
      ['create', 'lines', 'readerIds'].map((what) => [`journalEntry.${what}`, 'sync']),
    )
    const theft = { ...snapshot, Id: randomUUID(), lines: [{ ...one, Id: first }, two] }
    expect(await push(change(theft.Id, { changeType: 'INSERT', version: 0, snapshot: theft }))).toMatchObject({
      status: 'rejected',
      message: expect.stringContaining('lines.0.Id') as string,
    })
  })

  it('is merged line by line with what the office did', async () => {
    const {
      Id,
      lines: [first, second],
    } = await made()
    await put(Id, {
      lines: [
        { Id: first!.Id, note: 'Office' },
        { Id: second!.Id },
        { accountId: cash, amount: 7 },
        { accountId: loans, amount: 7, side: 'credit', note: 'x' },
      ],
    })
    const added = { Id: randomUUID(), accountId: cash, amount: 0 }
    const mine = [{ ...first, amount: 60 }, { ...second, amount: 60 }, added]
    expect(await push(change(Id, { patch: { lines: [[first, second], mine] } }))).toMatchObject({ status: 'applied' })
    const { lines } = await read(Id)
    expect(lines.map(({ amount, note }) => [amount, note])).toEqual([
      [60, 'Office'],
      [60, 'Paid out'],
      [0, null],
      [7, null],
      [7, 'x'],
    ])
  })

  it("asks where both changed one field of a line; the office's stands", async () => {
    const {
      Id,
      lines: [first, second],
    } = await made()
    await put(Id, { lines: [{ Id: first!.Id, note: 'Office' }, second] })
    const result = await push(
      change(Id, {
        patch: {
          lines: [
            [first, second],
            [{ ...first, note: 'Field' }, second],
          ],
        },
      }),
    )
    expect(result).toMatchObject({ status: 'merged', conflicts: [{ field: 'lines' }] })
    expect((await read(Id)).lines[0]!.note).toBe('Office')
  })

  it("adds to and takes from pairs without losing the office's", async () => {
    const { Id } = await made()
    await put(Id, { name: 'Meanwhile' })
    expect(await push(change(Id, { patch: { readerIds: { add: [world.a.userId], remove: [] } } }))).toMatchObject({ status: 'applied' })
    expect((await read(Id)).readerIds.map((one) => one.Id)).toEqual([world.a.userId])
    expect(await push(change(Id, { patch: { readerIds: [[{ Id: world.a.userId, label: 'Asha' }], []] } }))).toMatchObject({
      status: 'applied',
    })
    expect((await read(Id)).readerIds).toEqual([])
    expect(await push(change(Id, { patch: { readerIds: { add: [world.b.userId], remove: [] } } }))).toMatchObject({ status: 'rejected' })
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { openapiDocument } from '../../apps/server/src/kernel/openapi.ts'
import { writeRecords } from '../../apps/server/src/kernel/resource/pipeline.ts'
import { holdersOf } from '../../apps/server/src/kernel/sync/relabel.ts'
import { journalEntry } from './journal.ts'
import { area, faults, makeLedgerWorld, type Entry } from './ledger-world.ts'

const { world, ctx, cash, loans, foreign, call, newAccount, pair, entry, made, read, put, rows, auditOf, close } = await makeLedgerWorld()
afterAll(() => close())

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

  it('are in the audit with old and new value, and in the history', async () => {
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

  it('is in the audit as the number it was', async () => {
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

it('records that show a renamed row are found by their pairs and lines', async () => {
  const [paid, lone] = [await made({ readerIds: [world.a.userId] }), await newAccount('a', 'Nobody books here')]
  const holding = async (table: string, id: string) => {
    const { text, values } = holdersOf(journalEntry, table, id)!
    return (
      await world.database.admin.query<{ id: string }>(`select t.id from journal_entry t where (${text})`, values as unknown[])
    ).rows.map((row) => row.id)
  }
  expect(await holding('journal_account', cash)).toContain(paid.Id)
  expect(await holding('journal_account', lone)).toEqual([])
  expect(await holding('app_user', world.a.userId)).toContain(paid.Id)
  expect(await holding('app_user', world.b.userId)).toEqual([])
})

import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { closeConnection, openConnection } from '../../apps/server/src/kernel/providers/connection.ts'
import { providersArea } from '../../apps/server/src/kernel/providers/retention.ts'
import { providerRoute } from '../../apps/server/src/kernel/providers/route.ts'
import { makeJobCtx } from '../../apps/server/src/kernel/session/jobs.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { until } from '../support/until.ts'

interface Door {
  Id: string
  key: string
  secret: string
}

let app: TestApp
let a: Ctx, b: Ctx
let door: Door
let isBroken = false

const payment = z.strictObject({ transaction: z.string().min(1), amount: z.number() })
const xml = (body: string, status = 200) => ({ status, type: 'text/xml; charset=utf-8', text: `<r>${body}</r>` })

/** Books a payment: a row of ours, and a message to somebody outside. */
async function book(ctx: Ctx, { transaction, amount }: z.infer<typeof payment>) {
  if (isBroken) fail('UNAVAILABLE')
  await ctx.sql.exec(
    sql`insert into language_label ("companyId", "id", "label", "value") values (${ctx.company.id}::uuid, uuidv7(), ${transaction}, ${String(amount)})`,
  )
  await enqueue(ctx.sql, { companyId: ctx.company.id, userId: null, type: 'test.receipt', payload: { transaction } })
  return xml(`paid ${transaction}`)
}
/** How many messages each transaction had that was not undone. */
const sets: number[] = []
let isAway = false
/** What a booking waits for, where a test makes it slow. */
let held: Promise<void> | undefined
/** Books a set; one that cannot be paid undoes all of it. */
async function bookMany(ctx: Ctx, messages: readonly z.infer<typeof payment>[]) {
  if (isAway) throw Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
  await held
  const answers = []
  for (const message of messages) {
    answers.push(await book(ctx, message))
    if (message.amount < 0) fail('ILLEGAL_TRANSITION')
    if (message.amount === 0) throw new Error('a fault of the program')
  }
  sets.push(messages.length)
  return answers
}
const read = (raw: Buffer) => payment.parse(JSON.parse(raw.toString('utf8')))
const area = defineArea({
  name: 'payments',
  routes: [
    providerRoute('payments.signed', 'POST', '/hooks/signed/:key', {
      proof: { kind: 'hmac', header: 'X-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
      read,
      idOf: ({ transaction }) => transaction,
      run: book,
      sends: 'text/xml',
      refuse: ({ failure }) => xml(failure, failure === 'UNAVAILABLE' ? 503 : 400),
      bodyLimit: 2_000,
    }),
    providerRoute('payments.listed', 'POST', '/hooks/listed/:key', {
      proof: { kind: 'address' },
      read,
      idOf: ({ transaction }) => transaction,
      run: book,
      sends: 'text/xml',
      keepDays: 30,
    }),
    providerRoute('payments.many', 'POST', '/hooks/many/:key', {
      proof: { kind: 'address' },
      read,
      idOf: ({ transaction }) => transaction,
      runAll: bookMany,
      accepted: xml('accepted'),
      // The tests read what was done, however long a loaded machine takes for it.
      patienceMs: 60_000,
      sends: 'text/xml',
      refuse: ({ failure }) => xml(failure, 422),
    }),
    providerRoute('payments.hasty', 'POST', '/hooks/hasty/:key', {
      proof: { kind: 'address' },
      read,
      idOf: ({ transaction }) => transaction,
      runAll: bookMany,
      accepted: xml('accepted'),
      patienceMs: 100,
      sends: 'text/xml',
    }),
  ],
})

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine), area, providersArea([area])] })
  const ctxOf = async () => makeJobCtx(app.services, { companyId: (await app.make.company()).id, userId: null })
  a = await ctxOf()
  b = await ctxOf()
  door = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.signed' }))
})
afterAll(() => app.close())
beforeEach(() => {
  isBroken = false
})

const signed = (body: string, secret = door.secret) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
async function call(
  body: string,
  {
    key = door.key,
    signature = signed(body),
    path = 'signed',
    type = 'application/json',
    remoteAddress = '127.0.0.1',
  }: Partial<Record<'key' | 'signature' | 'path' | 'type' | 'remoteAddress', string>> = {},
) {
  const { statusCode, payload, headers } = await app.http.inject({
    method: 'POST',
    url: `/hooks/${path}/${key}`,
    headers: { 'content-type': type, 'x-signature': signature },
    payload: body,
    remoteAddress,
  })
  return { status: statusCode, text: payload, type: headers['content-type'] }
}
const rows = async (text: string, ...values: unknown[]) => (await app.database.admin.query(text, values)).rows as Record<string, unknown>[]
const effects = async (transaction: string) => [
  (await rows('select from language_label where label = $1', transaction)).length,
  (await rows(`select from outbox where type = 'test.receipt' and payload ->> 'transaction' = $1`, transaction)).length,
]
const stored = (transaction: string) =>
  rows(
    'select "companyId", convert_from(body, \'UTF8\') as body, "doneAt" is not null as "isDone", "lastError" from provider_message where "providerId" = $1',
    transaction,
  )
const said = (transaction: string, more = '') => `{ "transaction" : "${transaction}",  "amount": 12.5 ${more}}`

describe('a provider that signs', () => {
  it('is answered in its own format; its bytes are kept and its message has its effects', async () => {
    const body = said('T1')
    expect(await call(body, { type: 'application/vnd.provider+json' })).toEqual({
      status: 200,
      text: '<r>paid T1</r>',
      type: 'text/xml; charset=utf-8',
    })
    expect(await stored('T1')).toEqual([{ companyId: a.company.id, body, isDone: true, lastError: null }])
    expect(await effects('T1')).toEqual([1, 1])
  })

  it('is heard once, however often and at the same moment it says the same', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(said('T2'))))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 <r>paid T2</r>']))
    expect((await call(said('T2'))).text).toBe('<r>paid T2</r>')
    expect([await effects('T2'), (await stored('T2')).length]).toEqual([[1, 1], 1])
  })

  it('is asked to come again while the database has no connection for it, and is not refused for its key', async () => {
    const spied = vi
      .spyOn(app.services.store.sql, 'maybe')
      .mockRejectedValueOnce(Object.assign(new Error('sorry, too many clients already'), { code: '53300' }))
    expect(await call(said('T2b'))).toMatchObject({ status: 503, text: '<r>UNAVAILABLE</r>' })
    spied.mockRestore()
    expect((await call(said('T2b'))).text).toBe('<r>paid T2b</r>')
  })

  it('is refused without its key and its signature over these bytes, and then nothing is kept', async () => {
    const other = await b.transaction((ctx) => openConnection(ctx, { provider: 'payments.signed' }))
    const listed = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.listed', addresses: ['127.0.0.1'] }))
    const body = said('T3')
    const [company = '', random = ''] = door.key.split('.')
    const wrong: Parameters<typeof call>[1][] = [
      { signature: '' },
      { signature: signed(body, other.secret) },
      { signature: signed(`${body} `) },
      { signature: signed(body).slice(7) },
      { signature: `${signed(body)}0` },
      { key: other.key },
      { key: `${b.company.id}.${random}` },
      { key: `${company}.${random.slice(1)}` },
      { key: 'nothing' },
      { key: `${company}.` },
      { key: listed.key, signature: signed(body, listed.secret) },
    ]
    for (const one of wrong)
      expect([one, await call(body, one)]).toEqual([one, { status: 400, text: '<r>TOKEN_INVALID</r>', type: 'text/xml; charset=utf-8' }])
    expect([await stored('T3'), await effects('T3')]).toEqual([[], [0, 0]])
  })

  it('learns what is wrong with its message, and that it is too long', async () => {
    for (const body of ['{', '{"transaction":"T4"}', said('T4', ', "more": 1')]) expect((await call(body)).status).toBe(400)
    expect((await call(said('x'.repeat(3_000)))).status).toBe(413)
    expect(await stored('T4')).toEqual([])
  })

  it('may try again what failed: the message is there, its effects come once', async () => {
    isBroken = true
    expect(await call(said('T5'))).toMatchObject({ status: 503, text: '<r>UNAVAILABLE</r>' })
    expect(await stored('T5')).toMatchObject([{ isDone: false, lastError: expect.any(String) as string }])
    expect(await effects('T5')).toEqual([0, 0])
    isBroken = false
    expect((await call(said('T5'))).status).toBe(200)
    expect([await stored('T5'), await effects('T5')]).toMatchObject([[{ isDone: true, lastError: null }], [1, 1]])
  })

  it('says the same to two companies, and each hears it', async () => {
    const other = await b.transaction((ctx) => openConnection(ctx, { provider: 'payments.signed' }))
    const body = said('T6')
    expect((await call(body)).status).toBe(200)
    expect((await call(body, { key: other.key, signature: signed(body, other.secret) })).status).toBe(200)
    expect((await stored('T6')).map(({ companyId }) => companyId).toSorted()).toEqual([a.company.id, b.company.id].toSorted())
  })

  it('is shut out once its connection is closed', async () => {
    const gone = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.signed' }))
    const body = said('T7')
    await a.transaction((ctx) => closeConnection(ctx, gone.Id))
    expect((await call(body, { key: gone.key, signature: signed(body, gone.secret) })).text).toBe('<r>TOKEN_INVALID</r>')
    await expect(b.transaction((ctx) => closeConnection(ctx, door.Id))).rejects.toMatchObject({ failure: 'NOT_FOUND' })
  })
})

describe('a provider that is known by its address', () => {
  it('is heard from there alone, and answered in plain JSON when it is refused', async () => {
    const { key } = await a.transaction((ctx) =>
      openConnection(ctx, { provider: 'payments.listed', addresses: ['196.201.214.0/24', '2001:db8::7'] }),
    )
    const from = (remoteAddress: string, transaction: string) =>
      call(said(transaction), { key, path: 'listed', signature: '', remoteAddress })
    expect((await from('196.201.214.9', 'L1')).text).toBe('<r>paid L1</r>')
    expect((await from('2001:db8::7', 'L2')).status).toBe(200)
    for (const address of ['196.201.215.9', '127.0.0.1', '2001:db8::8'])
      expect(await from(address, 'L3')).toMatchObject({ status: 400, text: expect.stringContaining('"code":"TOKEN_INVALID"') as string })
    expect(await effects('L3')).toEqual([0, 0])
  })

  it('is not known without a list of addresses', async () => {
    const { key } = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.listed' }))
    expect((await call(said('L4'), { key, path: 'listed' })).status).toBe(400)
  })
})

describe('a door where many call at once', () => {
  let many: Door
  const say = (transaction: string, amount = 12.5) =>
    call(JSON.stringify({ transaction, amount }), { key: many.key, path: 'many', signature: '' })
  const finishAll = async (done: () => Promise<boolean>) => {
    await rows(
      `update provider_message set "dateReceived" = now() - interval '1 minute' where "connectionId" = $1 and "doneAt" is null`,
      many.Id,
    )
    await rows(`update outbox set "runAt" = now() where type = 'providers.finishMessages' and status = 'new'`)
    const { queueStore, log } = app.machine
    const jobs = startJobs({ areas: app.areas, services: app.services, store: queueStore, log, sweepMs: 50 })
    try {
      // Hundreds are done one by one, and other parts of the run may have the processors.
      await until(done, 100_000)
    } finally {
      await jobs.close()
    }
  }
  beforeAll(async () => {
    many = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.many', addresses: ['127.0.0.1'] }))
  })

  it('does what comes together in sets, each message once, and gives each its answer', async () => {
    sets.length = 0
    const names = Array.from({ length: 30 }, (_, turn) => `M${turn}`)
    const answers = await Promise.all([...names, ...names, ...names].map((name) => say(name)))
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      [...names, ...names, ...names].map((name) => [200, `<r>paid ${name}</r>`]),
    )
    for (const name of names) expect([name, await effects(name)]).toEqual([name, [1, 1]])
    expect(sets.length).toBeLessThan(30)
    expect(sets.reduce((sum, size) => sum + size, 0)).toBe(30)
  })

  it('lets one that is refused, or cannot be done, harm no other', async () => {
    const answers = await Promise.all([say('P1'), say('P2', -1), say('P3'), say('P4', 0), say('P5')])
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '<r>paid P1</r>'],
      [422, '<r>ILLEGAL_TRANSITION</r>'],
      [200, '<r>paid P3</r>'],
      [200, '<r>accepted</r>'],
      [200, '<r>paid P5</r>'],
    ])
    for (const name of ['P1', 'P3', 'P5']) expect(await effects(name)).toEqual([1, 1])
    for (const name of ['P2', 'P4']) expect(await effects(name)).toEqual([0, 0])
    expect((await stored('P4'))[0]).toMatchObject({ isDone: false, lastError: 'a fault of the program' })
    // Nobody waits for it any more.
    await rows(`update provider_message set "doneAt" = now() where "providerId" in ('P2', 'P4')`)
  })

  it('keeps no provider waiting longer than it declares: what is stored is accepted, and is done all the same', async () => {
    const { key } = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.hasty', addresses: ['127.0.0.1'] }))
    const tell = () => call(said('H1'), { key, path: 'hasty', signature: '' })
    let release = () => {}
    held = new Promise((done) => (release = done))
    try {
      expect(await tell()).toMatchObject({ status: 200, text: '<r>accepted</r>' })
      expect([await effects('H1'), await stored('H1')]).toMatchObject([[0, 0], [{ isDone: false }]])
    } finally {
      release()
      held = undefined
    }
    await until(async () => (await stored('H1'))[0]?.['isDone'] === true)
    expect(await effects('H1')).toEqual([1, 1])
  })

  it('takes what it has stored when the database is away for the rest: a job does it, once', async () => {
    await rows(`delete from outbox where type = 'providers.finishMessages'`)
    isAway = true
    const other = await testDoor()
    try {
      expect(await call(said('F1'), { key: other.key, path: 'many', signature: '' })).toMatchObject({
        status: 200,
        text: '<r>accepted</r>',
      })
    } finally {
      isAway = false
    }
    expect(await effects('F1')).toEqual([0, 0])
    await rows(`update provider_message set "dateReceived" = now() - interval '1 minute' where "providerId" = 'F1'`)
    await finishAll(async () => (await stored('F1'))[0]?.['isDone'] === true)
    expect(await effects('F1')).toEqual([1, 1])
    expect(await call(said('F1'), { key: other.key, path: 'many', signature: '' })).toMatchObject({ text: '<r>paid F1</r>' })
    expect(await effects('F1')).toEqual([1, 1])
  })

  it('passes over hundreds that were refused to those that came after them', async () => {
    const copy = (name: string, amount: number) =>
      rows(
        `insert into provider_message ("companyId", "id", "provider", "connectionId", "providerId", "body", "dateReceived", "expiresAt")
         select "companyId", uuidv7(), "provider", "connectionId", $1 || n, convert_to(json_build_object('transaction', $1 || n, 'amount', $2::numeric)::text, 'utf8'),
           now() - interval '1 minute', "expiresAt" from provider_message, generate_series(1, $3::int) n where "providerId" = 'P1'`,
        name,
        amount,
        amount < 0 ? 205 : 1,
      )
    await copy('R', -1)
    await copy('G', 12.5)
    await a.transaction((ctx) =>
      enqueue(ctx.sql, {
        companyId: ctx.company.id,
        userId: null,
        type: 'providers.finishMessages',
        payload: { provider: 'payments.many' },
      }),
    )
    await finishAll(async () => (await stored('G1'))[0]?.['isDone'] === true)
    expect(await effects('G1')).toEqual([1, 1])
    expect(await effects('R205')).toEqual([0, 0])
    await rows(`update provider_message set "doneAt" = now() where "providerId" like 'R%'`)
  })

  it('reads its connection after each call began: a closed one is shut at once', async () => {
    const gone = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.many', addresses: ['127.0.0.1'] }))
    const tell = (transaction: string) => call(said(transaction), { key: gone.key, path: 'many', signature: '' })
    const before = Array.from({ length: 10 }, (_, turn) => tell(`C${turn}`))
    await Promise.all(before)
    await a.transaction((ctx) => closeConnection(ctx, gone.Id))
    const after = await Promise.all(Array.from({ length: 10 }, (_, turn) => tell(`D${turn}`)))
    expect(new Set(after.map(({ text }) => text))).toEqual(new Set(['<r>TOKEN_INVALID</r>']))
    expect(await stored('D0')).toEqual([])
  })

  /** A door of a company whose line has planned nothing yet. */
  async function testDoor(): Promise<Door> {
    const ctx = await makeJobCtx(app.services, { companyId: (await app.make.company()).id, userId: null })
    return ctx.transaction((inner) => openConnection(inner, { provider: 'payments.many', addresses: ['127.0.0.1'] }))
  }
})

describe('what a provider sent', () => {
  const erasures = (connectionId: string) =>
    rows(
      `select "doneAt" is not null as "isDone", round(extract(epoch from "runAt" - now()) / 3600)::int as hours from outbox
      where type = 'providers.eraseMessages' and payload ->> 'connectionId' = $1 order by "runAt"`,
      connectionId,
    )
  const daysKept = async (transaction: string) =>
    (
      await rows(
        'select round(extract(epoch from "expiresAt" - "dateReceived") / 86400)::int as days from provider_message where "providerId" = $1',
        transaction,
      )
    ).map(({ days }) => days)

  it('is kept for the days that the door declares, 90 where it says nothing', async () => {
    const { key } = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.listed', addresses: ['127.0.0.1'] }))
    await call(said('K1'))
    await call(said('K2'), { key, path: 'listed', signature: '' })
    expect([await daysKept('K1'), await daysKept('K2')]).toEqual([[90], [30]])
  })

  it('is erased by a daily job once its time is over; its id stays, so that nothing is done twice', async () => {
    const own = await a.transaction((ctx) => openConnection(ctx, { provider: 'payments.signed' }))
    const send = (transaction: string) => {
      const body = said(transaction)
      return call(body, { key: own.key, signature: signed(body, own.secret) })
    }
    for (const transaction of ['E1', 'E2']) expect((await send(transaction)).status).toBe(200)
    expect(await erasures(own.Id)).toEqual([{ isDone: false, hours: 24 }])
    await rows(`update provider_message set "expiresAt" = now() - interval '1 hour' where "providerId" = 'E1'`)
    await rows(`update outbox set "runAt" = now() where payload ->> 'connectionId' = $1`, own.Id)
    const { queueStore, log } = app.machine
    const jobs = startJobs({ areas: app.areas, services: app.services, store: queueStore, log, sweepMs: 50 })
    try {
      await until(async () => (await erasures(own.Id)).length === 2)
    } finally {
      await jobs.close()
    }
    expect(await stored('E1')).toEqual([{ companyId: a.company.id, body: '', isDone: true, lastError: null }])
    expect(await stored('E2')).toMatchObject([{ body: said('E2') }])
    expect((await erasures(own.Id)).at(-1)).toEqual({ isDone: false, hours: 24 })
    expect((await send('E1')).text).toBe('<r>paid E1</r>')
    expect(await effects('E1')).toEqual([1, 1])
  })
})

it('keeps neither key nor secret readable', async () => {
  const [row] = await rows('select to_jsonb(c) as row from provider_connection c where id = $1', door.Id)
  const text = JSON.stringify(row)
  expect([
    text.includes(door.key.split('.')[1] ?? 'x'),
    text.includes(door.secret),
    text.includes(Buffer.from(door.secret).toString('hex')),
  ]).toEqual([false, false, false])
})

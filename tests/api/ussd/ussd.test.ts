import { holds, type Condition } from '@outpost/contract/fields'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runJobs } from '../leads/world.ts'
import { dayFrom, makeLending, type Lending, type Row } from '../loans/lending.ts'

let lending: Lending
let as: Lending['world']['as']
let key = ''
let sessions = 0

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  const opened = await as.admin.post<{ key: string }>('/api/ussd/connections', { addresses: ['127.0.0.1', '196.201.214.0/24'] })
  expect(opened.status, opened.text).toBe(200)
  key = opened.body.data.key
})
afterAll(() => lending.world.app.close())

async function post(path: string, body: Record<string, string>, { remoteAddress = '127.0.0.1', by = key } = {}) {
  const { statusCode, payload, headers } = await lending.world.app.http.inject({
    method: 'POST',
    url: `/hooks/${path}/${by}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(body).toString(),
    remoteAddress,
  })
  return { status: statusCode, text: payload, type: String(headers['content-type']) }
}

/** A phone: each word typed is joined to what was typed before, as the gateway does. */
function phone(phoneNumber: string, networkCode = '63902') {
  const sessionId = `ATUid_${(sessions += 1)}`
  const typed: string[] = []
  const say = (text: string) => post('ussd', { sessionId, serviceCode: '*384*1#', phoneNumber, networkCode, text })
  return {
    sessionId,
    dial: async () => (await say('')).text,
    type: async (word: string) => {
      typed.push(word)
      return (await say(typed.join('*'))).text
    },
    again: async () => (await say(typed.join('*'))).text,
    said: () => typed.join('*'),
  }
}

async function person(over: object = {}): Promise<{ id: string; number: string; idNumber: string }> {
  const id = await lending.client(undefined, {
    idNumber: `2${String(Math.floor(performance.now() * 1000)).padStart(9, '0')}`.slice(0, 10),
    ...over,
  })
  const [row] = await lending.rows(`select "phonenumber", "idNumber" from client where id = $1`, id)
  return { id, number: String(row?.['phonenumber']), idNumber: String(row?.['idNumber']) }
}
/** Somebody with a PIN, and a loan of which three instalments of 424 are owed. */
async function secured(pin = '2580') {
  const who = await person()
  const loan = await lending.running(dayFrom(-20), { clientId: who.id })
  const line = phone(who.number)
  await line.dial()
  await line.type('1')
  await line.type(who.idNumber)
  await line.type(pin)
  return { ...who, loan, first: await line.type(pin), line }
}
const session = async (providerSessionId: string) =>
  (await lending.rows(`select * from ussd_session where "providerSessionId" = $1`, providerSessionId))[0] ?? {}
/** Without ids: four digits of one are sooner or later those of a PIN. */
const withoutIds = (text: unknown) => String(text).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '(id)')
const hops = async (providerSessionId: string) =>
  lending.rows(
    `select h.* from ussd_hop h join ussd_session s on s.id = h."sessionId" where s."providerSessionId" = $1 order by h.seq`,
    providerSessionId,
  )

describe('the door', () => {
  it('is for who has the key and calls from its addresses; answers plain words', async () => {
    const body = { sessionId: 'x1', serviceCode: '*384*1#', phoneNumber: '+254700000001', networkCode: '1', text: '' }
    const good = await post('ussd', body)
    expect(good).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' })
    expect(good.text).toBe('CON Sunrise: we do not know this number.\n1. Call me back')
    expect((await post('ussd', body, { remoteAddress: '8.8.8.8' })).status).toBe(400)
    expect((await post('ussd', body, { by: `${lending.world.stranger.id}.${key.split('.')[1] ?? ''}` })).status).toBe(400)
    const bad = await post('ussd', { phoneNumber: '+254700000001', text: '' })
    expect(bad.status).toBeGreaterThanOrEqual(400)
    expect(bad.text).toMatch(/^END /)
  })

  it('knows a client only of its own company', async () => {
    const foreign = await lending.world.app.make.client({
      tenant: lending.world.stranger,
      phonenumber: '+254799000111',
      trimmedPhonenumber: '254799000111',
    })
    expect(foreign.id).toBeTruthy()
    expect(await phone('+254799000111').dial()).toContain('we do not know this number')
  })
})

describe('a session', () => {
  it('sets the PIN with the ID number, then shows the balance; PIN and ID number are kept nowhere as they are', async () => {
    const { id, idNumber, first, line, loan } = await secured('7391')
    expect(first).toMatch(/^END L-\d{6}: KES 1,272 owed, pay KES 424 by /)
    expect(first).toContain(String(loan['loanNumber']))
    const [row] = await lending.rows(`select "ussdPinHash", "ussdDevice", "ussdSecuredAt" from client where id = $1`, id)
    expect(row).toMatchObject({ ussdPinHash: expect.stringMatching(/^\$argon2id\$/), ussdDevice: '63902', ussdSecuredAt: expect.any(Date) })
    expect(await session(line.sessionId)).toMatchObject({
      state: 'COMPLETED',
      hops: 5,
      clientId: id,
      lastMenu: 'Balance',
      menuNumber: 0,
      place: null,
    })
    expect((await hops(line.sessionId)).map(({ input, screen }) => [input, screen])).toEqual([
      ['', 'Main menu'],
      ['1', 'ID number'],
      ['•'.repeat(idNumber.length), 'New PIN'],
      ['••••', 'Repeat PIN'],
      ['••••', 'Balance'],
    ])
    const kept = await lending.rows(
      `select convert_from(body, 'UTF8') || coalesce(answer, '') || "providerId" as text from provider_message where provider in ('ussd.hop', 'ussd.ended')`,
    )
    const audits = await lending.rows(
      `select row_to_json(a)::text as text from audit_log a where a."companyId" = $1`,
      lending.world.company.id,
    )
    for (const { text } of [...kept, ...audits]) expect(withoutIds(text)).not.toMatch(/\b7391\b|\$argon2/)
    for (const { text } of kept) expect(String(text)).not.toContain(idNumber)
  })

  it('writes days and numbers as the company does', async () => {
    const path = `/api/settings/${lending.world.company.id}`
    expect((await as.admin.put(path, { dateFormat: 'DD/MM/YYYY', numberFormat: '1 234,56' })).status).toBe(200)
    const { first } = await secured('7391')
    expect(first).toMatch(/: KES 1 272 owed, pay KES 424 by \d\d\/\d\d\/\d{4}/)
    expect((await as.admin.put(path, { dateFormat: null, numberFormat: null })).status).toBe(200)
  })

  it('counts only the word after the last star, refuses a star typed into it, and answers a hop said again alike', async () => {
    const { number } = await secured()
    const line = phone(number)
    expect(await line.dial()).toMatch(
      /^CON Sunrise: welcome \w+\n1\. My balance\n2\. Last payments\n3\. Pay now\n4\. Ask for a loan\n5\. More$/,
    )
    expect(await line.type('5')).toBe('CON More\n1. Set or change PIN\n2. Call me back\n0. Back')
    expect(await line.type('0')).toContain('1. My balance')
    expect(await line.type('9')).toContain('Not understood')
    expect(await line.type('1')).toBe('CON Enter your PIN')
    expect(await line.type('25*80')).toBe('CON A PIN has 4 digits. Enter your PIN')
    const answers = [await line.type('2580'), await line.again(), await line.again()]
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/^END L-/)
    expect(await session(line.sessionId)).toMatchObject({ hops: 7, state: 'COMPLETED' })
  })

  it('said five times at once is one hop', async () => {
    const { number } = await secured()
    const line = phone(number)
    await line.dial()
    await line.type('4')
    await line.type('2580')
    const loans = async () =>
      lending.rows(`select count(*)::int as count from ussd_request where kind = 'Loan' and msisdn = $1`, number.slice(1))
    await line.type('15000')
    const answers = await Promise.all(Array.from({ length: 5 }, () => line.again()))
    expect(new Set(answers)).toEqual(new Set(['END Thank you. Your request for KES 15,000 is noted. We call you.']))
    expect(await loans()).toEqual([{ count: 1 }])
    const { body } = await as.officer.get<{ ussdRequests: Row[] }>('/api/ussd/requests')
    expect(body.data.ussdRequests.filter(({ msisdn }) => msisdn === number.slice(1))).toMatchObject([
      { kind: 'Loan', amount: 15_000, status: 'Open' },
    ])
  })

  it('shows payments, and how to pay the amount that is due, all or another one', async () => {
    const { number, loan } = await secured()
    await lending.pay(loan.Id, 24.5, dayFrom(-1))
    const statement = phone(number)
    await statement.dial()
    await statement.type('2')
    expect(await statement.type('2580')).toMatch(/KES 24\.50\nOwed KES 1,247\.50$/)
    const pay = phone(number)
    await pay.dial()
    await pay.type('3')
    expect(await pay.type('2580')).toBe(
      `CON ${String(loan['loanNumber'])}\n1. KES 399.50 due\n2. KES 1,247.50 all\n3. Other amount\n0. Back`,
    )
    await pay.type('3')
    expect(await pay.type('-5')).toContain('Enter an amount')
    expect(await pay.type('100.123')).toContain('Enter an amount')
    expect(await pay.type('1,2345')).toContain('Enter an amount')
    expect(await pay.type('1,000.50')).toBe(
      `END Pay KES 1,000.50 to Sunrise, account ${String(loan['loanNumber'])}. It is booked as soon as it arrives.`,
    )
  })

  it('of a stranger takes a call back and no more', async () => {
    const line = phone('+254711999888')
    await line.dial()
    expect(await line.type('7')).toContain('Not understood')
    expect(await line.type('1')).toBe('END Thank you. We call you back.')
    expect(await lending.rows(`select kind, "clientId", status from ussd_request where msisdn = '254711999888'`)).toEqual([
      { kind: 'Call back', clientId: null, status: 'Open' },
    ])
  })

  it('ends as the gateway says, with its cost; one that nobody ends times out', async () => {
    const { number } = await secured()
    const line = phone(number)
    await line.dial()
    await line.type('1')
    const told = {
      sessionId: line.sessionId,
      phoneNumber: number,
      status: 'Incomplete',
      cost: 'KES 0.80',
      durationInMillis: '4200',
      hopsCount: '2',
      input: '1',
      lastAppResponse: 'CON Enter your PIN',
      errorMessage: '',
    }
    expect(await post('ussd-ended', told)).toMatchObject({ status: 200 })
    expect(await session(line.sessionId)).toMatchObject({
      state: 'ABANDONED',
      cost: '0.8000',
      durationMs: 4200,
      lastMenu: 'PIN',
      place: null,
    })
    expect(await line.type('2580')).toBe('END This session is over.')
    const failed = phone(number)
    await failed.dial()
    await post('ussd-ended', { ...told, sessionId: failed.sessionId, status: 'Failed', errorMessage: 'Gateway unreachable' })
    expect(await session(failed.sessionId)).toMatchObject({ state: 'FAILED', lastError: 'Gateway unreachable' })
    const slow = phone(number)
    await slow.dial()
    expect(
      await lending.rows(
        `select type from outbox where type = 'ussd.expire' and payload->>'id' = $1`,
        (await session(slow.sessionId))['id'],
      ),
    ).toHaveLength(1)
  })
})

describe('a session that nobody ends', () => {
  it('has timed out once its minutes have passed and takes no more words; one that had ended stays as it ended', async () => {
    const { number, line } = await secured()
    const slow = phone(number)
    await slow.dial()
    await slow.type('1')
    expect(await runJobs(lending.world.app, lending.world.company.id, 'ussd.expire')).toBeGreaterThanOrEqual(2)
    const { id, ...over } = await session(slow.sessionId)
    expect(over).toMatchObject({ state: 'TIMED_OUT', place: null, lastMenu: 'PIN', endedAt: expect.any(Date) })
    expect(await session(line.sessionId)).toMatchObject({ state: 'COMPLETED' })
    expect(await slow.type('2580')).toBe('END This session is over.')
    const filter = encodeURIComponent(JSON.stringify([{ field: 'state', op: 'eq', value: 'TIMED_OUT' }]))
    const { ussdSessions } = (await as.admin.get<{ ussdSessions: Row[] }>(`/api/ussd/sessions?filter=${filter}`)).body.data
    expect(ussdSessions.map(({ Id }) => Id)).toContain(id)
    expect(ussdSessions.every(({ state }) => state === 'TIMED_OUT')).toBe(true)
  })
})

describe('what a client asks for', () => {
  const told = async (userId: string) =>
    (await lending.rows(
      `select message, link from notification where "userId" = $1 and link like '/clients/ussd/requests/%' order by "dateCreated", message`,
      userId,
    )) as {
      message: string
      link: string
    }[]

  it('is told to the agent of the client, a loan and a call back, who opens it; nobody is told of what no agent holds', async () => {
    const agentId = lending.world.people.manager.id
    const { id, number } = await secured()
    const { firstName, lastName } = (await lending.rows(`select "firstName", "lastName" from client where id = $1`, id))[0] ?? {}
    const before = await lending.rows(`select from notification where link like '/clients/ussd/requests/%'`)
    await lending.rows(
      `begin; select set_config('app.company', '${lending.world.company.id}', true), set_config('app.stream', '${lending.world.company.id}', true);
       update client set "assignedUserId" = '${agentId}' where id = '${id}'; commit`,
    )
    const loan = phone(number)
    await loan.dial()
    await loan.type('4')
    await loan.type('2580')
    expect(await loan.type('15000')).toMatch(/^END Thank you/)
    const back = phone(number)
    await back.dial()
    await back.type('5')
    expect(await back.type('2')).toBe('CON Call me back?\n1. Yes\n0. Back')
    expect(await back.type('1')).toBe('END Thank you. We call you back.')
    const stranger = phone('+254711999887')
    await stranger.dial()
    expect(await stranger.type('1')).toBe('END Thank you. We call you back.')
    const news = await told(agentId)
    expect(news.map(({ message }) => message)).toEqual([
      `${String(firstName)} ${String(lastName)} asks for a loan of KES 15,000 by USSD`,
      `${String(firstName)} ${String(lastName)} asks to be called back`,
    ])
    expect(await lending.rows(`select from notification where link like '/clients/ussd/requests/%'`)).toHaveLength(before.length + 2)
    const opened = await Promise.all(
      news.map(({ link }) => as.manager.get<{ ussdRequest: Row }>(`/api/ussd/requests/${link.split('/')[4] ?? ''}`)),
    )
    expect(opened.map(({ body }) => [body.data.ussdRequest['kind'], body.data.ussdRequest['clientId']])).toEqual([
      ['Loan', id],
      ['Call back', id],
    ])
  })
})

describe('a PIN', () => {
  it('that is wrong three times locks, in one session or many, at once or not, until it is cleared with a reason', async () => {
    const { number, id, idNumber } = await secured()
    const wrong = phone(number)
    await wrong.dial()
    await wrong.type('1')
    expect(await wrong.type('1111')).toBe('CON Wrong PIN. 2 more tries. Enter it again')
    const others = [phone(number), phone(number), phone(number)]
    for (const other of others) {
      await other.dial()
      await other.type('1')
    }
    const answers = await Promise.all(others.map((other) => other.type('1112')))
    expect(answers.filter((text) => text.startsWith('CON Wrong PIN. 1 more try'))).toHaveLength(1)
    expect(answers.filter((text) => text.startsWith('END Too many wrong tries'))).toHaveLength(2)
    const right = phone(number)
    await right.dial()
    await right.type('1')
    expect(await right.type('2580')).toMatch(/^END Too many wrong tries/)
    const numbers = await as.admin.get<{ ussdNumbers: Row[] }>(
      `/api/ussd/numbers?filter=${encodeURIComponent(JSON.stringify([{ field: 'isLocked', op: 'eq', value: true }]))}`,
    )
    expect(numbers.body.data.ussdNumbers).toMatchObject([{ clientId: id, isSecured: true, isLocked: true }])
    const row = numbers.body.data.ussdNumbers[0] as Row
    expect((await as.admin.post(`/api/ussd/numbers/${row.Id}/clear`, {})).status).toBe(422)
    expect((await as.elsewhere.post(`/api/ussd/numbers/${row.Id}/clear`, { reason: 'x' })).status).not.toBe(200)
    expect((await as.admin.post(`/api/ussd/numbers/${row.Id}/clear`, { reason: 'Came with the ID' })).status).toBe(200)
    const anew = phone(number)
    await anew.dial()
    expect(await anew.type('1')).toBe('CON Set your PIN first. Enter your ID number')
    expect(await anew.type(idNumber)).toContain('Choose a PIN')
    expect(await anew.type('1234')).toContain('easy to guess')
    await anew.type('8624')
    expect(await anew.type('8625')).toContain('The two differ')
    await anew.type('8624')
    expect(await anew.type('8624')).toMatch(/^END L-/)
  })

  it('is changed by who knows it, holds on its network, and its ID number is not guessed', async () => {
    const { number } = await secured()
    const change = phone(number)
    await change.dial()
    await change.type('5')
    expect(await change.type('1')).toBe('CON Enter your present PIN')
    await change.type('2580')
    await change.type('9046')
    expect(await change.type('9046')).toBe('END Your PIN is set. Tell it to nobody.')
    const old = phone(number)
    await old.dial()
    await old.type('1')
    expect(await old.type('2580')).toContain('Wrong PIN')
    const moved = phone(number, '63907')
    await moved.dial()
    expect(await moved.type('1')).toMatch(/^END Your number came to another network/)
    const other = await person()
    const guess = phone(other.number)
    await guess.dial()
    await guess.type('1')
    await guess.type('1')
    await guess.type('2')
    expect(await guess.type('3')).toMatch(/^END Too many wrong tries/)
    const none = await person({ idNumber: null })
    const nothing = phone(none.number)
    await nothing.dial()
    expect(await nothing.type('1')).toContain('bring your ID')
  })
})

describe('a lock by wrong ID numbers, before there is a PIN', () => {
  const path = (id: string) => `/api/clients/deregister-client-ussd-security/${id}`
  async function guessed(times = 3) {
    const who = await person()
    const line = phone(who.number)
    await line.dial()
    const answers = [await line.type('1')]
    for (let i = 0; i < times; i += 1) answers.push(await line.type(`9${i}`))
    return { ...who, last: answers.at(-1) }
  }
  const clientOf = async (id: string) => (await as.admin.get<{ client: Row }>(`/api/clients/${id}`)).body.data.client
  const isLocked = async (id: string) => (await clientOf(id))['isUssdLocked']
  const numberOf = async (clientId: string) =>
    (
      await as.admin.get<{ ussdNumbers: Row[] }>(
        `/api/ussd/numbers?filter=${encodeURIComponent(JSON.stringify([{ field: 'clientId', op: 'eq', value: clientId }]))}`,
      )
    ).body.data.ussdNumbers[0] as Row
  const isLetIn = async ({ number, idNumber }: { number: string; idNumber: string }) => {
    const line = phone(number)
    await line.dial()
    await line.type('1')
    return line.type(idNumber)
  }

  it('is cleared from the client with a reason, once of five times at once, and the audit says who', async () => {
    const who = await guessed()
    expect(who.last).toMatch(/^END Too many wrong tries/)
    expect(await isLocked(who.id)).toBe(true)
    expect(await isLetIn(who)).toMatch(/^END Too many wrong tries/)
    expect((await as.admin.del(path(who.id), {})).status).toBe(422)
    for (const by of ['elsewhere', 'foreign'] as const) expect((await as[by].del(path(who.id), { reason: 'x' })).status).not.toBe(200)
    expect(await isLocked(who.id)).toBe(true)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => as.officer.del<{ client: Row }>(path(who.id), { reason: 'Came with the ID' })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 200)?.body.data.client).toMatchObject({ isUssdLocked: false, ussdSecuredAt: null })
    expect(await lending.rows(`select from ussd_pin_try where "clientId" = $1`, who.id)).toEqual([])
    expect(await lending.rows(`select after from audit_log where "objectId" = $1 and action = 'client.deregisterUssd'`, who.id)).toEqual([
      { after: { reason: 'Came with the ID' } },
    ])
    expect(await isLetIn(who)).toContain('Choose a PIN')
  })

  it('is cleared from the number too, and offered on both screens; fewer wrong tries are nothing to clear', async () => {
    const who = await guessed()
    const row = await numberOf(who.id)
    expect(row).toMatchObject({ isSecured: false, isLocked: true })
    const isOffered = async (screen: string, key: string, record: Row) => {
      type View = { view: { actions: { key: string; visibleIf?: Condition }[] } }
      const { actions } = (await as.admin.get<View>(`/api/console/screens/${screen}`)).body.data.view
      return actions.some((action) => action.key === key && (action.visibleIf === undefined || holds(action.visibleIf, record)))
    }
    const screens = [
      ['clients-ussd-clients', 'ussd.clearNumber', row] as const,
      ['clients-list', 'clients.deregisterUssd', await clientOf(who.id)] as const,
    ]
    for (const [screen, key, record] of screens) {
      expect(await isOffered(screen, key, record)).toBe(true)
      expect(await isOffered(screen, key, { ...record, isLocked: false, isUssdLocked: false })).toBe(false)
    }
    expect((await as.admin.post(`/api/ussd/numbers/${row.Id}/clear`, { reason: 'Came with the ID' })).status).toBe(200)
    expect(await numberOf(who.id)).toMatchObject({ isSecured: false, isLocked: false })
    expect(await isLetIn(who)).toContain('Choose a PIN')
    const twice = await guessed(2)
    expect(twice.last).toContain('more tr')
    expect((await as.officer.del(path(twice.id), { reason: 'x' })).status).toBe(409)
  })
})

describe('menus', () => {
  it('are drafted, tried, published by version and never changed; a running session stays in its own', async () => {
    const draft = await as.admin.post<{ ussdMenu: Row & { items: Row[] } }>('/api/ussd/menus/draft', {})
    expect(draft.status, draft.text).toBe(200)
    const { Id, items } = draft.body.data.ussdMenu
    expect(items).toHaveLength(7)
    expect((await as.admin.post('/api/ussd/menus/draft', {})).status).toBe(409)
    const bad = await as.admin.put(`/api/ussd/menus/${Id}`, {
      items: [
        { name: 'a', label: 'A', does: 'menu' },
        { name: 'a', label: 'B', does: 'pay', under: 'zzz' },
      ],
    })
    expect(bad.status).toBe(422)
    expect((bad.body as unknown as { fields: { field: string }[] }).fields.map(({ field }) => field).toSorted()).toEqual([
      'items.0.does',
      'items.1.name',
      'items.1.under',
    ])
    expect(
      (await as.admin.put(`/api/ussd/menus/${Id}`, { payTo: 'Paybill 600638', items: [{ name: 'pay', label: 'Lipa sasa', does: 'pay' }] }))
        .status,
    ).toBe(200)
    const { number } = await secured()
    const before = phone(number)
    await before.dial()
    expect((await as.manager.post(`/api/ussd/menus/${Id}/move`, { move: 'publish' })).status).toBe(403)
    expect((await as.admin.post(`/api/ussd/menus/${Id}/move`, { move: 'publish' })).status).toBe(200)
    expect((await as.admin.put(`/api/ussd/menus/${Id}`, { payTo: 'Other' })).status).toBe(409)
    expect(await before.type('5')).toContain('Set or change PIN')
    const after = phone(number)
    expect(await after.dial()).toMatch(/\n1\. Lipa sasa$/)
    await after.type('1')
    await after.type('2580')
    expect(await after.type('1')).toContain('to Paybill 600638, account')
    const second = await as.admin.post<{ ussdMenu: Row }>('/api/ussd/menus/draft', {})
    expect((await as.admin.post(`/api/ussd/menus/${second.body.data.ussdMenu.Id}/move`, { move: 'publish' })).status).toBe(200)
    expect(await lending.rows(`select state from ussd_menu where "companyId" = $1 order by number`, lending.world.company.id)).toEqual([
      { state: 'Retired' },
      { state: 'Published' },
    ])
  })
})

describe('what the office sees', () => {
  it('is in reach: sessions, numbers, hops and figures, and every figure has as many rows', async () => {
    const list = await as.manager.get<{ ussdSessions: Row[] }>('/api/ussd/sessions?size=500')
    const all = await as.admin.get<{ ussdSessions: Row[] }>('/api/ussd/sessions?size=500')
    expect(list.body.data.ussdSessions.length).toBeLessThan(all.body.data.ussdSessions.length)
    expect((await as.officer.get('/api/ussd/sessions')).status).toBe(403)
    expect((await as.foreign.get<{ ussdSessions: Row[] }>('/api/ussd/sessions')).body.data.ussdSessions).toEqual([])
    const [one] = all.body.data.ussdSessions
    expect((await as.foreign.get(`/api/ussd/sessions/${one?.Id ?? ''}/hops`)).status).toBe(404)
    const figures = await as.admin.get<Record<string, never>>('/api/ussd/figures')
    expect(figures.status, figures.text).toBe(200)
    const data = figures.body.data as unknown as {
      sessions: number
      numbers: number
      failed: number
      startDate: string
      endDate: string
      byState: { state: string; sessions: number }[]
      byMenu: { menu: string; dropped: number }[]
      cost: number
    }
    const count = async (path: string, filter: object[]) =>
      (
        await as.admin.get(
          `${path}?size=1&dateType=started&startDate=${data.startDate}&endDate=${data.endDate}&filter=${encodeURIComponent(JSON.stringify(filter))}`,
        )
      ).body.meta?.total
    expect(await count('/api/ussd/sessions', [])).toBe(data.sessions)
    expect(data.byState.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(data.sessions)
    for (const { state, sessions } of data.byState)
      expect(await count('/api/ussd/sessions', [{ field: 'state', op: 'eq', value: state }])).toBe(sessions)
    for (const { menu, dropped } of data.byMenu)
      expect(
        await count('/api/ussd/sessions', [
          { field: 'isDropped', op: 'eq', value: true },
          { field: 'lastMenu', op: 'eq', value: menu },
        ]),
      ).toBe(dropped)
    expect(
      (
        await as.admin.get(
          `/api/ussd/numbers?size=1&filter=${encodeURIComponent(JSON.stringify([{ field: 'dialled', op: 'eq', value: `${data.startDate}..${data.endDate}` }]))}`,
        )
      ).body.meta?.total,
    ).toBe(data.numbers)
    expect(data.cost).toBeCloseTo(1.6, 6)
  })

  it('replays a real session in the simulator, under another menu too, and writes nothing', async () => {
    const { line, number, id } = await secured()
    const before = await lending.rows(
      `select (select count(*) from ussd_hop)::int as hops, (select count(*) from ussd_request)::int as requests, (select count(*) from ussd_session)::int as sessions`,
    )
    const { id: sessionId } = await session(line.sessionId)
    const same = await as.admin.post<{
      isOther: boolean
      isOver: boolean
      hops: { input: string; screen: string; response: string; past: { response: string } }[]
    }>('/api/ussd/simulate', { sessionId })
    expect(same.status, same.text).toBe(200)
    expect(same.body.data).toMatchObject({ isOther: false, isOver: false })
    expect(same.body.data.hops.map(({ response, past }) => [response, past.response]).every(([now, then]) => now === then)).toBe(true)
    const menu = (await as.admin.get<{ ussdMenus: Row[] }>('/api/ussd/menus')).body.data.ussdMenus.at(-1)
    expect((await as.admin.post<{ isOther: boolean }>('/api/ussd/simulate', { sessionId, menuId: menu?.Id })).status).toBe(200)
    const typed = await as.admin.post<{ hops: { input: string; response: string }[] }>('/api/ussd/simulate', {
      clientId: id,
      inputs: ['1', '2580', '2'],
    })
    expect(typed.body.data.hops.at(-1)?.response).toMatch(/^END Pay KES 1,272 to Paybill 600638, account L-/)
    expect((await as.foreign.post('/api/ussd/simulate', { sessionId })).status).toBe(404)
    expect((await as.foreign.post('/api/ussd/simulate', { clientId: id })).status).toBe(404)
    expect(
      await lending.rows(
        `select (select count(*) from ussd_hop)::int as hops, (select count(*) from ussd_request)::int as requests, (select count(*) from ussd_session)::int as sessions`,
      ),
    ).toEqual(before)
    expect(number).toBeTruthy()
  })
})

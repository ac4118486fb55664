import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setCurrentOffline } from '../offline/current.ts'
import { makeKey } from '../offline/fake-device.ts'
import { idleLoop } from '../offline/fake-session.ts'
import { openStore, type OfflineStore } from '../offline/store/store.ts'
import { ApiError } from './api.ts'
import { reportReached } from './connection.ts'
import { getRecord, listRecords, remove, save } from './gateway.ts'
import { rowStateKey } from './records.ts'

const key = await makeKey()
let store: OfflineStore
let triggered: string[] = []
const create = { call: { method: 'POST', path: '/api/leads' } as const, entityType: 'lead', one: 'lead' }
const edit = (id: string) => ({ call: { method: 'PUT', path: '/api/leads/:id' } as const, entityType: 'lead', one: 'lead', id })
const list = { source: { method: 'GET', path: '/api/leads' } as const, resource: 'lead', many: 'leads' }
const amina = { firstName: 'Amina', lastName: 'Otieno', phonenumber: '0712345678', emailAddress: 'amina@example.test' }

/** The server of this test: answers by path, or does not answer at all. */
function serve(answer: ((url: string, init: RequestInit) => object) | 'away'): { url: string; body: Record<string, unknown> }[] {
  const calls: { url: string; body: Record<string, unknown> }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    calls.push({ url, body: typeof init.body === 'string' ? JSON.parse(init.body) : {} })
    if (answer === 'away') throw new TypeError('Failed to fetch')
    const { status = 200, ...body } = answer(url, init) as { status?: number }
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  })
  return calls
}

beforeEach(async () => {
  reportReached()
  triggered = []
  store = await openStore(
    { userId: crypto.randomUUID(), companyId: 'c', deviceId: crypto.randomUUID(), country: () => 'KE', tenantId: () => 't' },
    key,
  )
  setCurrentOffline({
    store,
    loop: {
      ...idleLoop,
      trigger: async (why) => {
        triggered.push(why)
      },
    },
  })
})
afterEach(() => {
  setCurrentOffline(null)
  store.close()
  vi.unstubAllGlobals()
})

describe('saving without a server', () => {
  beforeEach(() => {
    serve('away')
  })

  it('keeps a new lead as the specification says and wakes the loop', async () => {
    const saved = await save({ ...create, values: amina })
    expect(saved).toMatchObject({
      queued: true,
      record: { status: 'New', source: 'UI', consentStatus: 'NONE PROVIDED', affordabilityOutcome: 'NONE', fullName: 'Amina Otieno' },
    })
    expect(String(saved.record.Id)).toMatch(/^[0-9a-f-]{36}$/)
    expect(triggered).toEqual(['write'])
    expect((await store.unsent()).log).toMatchObject([{ changeType: 'INSERT', entityId: saved.record.Id, version: 0 }])
  })

  it('keeps a valid Id of the client and replaces another', async () => {
    const Id = crypto.randomUUID()
    expect((await save({ ...create, values: { ...amina, Id } })).record.Id).toBe(Id)
    const other = await save({ ...create, values: { ...amina, phonenumber: '0700000002', emailAddress: '', Id: 'mine' } })
    expect(other.record.Id).not.toBe('mine')
  })

  it.each([
    ['the phone, typed otherwise', { phonenumber: '+254 712 345 678' }],
    ['the e-mail, in capitals', { phonenumber: '0700000009', emailAddress: 'AMINA@example.TEST' }],
  ])('refuses a duplicate by %s', async (_, more) => {
    await save({ ...create, values: amina })
    const refused = save({ ...create, values: { ...amina, emailAddress: 'x@example.test', ...more } })
    await expect(refused).rejects.toMatchObject({
      status: 400,
      code: 'DUPLICATE_LEAD',
      title: 'Duplicate email or phone number.',
      message: 'Unable to create lead, lead already exists.',
    })
    expect(await store.summary()).toMatchObject({ count: 1 })
  })

  it('names the fields that are missing', async () => {
    await expect(save({ ...create, values: { firstName: 'Amina', lastName: ' ' } })).rejects.toMatchObject({
      code: 'INVALID',
      fields: [{ field: 'lastName' }, { field: 'phonenumber' }],
    })
  })

  it('edits a record that the server gave before, also one that was never synced here', async () => {
    const base = { Id: crypto.randomUUID(), ...amina, version: 4 }
    const saved = await save({ ...edit(base.Id), base, values: { ...amina, city: 'Thika' } })
    expect(saved).toMatchObject({ queued: true, record: { city: 'Thika' } })
    expect((await store.unsent()).log).toMatchObject([{ changeType: 'UPDATE', version: 4, patch: { city: [null, 'Thika'] } }])
    expect(Object.keys((await store.unsent()).log[0]?.patch ?? {})).toEqual(['city'])
  })

  it('lists, finds and removes what is on the device', async () => {
    const { record } = await save({ ...create, values: amina })
    expect(await listRecords({ ...list, query: { search: 'otie' } })).toMatchObject({
      source: 'device',
      rows: [{ Id: record.Id, [rowStateKey]: 'pending' }],
      meta: { total: 1 },
    })
    expect(
      await getRecord({ load: { method: 'GET', path: '/api/leads/:id' }, one: 'lead', id: String(record.Id), entityType: 'lead' }),
    ).toMatchObject(amina)
    await remove({ call: { method: 'POST', path: '/api/leads/delete' }, entityType: 'lead', ids: [String(record.Id)] })
    expect((await listRecords({ ...list, query: {} })).rows).toEqual([])
    await expect(
      getRecord({ load: { method: 'GET', path: '/api/leads/:id' }, one: 'lead', id: String(record.Id), entityType: 'lead' }),
    ).rejects.toMatchObject({ status: 404, message: 'lead not found' })
  })

  it('says that other resources need a connection', async () => {
    await expect(
      listRecords({ source: { method: 'GET', path: '/api/users' }, resource: 'user', many: 'users', query: {} }),
    ).rejects.toBeInstanceOf(ApiError)
    await expect(save({ call: { method: 'PUT', path: '/api/teams/:id' }, entityType: 'team', id: 'x', values: {} })).rejects.toMatchObject({
      status: 0,
    })
  })
})

describe('saving with a server', () => {
  it('sends the version it saw and keeps the answer as server copy', async () => {
    const id = crypto.randomUUID()
    await store.keepServerCopy('lead', { Id: id, ...amina, version: 4 })
    const calls = serve(() => ({ success: true, data: { lead: { Id: id, ...amina, city: 'Thika', version: 5 } } }))
    expect(await save({ ...edit(id), base: { Id: id, version: 4 }, values: { city: 'Thika' } })).toMatchObject({
      queued: false,
      record: { version: 5 },
    })
    expect(calls[0]).toMatchObject({ url: `/api/leads/${id}`, body: { city: 'Thika', version: 4 } })
    expect(await store.find('lead', id)).toMatchObject({ state: 'clean', version: 5, server: { city: 'Thika' } })
  })

  it('goes into the log behind a change that still waits, so that the order holds', async () => {
    serve('away')
    const { record } = await save({ ...create, values: amina })
    reportReached()
    const calls = serve(() => ({ success: true, data: {} }))
    expect(await save({ ...edit(String(record.Id)), values: { city: 'Thika' } })).toMatchObject({ queued: true })
    expect(calls).toEqual([])
  })

  it('gives the new record one Id for the call and, when the answer is lost, for the log', async () => {
    const calls = serve('away')
    const { record } = await save({ ...create, values: amina })
    expect(calls.find((call) => call.url === '/api/leads')?.body.Id).toBe(record.Id)
  })

  it('does not hide a refusal of the server behind the log', async () => {
    serve(() => ({
      status: 422,
      success: false,
      code: 'INVALID',
      message: 'Some fields are not valid.',
      fields: [{ field: 'phonenumber', message: 'is not a phone' }],
    }))
    await expect(save({ ...create, values: amina })).rejects.toMatchObject({ status: 422, fields: [{ field: 'phonenumber' }] })
    expect(await store.summary()).toMatchObject({ count: 0 })
  })

  it('takes the page of a captive portal for no answer', async () => {
    vi.stubGlobal(
      'fetch',
      async () => new Response('<html>Sign in to the hotel</html>', { status: 200, headers: { 'content-type': 'text/html' } }),
    )
    expect(await listRecords({ ...list, query: {} })).toMatchObject({ source: 'device' })
  })

  it.each([
    ['a gateway', () => new Response('<h1>Bad Gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } })],
    [
      'the server itself',
      () =>
        Response.json({ success: false, code: 'UNAVAILABLE', status: 503, message: 'The service is busy or restarting.' }, { status: 503 }),
    ],
  ])('keeps a save here that %s cannot take', async (_, answer) => {
    vi.stubGlobal('fetch', async () => answer())
    expect(await save({ ...create, values: amina })).toMatchObject({ queued: true })
    expect(await store.summary()).toMatchObject({ count: 1 })
  })

  it('keeps a save here after 3 s on a line that answers nothing, under the Id that the slow call bears', async () => {
    const sent: string[] = []
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
      if (url === '/api/leads') sent.push(String(JSON.parse(String(init.body)).Id))
      return new Promise((_, refuse) => {
        init.signal?.addEventListener('abort', () => refuse(init.signal?.reason))
      })
    })
    const limits = vi.spyOn(AbortSignal, 'timeout')
    const { queued, record } = await save({ ...create, values: amina })
    expect(limits.mock.calls).toContainEqual([3_000])
    limits.mockRestore()
    expect([queued, sent]).toEqual([true, [record.Id]])
    expect((await store.unsent()).log).toMatchObject([{ changeType: 'INSERT', entityId: record.Id }])
  })

  it('does not claim to keep what no store keeps', async () => {
    setCurrentOffline(null)
    serve('away')
    await expect(save({ ...create, values: amina })).rejects.toMatchObject({
      status: 0,
      message: 'The server cannot be reached. Nothing was saved: this device keeps no changes.',
    })
  })

  it('says so when there is no room, and keeps nothing by half', async () => {
    serve('away')
    const put = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function full(this: IDBObjectStore, ...given: Parameters<typeof put>) {
      if (this.name === 'entities') throw new DOMException('full', 'QuotaExceededError')
      return put.apply(this, given)
    })
    await expect(save({ ...create, values: amina })).rejects.toThrow('There is no room left on this device')
    vi.restoreAllMocks()
    expect(await store.summary()).toMatchObject({ count: 0 })
  })

  it('lays unsent changes over a page of the server', async () => {
    const id = crypto.randomUUID()
    await store.keepServerCopy('lead', { Id: id, ...amina, version: 1 })
    await store.append({ type: 'lead', id, kind: 'update', values: { city: 'Thika' } })
    await store.append({ type: 'lead', id: 'new', kind: 'create', values: { ...amina, firstName: 'Brian' } })
    serve(() => ({
      success: true,
      data: {
        leads: [
          { Id: id, ...amina },
          { Id: 'other', firstName: 'Chama' },
        ],
      },
      meta: { page: 1, size: 100, total: 2 },
    }))
    const page = await listRecords({ ...list, query: { size: 100 } })
    expect(page).toMatchObject({
      source: 'server',
      meta: { total: 3 },
      rows: [{ Id: 'new', fullName: 'Brian Otieno' }, { Id: id, city: 'Thika', [rowStateKey]: 'pending' }, { Id: 'other' }],
    })
  })
})

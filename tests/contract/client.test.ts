import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callOf, createClient, pathOf, type Client } from '@outpost/client/client'
import { CallError, sendByFetch } from '@outpost/client/fetch'
import { declaredAreas } from '../../scripts/areas.ts'
import { makeWorld, type World } from '../api/world.ts'

let world: World
let client: Client<undefined>
beforeAll(async () => {
  world = await makeWorld()
  const { token } = world.as.officer
  client = createClient(sendByFetch({ url: await world.app.listen(), fetch, headers: () => ({ authorization: `Bearer ${token}` }) }))
})
afterAll(() => world.app.close())

describe('the typed client', () => {
  it('makes calls by name: path, query and body go where the call takes them, and the answer has its type', async () => {
    const {
      data: { lead },
    } = await client.call('leads.create', {
      body: { firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: '+254 712 345 678', idNumber: '12345678' },
    })
    const phone: string | null = lead.phonenumber
    expect([lead.firstName, phone]).toEqual(['Wanjiru', expect.stringContaining('712')])
    expect((await client.call('leads.get', { params: { id: lead.Id } })).data.lead.Id).toBe(lead.Id)
    const { data, meta } = await client.call('leads.list', {
      query: {
        size: 5,
        search: undefined,
        filter: [{ field: 'city', op: 'empty' }],
        dateType: 'created',
        startDate: '2020-01-01',
        endDate: '2099-01-01',
      },
    })
    expect([data.leads.map(({ Id }) => Id), meta?.total]).toEqual([[lead.Id], 1])
    expect((await client.call('leads.update', { params: { id: lead.Id }, body: { city: 'Thika' } })).data.lead.city).toBe('Thika')
    expect((await client.call('notifications.unread')).data.notifications).toEqual([])
  })
  it('throws what the server says', async () => {
    const refused = await client.call('leads.get', { params: { id: crypto.randomUUID() } }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(CallError)
    expect((refused as CallError).answer).toMatchObject({ status: 404, success: false })
  })
  it('refuses what is no call, and a call without what it needs', async () => {
    // @ts-expect-error there is no such call
    expect(() => callOf('leads.nothing')).toThrow()
    // @ts-expect-error it needs an id
    await expect(client.call('leads.get', {})).rejects.toThrow('/api/leads/:id needs id')
    // @ts-expect-error its body has no such name
    await expect(client.call('leads.update', { params: { id: crypto.randomUUID() }, body: { salary: 1 } })).rejects.toBeInstanceOf(
      CallError,
    )
  })
  it('knows every route of the server by its name', async () => {
    const routes = (await declaredAreas()).flatMap((area) => area.routes)
    expect(
      routes.filter(({ name, method, path }) => {
        const known = callOf(name as 'leads.list')
        return known.method !== method || known.path !== path
      }),
    ).toEqual([])
    expect(pathOf('leads.get', { id: 'a/b' })).toBe('/api/leads/a%2Fb')
  })
})

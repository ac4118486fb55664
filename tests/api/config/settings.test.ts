import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SettingsData } from '@outpost/contract/settings'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

type Client = World['as']['admin']
const read = async (client: Client) =>
  (await client.get<{ view: { kind: string; screen: string; data: SettingsData } }>('/api/console/screens/admin-settings')).body.data.view
    .data
const itemsOf = ({ sections }: SettingsData) => sections.flatMap(({ items }) => items)
const byKey = async (client: Client, key: string) => itemsOf(await read(client)).find((item) => item.key === key)

describe('the settings home', () => {
  it('says of every setting what it does, and holds each once', async () => {
    const data = await read(world.as.admin)
    const items = itemsOf(data)
    expect(data.sections.length).toBeGreaterThan(6)
    expect(items.length).toBeGreaterThan(20)
    expect(items.filter(({ help }) => !/^[A-Z].{15,}[.]$/.test(help))).toEqual([])
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length)
    expect(items.filter(({ field, now, open }) => !field && !now && !open)).toEqual([])
    expect(items.find(({ key }) => key === 'adminIdleMinutes')).toMatchObject({ source: 'values', level: 2, field: { min: 5, max: 30 } })
  })

  it('says how many records are behind a link: as many as the list behind it has', async () => {
    const total = async (path: string) => (await world.as.admin.get(path)).body.meta?.total
    for (const [key, path] of [
      ['roles', '/api/roles'],
      ['users', '/api/users'],
      ['tenants', '/api/tenants'],
      ['activity-types', '/api/activities/types/manage'],
      ['activity-statuses', '/api/activities/statuses/manage'],
    ] as const) {
      expect({ key, now: (await byKey(world.as.admin, key))?.now?.split(' ')[0]?.replace('none', '0') }).toEqual({
        key,
        now: String(await total(path)),
      })
    }
    expect((await byKey(world.as.admin, 'labels'))?.now).toBe('the console’s own words')
    await world.as.admin.post('/api/config/labels', { label: 'Leads', value: 'Prospects' })
    expect((await byKey(world.as.admin, 'labels'))?.now).toBe('1 word replaced')
  })

  it('is loaded and saved by the calls that it names, and goes back to the standard', async () => {
    const { sources } = await read(world.as.admin)
    const company = sources.find(({ key }) => key === 'company')
    const at = (call?: { path: string }) => (call?.path ?? '').replace(':id', world.company.id)
    const load = async () =>
      (await world.as.admin.get<{ tenant: { assessmentDays: number | null; version: number } }>(at(company?.load))).body.data.tenant
    const { version } = await load()
    expect((await world.as.admin.put(at(company?.save), { assessmentDays: 30, version })).status).toBe(200)
    expect((await load()).assessmentDays).toBe(30)
    expect(await world.as.admin.put(at(company?.save), { assessmentDays: 31, version })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    })
    const days = await byKey(world.as.admin, 'assessmentDays')
    expect((await world.as.admin.put(at(company?.save), { [days?.field?.key ?? '']: days?.standard?.value })).status).toBe(200)
    expect((await load()).assessmentDays).toBeNull()
  })

  it('is cut to the caller: no permission, no screen; no right to a list, no link to it', async () => {
    for (const client of [world.as.officer, world.as.manager])
      expect((await client.get('/api/console/screens/admin-settings')).status).toBe(403)
    const role = await world.app.make.role({ company: world.company, name: 'Clerk', permissions: ['ADMIN/SETTINGS', 'ADMIN/USERS'] })
    const clerk = await world.app.as(await world.app.make.user({ company: world.company, tenants: [world.branch], roles: [role] }))
    const data = await read(clerk)
    expect(itemsOf(data).map(({ key }) => key)).toEqual(expect.arrayContaining(['users', 'labels', 'audit', 'notifications']))
    // Someone of a branch has nothing of the whole company to change.
    expect(itemsOf(data).filter(({ key }) => ['roles', 'tenants', 'name', 'currency'].includes(key))).toEqual([])
    expect(data.sources.map(({ key }) => key)).toEqual(['values'])
  })
})

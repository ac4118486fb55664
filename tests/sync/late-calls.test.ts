import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '../support/app.ts'
import { startChaos, type Chaos } from '../support/chaos.ts'
import { testDatabase } from '../support/db.ts'
import { makeDevice, person, type Device } from './world.ts'

let chaos: Chaos
let app: TestApp
let device: Device

beforeAll(async () => {
  const probe = await testDatabase()
  chaos = await startChaos(probe.url)
  await probe.drop()
  app = await testApp({ through: (url) => chaos.through(url) })
  const tenant = await app.make.tenant({ company: await app.make.company() })
  device = makeDevice(await app.as(await app.make.user({ role: 'officer', tenant })), tenant.id)
})
afterAll(async () => {
  await chaos.set({ kind: 'pass' })
  await app.close()
  await chaos.close()
})

const leadOf = async (id: string) => (await app.database.admin.query('select "city", "version"::int from lead where "id" = $1', [id])).rows

/** A lead as the office has it. */
async function known(): Promise<string> {
  const change = device.insert(person({ city: 'Nairobi' }))
  await device.push([change])
  return change.entityId
}

/** The console gives a save up after 3 s and keeps it in the log; the call it gave up may still arrive, before the log or after it. */
describe('a save that arrives by the call and by the log', () => {
  it('is one lead, whichever comes first', async () => {
    for (const isCallFirst of [true, false]) {
      const change = device.insert(person())
      const call = () => device.client.post('/api/leads', { ...change.snapshot, Id: change.entityId })
      const sent = isCallFirst
        ? [(await call()).status, (await device.push([change])).results[0]?.fields?.['Id']]
        : [(await device.push([change])).results[0]?.status, (await call()).status >= 400]
      expect(sent).toEqual(isCallFirst ? [200, change.entityId] : ['applied', true])
      expect(await leadOf(change.entityId)).toHaveLength(1)
    }
  })

  it('is one edit, and never takes back a later one', async () => {
    const id = await known()
    const call = (city: string, version: number) => device.client.put(`/api/leads/${id}`, { city, version })
    expect((await call('Thika', 1)).status).toBe(200)
    expect((await device.push([device.update(id, 1, { city: ['Nairobi', 'Thika'] })])).results[0]).toMatchObject({ status: 'applied' })
    const [{ version }] = await leadOf(id)
    await device.push([device.update(id, version, { city: ['Thika', 'Nyeri'] })])
    await device.push([device.update(id, version + 1, { city: ['Nyeri', 'Kitui'] })])
    expect((await call('Nyeri', version)).body).toMatchObject({ success: false, code: 'CONFLICT' })
    expect(await leadOf(id)).toMatchObject([{ city: 'Kitui' }])
  })
})

it('says by its ping when it cannot work, and when it can again', async () => {
  const ping = async () => {
    const { status, body } = await device.client.get('/api/ping')
    return [status, body.success, (body as { code?: string }).code]
  }
  expect(await ping()).toEqual([200, true, undefined])
  await chaos.set({ kind: 'refuse' })
  expect(await ping()).toEqual([503, false, 'UNAVAILABLE'])
  await chaos.set({ kind: 'pass' })
  await expect.poll(ping).toEqual([200, true, undefined])
})

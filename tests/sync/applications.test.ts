import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, person, syncWorld, type Device, type SyncWorld } from './world.ts'

interface Application {
  Id: string
  version: number
  status: string
  amount: number
  instalment: number
  purpose: string | null
  [key: string]: unknown
}

let world: SyncWorld
let device: Device
let manager: SignedInClient
let productId: string
let clientId: string
const entityType = 'loanApplication'
const read = async (id: string) =>
  (await manager.get<{ loanApplication: Application }>(`/api/applications/${id}`)).body.data.loanApplication
const draft = (over: object = {}) =>
  device.insert({ clientId, productId, amount: 1_200, instalments: 12, purpose: 'Stock', ...over }, { entityType })
const drafted = async (over: object = {}) => {
  const made = draft(over)
  expect((await device.push([made])).results).toMatchObject([{ status: 'applied' }])
  return read(made.entityId)
}

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
  const own = () => ({ companyId: world.branch.companyId, id: randomUUID() })
  const { make } = world.app
  const category = await make.row<{ id: string }>('product_category', { ...own(), name: 'Business' })
  const product = await make.row<{ id: string }>('product', { ...own(), categoryId: category.id, code: 'BIZ', name: 'Business loan' })
  await make.row('product_version', {
    ...own(),
    productId: product.id,
    number: 1,
    state: 'Published',
    annualRate: 24,
    minAmount: 100,
    maxAmount: 10_000,
    minInstalments: 1,
    maxInstalments: 12,
    effectiveFrom: '2026-01-01',
  })
  productId = product.id
  const client = device.insert(person({}), { entityType: 'client' })
  expect((await device.push([client])).results).toMatchObject([{ status: 'applied' }])
  clientId = client.entityId
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('an application on a device', () => {
  it('arrives once however often it is sent, is quoted by the office, and is its officer’s', async () => {
    const made = draft({ guarantors: [{ Id: randomUUID(), name: 'Peter Mwangi', phonenumber: '0712000001', relation: 'Sibling' }] })
    await Promise.all(Array.from({ length: 5 }, () => device.push([made])))
    const { rows } = await world.app.database.admin.query('select count(*)::int from loan_application where id = $1', [made.entityId])
    expect(rows).toEqual([{ count: 1 }])
    const found = await read(made.entityId)
    expect(found).toMatchObject({
      status: 'Draft',
      amount: 1_200,
      ownerUserId: device.client.user.id,
      guarantors: [{ name: 'Peter Mwangi' }],
    })
    expect(found.instalment).toBeGreaterThan(100)
  })

  it('is refused with the field where the terms on offer do not allow it; it stays with the device', async () => {
    const { results } = await device.push([draft({ amount: 50_000 })])
    expect(results).toMatchObject([{ status: 'rejected', code: 'VALIDATION', message: expect.stringContaining('amount') }])
  })

  it('merges with what the office changed meanwhile, and is refused once it was sent in', async () => {
    const before = await drafted()
    expect((await manager.put(`/api/applications/${before.Id}`, { amount: 2_400 })).status).toBe(200)
    const edit = device.update(before.Id, before.version, { purpose: ['Stock', 'A second shop'] }, { entityType })
    expect((await device.push([edit])).results).toMatchObject([{ status: 'applied' }])
    expect(await read(before.Id)).toMatchObject({ amount: 2_400, purpose: 'A second shop' })
    const { version } = await read(before.Id)
    await world.app.database.admin
      .query(`begin; select set_config('app.company', '${world.branch.companyId}', true), set_config('app.stream', '${world.branch.companyId}', true);
      update loan_application set "status" = 'Submitted' where "id" = '${before.Id}'; commit`)
    const late = device.update(before.Id, version, { purpose: ['A second shop', 'A third'] }, { entityType })
    expect((await device.push([late])).results).toMatchObject([{ status: 'rejected', code: 'VALIDATION' }])
    expect(await read(before.Id)).toMatchObject({ purpose: 'A second shop' })
  })

  it('is nobody else’s: not of another branch, nor for a client beyond reach', async () => {
    const elsewhere = await world.device('officer', world.sibling)
    const before = await drafted()
    const edit = elsewhere.update(before.Id, before.version, { purpose: ['Stock', 'Mine'] }, { entityType })
    expect((await elsewhere.push([edit])).results).toMatchObject([{ status: 'rejected' }])
    const theirs = elsewhere.insert({ clientId, productId, amount: 1_200, instalments: 12 }, { entityType })
    expect((await elsewhere.push([theirs])).results).toMatchObject([{ status: 'rejected', code: 'VALIDATION' }])
    expect(await read(before.Id)).toMatchObject({ purpose: 'Stock' })
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import type { MadeTenant } from '../../support/make.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
let group: MadeTenant
let groupStaff: SignedInClient
beforeAll(async () => {
  world = await makeWorld()
  const { make } = world.app
  group = await make.group({ name: 'Holding' })
  await world.app.database.admin.query('update tenant set "groupId" = $1 where id = $2', [group.id, world.company.id])
  groupStaff = await world.app.as(await make.user({ company: group, role: 'global' }))
  await make.row('stored_file', {
    companyId: world.company.id,
    id: crypto.randomUUID(),
    tenantId: world.company.id,
    storageKey: 'x',
    path: 'x',
    name: 'x',
    mimeType: 'x',
    size: 5 * 1024 ** 3,
    sha256: Buffer.alloc(32),
  })
})
afterAll(() => world.app.close())

interface Item {
  key: string
  now?: string
  field?: { readOnly?: boolean }
}
const choose = (id: string, storageGigabytes: unknown, by = world.as.admin) => by.put(`/api/settings/${id}`, { storageGigabytes })
const items = async (by: SignedInClient) =>
  (
    await by.get<{ view: { data: { sections: { key: string; items: Item[] }[] } } }>('/api/console/screens/admin-settings')
  ).body.data.view.data.sections
    .filter(({ key }) => key === 'limits')
    .flatMap((section) => section.items)
const storage = async (by: SignedInClient) => {
  const all = await items(by)
  return {
    used: all.find(({ key }) => key === 'storage-used')?.now,
    isReadOnly: all.find(({ key }) => key === 'storageGigabytes')?.field?.readOnly ?? false,
  }
}
const upload = () => world.as.admin.upload('/api/storage/upload', {}, {}, [{ name: 'a.txt', bytes: Buffer.from('a line of text') }])

it('the group gives its companies their storage: none gives itself more, and a full one goes on once it has more', async () => {
  const { company, as } = world
  expect(await storage(as.admin)).toEqual({ used: '5 GB / 5 GB', isReadOnly: true })
  expect(await storage(groupStaff)).toEqual({ used: '5 GB / 5 GB', isReadOnly: false })
  const full = await upload()
  expect([full.status, full.body.code, full.body.details], full.text).toEqual([
    507,
    'NO_SPACE',
    { used: '5 GB', most: '5 GB', size: '14 B' },
  ])
  for (const value of [6, 1, 100_000]) expect(fieldsOf(await choose(company.id, value))).toEqual(['storageGigabytes'])
  for (const stranger of [as.foreign, as.officer]) expect((await choose(company.id, 6, stranger)).status).toBeGreaterThan(400)
  for (const value of [0, 1.5, 'much', 100_001]) expect(fieldsOf(await choose(company.id, value, groupStaff))).toEqual(['storageGigabytes'])
  // For all companies of the group, then for one.
  expect((await choose(group.id, 8, groupStaff)).status).toBe(200)
  expect((await storage(as.admin)).used).toBe('5 GB / 8 GB')
  expect((await upload()).status).toBe(200)
  const answers = await Promise.all([6, 6, 6, 6, 6].map((value) => choose(company.id, value, groupStaff)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await storage(as.admin)).used).toBe('5 GB / 6 GB')
  // What was read may be sent back; taking the own value back is a choice too.
  expect((await choose(company.id, 6)).status).toBe(200)
  expect(fieldsOf(await choose(company.id, null))).toEqual(['storageGigabytes'])
})

it('a company without a group has what the operator gives', async () => {
  const { make } = world.app
  const company = await make.company()
  const admin = await world.app.as(await make.user({ company, role: 'admin' }))
  expect(await storage(admin)).toEqual({ used: '0 B / 5 GB', isReadOnly: true })
  expect(fieldsOf(await choose(company.id, 50, admin))).toEqual(['storageGigabytes'])
  Object.assign(world.app.services, { storageGb: 20 })
  expect((await storage(admin)).used).toBe('0 B / 20 GB')
  Object.assign(world.app.services, { storageGb: 5 })
})

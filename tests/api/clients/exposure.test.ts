import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishProduct } from '../products/fixture.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
const save = async (firstName: string, phonenumber: string, over: object = {}, by: keyof World['as'] = 'officer') => {
  const answer = await world.as[by].post<{ client: { Id: string } }>('/api/clients', { firstName, lastName: 'Tie', phonenumber, ...over })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.client.Id
}
const ties = async (id: string, by: keyof World['as'] = 'officer') =>
  (await world.as[by].get<{ clients: { name: string; reasons: string }[] }>(`/api/clients/${id}/exposure`)).body.data.clients.map(
    ({ name, reasons }) => `${name}: ${reasons}`,
  )
const kin = (over: object) => [{ name: 'Peter', relationship: 'Sibling', ...over }]

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

describe('the exposure of a client', () => {
  it('names who shares a phone, an address or a guarantor, and who guarantees for whom, in reach only', async () => {
    const me = await save('Me', '0744000001', {
      idNumber: '21000001',
      lineone: ' Moi Avenue 4 ',
      city: 'Thika',
      nextOfKin: kin({ phonenumber: '0755000001', isGuarantor: true }),
    })
    await save('Phone', '0744000002', { contactNumber: '+254744000001' })
    await save('Contact', '0744000003', { contacts: [{ kind: 'WhatsApp', value: '+254 744 000 001' }] })
    await save('Address', '0744000004', { lineone: 'MOI AVENUE 4', city: 'thika' })
    await save('Elsewhere', '0744000005', { lineone: 'Moi Avenue 4', city: 'Nakuru' })
    await save('Guarantor', '0755000001')
    await save('Shares', '0744000006', { nextOfKin: kin({ phonenumber: '254755000001' }) })
    await save('Behind', '0744000007', { nextOfKin: kin({ name: 'Me Tie', idNumber: '21000001', isGuarantor: true }) })
    await save('Nobody', '0744000008', { nextOfKin: kin({}) })
    await save('Beyond', '0744000009', { contactNumber: '0744000001' }, 'elsewhere')
    const near = [
      'Address Tie: same address',
      'Behind Tie: has this client as guarantor',
      'Contact Tie: same phone',
      'Guarantor Tie: is guarantor of this client',
      'Phone Tie: same phone',
      'Shares Tie: same guarantor (Peter)',
    ]
    expect(await ties(me)).toEqual(near)
    expect((await ties(me, 'admin')).toSorted()).toEqual([...near, 'Beyond Tie: same phone'].toSorted())
    for (const by of ['elsewhere', 'foreign'] as const) expect((await world.as[by].get(`/api/clients/${me}/exposure`)).status).toBe(404)
  })

  it('compares guarantors of applications, of the lead behind a client too, and further addresses, but no place of work', async () => {
    const productId = await publishProduct(world.as.admin, 'PLAIN')
    const apply = async (of: object, guarantor: object, by: keyof World['as'] = 'officer') => {
      const body = { productId, amount: 10_000, instalments: 12, guarantors: [{ name: 'Otieno', ...guarantor }], ...of }
      const answer = await world.as[by].post<{ loanApplication: { Id: string } }>('/api/applications', body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.loanApplication.Id
    }
    const home = { kind: 'Home', lineone: 'Ngong Road 7', city: 'Nairobi' }
    const work = { kind: 'Work', lineone: 'County House', city: 'Nairobi' }
    const me = await save('Myself', '0744100001', { idNumber: '21100001', addresses: [home, work] })
    await apply({ clientId: me }, { phonenumber: '0755100001', idNumber: '31100001' })
    await save('Stands', '0755100001')
    await apply({ clientId: await save('Same', '0744100002') }, { phonenumber: '+254755100001' })
    await apply({ clientId: await save('Served', '0744100003') }, { idNumber: '21100001' })
    const gone = await apply({ clientId: await save('Gone', '0744100004') }, { idNumber: '31100001' })
    expect((await world.as.officer.post('/api/applications/delete', { id: gone })).status).toBe(200)
    await save('Line', '0744100005', { lineone: 'ngong road 7 ', city: 'NAIROBI' })
    await save('Lines', '0744100006', { addresses: [home] })
    await save('Colleague', '0744100007', { addresses: [work] })
    const lead = await world.app.make.lead({ tenant: world.team, user: world.people.officer })
    await apply({ leadId: lead.id }, { idNumber: '31100001' })
    const lent = await save('Lead', '0744100008')
    await world.app.database.admin.query(
      `set session_replication_role = replica; update client set "leadId" = '${lead.id}' where id = '${lent}'; set session_replication_role = default`,
    )
    const near = ['Line Tie: same address', 'Lines Tie: same address']
    const bound = [
      'Lead Tie: same guarantor (Otieno)',
      'Same Tie: same guarantor (Otieno)',
      'Served Tie: has this client as guarantor',
      'Stands Tie: is guarantor of this client',
    ]
    expect((await ties(me)).toSorted()).toEqual([...near, ...bound].toSorted())
    const reader = await world.app.as(await world.app.make.user({ tenant: world.team, roles: [], permissions: ['CLIENTS'] }))
    const seen = await reader.get<{ clients: { name: string; reasons: string }[] }>(`/api/clients/${me}/exposure`)
    expect(seen.body.data.clients.map(({ name, reasons }) => `${name}: ${reasons}`)).toEqual(near)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leadAlong } from '../api/leads/world.ts'
import { terms } from '../api/loans/lending.ts'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, newPhone, person, syncWorld, type Device, type SyncWorld } from './world.ts'

interface ClientRow {
  Id: string
  version: number
  status: string
  idNumber: string | null
  city: string | null
  nextOfKin: { Id: string; name: string; relationship: string }[]
  [key: string]: unknown
}

let world: SyncWorld
let device: Device
let manager: SignedInClient
const entityType = 'client'
const read = async (id: string) => (await manager.get<{ client: ClientRow }>(`/api/clients/${id}`)).body.data.client
const put = (id: string, body: object) => manager.put(`/api/clients/${id}`, body)
/** A client that the device has captured, as the office has it. */
const captured = async (over: object = {}) => {
  const made = device.insert(person(over), { entityType })
  expect((await device.push([made])).results).toMatchObject([{ status: 'applied' }])
  return read(made.entityId)
}

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

describe('a client on a device', () => {
  it('arrives once however often it is sent, with next of kin and papers', async () => {
    const kin = { Id: randomUUID(), name: 'Peter Mwangi', relationship: 'Spouse' }
    const made = device.insert(person({ nextOfKin: [kin], documents: [{ Id: randomUUID(), kind: 'Passport', expiresOn: '2031-05-01' }] }), {
      entityType,
    })
    await Promise.all(Array.from({ length: 5 }, () => device.push([made])))
    const { rows } = await world.app.database.admin.query('select count(*)::int from client_kin where "clientId" = $1', [made.entityId])
    expect(rows).toEqual([{ count: 1 }])
    expect(await read(made.entityId)).toMatchObject({
      status: 'Active',
      assignedUserId: device.client.user.id,
      nextOfKin: [kin],
      documents: [{ kind: 'Passport' }],
    })
  })

  it('is refused where another client of the company has the number, the address or the ID', async () => {
    const elsewhere = await world.device('officer', world.sibling)
    const phonenumber = newPhone()
    const first = elsewhere.insert(person({ phonenumber, emailAddress: 'twin@example.org', idNumber: '27111000' }), { entityType })
    await elsewhere.push([first])
    for (const twin of [{ phonenumber }, { emailAddress: 'TWIN@example.org' }, { idNumber: '27111000' }]) {
      const { results } = await device.push([device.insert(person(twin), { entityType })])
      expect(results).toMatchObject([{ status: 'rejected', code: 'DUPLICATE_CLIENT' }])
      expect(JSON.stringify(results)).not.toContain(first.entityId)
    }
  })

  it('cannot be removed by a device while a loan is not closed', async () => {
    const [made, phone] = [await captured(), await world.device('branch')]
    const admin = await world.app.as(await world.app.make.user({ role: 'admin', company: world.company }))
    const lent = await admin.post('/api/loans', { clientId: made.Id, principal: '1200', terms })
    expect(lent.status, lent.text).toBe(200)
    const { results } = await phone.push([phone.change({ entityType, entityId: made.Id, changeType: 'DELETE', version: made.version })])
    expect(results).toMatchObject([{ status: 'rejected', code: 'VALIDATION' }])
    expect(JSON.stringify(results)).toContain('This client has 1 loan that is not closed.')
    expect((await read(made.Id)).status).toBe('Active')
  })

  it('asks about every ID number, even where the office left it as it was, and merges what does not meet', async () => {
    const before = await captured({ idNumber: '25000111', city: 'Thika' })
    await put(before.Id, { city: 'Nakuru' })
    const edit = device.update(
      before.Id,
      before.version,
      { idNumber: ['25000111', '25000112'], employer: [null, 'County'] },
      { entityType },
    )
    expect((await device.push([edit])).results).toMatchObject([
      { status: 'merged', conflicts: [{ field: 'idNumber', base: '25000111', mine: '25000112', theirs: '25000111' }] },
    ])
    expect(await read(before.Id)).toMatchObject({ idNumber: '25000111', city: 'Nakuru', employer: 'County' })
  })

  it('merges next of kin line by line', async () => {
    const [a, b] = [
      { Id: randomUUID(), name: 'Ann', relationship: 'Child' },
      { Id: randomUUID(), name: 'Ben', relationship: 'Child' },
    ]
    const before = await captured({ nextOfKin: [a, b] })
    await put(before.Id, { nextOfKin: [{ Id: a.Id, relationship: 'Sibling' }, { Id: b.Id }] })
    const mine = before.nextOfKin.map((kin) => (kin.Id === b.Id ? { ...kin, name: 'Benson' } : kin))
    const edit = device.update(before.Id, before.version, { nextOfKin: [before.nextOfKin, mine] }, { entityType })
    const { results } = await device.push([edit])
    expect(results.flatMap(({ conflicts = [] }) => conflicts)).toEqual([])
    expect((await read(before.Id)).nextOfKin).toMatchObject([
      { name: 'Ann', relationship: 'Sibling' },
      { name: 'Benson', relationship: 'Child' },
    ])
  })

  it('is made of a lead without a network: the lead is Converted with it; a lead that may not become one keeps the client back and nothing else', async () => {
    const office = device.client
    const made = async () => (await office.post<{ lead: { Id: string; phonenumber: string } }>('/api/leads', person())).body.data.lead
    const [ready, early] = [await made(), await made()]
    await leadAlong(world.app, office, ready.Id, ['Contacted', 'Consent requested', 'Qualified', 'Onboarding', 'Submitted', 'Approved'])
    const ofLead = ({ Id, phonenumber }: { Id: string; phonenumber: string }, over: object = {}) =>
      device.insert({ ...person({ phonenumber }), leadId: Id, employer: 'County', ...over }, { entityType })
    const papers = ['Passport', 'Work permit'].map((kind) => ({ Id: randomUUID(), kind, expiresOn: '2031-05-01' }))
    const kept = [
      ofLead(ready, { documents: papers, nextOfKin: [{ Id: randomUUID(), name: 'Ann', relationship: 'Child' }] }),
      ofLead(early),
    ]
    const stranger = device.insert(person({ leadId: randomUUID() }), { entityType })
    const pushes = await Promise.all(Array.from({ length: 5 }, () => device.push([...kept, stranger])))
    const verdicts = pushes.map(({ results }) => results.map(({ status }) => status))
    expect(verdicts.toSorted()).toEqual([
      ['applied', 'rejected', 'rejected'],
      ...Array.from({ length: 4 }, () => Array.from({ length: 3 }, () => 'duplicate')),
    ])
    expect(await read(String(kept[0]?.entityId))).toMatchObject({
      leadId: ready.Id,
      employer: 'County',
      documents: [{}, {}],
      nextOfKin: [{}],
    })
    const statusOf = async (id: string) => (await office.get<{ lead: { status: string } }>(`/api/leads/${id}`)).body.data.lead.status
    expect([await statusOf(ready.Id), (await statusOf(early.Id)) === 'Converted']).toEqual(['Converted', false])
    expect((await manager.get(`/api/clients/${String(kept[1]?.entityId)}`)).status).toBe(404)
  })

  it('keeps branch, lead and USSD security as the office has them, and nobody writes beyond reach', async () => {
    const before = await captured()
    for (const patch of [
      { tenantId: [world.branch.id, world.sibling.id] },
      { ussdSecuredAt: [null, new Date().toISOString()] },
      { leadId: [null, randomUUID()] },
    ])
      expect((await device.push([device.update(before.Id, before.version, patch as never, { entityType })])).results).toMatchObject([
        { status: 'rejected' },
      ])
    const beside = await world.device('officer', world.sibling)
    expect((await beside.push([beside.update(before.Id, before.version, { city: [null, 'Lamu'] }, { entityType })])).results).toMatchObject(
      [{ status: 'rejected' }],
    )
    expect((await device.push([device.insert(person(), { entityType, tenantId: world.sibling.id })])).results).toMatchObject([
      { status: 'rejected', code: 'FORBIDDEN' },
    ])
    expect((await beside.pull()).changes.filter(({ id }) => id === before.Id)).toEqual([])
  })
})

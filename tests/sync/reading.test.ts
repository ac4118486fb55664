import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MadeTenant } from '../support/make.ts'
import { checkStream, makeDevice, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let officer: Device
/** May edit and remove leads, but not read them. */
let blind: Device
beforeAll(async () => {
  world = await syncWorld()
  officer = await world.device()
  blind = await deviceWith(['SALES/LEADS/CREATE', 'SALES/LEADS/EDIT', 'SALES/LEADS/DELETE'])
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

async function deviceWith(permissions: string[], tenant: MadeTenant = world.branch): Promise<Device> {
  const { app, company } = world
  const role = await app.make.role({ company, name: `role ${randomUUID()}`, permissions })
  return makeDevice(await app.as(await app.make.user({ roles: [role], tenant })), tenant.id)
}

/** A lead that nobody but readers may learn of, changed by the officer since its first version. */
async function secretLead(): Promise<{ id: string; secret: string }> {
  const secret = `Secret${randomUUID().slice(0, 8)}`
  const insert = officer.insert(person({ city: 'Thika', employer: secret }))
  await officer.push([insert])
  await officer.push([officer.update(insert.entityId, 1, { city: ['Thika', `${secret} town`] })])
  return { id: insert.entityId, secret }
}

describe('what the server holds', () => {
  it.each([
    ['a refused field', (device: Device, id: string) => device.update(id, 2, { consentStatus: ['NONE PROVIDED', 'GRANTED'] })],
    ['a value no form would take', (device: Device, id: string) => device.update(id, 2, { emailAddress: [null, 'nobody'] })],
    ['an id that is taken', (device: Device, id: string) => device.insert(person(), { entityId: id })],
    ['a stale removal', (device: Device, id: string) => device.change({ changeType: 'DELETE', entityId: id, version: 1 })],
    ['a conflict', (device: Device, id: string) => device.update(id, 1, { city: ['Thika', 'Kisumu'] })],
    ['an edit that is taken', (device: Device, id: string) => device.update(id, 2, { postcode: [null, '00100'] })],
    ['the log of another user', (device: Device, id: string) => device.update(id, 2, { city: [null, 'X'] }, { userId: randomUUID() })],
  ])('is told to readers only, after %s and when it is repeated', async (_, make) => {
    const { id, secret } = await secretLead()
    const change = make(blind, id)
    for (const answer of [await blind.push([change]), await blind.push([change])]) expect(JSON.stringify(answer)).not.toContain(secret)
  })

  it('is sent to a reader who is refused, so that the device can show both', async () => {
    const { id, secret } = await secretLead()
    const {
      results: [result],
    } = await officer.push([officer.update(id, 2, { consentStatus: ['NONE PROVIDED', 'GRANTED'] })])
    expect(result).toMatchObject({ status: 'rejected', code: 'FORBIDDEN', fields: { employer: secret } })
  })

  it('is not sent for a record out of reach', async () => {
    const { id, secret } = await secretLead()
    const far = await world.device('officer', world.sibling)
    const changes = [
      far.update(id, 1, { city: ['Thika', 'X'] }),
      far.change({ changeType: 'DELETE', entityId: id, version: 1 }),
      far.insert(person(), { entityId: id }),
    ]
    const answer = await far.push(changes)
    expect(JSON.stringify(answer)).not.toContain(secret)
    expect(answer.results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect((await officer.client.get(`/api/leads/${id}`)).status).toBe(200)
  })

  it('does not come with the receipt of somebody else’s change', async () => {
    const { id, secret } = await secretLead()
    const reader = await world.device()
    const change = reader.update(id, 1, { city: ['Thika', 'Kisumu'] })
    expect(JSON.stringify(await reader.push([change]))).toContain(secret)
    expect((await blind.push([change])).results[0]).toEqual({
      changeId: change.changeId,
      status: 'duplicate',
      first: 'merged',
      seq: expect.any(Number),
    })
  })
})

describe('conflicts', () => {
  /** Opens one conflict on a lead of the branch and gives its id. */
  async function conflictOn(id: string): Promise<string> {
    const device = await world.device()
    await device.push([device.update(id, 1, { city: ['Thika', 'Kisumu'] })])
    const { rows } = await world.app.database.admin.query<{ id: string }>('select id from sync_conflict where "entityId" = $1', [id])
    return rows[0]?.id ?? ''
  }

  it.each([
    ['without the permission to read', () => blind],
    ['without the permission to edit', () => deviceWith(['SALES/LEADS'])],
    ['with no permission at all', () => deviceWith([])],
    ['of another branch', () => world.device('officer', world.sibling)],
  ])('are neither told to nor decided by a person %s', async (_, who) => {
    const { id, secret } = await secretLead()
    const conflictId = await conflictOn(id)
    const { client } = await who()
    const listed = await client.get('/api/sync/conflicts')
    expect(listed.text).not.toContain(secret)
    for (const resolution of ['mine', 'theirs'])
      expect((await client.post('/api/sync/conflicts/resolve', { id: conflictId, resolution })).status).toBe(404)
    const { rows } = await world.app.database.admin.query('select state from sync_conflict where id = $1', [conflictId])
    expect(rows).toEqual([{ state: 'open' }])
  })

  it('follow their record: where it went they are decided, where it was no more', async () => {
    const { id } = await secretLead()
    const conflictId = await conflictOn(id)
    const { withStream } = await import('../../apps/server/src/kernel/sync/stream.ts')
    const { updateRecord } = await import('../../apps/server/src/kernel/resource/records.ts')
    const { lead } = await import('../../apps/server/src/areas/leads/index.ts')
    const { makeJobCtx } = await import('../../apps/server/src/kernel/session/jobs.ts')
    await withStream(await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null }), (ctx) =>
      updateRecord(ctx, lead, id, { tenantId: world.sibling.id }),
    )
    expect((await officer.client.post('/api/sync/conflicts/resolve', { id: conflictId, resolution: 'mine' })).status).toBe(404)
  })
})

describe('a change with a name that every object has', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    'is refused for good and holds nobody up: %s',
    async (name) => {
      const insert = officer.insert(person())
      await officer.push([insert])
      const changes = [
        officer.update(insert.entityId, 1, { [name]: [null, 'x'] }),
        officer.insert(person({ [name]: 'x' })),
        officer.insert(person(), { entityType: name }),
        officer.update(insert.entityId, 1, { [name]: { add: ['x'], remove: [] } }),
        officer.insert({ [name]: 'x' }, { entityId: insert.entityId }),
        officer.insert(person()),
      ]
      const { results } = await officer.push(changes)
      expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected', 'rejected', 'applied'])
    },
  )
})

describe('a new record', () => {
  it.each([
    ['of another company', async () => (await world.app.make.company()).id],
    ['that is not there', async () => randomUUID()],
    [
      'that was closed',
      async () => {
        const tenant = await world.app.make.tenant({ company: world.company })
        await world.app.database.admin.query('update tenant set "deletedAt" = now() where id = $1', [tenant.id])
        return tenant.id
      },
    ],
  ])('is not filed under a tenant %s, whoever sends it', async (_, tenantOf) => {
    const tenantId = await tenantOf()
    const chief = makeDevice(await world.app.as(await world.app.make.user({ role: 'md', tenant: world.company })), world.company.id)
    const { results } = await chief.push([
      chief.insert(person(), { tenantId }),
      chief.insert(person(), { tenantId: world.sibling.id }),
      chief.insert(person()),
    ])
    expect(results).toMatchObject([{ status: 'rejected', code: 'FORBIDDEN' }, { status: 'applied' }, { status: 'applied' }])
  })
})

describe('a record that a device made', () => {
  it('is taken as a call takes it: what the server gives is ignored, numbers may come as text, a name nobody knows is refused by name', async () => {
    const whole = officer.insert(
      person({
        status: 'Converted',
        consentStatus: 'GRANTED',
        tenantId: world.sibling.id,
        fullName: 'x',
        version: 9,
        dateCreated: '2020-01-01T00:00:00.000Z',
        latitude: '-1.28',
        longitude: '36.82',
        city: '',
      }),
    )
    const { results } = await officer.push([
      whole,
      officer.insert(person({ nickname: 'Shiru' })),
      officer.insert(person({ latitude: 'north' })),
    ])
    expect(results.map(({ status, code }) => [status, code])).toEqual([
      ['applied', undefined],
      ['rejected', 'VALIDATION'],
      ['rejected', 'VALIDATION'],
    ])
    expect(results.slice(1).map(({ message }) => message)).toEqual([
      expect.stringContaining('nickname') as string,
      expect.stringContaining('latitude') as string,
    ])
    expect(results[0]?.fields).toMatchObject({
      status: 'New',
      consentStatus: 'NONE PROVIDED',
      tenantId: officer.tenantId,
      version: 1,
      latitude: -1.28,
      city: null,
    })
  })
})

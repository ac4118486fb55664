import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { checkStream, makeDevice, newPhone, person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
let device: Device
let manager: SignedInClient
let stranger: SignedInClient

const rows = async (text: string, values: unknown[]) => (await world.app.database.admin.query(text, values)).rows

interface Letter {
  Id: string
  changeId: string
  name: string
  state: string
  reason: string
  entityId: string
}
const letters = async (by: SignedInClient, query = ''): Promise<Letter[]> =>
  ((await by.get(`/api/sync/dead-letters${query}`)).body.data as { deadLetters: Letter[] }).deadLetters
const letterOf = async (changeId: string): Promise<Letter> => {
  const found = (await letters(manager)).find((one) => one.changeId === changeId)
  if (!found) throw new Error(`no letter of ${changeId}`)
  return found
}
interface DetailView {
  fields: LinkField[]
  panels: { key: string; source: { path: string }; open?: string; fields: LinkField[]; actions: { open?: string }[] }[]
  actions: { open?: string }[]
}
interface LinkField {
  key: string
  opens?: string
  reference?: { screen?: string }
}
/** Every screen that a view leads to. */
const linksOf = ({ fields, panels, actions }: DetailView): string[] =>
  [
    ...[...fields, ...panels.flatMap((panel) => panel.fields)].flatMap(({ opens, reference }) => [opens, reference?.screen]),
    ...panels.map(({ open }) => open),
    ...[...actions, ...panels.flatMap((panel) => panel.actions)].map(({ open }) => open),
  ].filter((path) => path !== undefined)
/** A path without its values and their names. */
const shapeOf = (path: string): string => path.replace(/\?.*$/, '').replaceAll(/:\w+/g, ':')

/** Where the number of a device leads, as the screen says. */
const opensOf = async (by: SignedInClient): Promise<string> => {
  const { view } = (await by.get('/api/console/screens/admin-work-devices')).body.data as {
    view: { fields: { key: string; opens?: string }[] }
  }
  return view.fields.find(({ key }) => key === 'openLetters')?.opens ?? ''
}
const replay = (by: SignedInClient, id: string, body: object = {}) => by.post(`/api/sync/dead-letters/${id}/replay`, body)

beforeAll(async () => {
  world = await syncWorld()
  device = await world.device()
  manager = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.branch }))
  const company = await world.app.make.company()
  stranger = await world.app.as(await world.app.make.user({ role: 'admin', tenant: await world.app.make.tenant({ company }) }))
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

/** A new lead with a number that nobody can have. */
async function refusedLead(over: object = {}): Promise<{ changeId: string; entityId: string }> {
  const change = device.insert(person({ firstName: 'Atieno', phonenumber: '12', ...over }))
  expect((await device.push([change])).results).toMatchObject([{ status: 'rejected' }])
  return change
}

describe('a change that could not be placed', () => {
  it('is listed by name with its reason, opens to what was sent, and is not there for another company or branch', async () => {
    const { changeId, entityId } = await refusedLead()
    const letter = await letterOf(changeId)
    expect(letter).toMatchObject({
      name: 'Lead · new · Atieno Mwangi',
      state: 'open',
      entityId,
      reason: expect.stringContaining('phonenumber') as string,
    })
    const { body } = await manager.get(`/api/sync/dead-letters/${letter.Id}/values`)
    expect((body.data as { values: object[] }).values).toContainEqual({
      Id: 'phonenumber',
      label: 'Phone',
      before: null,
      now: null,
      sent: '12',
      valueField: expect.objectContaining({ kind: 'phone' }) as object,
    })
    const beside = await world.app.as(await world.app.make.user({ role: 'branch', tenant: world.sibling }))
    for (const other of [stranger, beside]) {
      expect((await letters(other)).map((one) => one.changeId)).not.toContain(changeId)
      for (const path of ['', '/values']) expect((await other.get(`/api/sync/dead-letters/${letter.Id}${path}`)).status).toBe(404)
      expect((await replay(other, letter.Id)).status).toBe(404)
      expect((await other.post('/api/sync/dead-letters/handle', { ids: [letter.Id], state: 'discarded' })).status).toBe(404)
    }
    expect((await device.client.get('/api/sync/dead-letters')).status).toBe(403)
  })

  it('is carried out once with a corrected value, however often it is asked for, and the device takes it for its own', async () => {
    const change = await refusedLead()
    const letter = await letterOf(change.changeId)
    const still = await replay(manager, letter.Id)
    expect([still.status, still.body.message]).toEqual([422, expect.stringContaining('phonenumber')])
    const wrong = await replay(manager, letter.Id, { values: { phonenumber: '13' } })
    expect(wrong.status).toBe(422)
    expect((await letters(manager)).filter(({ entityId }) => entityId === change.entityId)).toMatchObject([{ state: 'open' }])
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => replay(manager, letter.Id, { values: { phonenumber: '0722 445 566' } })),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(answers.every(({ status }) => [200, 404].includes(status))).toBe(true)
    expect(await rows('select "trimmedPhonenumber", "createdByUserId" from lead where "id" = $1', [change.entityId])).toEqual([
      { trimmedPhonenumber: '254722445566', createdByUserId: manager.user.id },
    ])
    expect(await letterOf(change.changeId)).toMatchObject({ state: 'replayed' })
    expect((await replay(manager, letter.Id)).status).toBe(404)
    const audited = await rows(`select count(*)::int from audit_log where "action" = 'sync.replay' and "objectId" = $1`, [letter.Id])
    expect(audited).toEqual([{ count: 1 }])
  })

  it('is merged with what the office did since, and asks for the right of who carries it out', async () => {
    const lead = device.insert(person({ city: 'Thika' }))
    await device.push([lead])
    const sent = device.update(lead.entityId, 1, { city: ['Thika', 'Kisumu'], emailAddress: [null, 'no address'] })
    expect((await device.push([sent])).results).toMatchObject([{ status: 'rejected' }])
    const letter = await letterOf(sent.changeId)
    await manager.put(`/api/leads/${lead.entityId}`, { lastName: 'Kamau' })
    expect((await replay(manager, letter.Id, { values: { lastName: 'X' } })).body).toMatchObject({ fields: [{ field: 'lastName' }] })
    const role = await world.app.make.role({ company: world.company, name: 'Clerk', permissions: ['ADMIN/USERS'] })
    const clerk = await world.app.as(await world.app.make.user({ roles: [role], tenant: world.branch }))
    expect((await clerk.get(`/api/sync/dead-letters/${letter.Id}/values`)).body.data).toEqual({ values: [] })
    expect((await replay(clerk, letter.Id, { values: { emailAddress: 'a@mail.test' } })).status).toBe(403)
    expect((await replay(manager, letter.Id, { values: { emailAddress: 'atieno@mail.test' } })).status).toBe(200)
    const { body } = await manager.get(`/api/leads/${lead.entityId}`)
    expect((body.data as { lead: object }).lead).toMatchObject({ city: 'Kisumu', lastName: 'Kamau', emailAddress: 'atieno@mail.test' })
  })

  it('is given up with a reason, all chosen ones or none', async () => {
    const [one, two] = [await letterOf((await refusedLead()).changeId), await letterOf((await refusedLead()).changeId)]
    const handle = (ids: string[]) => manager.post('/api/sync/dead-letters/handle', { ids, state: 'discarded', note: 'Was a test' })
    expect((await handle([one.Id, randomUUID()])).status).toBe(404)
    expect((await letterOf(one.changeId)).state).toBe('open')
    expect((await handle([one.Id, two.Id])).status).toBe(200)
    expect(await letterOf(two.changeId)).toMatchObject({ state: 'discarded', note: 'Was a test', handledByUserId: manager.user.id })
  })
})

describe('devices and what they sent', () => {
  it('are filtered by their state, open to their changes, and are nobody else’s', async () => {
    const full = await world.device()
    await full.push([full.insert(person({ firstName: 'Barasa' })), full.insert(person(), { deps: [randomUUID()] })])
    const listed = async (by: SignedInClient, filter: object) =>
      (
        (await by.get(`/api/sync/devices?filter=${encodeURIComponent(JSON.stringify(filter))}`)).body.data as {
          devices: { Id: string; deviceId: string; pendingCount: number }[]
        }
      ).devices
    const [found] = (await listed(manager, [{ field: 'state', op: 'eq', value: 'unsent' }])).filter(({ deviceId }) => deviceId === full.id)
    expect(found).toMatchObject({ pendingCount: 1, state: 'unsent', openLetters: 0 })
    await rows(`update sync_device set "lastSeen" = now() - interval '3 days' where "deviceId" = $1`, [full.id])
    expect((await listed(manager, [{ field: 'state', op: 'eq', value: 'silent' }])).map(({ deviceId }) => deviceId)).toContain(full.id)
    const { body } = await manager.get(`/api/sync/devices/${found?.Id}/changes`)
    expect((body.data as { changes: object[] }).changes).toMatchObject([{ kind: 'Lead', record: 'Barasa Mwangi', result: 'applied' }])
    expect((await stranger.get(`/api/sync/devices/${found?.Id}`)).status).toBe(404)
    expect((await stranger.get(`/api/sync/devices/${found?.Id}/changes`)).status).toBe(404)
  })

  it('count the changes not placed that the caller sees, and the number opens as many, those and no others', async () => {
    const one = await world.device()
    const refused = [
      one.insert(person({ phonenumber: '12' })),
      one.insert(person({ phonenumber: '13' })),
      one.insert(person({ phonenumber: '14' })),
    ]
    await one.push(refused)
    const [elsewhere, handled] = refused.map(({ changeId }) => changeId)
    // One arrived while its person worked in another branch, one is dealt with.
    await rows('update sync_dead_letter set "tenantId" = $1 where "changeId" = $2', [world.sibling.id, elsewhere])
    await rows(`update sync_dead_letter set "state" = 'handled' where "changeId" = $1`, [handled])
    const admin = await world.app.as(await world.app.make.user({ role: 'admin', company: world.company }))
    for (const [by, seen] of [
      [manager, [refused[2]?.changeId]],
      [admin, [elsewhere, refused[2]?.changeId]],
    ] as const) {
      const { devices } = (await by.get('/api/sync/devices')).body.data as { devices: (Record<string, unknown> & { deviceId: string })[] }
      const device = devices.find(({ deviceId }) => deviceId === one.id)
      const opened = new URL(await opensOf(by), 'http://outpost.test')
      const filter = opened.searchParams.get('filter')?.replace(':Id', String(device?.['Id'])) ?? ''
      expect(opened.pathname).toBe('/admin/dead-letters')
      const found = await letters(by, `?filter=${encodeURIComponent(filter)}`)
      expect(found.map(({ changeId }) => changeId).sort()).toEqual([...seen].sort())
      expect(device?.['openLetters']).toBe(found.length)
    }
  })

  it('open where the notification of a loss leads for everybody who gets it, and are signed out by administrators alone', async () => {
    const lost = await world.device()
    await lost.push([lost.insert(person())])
    const [found] = await rows('select "id" from sync_device where "deviceId" = $1', [lost.id])
    const leader = await world.app.as(await world.app.make.user({ role: 'leader', tenant: world.branch }))
    const screen = '/api/console/screens/admin-work-devices-id-view'
    for (const by of [leader, manager]) {
      expect((await by.get(screen)).status).toBe(200)
      expect((await by.get(`/api/sync/devices/${found?.id}`)).status).toBe(200)
      expect((await by.get(`/api/sync/devices/${found?.id}/changes`)).status).toBe(200)
      expect((await by.post(`/api/sync/devices/${found?.id}/sign-out`, {})).status).toBe(403)
    }
    expect((await device.client.get(screen)).status).toBe(403)
    expect((await stranger.get(`/api/sync/devices/${found?.id}`)).status).toBe(404)
    expect((await lost.client.get('/api/sync/sent')).status).toBe(200)
  })

  it('lead a leader of a team nowhere that is closed: what found no place opens from its device, and is carried out with their rights', async () => {
    const { changeId } = await refusedLead()
    const letter = await letterOf(changeId)
    const [found] = await rows('select "id" from sync_device where "deviceId" = $1', [device.id])
    const leader = await world.app.as(await world.app.make.user({ role: 'leader', tenant: world.branch }))
    const { screens } = (await leader.get<{ screens: { path: string; id: string }[] }>('/api/console')).body.data
    for (const screen of ['admin-work-devices-id-view', 'admin-dead-letters-id-view']) {
      const { view } = (await leader.get(`/api/console/screens/${screen}`)).body.data as { view: DetailView }
      const id = screen.startsWith('admin-work') ? found?.id : letter.Id
      for (const { source } of view.panels)
        expect([source.path, (await leader.get(source.path.replaceAll(':id', id))).status]).toEqual([source.path, 200])
      for (const path of linksOf(view)) {
        const { id: opened } = screens.find((one) => shapeOf(one.path) === shapeOf(path)) ?? { id: `no screen at ${path}` }
        expect([path, (await leader.get(`/api/console/screens/${opened}`)).status]).toEqual([path, 200])
      }
    }
    const { view } = (await leader.get('/api/console/screens/admin-work-devices-id-view')).body.data as { view: DetailView }
    expect(view.panels.find(({ key }) => key === 'deadLetters')?.open).toBe('/admin/dead-letters/:id/view')
    expect(view.fields.find(({ key }) => key === 'openLetters')?.opens).toBeUndefined()
    expect((await leader.get('/api/console/screens/admin-dead-letters')).status).toBe(403)
    expect((await replay(leader, letter.Id, { values: { phonenumber: newPhone() } })).status).toBe(200)
    const beside = await world.app.as(await world.app.make.user({ role: 'leader', tenant: world.sibling }))
    for (const other of [beside, stranger]) expect((await other.get(`/api/sync/dead-letters/${letter.Id}/values`)).status).toBe(404)
    expect((await device.client.get('/api/console/screens/admin-dead-letters-id-view')).status).toBe(403)
  })

  it('are signed out by the office when they are lost: their session ends at once, others of the person go on, what they hold stays', async () => {
    const user = await world.app.make.user({ role: 'officer', tenant: world.branch })
    const [lost, other] = [makeDevice(await world.app.as(user), world.branch.id), await world.app.as(user)]
    await lost.push([lost.insert(person())])
    const admin = await world.app.as(await world.app.make.user({ role: 'admin', tenant: world.branch }))
    const [found] = await rows('select "id" from sync_device where "deviceId" = $1', [lost.id])
    const path = `/api/sync/devices/${found?.id}/sign-out`
    for (const by of [stranger, device.client]) expect([403, 404]).toContain((await by.post(path, {})).status)
    expect((await lost.client.get('/api/sync/sent')).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.post(path, {})))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const refused = await lost.client.get('/api/sync/sent')
    expect([refused.status, refused.body.code]).toEqual([401, 'DEVICE_SIGNED_OUT'])
    expect((await other.get('/api/sync/sent')).status).toBe(200)
    const { body } = await admin.get(`/api/sync/devices/${found?.id}`)
    expect((body.data as { fieldDevice: object }).fieldDevice).toMatchObject({ state: 'out', signedOutByUserId: admin.user.id })
    // Found again: its person signs in on it, and it reports anew.
    const again = { ...makeDevice(await world.app.as(user), world.branch.id), id: lost.id }
    await again.client.post('/api/sync/push', {
      protocol: 1,
      deviceId: lost.id,
      clientNow: new Date(Date.now() + 1_000).toISOString(),
      pendingCount: 0,
      oldestPendingAt: null,
      persisted: true,
      maxClientSeq: 5,
      changes: [],
    })
    expect(await rows('select "signedOutAt" from sync_device where "deviceId" = $1', [lost.id])).toEqual([{ signedOutAt: null }])
  })

  it('hear that they are signed out wherever they ask next, also when all they have is the token to refresh with', async () => {
    const user = await world.app.make.user({ role: 'officer', tenant: world.branch })
    const signed = (await world.app.login(user)).body.data
    const lost = makeDevice(
      { ...world.app.client({ authorization: `Bearer ${signed.token}` }), token: '', sessionId: '', user },
      world.branch.id,
    )
    await lost.push([lost.insert(person())])
    const admin = await world.app.as(await world.app.make.user({ role: 'admin', tenant: world.branch }))
    const [found] = await rows('select "id" from sync_device where "deviceId" = $1', [lost.id])
    expect((await admin.post(`/api/sync/devices/${found?.id}/sign-out`, {})).status).toBe(200)
    const refresh = () => world.app.nobody.post('/api/auth/refresh', { refreshToken: signed.refreshToken })
    for (const answer of [await refresh(), await refresh(), await lost.client.get('/api/sync/pull')])
      expect([answer.status, answer.body.code]).toEqual([401, 'DEVICE_SIGNED_OUT'])
    // Nobody learns that way whether a token was ever one.
    const made = await world.app.nobody.post('/api/auth/refresh', {
      refreshToken: signed.refreshToken.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    })
    expect(made.body.code).not.toBe('DEVICE_SIGNED_OUT')
  })

  it('show their own person what became of each change, and nobody else', async () => {
    const mine = await world.device()
    const made = mine.insert(person({ firstName: 'Cherono' }))
    const bad = mine.insert(person({ phonenumber: '9' }))
    await mine.push([made, bad])
    const sent = async (by: SignedInClient) =>
      (
        (await by.get('/api/sync/sent')).body.data as {
          sentChanges: { entityId: string; record: string | null; result: string; reason: string | null }[]
        }
      ).sentChanges
    const own = await sent(mine.client)
    expect(own.find(({ entityId }) => entityId === made.entityId)).toMatchObject({ record: 'Cherono Mwangi', result: 'applied' })
    expect(own.find(({ entityId }) => entityId === bad.entityId)).toMatchObject({
      record: 'Njeri Mwangi',
      result: 'rejected',
      reason: expect.stringContaining('phonenumber') as string,
    })
    expect((await sent(manager)).map(({ entityId }) => entityId)).not.toContain(made.entityId)
  })

  it('conflicts show what it was, what the office has and what the device sent, by the names of record and field', async () => {
    const lead = device.insert(person({ firstName: 'Dorcas', city: 'Thika' }))
    await device.push([lead])
    await manager.put(`/api/leads/${lead.entityId}`, { city: 'Nyeri' })
    await device.push([device.update(lead.entityId, 1, { city: ['Thika', 'Kisumu'] })])
    const conflicts = async () =>
      ((await manager.get('/api/sync/conflicts')).body.data as { conflicts: { Id: string; entityId: string }[] }).conflicts
    const found = (await conflicts()).find(({ entityId }) => entityId === lead.entityId)
    expect(found).toMatchObject({
      record: 'Dorcas Mwangi',
      fieldLabel: 'Town',
      base: 'Thika',
      theirs: 'Nyeri',
      mine: 'Kisumu',
      state: 'open',
    })
    expect((await manager.post('/api/sync/conflicts/resolve', { id: found?.Id, resolution: 'mine' })).status).toBe(200)
    expect((await conflicts()).find(({ entityId }) => entityId === lead.entityId)).toMatchObject({
      state: 'mine',
      resolvedByUserId: manager.user.id,
    })
  })
})

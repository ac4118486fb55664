import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { agentsArea } from '../../apps/server/src/areas/agents/index.ts'
import { rolesArea } from '../../apps/server/src/areas/roles/index.ts'
import { tenantsArea } from '../../apps/server/src/areas/tenants/index.ts'
import { usersArea } from '../../apps/server/src/areas/users/index.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { everything, newIdentity } from './support/api-world.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

let stack: GeoStack
let admin: SignedInClient, second: SignedInClient, foreign: SignedInClient, viewer: SignedInClient, northerner: SignedInClient
let north: MadeTenant

beforeAll(async () => {
  stack = await geoStack({}, {}, (machine, geo) => [authArea(machine), agentsArea, rolesArea, usersArea, tenantsArea, geo])
  const { make } = stack.app
  const client = async (of: MadeTenant, permissions: string[], tenant = of) =>
    stack.app.as(await make.user({ company: of, tenant, role: await make.role({ company: of, name: randomUUID(), permissions }) }), {
      tenant,
    })
  const company = await make.company()
  north = await make.tenant({ parent: company })
  admin = await client(company, everything)
  second = await client(company, everything)
  viewer = await client(company, ['SALES/AGENT/POSITION'])
  northerner = await client(company, everything, north)
  foreign = await client(await make.company(), everything)
})
afterAll(() => stack.close())

interface Verdict {
  Id: string
  isDone: boolean
  state?: string
  commandId?: string
  message?: string
}
interface Sent {
  id: string
  deviceId: string
  device: string
  type: string
  state: string
  purpose: string | null
  createdBy: string | null
}
const addDevice = async (who = admin, more: object = {}) => {
  const { body, text } = await who.post<{ geoDevice: { id: string } }>('/api/geo/device', {
    uniqueId: newIdentity(),
    name: `Van ${randomUUID().slice(0, 6)}`,
    ...more,
  })
  if (!body.success) throw new Error(text)
  return body.data.geoDevice.id
}
const sendMany = async (body: object, who = admin) => who.post<{ results: Verdict[] }>('/api/geo/device/sendCommand', body)
const sentOf = async (query = '', who = admin) => {
  const { status, body, text } = await who.get<{ sentCommands: Sent[] }>(`/api/geo/commands/sent${query}`)
  expect(status, text).toBe(200)
  return body.data.sentCommands
}

describe('one command to many devices', () => {
  it('has a verdict on each: queued, switched off, of a stranger, unknown; one that refuses keeps no other from it', async () => {
    const [one, two, off, strange] = [
      await addDevice(),
      await addDevice(),
      await addDevice(admin, { disabled: true }),
      await addDevice(foreign),
    ]
    const unknown = randomUUID()
    const { status, body } = await sendMany({ ids: [one, two, one, off, strange, unknown], commandType: 'positionSingle' })
    expect(status).toBe(200)
    expect(body.data.results).toMatchObject([
      { Id: one, isDone: true, state: 'queued' },
      { Id: two, isDone: true, state: 'queued' },
      { Id: off, isDone: false, message: 'This device is disabled.' },
      { Id: strange, isDone: false },
      { Id: unknown, isDone: false },
    ])
    // A stranger's device is refused in the words of one that is not there.
    expect(body.data.results[3]!.message).toBe(body.data.results[4]!.message)
    expect((await sentOf()).map(({ deviceId }) => deviceId)).toEqual(expect.arrayContaining([one, two]))
    expect(await sentOf('', foreign)).toEqual([])
  })

  it('asks for a reason and a second person where it may stop a vehicle', async () => {
    const ids = [await addDevice(), await addDevice()]
    const bare = await sendMany({ ids, commandType: 'custom', data: 'setparam 1:2' })
    expect(bare.body.data.results.map(({ isDone, state }) => isDone && state)).toEqual(['asked', 'asked'])
    const stop = await sendMany({ ids, commandType: 'engineStop' })
    expect(stop.body.data.results.every(({ isDone, message }) => !isDone && /reason/.test(message ?? ''))).toBe(true)
    const [asked] = await sentOf('?state=asked')
    const own = await admin.post(`/api/geo/device/sendCommand/${asked!.deviceId}/custom`, { approves: asked!.id, data: 'setparam 1:2' })
    expect([own.status, own.body.fields?.map(({ field }) => field)]).toEqual([422, ['approves']])
    const approved = await second.post(`/api/geo/device/sendCommand/${asked!.deviceId}/custom`, {
      approves: asked!.id,
      data: 'setparam 1:2',
    })
    expect(approved.body.data).toMatchObject({ state: 'queued' })
    expect(await sentOf('?state=queued,sent')).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: asked!.id, state: 'queued' })]),
    )
  })

  it('takes parameters, and says of each device what is wrong with them', async () => {
    const ids = [await addDevice()]
    const wrong = await sendMany({ ids, commandType: 'positionPeriodic' })
    expect(wrong.body.data.results).toMatchObject([{ isDone: false, message: expect.stringMatching(/^frequency: /) as string }])
    const right = await sendMany({ ids, commandType: 'positionPeriodic', frequency: 60, reason: 'Stolen' })
    expect(right.body.data.results).toMatchObject([{ isDone: true, state: 'queued' }])
    expect(await sentOf(`?deviceId=${ids[0]}`)).toMatchObject([
      { type: 'positionPeriodic', purpose: 'Stolen', createdBy: expect.any(String) as string },
    ])
  })

  it('refuses what is no command, no device and too many; and who may not send', async () => {
    const ids = [await addDevice()]
    const fields = async (body: object, who = admin) => {
      const answer = await sendMany(body, who)
      return [answer.status, (answer.body.fields ?? []).map(({ field }) => field)]
    }
    expect(await fields({ ids, commandType: '../devices' })).toEqual([422, ['commandType']])
    expect(await fields({ ids: [], commandType: 'positionSingle' })).toEqual([422, ['ids']])
    expect(await fields({ ids: Array.from({ length: 501 }, () => randomUUID()), commandType: 'positionSingle' })).toEqual([422, ['ids']])
    expect(await fields({ ids: ['x'], commandType: 'positionSingle' })).toEqual([422, ['ids.0']])
    expect((await sendMany({ ids, commandType: 'positionSingle' }, viewer)).status).toBe(403)
    expect((await admin.get('/api/geo/commands/sent?state=gone')).status).toBe(422)
  })

  it('stays within the reach of who asks', async () => {
    const [above, own] = [await addDevice(), await addDevice(northerner)]
    const { body } = await sendMany({ ids: [above, own], commandType: 'positionSingle' }, northerner)
    expect(body.data.results.map(({ Id, isDone }) => [Id, isDone])).toEqual([
      [above, false],
      [own, true],
    ])
    await sendMany({ ids: [above], commandType: 'getVersion' })
    expect((await sentOf('', northerner)).map(({ deviceId }) => deviceId)).toEqual([own])
  })

  it('sent five times at once waits once', async () => {
    const ids = [await addDevice()]
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendMany({ ids, commandType: 'getVersion' })))
    expect(new Set(answers.map(({ body }) => body.data.results[0]!.commandId)).size).toBe(1)
  })
})

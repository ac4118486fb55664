import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ChangeRecord, PullAnswer, PushAnswer } from '@outpost/contract/sync/protocol'
import { readPullPage, type PullPage } from '@outpost/contract/sync/pull'
import { databaseName } from '../../apps/console/src/offline/store/core.ts'
import { shown, wireChange } from '../../apps/console/src/offline/store/log.ts'
import { openStore, type OfflineStore } from '../../apps/console/src/offline/store/store.ts'
import { createLoop, type Loop } from '../../apps/console/src/offline/sync/loop.ts'
import { checkStream, makeDevice, syncWorld, type Device, type SyncWorld } from '../sync/world.ts'
import { keyOf, layDown, readOldDevice, type OldDevice } from './old-device.ts'

let world: SyncWorld
const rows = async (text: string, values: unknown[]) => (await world.app.database.admin.query(text, values)).rows
const opened: { close(): void }[] = []

beforeAll(async () => {
  world = await syncWorld()
})
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

interface Phone {
  old: OldDevice
  store: OfflineStore
  device: Device
}

/** A phone as an earlier program left it. Its person and branch are here, and the records that it holds copies of. */
async function phoneOf(day: string): Promise<Phone> {
  const { app, company } = world
  const old = readOldDevice(day)
  const { userId, deviceId, tenantId } = old.owner
  const tenant = await app.make.tenant({ company, id: tenantId, path: [...company.path, tenantId] })
  const device = makeDevice(await app.as(await app.make.user({ id: userId, role: 'branch', tenant })), tenantId)
  const names = ['clean', 'edited', 'flown', 'removed']
  const known = names.map((name, n) =>
    device.insert({ firstName: name, lastName: 'Otieno', phonenumber: `071200000${n}`, city: 'Thika' }, { entityId: old.ids[name] ?? '' }),
  )
  expect((await device.push(known)).results.map(({ status }) => status)).toEqual(names.map(() => 'applied'))
  const owner = { userId, companyId: company.id, deviceId }
  await layDown(old, databaseName(owner))
  const store = await openStore({ ...owner, country: () => 'KE', tenantId: () => tenantId }, await keyOf(old))
  opened.push(store)
  return { old, store, device }
}

/** Today's loop over today's server. */
function loopOf({ store, device, old }: Phone, sent: ChangeRecord[]): Loop {
  const loop = createLoop({
    now: Date.now,
    setTimer: () => () => undefined,
    isOnline: async () => true,
    hasRoom: async () => true,
    sendFiles: async () => 0,
    refusalOf: () => null,
    report: ({ message }) => expect(message).toBeUndefined(),
    alone: async (run) => {
      await run()
      return true
    },
    push: async (changes, summary): Promise<PushAnswer> => {
      sent.push(...structuredClone(changes))
      const answer = await device.client.post('/api/sync/push', {
        protocol: 1,
        deviceId: old.owner.deviceId,
        clientNow: new Date().toISOString(),
        pendingCount: summary.count,
        oldestPendingAt: summary.oldest,
        persisted: true,
        maxClientSeq: summary.maxClientSeq,
        storeId: summary.storeId,
        changes,
      })
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return answer.body as unknown as PushAnswer
    },
    pull: async (cursor): Promise<PullAnswer> => {
      const answer = await device.client.get(`/api/sync/pull?limit=500${cursor ? `&cursor=${cursor}` : ''}`)
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return readPullPage(answer.body as unknown as PullPage)
    },
    store,
  })
  loop.start()
  opened.push({ close: () => loop.stop() })
  return loop
}

describe('a phone with the first program’s work on it, under today’s program and server (sync fault 16)', () => {
  it('keeps all of it, sends what had left as it left and the rest once, and holds what the office holds', async () => {
    const phone = await phoneOf('2026-11-21')
    const { old, store, device } = phone
    expect(await store.check()).toEqual([])
    const before = await store.unsent()
    expect(before.log).toEqual(old.unsent.log)
    expect(before.attention.map(({ changeId }) => changeId)).toEqual(old.unsent.attention)
    const screen = new Map((await store.all('lead')).map((one) => [one.id, shown(one)]))
    expect(screen.get(old.ids['flown'] ?? '')).toMatchObject({ city: 'Kisumu', employer: 'County' })
    expect(screen.has(old.ids['removed'] ?? '')).toBe(false)

    // The old program's last push had arrived; its answer had not.
    expect((await device.push(old.flown)).results.map(({ status }) => status)).toEqual(['applied', 'applied'])
    const sent: ChangeRecord[] = []
    await loopOf(phone, sent).trigger('asked')
    expect(sent.filter(({ changeId }) => old.flown.some((one) => one.changeId === changeId))).toEqual(old.flown)
    const unsent = old.unsent.log.map((change) => wireChange(change))
    expect(sent.toSorted((a, b) => a.clientSeq - b.clientSeq)).toEqual(unsent)

    expect((await store.summary()).count).toBe(0)
    const receipts = await rows('select "changeId", "result" from sync_receipt where "changeId" = any($1) order by "clientSeq"', [
      unsent.map(({ changeId }) => changeId),
    ])
    expect(receipts).toEqual(unsent.map(({ changeId }) => ({ changeId, result: 'applied' })))
    const held = await rows(
      'select "id", "city", "employer", "version"::int, "deletedAt" is not null as gone from lead where "id" = any($1)',
      [Object.values(old.ids)],
    )
    const of = (name: string) => held.find(({ id }) => id === old.ids[name])
    expect(of('madeFlown')).toMatchObject({ city: 'Embu', version: 2 })
    expect(of('flown')).toMatchObject({ city: 'Kisumu', employer: 'County', version: 3 })
    expect(of('edited')).toMatchObject({ city: 'Meru', version: 2 })
    expect([of('removed')?.gone, of('made')?.version, of('child')?.version, of('refused')]).toEqual([true, 1, 1, undefined])
    const after = new Map((await store.all('lead')).map((one) => [one.id, one]))
    for (const name of ['clean', 'edited', 'flown', 'made', 'madeFlown', 'child'])
      expect(after.get(old.ids[name] ?? '')).toMatchObject({ version: of(name)?.version, state: 'clean', local: null })
  })
})

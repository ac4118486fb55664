import { afterAll, beforeAll, expect, it } from 'vitest'
import { person, syncWorld, type Device, type SyncWorld } from './world.ts'

let world: SyncWorld
beforeAll(async () => {
  world = await syncWorld()
})
afterAll(() => world.app.close())

const tables = [
  'lead',
  'sync_stream',
  'sync_feed',
  'sync_receipt',
  'sync_conflict',
  'sync_dead_letter',
  'sync_device',
  'record_move',
  'outbox',
]

/** Copies the tables a device's work lies in; gives what sets them back, as a restored backup does. */
async function backup(): Promise<() => Promise<void>> {
  const { admin } = world.app.database
  for (const table of tables) await admin.query(`create table backup_${table} as select * from ${table}`)
  return async () => {
    const client = await admin.connect()
    try {
      await client.query(`begin; set local session_replication_role = 'replica'`)
      for (const table of tables) await client.query(`delete from ${table}`)
      for (const table of tables) {
        const {
          rows: [columns],
        } = await client.query<{ names: string }>(
          `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
          [table],
        )
        await client.query(`insert into ${table} (${columns?.names}) select ${columns?.names} from backup_${table}`)
      }
      await client.query('commit')
    } finally {
      client.release()
    }
  }
}

/** What a device holds: id and town of its leads, by the protocol. */
async function follow(device: Device, held: Map<string, unknown>, cursor?: string): Promise<{ cursor: string; reset?: string }> {
  const { changes, reset, cursor: next } = await device.pull(cursor)
  if (reset) {
    held.clear()
    return { ...(await follow(device, held)), reset }
  }
  for (const { id, op, data } of changes) {
    if (op === 'gone') held.delete(id)
    else held.set(id, data?.city)
  }
  return { cursor: next }
}

it('a device finds out that the server was set back although the counter has overtaken it, and holds the same as a new one', async () => {
  const [device, other] = [await world.device(), await world.device()]
  const [kept, changed] = [device.insert(person({ city: 'Thika' })), device.insert(person({ city: 'Thika' }))]
  await device.push([kept, changed])
  const restore = await backup()
  await device.push([
    device.update(changed.entityId, 1, { city: ['Thika', 'lost'] }),
    device.insert(person({ city: 'lost' })),
    device.insert(person({ city: 'lost' })),
  ])
  const held = new Map<string, unknown>()
  const { cursor } = await follow(device, held)
  expect([...held.values()].filter((city) => city === 'lost')).toHaveLength(3)
  await restore()
  const after = Array.from({ length: 8 }, (_, n) => other.insert(person({ city: `new ${n}` })))
  await other.push(after)
  const { reset, cursor: next } = await follow(device, held, cursor)
  expect(reset).toBe('age')
  const fresh = new Map<string, unknown>()
  await follow(await world.device(), fresh)
  expect([...held].toSorted()).toEqual([...fresh].toSorted())
  expect(held.get(changed.entityId)).toBe('Thika')
  // From here on it follows as ever.
  await other.push([other.update(kept.entityId, 1, { city: ['Thika', 'Nyeri'] })])
  expect((await follow(device, held, next)).reset).toBeUndefined()
  expect(held.get(kept.entityId)).toBe('Nyeri')
})

it('a cursor at the place where the backup was taken goes on without starting anew', async () => {
  const device = await world.device()
  await device.push([device.insert(person())])
  const { cursor } = await device.pull()
  await device.push([device.insert(person())])
  const page = await device.pull(cursor)
  expect(page.reset).toBeUndefined()
  expect((await device.pull(page.cursor)).changes).toEqual([])
})

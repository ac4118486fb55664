import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { attributeOf } from '../positions/attributes.ts'
import { detectEvents, nothingKnown, type Memory } from '../rules/detect.ts'
import { changedEvents, type EventChanges, type MadeEvent } from './changes.ts'
import type { DeviceMemory } from './memory.ts'
import { readMessages } from './points.ts'
import type { DeviceRef, Subject } from './subject.ts'

const day = 86_400_000
const types = ['ignitionOn', 'ignitionOff', 'alarm', 'driverChanged', 'commandResult'] as const
type Kept = Pick<DeviceMemory, 'messages' | 'messagesTime'>

/**
 * Events that messages tell. New ones go on from what the last told; late ones are read with what was told before them,
 * and up to a day beyond, as they change what those after them mean.
 */
export async function reckonMessages(db: Sql, subject: Subject, kept: Kept): Promise<{ kept: Kept, changes: EventChanges }> {
  const isNew = kept.messagesTime === null || subject.from > kept.messagesTime
  const to = isNew ? subject.newest : Math.min(subject.newest, subject.to + day)
  let memory = isNew ? kept.messages : await memoryBefore(db, subject, subject.from)
  const fresh: MadeEvent[] = []
  for (const message of await readMessages(db, subject, { from: subject.from, to })) {
    const found = detectEvents(memory, [message])
    memory = found.memory
    fresh.push(...found.events.map((event) => ({ ...event, originTime: message.fixTime })))
  }
  const changes = await changedEvents(db, subject, { types, from: subject.from, to: to + 1 }, fresh)
  if (to < subject.newest) memory = await memoryBefore(db, subject, subject.newest + 1)
  return { kept: { messages: memory, messagesTime: subject.newest }, changes }
}

/** What a device had told before a moment. An attribute that it never told is not looked for. */
async function memoryBefore(db: Sql, { companyId, deviceId }: DeviceRef, time: number): Promise<Memory> {
  const last = (name: string) => sql`case when (select l."state" ? ${name} from geo.latest l where l."companyId" = ${companyId} and l."deviceId" = ${deviceId}) then
    (select ${attributeOf(name)} from geo.position p where p."companyId" = ${companyId} and p."deviceId" = ${deviceId} and p."fixTime" < ${new Date(time)} and ${attributeOf(name)} is not null
      order by p."fixTime" desc limit 1) end`
  const told = await db.one<{ ignition: unknown, driver: unknown, alarm: unknown }>(sql`
    select ${last('ignition')} as "ignition", ${last('driverUniqueId')} as "driver",
      (select ${attributeOf('alarm')} from geo.position p where p."companyId" = ${companyId} and p."deviceId" = ${deviceId} and p."fixTime" < ${new Date(time)} order by p."fixTime" desc limit 1) as "alarm"`)
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  return {
    ...nothingKnown, ignition: typeof told.ignition === 'boolean' ? told.ignition : null, driver: text(told.driver) || null,
    alarms: text(told.alarm).split(',').map((name) => name.trim()).filter(Boolean),
  }
}

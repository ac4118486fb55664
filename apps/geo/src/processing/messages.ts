import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Fix } from '../positions/fix.ts'
import { attributeOf } from '../positions/attributes.ts'
import { detectEvents, emptyMemory, type Memory } from '../rules/detect.ts'
import type { GeoEvent } from '../rules/event.ts'
import { changedEvents, type EventChanges, type MadeEvent } from './changes.ts'
import type { DeviceMemory } from './memory.ts'
import { piecesOf, readSignals, readMessages } from './points.ts'
import type { DeviceRef, Subject } from './subject.ts'

const day = 86_400_000
const types = ['ignitionOn', 'ignitionOff', 'alarm', 'driverChanged', 'commandResult'] as const
type MessageMemory = Pick<DeviceMemory, 'messages' | 'messagesTime'>

interface Found {
  event: GeoEvent
  fixTime: number
}

/**
 * Detects events in messages. New messages continue from the stored memory; late ones are read with the memory before them, and on until
 * their effect ends.
 */
export async function processMessages(
  db: Sql,
  subject: Subject,
  stored: MessageMemory,
): Promise<{ stored: MessageMemory; changes: EventChanges }> {
  const isNew = stored.messagesTime === null || subject.from > stored.messagesTime
  const { found, memory, to } = await detectFrom(db, subject, isNew ? stored.messages : await memoryBefore(db, subject, subject.from))
  const changes = await changedEvents(db, subject, { types, from: subject.from, to: to + 1 }, await withMessages(db, subject, found))
  return { stored: { messages: to < subject.newest ? stored.messages : memory, messagesTime: subject.newest }, changes }
}

/** Reads messages from the first new one. Up to `to` their events may differ from before. */
async function detectFrom(db: Sql, subject: Subject, before: Memory): Promise<{ found: Found[]; memory: Memory; to: number }> {
  const found: Found[] = []
  let [memory, to] = [before, subject.newest]
  // The effect of late messages lasts until a later one sends the same attribute; an alarm affects only the next message.
  const open = { alarms: true, ignition: false, driver: false }
  for await (const piece of piecesOf(db, subject, { from: subject.from, to: subject.newest }, subject.to - subject.from + day)) {
    for (const message of await readSignals(db, subject, piece)) {
      const next = detectEvents(memory, [message])
      const isLater = message.fixTime > subject.to
      if (isLater) open.alarms = false
      for (const key of ['ignition', 'driver'] as const)
        open[key] = isLater ? open[key] && !hasValue(message, key) : open[key] || next.memory[key] !== memory[key]
      memory = next.memory
      found.push(...next.events.map((event) => ({ event, fixTime: message.fixTime })))
    }
    to = piece.to
    if (!Object.values(open).includes(true)) break
  }
  return { found, memory, to }
}

function hasValue({ attributes }: Fix, key: 'ignition' | 'driver'): boolean {
  const value = attributes[key === 'driver' ? 'driverUniqueId' : key]
  return value !== undefined && value !== ''
}

/** Events with the place and attributes of their message. */
async function withMessages(db: Sql, subject: Subject, found: readonly Found[]): Promise<MadeEvent[]> {
  const messages = await readMessages(db, subject, [...new Set(found.map(({ fixTime }) => fixTime))])
  return found.map(({ event, fixTime }) => {
    const { latitude = null, longitude = null, speed = null, attributes = {} } = messages.get(fixTime) ?? {}
    // The answer to a command is a message by itself.
    return {
      ...event,
      latitude,
      longitude,
      speed,
      originTime: fixTime,
      attributes: event.type === 'commandResult' ? event.attributes : { ...attributes, ...event.attributes },
    }
  })
}

/** The memory of a device at a time. An attribute that it never sent is not searched for. */
async function memoryBefore(db: Sql, { companyId, deviceId }: DeviceRef, time: number): Promise<Memory> {
  const last = (
    name: string,
  ) => sql`case when (select l."state" ? ${name} from geo.latest l where l."companyId" = ${companyId} and l."deviceId" = ${deviceId}) then
    (select ${attributeOf(name)} from geo.position p where p."companyId" = ${companyId} and p."deviceId" = ${deviceId} and p."fixTime" < ${new Date(time)} and ${attributeOf(name)} is not null
      order by p."fixTime" desc limit 1) end`
  const told = await db.one<{ ignition: unknown; driver: unknown; alarm: unknown }>(sql`
    select ${last('ignition')} as "ignition", ${last('driverUniqueId')} as "driver",
      (select ${attributeOf('alarm')} from geo.position p where p."companyId" = ${companyId} and p."deviceId" = ${deviceId} and p."fixTime" < ${new Date(time)} order by p."fixTime" desc limit 1) as "alarm"`)
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  return {
    ...emptyMemory,
    ignition: typeof told.ignition === 'boolean' ? told.ignition : null,
    driver: text(told.driver) || null,
    alarms: text(told.alarm)
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  }
}

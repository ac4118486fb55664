import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { DeviceFences } from '../fences/watch.ts'
import type { Memory } from '../rules/detect.ts'
import type { LastNotified } from '../rules/match.ts'
import type { DeviceRef } from './subject.ts'

/** What is stored of a device between two runs. Times are epoch ms. */
export interface DeviceMemory {
  now: DeviceFences
  snapshots: readonly DeviceFences[]
  messages: Memory
  messagesTime: number | null
  told: LastNotified
}

export async function readMemory(db: Sql, { companyId, deviceId }: DeviceRef): Promise<DeviceMemory> {
  await db.exec(sql`insert into geo.device_memory ("companyId", "deviceId") values (${companyId}, ${deviceId}) on conflict do nothing`)
  return db.one<DeviceMemory>(sql`select "now", "snapshots", "messages", (extract(epoch from "messagesTime") * 1000)::float8 as "messagesTime", "told"
    from geo.device_memory where "companyId" = ${companyId} and "deviceId" = ${deviceId}`)
}

export async function writeMemory(
  db: Sql,
  { companyId, deviceId }: DeviceRef,
  { now, snapshots, messages, messagesTime, told }: DeviceMemory,
): Promise<void> {
  await db.exec(sql`
    update geo.device_memory set "now" = ${JSON.stringify(now)}, "snapshots" = ${JSON.stringify(snapshots)}, "messages" = ${JSON.stringify(messages)},
      "messagesTime" = ${messagesTime === null ? null : new Date(messagesTime)}, "told" = ${JSON.stringify(told)}
    where "companyId" = ${companyId} and "deviceId" = ${deviceId}`)
}

import { transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import { rebuilds } from '../motion/rebuild.ts'
import { writeDrivers } from './drivers.ts'
import { processChecks } from './checks.ts'
import { writeEvents } from './events.ts'
import { linkedFences, processFences } from './fences.ts'
import { withLimits } from './limits.ts'
import { readMemory, writeMemory } from './memory.ts'
import { processMessages } from './messages.ts'
import { processMotionEvents } from './motion-events.ts'
import { motionStore } from './motion-store.ts'
import { writeMotion } from './motion-rows.ts'
import { prepared } from './prepared.ts'
import { lockOf, readSubject, type DeviceRef, type Subject } from './subject.ts'

/** What became of a device's turn: `busy` when another process has it, `again` when more came meanwhile. */
export type Outcome = 'done' | 'again' | 'busy' | 'nothing'

/**
 * Brings everything that is processed of one device up to date, in one transaction inside its company. The word that it
 * is dirty goes with it, unless messages came meanwhile; so whoever dies on the way leaves nothing behind but that word.
 */
export function processDevice(pool: GeoPools['geo'], device: DeviceRef): Promise<Outcome> {
  const { companyId, deviceId } = device
  return transactionIn(pool, { company: companyId, scope: '*', user: null, tenant: null }, async (db): Promise<Outcome> => {
    // Not the row of the word itself: the ways in would wait for us.
    const { isMine } = await db.one<{ isMine: boolean }>(sql`select pg_try_advisory_xact_lock(${lockOf(device)}) as "isMine"`)
    if (!isMine) return 'busy'
    const found = await readSubject(db, device)
    if (!found) return 'nothing'
    const { subject, version } = found
    // Nothing is left of it when all of its time has been forgotten.
    if (subject.from <= subject.to) await bringUpToDate(prepared(db), subject)
    const isSettled = await db.exec(sql`delete from geo.dirty where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "version" = ${version}`) === 1
    return isSettled ? 'done' : 'again'
  }, { retry: true })
}

async function bringUpToDate(db: Sql, device: Subject): Promise<void> {
  const linked = await linkedFences(db, device)
  const subject = { ...device, settings: withLimits(device.settings, linked) }
  const memory = await readMemory(db, subject)
  const fences = await processFences(db, subject, { kept: memory, fences: linked })
  const messages = await processMessages(db, subject, memory)
  let { told } = memory
  let changes = [fences.changes, messages.changes]
  for await (const motion of rebuilds(subject, motionStore(db, subject), subject.settings)) {
    await writeMotion(db, subject, motion)
    await writeDrivers(db, subject, motion)
    // Rules look at all events of a stretch together; only a long import has more than one.
    told = await writeEvents(db, subject, [...changes, ...await processMotionEvents(db, subject, motion)], told)
    changes = []
  }
  told = await writeEvents(db, subject, [await processChecks(db, subject, { fences: linked, ...fences })], told)
  await writeMemory(db, subject, { ...fences.kept, ...messages.kept, told })
}

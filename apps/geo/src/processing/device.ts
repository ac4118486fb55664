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

/** The result of processing a device: `busy` when another process has it, `again` when more arrived in the meantime. */
export type Outcome = 'done' | 'again' | 'busy' | 'nothing'

/**
 * Updates everything that is computed for one device, in one transaction in its company. The dirty mark is removed in the same
 * transaction, unless messages arrived in the meantime; so a crash leaves nothing but the mark.
 */
export function processDevice(pool: GeoPools['geo'], device: DeviceRef): Promise<Outcome> {
  const { companyId, deviceId } = device
  return transactionIn(
    pool,
    { company: companyId, scope: '*', user: null, tenant: null },
    async (db): Promise<Outcome> => {
      // Does not lock the dirty mark itself, because ingest would wait.
      const { isMine } = await db.one<{ isMine: boolean }>(sql`select pg_try_advisory_xact_lock(${lockOf(device)}) as "isMine"`)
      if (!isMine) return 'busy'
      const found = await readSubject(db, device)
      if (!found) return 'nothing'
      const { subject, version } = found
      // Nothing remains to do when all of its time has expired.
      if (subject.from <= subject.to) await bringUpToDate(prepared(db), subject)
      const isSettled =
        (await db.exec(
          sql`delete from geo.dirty where "companyId" = ${companyId} and "deviceId" = ${deviceId} and "version" = ${version}`,
        )) === 1
      return isSettled ? 'done' : 'again'
    },
    { retry: true },
  )
}

async function bringUpToDate(db: Sql, device: Subject): Promise<void> {
  const linked = await linkedFences(db, device)
  const subject = { ...device, settings: withLimits(device.settings, linked) }
  const memory = await readMemory(db, subject)
  const fences = await processFences(db, subject, { stored: memory, fences: linked })
  const messages = await processMessages(db, subject, memory)
  let { told } = memory
  let changes = [fences.changes, messages.changes]
  for await (const motion of rebuilds(subject, motionStore(db, subject), subject.settings)) {
    await writeMotion(db, subject, motion)
    await writeDrivers(db, subject, motion)
    // Rules see all events of a time range together; only a long import has several ranges.
    told = await writeEvents(db, subject, [...changes, ...(await processMotionEvents(db, subject, motion))], told)
    changes = []
  }
  told = await writeEvents(db, subject, [await processChecks(db, subject, { fences: linked, ...fences })], told)
  await writeMemory(db, subject, { ...fences.stored, ...messages.stored, told })
}

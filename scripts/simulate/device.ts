import { setTimeout as sleep } from 'node:timers/promises'
import { openGt06 } from './gt06.ts'
import { openH02 } from './h02.ts'
import type { Link, OpenSession, Session } from './link.ts'
import { openOsmand } from './osmand.ts'
import { openTeltonika } from './teltonika.ts'
import { reportsBetween, type Protocol, type Vehicle } from './vehicle.ts'

const open: Record<Protocol, OpenSession> = { teltonika: openTeltonika, gt06: openGt06, h02: openH02, osmand: openOsmand }
/** Maximum positions in one packet. */
const maxPerPacket = 25
/** A long past is simulated in steps of this many ms. */
const maxSpanMs = 3_600_000
const maxPauseMs = 30_000

export interface Driving {
  link: Link
  every: number
  since: number
  clock?: () => number
  say?: (words: string) => void
}

/**
 * Runs one device until the signal stops it. What is not confirmed is sent again over a new connection, together with what happened in
 * the meantime, oldest first, as real devices do. Nothing is skipped.
 */
export async function driveDevice(
  vehicle: Vehicle,
  { link, every, since, clock = Date.now, say = () => undefined }: Driving,
): Promise<void> {
  let confirmed = since
  let pause = 500
  let said = ''
  while (!link.signal.aborted) {
    let session: Session | null = null
    try {
      session = await open[vehicle.protocol](vehicle, link)
      link.tally.connected += 1
      while (!link.signal.aborted) {
        const to = Math.min(clock(), confirmed + maxSpanMs)
        const fixes = reportsBetween(vehicle, { from: confirmed, to, every }).slice(0, maxPerPacket)
        const last = fixes.at(-1)
        if (last) {
          link.tally.sent += fixes.length
          await session.send(fixes)
          link.tally.answered += fixes.length
          confirmed = last.fixTime
          pause = 500
        } else if (to < clock()) confirmed = to
        else await sleep(Math.min(every, 1000), undefined, { signal: link.signal })
      }
    } catch (error) {
      const words = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error)
      if (!link.signal.aborted && words !== said) say(`${vehicle.name} (${vehicle.uniqueId}): ${words}`)
      said = words
    }
    if (session) link.tally.connected -= 1
    session?.close()
    pause = Math.min(maxPauseMs, pause * 2)
    await sleep(pause, undefined, { signal: link.signal }).catch(() => undefined)
  }
}

import type { GeoPools } from '@outpost/platform/db/pool'
import type { Log } from '@outpost/platform/log'
import { createPresence } from './presence.ts'
import { createSchedules } from './schedules.ts'

/** Checks that no message triggers: every few seconds, which devices fell silent, and for which the time of a scheduled rule has come. */
export function startRounds({ pools, log, everyMs = 15_000 }: { pools: GeoPools; log: Log; everyMs?: number }): { stop(): Promise<void> } {
  const rounds = [createPresence({ pools, log }), createSchedules(pools)]
  let running: Promise<void> | null = null
  const go = async () => {
    for (const round of rounds) await round.pass().catch((error: unknown) => log.warn({ err: error }, 'rounds wait'))
  }
  const timer = setInterval(() => {
    running ??= go().finally(() => {
      running = null
    })
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

import type { GeoPools } from '@outpost/platform/db/pool'
import type { Log } from '@outpost/platform/log'
import { createPresence } from './presence.ts'
import { createSchedules } from './schedules.ts'

/** What no message sets off: looks every few seconds who fell silent, and at which device a rule's time of day has come. */
export function startRounds({ pools, log, everyMs = 15_000 }: { pools: GeoPools, log: Log, everyMs?: number }): { stop(): Promise<void> } {
  const rounds = [createPresence({ pools, log }), createSchedules(pools)]
  let running: Promise<void> | null = null
  const go = async () => {
    for (const round of rounds) await round.pass().catch((error: unknown) => log.warn({ err: error }, 'rounds wait'))
  }
  const timer = setInterval(() => {
    running ??= go().finally(() => { running = null })
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

import { dayOf } from '@outpost/rules/time-zone'

/** Waits where the day in a zone ends within so many minutes: what works with one day all along begins after it. */
export async function awayFromMidnight(zone: string, minutes: number): Promise<void> {
  const isNear = () => dayOf(Date.now(), zone) !== dayOf(Date.now() + minutes * 60_000, zone)
  while (isNear()) await new Promise((done) => setTimeout(done, 1_000))
}

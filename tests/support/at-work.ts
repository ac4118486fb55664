import { randomUUID } from 'node:crypto'
import type { Make } from './make.ts'

/** A company that works around the clock: what happens at a time of its own choosing happens at work. */
export async function workAlways(make: Make, companyId: string): Promise<void> {
  const calendarId = randomUUID()
  await make.row('working_calendar', { companyId, id: calendarId, tenantId: companyId })
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  for (const [position, weekday] of days.entries())
    await make.row('working_hours', { companyId, id: randomUUID(), calendarId, position, weekday, startsAt: '00:00', endsAt: '24:00' })
}

import { z } from 'zod'

const years = 100 * 366 * 86_400_000

/**
 * What a device knew of its clock when it noted a time, and keeps beside that time: how far the clock was off the server's
 * (server minus device, milliseconds; negative when it runs ahead), and when it had last heard of the server, by the server's clock.
 */
export const deviceClock = z.strictObject({
  skewMs: z.int().min(-years).max(years),
  heardAt: z.iso.datetime({ offset: true }),
})
export type DeviceClock = z.infer<typeof deviceClock>

import type { DeviceClock } from '@outpost/contract/sync/clock'
import { rightTime } from '@outpost/rules/sync/clock'

interface Noted {
  deviceTime?: string | null | undefined
  clock?: DeviceClock | undefined
}

/** A time as it really was, and the skew by which it was moved; null for a clock that was right. */
type SetRight<Value> = Omit<Value, 'clock' | 'clockSkewMs'> & { clockSkewMs: number | null }

/**
 * Sets the time right that a device's clock gave, once, where the request comes in. `sentAt`: the device's time as it sent the
 * request. A value without a time, or of a device that says nothing of its clock, stays as it is.
 */
export function setTimeRight<Value extends Noted>(
  { clock, ...value }: Value,
  sentAt: string | undefined,
  now = Date.now(),
): SetRight<Value> {
  const rest = value as Omit<Value, 'clock' | 'clockSkewMs'> & Noted
  if (!rest.deviceTime) return { ...rest, clockSkewMs: null }
  const known = clock && { skewMs: clock.skewMs, heardAt: Date.parse(clock.heardAt) }
  const sentSkewMs = sentAt === undefined ? undefined : now - Date.parse(sentAt)
  const { at, skewMs } = rightTime({ at: Date.parse(rest.deviceTime), known, sentSkewMs, now })
  return { ...rest, deviceTime: new Date(at).toISOString(), clockSkewMs: skewMs === 0 ? null : skewMs }
}

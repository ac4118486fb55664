/** Minutes since midnight of a time of day as HH:MM; 24:00 is the end of the day. */
export function minuteOfClock(time: string): number {
  const [hour, minute] = time.split(':')
  return Number(hour) * 60 + Number(minute)
}

/** A time of day as HH:MM. */
export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
